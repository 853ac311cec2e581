"""Wider constraints as clauses: solutions have one model each, and nothing impossible crashes."""

from collections.abc import Iterator
from itertools import combinations, permutations
from random import Random

import pytest
from pysat.solvers import Solver

from satdoku.encoding.choices import Encoding
from satdoku.encoding.encode import encode, notes_for
from satdoku.encoding.meanings import Worth
from satdoku.encoding.variables import Auxiliaries
from satdoku.encoding.wider.machines import clauses_of_sets, write_enclosed
from satdoku.encoding.wider.write import Kit
from satdoku.puzzle.constraints import Either, Enclosed, HiddenRegions, Sets, Total, mask_of
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.cages import sets_with_sum
from satdoku.puzzle.rules.registry import read_rules
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.questions import check, count
from tests.each import for_each
from tests.puzzle.rules.instances import NAMES, SMALL, example_of

EXAMPLES = {name: Puzzle(Grid.empty(SMALL)).with_rules([example_of(name)]) for name in NAMES}
WIDER = [name for name, puzzle in EXAMPLES.items() if puzzle.constraints.wider]


@for_each("encoding", [Encoding.REDUCED, Encoding.EXTENDED])
@for_each("name", WIDER)
def test_a_solution_has_one_model(name: str, encoding: Encoding) -> None:
    """Other programs that count models of our formulas then count solutions."""
    puzzle = EXAMPLES[name]
    solution = check(puzzle).solution
    assert solution is not None
    puzzle = puzzle.with_grid(solution.with_digits(dict.fromkeys(range(3, 16, 2), 0)))
    puzzle = puzzle.with_grid(puzzle.grid.with_digits(dict.fromkeys(range(8), 0)))
    clauses = [c for group in encode(puzzle, encoding) for c in group.clauses]
    with Solver("cadical153", bootstrap_with=clauses) as solver:
        models = sum(1 for _ in solver.enum_models())
    expected = count(puzzle).number
    if any(isinstance(each, Either | HiddenRegions) for each in puzzle.constraints.wider):
        assert models >= expected
    else:
        assert models == expected


@pytest.mark.parametrize("size", [2, 3, 4, 6])
def test_clauses_of_sets_keep_just_these(size: int) -> None:
    for total in range(size * (size + 1) // 2, size * (19 - size) // 2 + 1, 4):
        sets = sets_with_sum(9, size, total)
        clauses = clauses_of_sets(sets, size, 9)
        for mask in range(0, 1 << 10, 2):
            if mask.bit_count() == size:
                kept = all(any((mask >> abs(n) & 1) == (n > 0) for n in c) for c in clauses)
                assert kept == (mask in sets)


@for_each("seed", range(12))
def test_a_line_has_one_model_if_what_is_enclosed_is_one_of_the_sets(seed: int) -> None:
    # Of all sets of a number nothing is said but by the variables for digits and numbers.
    rng, size, cells = Random(seed), 6, tuple(range(6))
    every = [[mask_of(each) for each in combinations(range(2, size), n)] for n in range(size - 1)]
    sets = [
        mask
        for some in every
        for mask in rng.sample(some, rng.choice([0, len(some) // 2, len(some)]))
    ]
    kit = Kit(lambda cell, digit: cell * size + digit, Auxiliaries(size * size), size, ())
    kit.add_differing(cells)
    for cell in cells:
        kit.add(*kit.literals_of(cell)[1:])
    write_enclosed(Enclosed(cells, tuple(sets), ""), kit)
    assert all(kit.clauses) == bool(sets)
    clauses = [
        *filter(None, kit.clauses),
        *(pair for each in kit.exclusive for pair in pairs(each)),
    ]
    with Solver("glucose4", bootstrap_with=clauses) as solver:
        models = [
            [n for n in model[: size * size] if n > 0] for model in solver.enum_models() if sets
        ]
    found = sorted(tuple(n - size * cell for cell, n in enumerate(model)) for model in models)
    assert found == sorted(
        line
        for line in permutations(range(1, size + 1))
        if mask_of(slice_between(line, 1, size)) in sets
    )


def pairs(literals: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Clauses that say: of these literals at most one holds."""
    return ((-one, -other) for one, other in combinations(literals, 2))


def slice_between(line: tuple[int, ...], one: int, other: int) -> tuple[int, ...]:
    first, last = sorted((line.index(one), line.index(other)))
    return line[first + 1 : last]


@pytest.mark.parametrize("encoding", [e for e in Encoding if e is not Encoding.TRIADS])
def test_what_givens_make_impossible_is_no_solution(encoding: Encoding) -> None:
    rules = read_rules(["killer:7=r1c1,r1c2,r2c2", "arrow:r3c3=r4c4,r4c3"], SMALL)
    for digits in ({0: 1, 1: 2, 5: 3}, {15: 4}, {10: 1}):
        puzzle = Puzzle(Grid.empty(SMALL).with_digits(digits)).with_rules(rules)
        clauses = [c for group in encode(puzzle, encoding) for c in group.clauses]
        assert all(clauses)
        with Solver("minicard", bootstrap_with=clauses) as solver:
            assert not solver.solve()


def test_large_cages_are_sums_and_small_ones_sets() -> None:
    """The sets of a cage of half of 25 digits would be five million."""
    wide = Geometry(5, 5)
    small, large = read_rules(["killer:20=r1c1-3", "killer:150=r1c1-12"], wide)
    assert any(isinstance(each, Sets) for each in small.constraints(wide))
    assert any(isinstance(each, Total) for each in large.constraints(wide))


def test_a_way_through_all_cells_of_a_winding_area_hangs_together() -> None:
    # Row 1 to the right, down, row 3 to the left, down, and so on: no cell has a third neighbour.
    rows = [f"r{row}c1-8" for row in (1, 3, 5, 7)]
    turns = ["r2c8", "r4c1", "r6c8"]
    rule = f"connected:1/2/3/4/5/6/7/8={','.join(rows + turns)}"
    solution = check(Puzzle(Grid.empty(Geometry.of_size(8)))).solution
    assert solution is not None
    puzzle = Puzzle(solution).with_rules(read_rules([rule], solution.geometry))
    assert check(puzzle).verdict is Verdict.UNIQUE


def test_choices_share_variables_about_digits() -> None:
    """Each choice would else define its own, also in a certificate."""
    line, cells = "between:r1c1,r1c2,r2c3,r4c", "=r5c5,r5c6,r5c7"
    rule = f"either:{line}4&sum:12{cells}|{line}5&sum:14{cells}"
    puzzle = Puzzle(Grid.empty(Geometry(3, 3))).with_rules(read_rules([rule], Geometry(3, 3)))
    notes = notes_for(puzzle)
    clauses = sum(len(group.clauses) for group in encode(puzzle, notes=notes))
    said = [
        meaning
        for meaning in notes.meanings.values()
        if isinstance(meaning, Worth) and all({*table} <= {0, 1} for _, table in meaning.tables)
    ]
    assert said
    assert len({*said}) == len(said)
    # Of these clauses a fifth would say that a machine is not in two states.
    assert clauses < 13_000
