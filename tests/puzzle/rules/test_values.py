"""Doublers, negators, hot and cold cells, against grids that are counted by hand."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise, permutations
from random import Random
from typing import NamedTuple

import pytest

from satdoku.certifying.certificate import Certificate
from satdoku.certifying.verify import verify
from satdoku.encoding.choices import Encoding
from satdoku.errors import CertificateError, SatdokuError
from satdoku.explaining.explain import explain
from satdoku.explaining.words.explanation import describe
from satdoku.puzzle.arrangement import Arrangement
from satdoku.puzzle.constraints import Total
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_clashes, find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.classic import CLASSIC
from satdoku.puzzle.rules.registry import read_rules
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.questions import find_solutions
from satdoku.solving.solvers import Settings
from tests.crossing import few_or_many
from tests.each import for_each
from tests.puzzle.rules.instances import LINES_ONLY, every_grid

ENCODINGS = [encoding for encoding in Encoding if encoding is not Encoding.TRIADS]
MARKED = Arrangement.read("board:4x4:boxes=2x2:beside=D*4x4")
CHANGES: dict[int, Callable[[int], int]] = {
    1: lambda digit: digit,
    2: lambda digit: 2 * digit,
    3: lambda digit: -digit,
}


class Solved(NamedTuple):
    """A grid with its marks, none where no cell has one, and what its cells count as."""

    digits: tuple[int, ...]
    marks: tuple[int, ...]
    values: tuple[int, ...]


def places_of(digits: Sequence[int]) -> list[tuple[int, ...]]:
    """Every choice of four cells, one in each row, column and box, with four digits."""
    chosen = []
    for columns in permutations(range(4)):
        cells = tuple(4 * row + column for row, column in enumerate(columns))
        boxes = {cell // 8 * 2 + cell % 4 // 2 for cell in cells}
        if len(boxes) == len({digits[cell] for cell in cells}) == 4:
            chosen.append(cells)
    return chosen


@cache
def every_solved(kinds: frozenset[str], lowest: int = 1) -> tuple[Solved, ...]:
    """All grids of 4x4 with all doublers and negators that these rules allow.

    Marks and digits are those of the board, which begin with 1 whatever the lowest number is.
    """
    found = []
    for grid in every_grid(CLASSIC):
        places = places_of(grid.digits)
        doubled = places if "doublers" in kinds else [()]
        negated = places if "negators" in kinds else [()]
        for two in doubled:
            for three in negated:
                if set(two).isdisjoint(three):
                    marks = tuple(2 if c in two else 3 if c in three else 1 for c in range(16))
                    numbers = [digit - 1 + lowest for digit in grid.digits]
                    values = tuple(CHANGES[m](d) for m, d in zip(marks, numbers, strict=True))
                    marked = tuple(mark + 1 - lowest for mark in marks)
                    found.append(Solved(grid.digits, marked, values))
    return tuple(found)


class Clue(NamedTuple):
    """A rule as text, and whether the values of some cells keep it."""

    text: str
    is_kept: Callable[[Solved], bool]


Cells = Sequence[int]
Related = Callable[[int, int], bool]


def named(cells: Cells) -> str:
    return ",".join(f"r{cell // 4 + 1}c{cell % 4 + 1}" for cell in cells)


def along(name: str, cells: Cells, is_right: Related) -> Clue:
    """A clue about the values of each two cells that follow each other."""
    return Clue(
        f"{name}{named(cells)}",
        lambda solved: all(
            is_right(solved.values[a], solved.values[b]) for a, b in pairwise(cells)
        ),
    )


def summing(name: str, cells: Cells, total: int) -> Clue:
    return Clue(f"{name}{named(cells)}", lambda solved: sum_of(solved, cells) == total)


def sum_of(solved: Solved, cells: Cells) -> int:
    return sum(solved.values[cell] for cell in cells)


def rising(solved: Solved, cells: Cells) -> list[int]:
    return sorted(cells, key=lambda cell: (solved.values[cell], cell))


def cage_of(solved: Solved, cells: Cells) -> Clue:
    total = abs(sum_of(solved, cells))
    return Clue(
        f"killer:{total}={named(cells)}",
        lambda s: sum_of(s, cells) == total and len({s.digits[c] for c in cells}) == len(cells),
    )


def arrow_of(solved: Solved, cells: Cells) -> Clue:
    circle, *shaft = cells
    text = f"arrow:{named([circle])}={named(shaft)}"
    return Clue(text, lambda s: s.values[circle] == sum_of(s, shaft))


def little_killer_of(solved: Solved, cells: Cells) -> Clue:
    total = abs(solved.values[1] + solved.values[4])
    return Clue(f"little-killer:r1c2.dl={total}", lambda s: s.values[1] + s.values[4] == total)


def difference_of(solved: Solved, cells: Cells) -> Clue:
    number = abs(solved.values[cells[0]] - solved.values[cells[1]]) or 1
    return along(f"difference:{number}=", cells[:2], lambda a, b: abs(a - b) == number)


def pair_sum_of(solved: Solved, cells: Cells) -> Clue:
    number = abs(sum_of(solved, cells[:2])) or 1
    return along(f"pair-sum:{number}=", cells[:2], lambda a, b: a + b == number)


def balanced(name: str, text: str, left: Cells, right: Cells) -> Clue:
    """A clue that two lists of cells have equal sums; a cell may be in a list twice."""
    return Clue(f"{name}:{text}", lambda s: sum_of(s, left) == sum_of(s, right))


def four(cells: Cells) -> list[int]:
    return [*cells, *(set(range(16)) - {*cells})][:4]


def region_sum_of(solved: Solved, cells: Cells) -> Clue:
    a, b, c, d = four(cells)
    return balanced("region-sum", f"{named([a, b])}/{named([c, d])}", [a, b], [c, d])


def double_arrow_of(solved: Solved, cells: Cells) -> Clue:
    a, b, c, d = four(cells)
    return balanced("double-arrow", named([a, b, c, d]), [a, d], [b, c])


def sequence_of(solved: Solved, cells: Cells) -> Clue:
    a, b, c, _ = four(cells)
    return balanced("sequence", named([a, b, c]), [a, c], [b, b])


def zipper_of(solved: Solved, cells: Cells) -> Clue:
    a, b, c, _ = four(cells)
    return balanced("zipper", named([a, b, c]), [a, c], [b])


EDGES = [(c, c + 1) for c in range(16) if c % 4 < 3] + [(c, c + 4) for c in range(12)]

CLUES: list[Callable[[Solved, Cells], Clue]] = [
    cage_of,
    cage_of,
    arrow_of,
    little_killer_of,
    difference_of,
    pair_sum_of,
    zipper_of,
    region_sum_of,
    double_arrow_of,
    sequence_of,
    lambda solved, cells: summing(
        f"sum:{abs(sum_of(solved, cells))}=", cells, abs(sum_of(solved, cells))
    ),
    lambda solved, cells: along("thermo:", rising(solved, cells), lambda a, b: a < b),
    lambda solved, cells: along("slow-thermo:", rising(solved, cells), lambda a, b: a <= b),
    lambda solved, cells: along("greater:", rising(solved, cells)[::-1], lambda a, b: a > b),
    lambda solved, cells: along("whispers:2=", cells, lambda a, b: abs(a - b) >= 2),
    lambda solved, cells: along("ratio:2=", cells[:2], lambda a, b: a == 2 * b or b == 2 * a),
    lambda solved, cells: Clue(
        "maximum:r1c1", lambda s: s.values[0] > max(s.values[1], s.values[4])
    ),
    lambda solved, cells: Clue(
        "kropki:all-white", lambda s: all(abs(s.values[a] - s.values[b]) != 1 for a, b in EDGES)
    ),
]


def require_solutions(
    rng: Random, geometry: Geometry, makers: list[str], solved: Sequence[Solved]
) -> None:
    """Solver, judge and the list of all solutions agree about some random clues."""
    base = rng.choice(solved)
    clues = [
        rng.choice(CLUES)(base, rng.sample(range(16), rng.randint(2, 4)))
        for _ in range(rng.randint(2, 3))
    ]
    rules = read_rules([*makers, *(clue.text for clue in clues)], geometry)
    puzzle = Puzzle(Grid.empty(geometry)).with_rules(rules)
    beside = geometry.cell_count > 16

    def grid_of(each: Solved) -> Grid:
        return Grid(geometry, (*each.digits, *(each.marks if beside else ())))

    kept = {grid_of(s) for s in solved if all(clue.is_kept(s) for clue in clues)}
    encoding = rng.choice(ENCODINGS)
    found = list(find_solutions(puzzle, Settings(encoding=encoding)))
    assert set(found) == kept, (rules, encoding)
    assert len(found) == len(kept)
    for each in rng.sample(solved, 10):
        grid = grid_of(each)
        assert (not find_fault(grid, puzzle)) == (grid in kept), (rules, grid)


@few_or_many("count", 2, 100)
@for_each("kinds", [("doublers",), ("negators",), ("doublers", "negators")])
def test_marked_cells_count_otherwise(kinds: tuple[str, ...], count: int) -> None:
    rng = Random(f"{kinds} {count}")
    makers = [f"{kind}:D" for kind in kinds]
    for number in range(count):
        lowest = 1 - number % 2
        digits = [] if lowest else ["digits:0-3"]
        solved = every_solved(frozenset(kinds), lowest)
        require_solutions(rng, MARKED, [*digits, *makers], solved)


@few_or_many("count", 6, 200)
def test_hot_and_cold_cells_count_one_more_or_less(count: int) -> None:
    rng = Random(count)
    for _ in range(count):
        require_hot_and_cold(rng)


def require_hot_and_cold(rng: Random) -> None:
    cells = rng.sample(range(16), 8)
    added = dict.fromkeys(cells[:4], 1) | dict.fromkeys(cells[4:], -1)
    solved = [
        Solved(g.digits, (), tuple(d + added.get(c, 0) for c, d in enumerate(g.digits)))
        for g in every_grid(CLASSIC)
    ]
    makers = [
        f"hot:{named(cells[:4])}",
        f"cold:{named(cells[4:])}",
    ]
    require_solutions(rng, Geometry(2, 2), makers, solved)


@for_each(
    "rules, fault",
    [
        (["palindrome:r1c1-3"], "the rule palindrome cannot be used with doublers: it is not"),
        (["either:odd:r1c1|even:r1c1"], "the rule either cannot be used with doublers"),
        (["hot:r1c1"], "the rule hot: hot cells cannot be used with doublers or negators"),
        (["arrow:r1c1-2=r1c3,r2c3"], "the rule arrow: a pill cannot be used with doublers"),
        (["negators:E"], "the rule negators: 'E' is no group of cells beside the board"),
        (["negators:F"], "doublers and negators need the same group of marks"),
    ],
)
def test_what_is_not_defined_with_doublers_is_refused(rules: list[str], fault: str) -> None:
    board = Geometry.parse("board:4x4:boxes=2x2:beside=D*4x4+F*4x4+E*4")
    with pytest.raises(SatdokuError, match=re.escape(fault)):
        read_rules(["doublers:D", *rules], board)


@for_each("digits", ["5-8", "2-5"])
def test_each_mark_is_a_digit_of_the_board(digits: str) -> None:
    with pytest.raises(SatdokuError, match="the mark 1 is no digit of this board"):
        read_rules(["doublers:D", f"digits:{digits}"], MARKED)


def test_cages_without_such_cells_are_bounded_and_told_as_usual() -> None:
    rules = read_rules(["hot:r1c1", "killer:20=r3c1-2", "killer:5=r1c1-2"], Geometry(2, 2))
    puzzle = Puzzle(Grid.empty(Geometry(2, 2))).with_rules(rules)
    usual, with_hot = (rule for rule in puzzle.rules if rule.name == "killer" and rule.reading)
    assert usual.why_impossible(puzzle.geometry) == "the sum of 2 cells can be 3 to 7"
    told = "\n".join(describe(explain(puzzle)))
    assert "killer:20=r3c1,r3c2 does so by itself." in told
    sums = {each.cells: each.sentence for each in puzzle.constraints.wider}
    assert "by values" not in sums[8, 9]
    assert "by values" in sums[0, 1]
    assert with_hot.why_impossible(puzzle.geometry) == ""


def test_a_board_without_marks_is_told_how_to_have_them() -> None:
    with pytest.raises(SatdokuError, match=r"--box board:9x9:boxes=3x3:beside=D\*9x9 has such"):
        read_rules(["doublers:D"], Geometry(3, 3))


def test_a_cell_is_hot_or_cold() -> None:
    with pytest.raises(SatdokuError, match="r1c1 is hot and cold, or named twice"):
        read_rules(["hot:r1c1,r1c2", "cold:r1c1"], Geometry(2, 2))


def test_doublers_lie_in_the_regions_that_stand_in_for_boxes() -> None:
    letters = "AAABABBBCCCDCDDD"
    rules = read_rules(["doublers:D", f"regions:{letters}"], MARKED)
    puzzle = Puzzle(Grid.empty(MARKED)).with_rules(rules)
    expected = 0
    for grid in every_grid(LINES_ONLY):
        if len({(letters[c], d) for c, d in enumerate(grid.digits)}) == 16:
            expected += sum(
                len({letters[c] for c in cells}) == len({grid.digits[c] for c in cells}) == 4
                for cells in (
                    [4 * row + column for row, column in enumerate(columns)]
                    for columns in permutations(range(4))
                )
            )
    assert len(set(find_solutions(puzzle))) == expected == 96
    (doublers,) = (rule for rule in puzzle.rules if rule.name == "doublers")
    assert "row, column and region" in doublers.sentence(MARKED)


def test_the_judge_tells_what_cells_count_as() -> None:
    board = "24..............21.............."
    rules = ["doublers:D", "killer:5=r1c1,r1c2"]
    puzzle = Puzzle.from_line(board, MARKED, rules)
    told = [str(clash) for clash in find_clashes(puzzle)]
    assert told == [
        "r1c1, r1c2, D1 and D2 are 2, 4, 2 and 1, but the cage sums to 5; they count as 4 and 4"
    ]


def test_found_doublers_are_drawn_in_a_solution() -> None:
    rule = read_rules(["doublers:D"], MARKED)[0]
    assert list(rule.drawing(MARKED)) == []
    digits = [1] * 16 + [2 if cell in (0, 6) else 1 for cell in range(16)]
    assert list(rule.drawing_on(MARKED, digits)) == [("mark", (0, 6), "circle")]


def test_no_proof_about_such_a_puzzle_is_accepted() -> None:
    puzzle = Puzzle.from_line("1" + "." * 15, rules=["hot:r1c1", "killer:3=r1c1,r1c2"])
    forged = Certificate(puzzle, Verdict.NONE)
    with pytest.raises(CertificateError, match="no certificates yet for the rule hot"):
        verify(forged)


def test_the_digits_of_a_sum_of_values_are_bounded() -> None:
    """Digits that are to count 11 sum to 7 or more in a row, which has one doubler."""
    rules = read_rules(["doublers:D", "killer:11=r1c1-3", "sum:11=r1c1,r2c3"], MARKED)
    puzzle = Puzzle(Grid.empty(MARKED)).with_rules(rules)
    bounds = {
        each.cells: (each.low, each.high)
        for each in puzzle.constraints.wider
        if isinstance(each, Total) and each.cells[0] < 16
    }
    assert bounds == {(0, 1, 2): (7, 11), (0, 6): (3, 11)}


def test_rules_clash_beside_those_that_make_values() -> None:
    rules = read_rules(["hot:r1c1", "killer:3=r1c1,r1c2"], Geometry(2, 2))
    told = "\n".join(describe(explain(Puzzle(Grid.empty(Geometry(2, 2))).with_rules(rules))))
    assert "killer:3=r1c1,r1c2 does so beside hot:r1c1." in told
