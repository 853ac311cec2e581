import re
from collections.abc import Sequence
from itertools import combinations, permutations, product
from pathlib import Path
from random import Random

from satdoku.certifying.certificate import PLAIN_ENCODINGS
from satdoku.certifying.justify import ANY, Amount, Amounts, Definitions, Justifier, runs_of
from satdoku.encoding.choices import Encoding
from satdoku.encoding.meanings import State, Worth
from satdoku.encoding.variables import blocking_clause, variable
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.group_rule import GroupRule
from satdoku.puzzle.rules.machine_rule import MachineRule
from satdoku.puzzle.rules.registry import RULES, read_rules
from tests.boards import SHAPES, clashing_puzzle, full_grid, random_puzzle, read_grid, stuck_puzzle
from tests.crossing import crossed, sampled
from tests.each import for_each
from tests.formulas import clauses_of_grid
from tests.oracle import solutions_of

TWO = Geometry(2, 2)
PUZZLE = read_grid("1..............4")


def true_in(solution: Grid) -> set[int]:
    return {variable(solution.geometry, c, digit) for c, digit in enumerate(solution.digits)}


@crossed(len(PLAIN_ENCODINGS), geometry=SHAPES, encoding=PLAIN_ENCODINGS)
def test_every_clause_of_the_encoder_is_justified(geometry: Geometry, encoding: Encoding) -> None:
    rng = Random(str(geometry))
    grids = [Grid.empty(geometry), full_grid(rng, geometry)]
    grids += [random_puzzle(rng, geometry).grid for _ in range(3)]
    if geometry.size > 2:
        grids += [clashing_puzzle(geometry).grid, stuck_puzzle(geometry).grid]
    # Of larger boards the empty one and some givens: their formulas are the longest.
    for grid in grids if geometry.size < 9 else grids[:3:2]:
        justifier = Justifier(Puzzle(grid))
        assert all(justifier.is_justified(clause) for clause in clauses_of_grid(grid, encoding))


@sampled(2, "seed", range(4))
def test_what_is_justified_holds_in_every_solution(seed: int) -> None:
    """All clauses of one or two literals, and many longer ones."""
    rng = Random(seed)
    grid = random_puzzle(rng, TWO, 0.1, 0.4).grid
    models = [true_in(Grid(TWO, digits)) for digits in solutions_of(2, 2, grid.digits)]
    literals = [sign * n for n in range(1, 65) for sign in (1, -1)]
    clauses: list[tuple[int, ...]] = [(literal,) for literal in literals]
    clauses += combinations(literals, 2)
    clauses += [tuple(rng.sample(literals, rng.randint(3, 4))) for _ in range(2000)]
    justifier = Justifier(Puzzle(grid))
    for clause in filter(justifier.is_justified, clauses):
        for true in models:
            assert any((n in true) if n > 0 else (-n not in true) for n in clause), clause


@for_each(
    "clause",
    [
        (),
        (65,),
        (-65,),
        (2,),
        (2, 3, 4),
        (5, 6, 7),
        (-1,),
        (1, -5),
        (-5, 1),
        (-5, -21, -37),
        (-5, -10),
        (-6, -48),
        (6, 10, 14, 18),
        (6, 10),
        (-6,),
        (-6, -6),
    ],
)
def test_other_clauses_are_not(clause: tuple[int, ...]) -> None:
    assert not Justifier(Puzzle(PUZZLE)).is_justified(clause)


@for_each(
    "clause",
    [(1,), (64,), (-2,), (-5,), (-33,), (6, 7, 8), (8, 7, 6), (6, 5, 8, 7), (-6, -7), (-6, -10)],
)
def test_these_are(clause: tuple[int, ...]) -> None:
    assert Justifier(Puzzle(PUZZLE)).is_justified(clause)


@for_each("seed", range(10))
def test_the_blocking_clause_of_the_encoder_is_blocking(seed: int) -> None:
    rng = Random(seed)
    geometry = rng.choice(SHAPES)
    full = full_grid(rng, geometry)
    for grid in (Grid.empty(geometry), full, random_puzzle(rng, geometry).grid):
        clause = blocking_clause(full, Puzzle(grid))
        assert Justifier(Puzzle(grid)).is_blocking(clause, full)


@for_each("seed", range(10))
def test_a_blocking_clause_excludes_one_solution_only(seed: int) -> None:
    rng = Random(seed)
    grid = random_puzzle(rng, TWO, 0.1, 0.4).grid
    solutions = [Grid(TWO, digits) for digits in solutions_of(2, 2, grid.digits)]
    for one, other in product(solutions[:8], solutions):
        clause = blocking_clause(one, Puzzle(grid))
        assert Justifier(Puzzle(grid)).is_blocking(clause, other) is (one == other)


