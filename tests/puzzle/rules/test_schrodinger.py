"""Schrödinger cells, against boards that are listed by hand: each cell holds one or two digits."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from random import Random

import pytest

from satdoku.certifying.certificate import Certificate
from satdoku.certifying.verify import verify
from satdoku.errors import CertificateError, SatdokuError
from satdoku.explaining.explain import explain
from satdoku.explaining.words.explanation import describe
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_clashes, find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.questions import check, count, find_solutions
from satdoku.solving.solvers import Settings
from tests.crossing import few_or_many
from tests.each import for_each
from tests.puzzle.rules.test_values import CLUES, ENCODINGS, Cells, Clue, Solved, cage_of, named

BOARD = Geometry.parse("board:4x4:boxes=2x2:digits=5:beside=S*4x4")
DIGITS = range(1, 6)
EVERY = sum(1 << digit for digit in DIGITS)
HELD = [
    *(1 << digit for digit in DIGITS),
    *(1 << low | 1 << high for low, high in combinations(DIGITS, 2)),
]
"""What a cell may hold, one digit or two, as masks."""


def fillings(held: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Every way to go on so that each row, column and box of 4x4 holds 1 to 5 once."""
    cell = len(held)
    if cell == 16:
        yield held
        return
    row, column = divmod(cell, 4)
    in_row = sum(held[4 * row :])
    in_column = sum(held[column::4])
    in_box = sum(held[c] for c in range(cell) if (c // 8, c % 4 // 2) == (row // 2, column // 2))
    for each in HELD:
        if (
            not each & (in_row | in_column | in_box)
            and (column < 3 or in_row | each == EVERY)
            and (row < 3 or in_column | each == EVERY)
            and (row % 2 == 0 or column % 2 == 0 or in_box | each == EVERY)
        ):
            yield from fillings((*held, each))


@cache
def every_solved(lowest: int) -> tuple[Solved, ...]:
    """All fillings with a 1 in r1c1: the lower digits, the higher ones, what the cells count as."""
    of_mask = {each: [digit for digit in DIGITS if each >> digit & 1] for each in HELD}
    low = {each: held[0] for each, held in of_mask.items()}
    high = {each: held[-1] for each, held in of_mask.items()}
    counted = {each: sum(d + lowest - 1 for d in held) for each, held in of_mask.items()}
    return tuple(
        Solved(*(tuple(map(table.__getitem__, held)) for table in (low, high, counted)))
        for held in fillings((1 << 1,))
    )


def cage_without_repeats(solved: Solved, cells: Cells) -> Clue:
    """A cage in which neither digit of a cell stands twice."""
    total = sum(solved.values[cell] for cell in cells)

    def is_kept(each: Solved) -> bool:
        held = [digit for c in cells for digit in {each.digits[c], each.marks[c]}]
        return len(held) == len({*held}) and sum(each.values[c] for c in cells) == total

    return Clue(f"killer:{total}={named(cells)}", is_kept)


OWN_CLUES = [cage_without_repeats, *(each for each in CLUES if each is not cage_of)]


def grid_of(each: Solved) -> Grid:
    return Grid(BOARD, (*each.digits, *each.marks))


@few_or_many("number_of_puzzles", 2, 200)
def test_cells_with_two_digits_count_as_their_sum(number_of_puzzles: int) -> None:
    rng = Random(number_of_puzzles)
    for number in range(number_of_puzzles):
        require_fillings(rng, 1 - number % 2, every_solved(1 - number % 2))


def require_fillings(rng: Random, lowest: int, solved: Sequence[Solved]) -> None:
    """Solver, judge and the list of all fillings agree about some random clues and givens."""
    base = rng.choice(solved)
    clues = [
        rng.choice(OWN_CLUES)(base, rng.sample(range(16), rng.randint(2, 4)))
        for _ in range(rng.randint(1, 3))
    ]
    makers = [*([] if lowest else ["digits:0-4"]), "schrodinger:S"]
    rules = read_rules([*makers, *(clue.text for clue in clues)], BOARD)
    given = [0, 16, *rng.sample(range(32), rng.randint(6, 14))]
    whole = (*base.digits, *base.marks)
    start = Grid(BOARD, tuple(whole[c] if c in given else 0 for c in range(32)))
    puzzle = Puzzle(start).with_rules(rules)
    kept = {
        grid
        for grid in (grid_of(s) for s in solved if all(clue.is_kept(s) for clue in clues))
        if all(grid.digits[c] == whole[c] for c in given)
    }
    encoding = rng.choice(ENCODINGS)
    assert set(find_solutions(puzzle, Settings(encoding=encoding))) == kept, (rules, encoding)
    bare = Puzzle(Grid.empty(BOARD)).with_rules(rules)
    for each in rng.sample(solved, 20):
        is_right = all(clue.is_kept(each) for clue in clues)
        assert (not find_fault(grid_of(each), bare)) == is_right, (rules, each)


def test_every_filling_is_counted_once() -> None:
    start = Grid(BOARD, tuple(1 if cell in (0, 16) else 0 for cell in range(32)))
    puzzle = Puzzle(start).with_rules(read_rules(["schrodinger:S"], BOARD))
    assert count(puzzle).number == len(every_solved(1)) == 3_312


@few_or_many("number_of_fillings", 3, 10)
def test_grids_that_are_no_filling_are_refused(number_of_fillings: int) -> None:
    """Each digit of a filling, altered, is a fault that the judge finds."""
    puzzle = Puzzle(Grid.empty(BOARD)).with_rules(read_rules(["schrodinger:S"], BOARD))
    fillings = {grid_of(each) for each in every_solved(1)}
    rng = Random(5)
    for each in rng.sample(sorted(fillings, key=lambda grid: grid.digits), number_of_fillings):
        for cell in (c for c in range(32) if c not in (0, 16)):
            digits = list(each.digits)
            digits[cell] = digits[cell] % 5 + 1
            altered = Grid(BOARD, tuple(digits))
            assert (find_fault(altered, puzzle) == "") == (altered in fillings)


def test_the_judge_says_what_is_wrong() -> None:
    def told(cells: dict[int, int], *rules: str) -> list[str]:
        digits = tuple(cells.get(cell, 0) for cell in range(32))
        puzzle = Puzzle(Grid(BOARD, digits)).with_rules(
            read_rules(["schrodinger:S", *rules], BOARD)
        )
        return [str(clash) for clash in find_clashes(puzzle)]

    assert told({0: 3, 16: 2}) == [
        "r1c1 is 3 and S1 is 2, but the second digit of a cell is not lower than the first"
    ]
    assert told({0: 2, 16: 4, 3: 4}) == [
        "S1 and r1c4 are both 4, but r1c1 and r1c4 have no digit in common"
    ]
    assert told({0: 2, 16: 4, 9: 3, 25: 4}, "killer:9=r1c1,r3c2") == [
        "S1 and S10 are both 4, but r1c1 and r3c2 have no digit in common",
        "r1c1, r3c2, S1 and S10 are 2, 3, 4 and 4, but the cage sums to 9; they count as 6 and 7",
    ]
    row = {0: 1, 1: 2, 2: 3, 3: 4, 16: 1, 17: 2, 18: 3, 19: 4}
    assert told(row)[0].endswith("but row 1 has a 5")


CAGES = [
    "killer:11=r1c2,r1c3",
    "killer:11=r2c2,r2c3,r3c2,r3c3",
    "killer:7=r2c1,r3c1",
    "killer:6=r3c4,r4c4",
]


def test_cages_alone_make_a_puzzle_that_is_explained() -> None:
    puzzle = Puzzle(Grid.empty(BOARD)).with_rules(read_rules(["schrodinger:S", *CAGES], BOARD))
    outcome = check(puzzle)
    assert outcome.verdict is Verdict.UNIQUE
    assert outcome.solution is not None
    assert outcome.solution.line == "32414123135454123541412523545432"
    told = "\n".join(describe(explain(puzzle)))
    assert "Schrödinger cells: row 1 has a 1" in told
    rule = next(rule for rule in puzzle.rules if rule.name == "schrodinger")
    drawn = list(rule.drawing_on(BOARD, outcome.solution.digits))
    assert drawn[0] == ("cage", (1,), "5", True)
    assert len(drawn) == 4


@for_each(
    "rules, fault",
    [
        (["odd:r1c1"], "the rule odd cannot be used with schrodinger: it is not defined which"),
        (["palindrome:r1c1-3"], "the rule palindrome cannot be used with schrodinger"),
        (["hot:r1c1"], "the rule schrodinger cannot be used with hot"),
        (["arrow:r1c1-2=r1c3,r2c3"], "the rule arrow: a pill cannot be used with schrodinger"),
    ],
)
def test_what_is_not_defined_with_two_digits_is_refused(rules: list[str], fault: str) -> None:
    with pytest.raises(SatdokuError, match=re.escape(fault)):
        read_rules(["schrodinger:S", *rules], BOARD)


def test_a_board_without_marks_or_spare_digits_is_told_how_to_have_them() -> None:
    with pytest.raises(SatdokuError, match=r"--box board:9x9:boxes=3x3:digits=10:beside=S\*9x9"):
        read_rules(["schrodinger:S"], Geometry(3, 3))
    plain = Geometry.parse("board:4x4:boxes=2x2:beside=S*4x4")
    with pytest.raises(SatdokuError, match="needs more digits than a row, column or box has"):
        Puzzle(Grid.empty(plain)).with_rules(read_rules(["schrodinger:S"], plain))


def test_no_proof_about_such_a_puzzle_is_accepted() -> None:
    puzzle = Puzzle(Grid.empty(BOARD)).with_rules(read_rules(["schrodinger:S"], BOARD))
    with pytest.raises(CertificateError, match="no certificates yet for the rule schrodinger"):
        verify(Certificate(puzzle, Verdict.NONE))