def test_a_clause_that_excludes_more_is_not_blocking() -> None:
    solution = read_grid("1234341221434321")
    puzzle = solution.with_digits(dict.fromkeys((0, 1, 4, 5), 0))
    clause = blocking_clause(solution, Puzzle(puzzle))
    justifier = Justifier(Puzzle(puzzle))
    assert justifier.is_blocking((*clause, -64 + 3), solution)
    assert not any(justifier.is_blocking(part, solution) for part in combinations(clause, 3))
    assert not justifier.is_blocking((*clause, -64), solution)
    assert not justifier.is_blocking((*clause[:3], -clause[3]), solution)
    assert not justifier.is_blocking((), solution)


def tables_of(digit: int, cells: Sequence[int]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Tables that count a digit in cells of a 4x4 board."""
    return tuple((cell, tuple(int(each == digit) for each in range(5))) for cell in cells)


def ruled(*rules: str) -> Puzzle:
    return Puzzle(Grid.empty(TWO)).with_rules(read_rules(rules, TWO))


def test_what_a_cage_holds_is_not_what_some_of_its_cells_hold() -> None:
    """Every set of the cage has a 1, which may stand in the third cell."""
    in_all, in_two = Worth(tables_of(1, (0, 1, 5)), 1), Worth(tables_of(1, (0, 1)), 1)
    justifier = Justifier(ruled("killer:7=r1c1,r1c2,r2c2"), {65: in_all, 66: in_two})
    assert justifier.is_justified((65,))
    assert not justifier.is_justified((66,))


def test_a_claim_that_is_always_true_says_of_no_digit_that_it_is_there() -> None:
    """No set of the cage has a 3."""
    tables = tables_of(3, (0, 1, 5))
    puzzle = ruled("killer:7=r1c1,r1c2,r2c2")
    justifier = Justifier(puzzle, {65: Worth(tables, 1), 66: Worth(tables, 0)})
    assert justifier.is_justified((-65,))
    assert not justifier.is_justified((-66,))


def test_states_of_two_machines_do_not_exclude_each_other() -> None:
    puzzle = ruled("machine:r1c1-4:1.*3|2.*4", "machine:r3c1-4:1.*3|2.*4")
    first, second = runs_of(puzzle.rules, TWO)
    states = sorted({state for state in first.layers[0][0][1:] if state >= 0})
    assert first.layers == second.layers
    assert len(states) == 2
    meanings = {65: State(0, 1, states[0]), 66: State(0, 1, states[1]), 67: State(1, 1, states[1])}
    justifier = Justifier(puzzle, meanings)
    assert justifier.is_justified((-65, -66))
    assert not justifier.is_justified((-65, -67))


def test_the_page_on_certificates_names_the_rules_whose_data_the_encoder_shares() -> None:
    page = (Path(__file__).parents[2] / "docs/certificates.md").read_text()
    section = page.split("### What `verify` shares with the encoder")[1].split("\n## ")[0]
    kinds = [kind for kind in RULES.values() if issubclass(kind, GroupRule)]
    named = {
        kind.name
        for kind in kinds
        if issubclass(kind, MachineRule) or kind.counted is not GroupRule.counted
    }
    told = set(re.findall("`([a-z-]+)`", section))
    assert told - {"verify", "either"} == named


def test_bounds_of_amounts_rule_out_a_sum_only_where_each_has_one() -> None:
    puzzle = Puzzle(PUZZLE)
    amounts = Amounts(puzzle, Definitions(puzzle))
    table = (0, 1, 2, 3, 4)
    one, other, whole = (
        amounts.counted(tuple((cell, table) for cell in cells)) for cells in ((0,), (5,), (0, 5))
    )
    three, two, at_most_four = Amount(one, (3, 4)), Amount(other, (2, 4)), Amount(whole, (0, 4))
    for claims in permutations([three, two, at_most_four]):
        assert amounts.are_apart(claims)
    for claim in (Amount(other, ANY), Amount(other, (1, 4)), Amount(one, (2, 4))):
        assert not amounts.are_apart([three, claim, at_most_four])
    # The sum has another table, or a cell more.
    for tables in (((0, table), (5, (0, 1, 2, 3, 5))), ((0, table), (5, table), (6, table))):
        assert not amounts.are_apart([three, two, Amount(amounts.counted(tables), (0, 4))])
