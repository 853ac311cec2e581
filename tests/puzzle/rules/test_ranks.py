"""Ranks of lines, compared with plain counting over all grids of 4x4."""

from collections.abc import Sequence
from random import Random

import pytest

from satdoku.errors import SatdokuError
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.classic import CLASSIC
from satdoku.puzzle.rules.registry import read_rule, read_rules
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.questions import check, find_solutions
from tests.crossing import crossed
from tests.each import for_each
from tests.puzzle.rules.instances import SMALL, every_grid

SIDE = range(4)


def numbers(digits: Sequence[int]) -> dict[str, tuple[int, ...]]:
    """What each line of a grid reads, by the name that clues give it."""
    read: dict[str, tuple[int, ...]] = {}
    for n in SIDE:
        row, column = tuple(digits[4 * n : 4 * n + 4]), tuple(digits[n::4])
        read |= {f"row{n + 1}": row, f"row{n + 1}.left": row[::-1]}
        read |= {f"col{n + 1}": column, f"col{n + 1}.up": column[::-1]}
    return read


GRIDS = every_grid(CLASSIC)
READ = [numbers(grid.digits) for grid in GRIDS]


def is_so(read: dict[str, tuple[int, ...]], line: str, place: int, may_tie: bool) -> bool:
    own = read[line]
    ties = list(read.values()).count(own) > 1
    return sum(other < own for other in read.values()) + 1 == place and (may_tie or not ties)


@crossed(2, seed=range(60))
def test_ranks_count_the_lines_that_are_lower(seed: int) -> None:
    require_counts(seed)


@pytest.mark.slow
@for_each("seed", range(60, 1_060))
def test_so_do_a_thousand_more(seed: int) -> None:
    require_counts(seed)


def require_counts(seed: int) -> None:
    """A solver finds as many grids as keep random ranks among all grids of 4x4."""
    rng = Random(seed)
    place = rng.randrange(len(READ))
    read = READ[place]
    clues = []
    for line in rng.sample(sorted(read), rng.randint(1, 3)):
        rank = sum(other < read[line] for other in read.values()) + 1
        clues.append((line, rank + (rng.random() < 0.2), rng.random() < 0.6))
    texts = [f"full-rank:{line}={rank}{':ties' * tie}" for line, rank, tie in clues]
    is_distinct = rng.random() < 0.3
    texts += ["no-equal-lines"] * is_distinct
    given = {cell: GRIDS[place].digits[cell] for cell in rng.sample(range(16), rng.choice([0, 5]))}
    puzzle = Puzzle(Grid.empty(SMALL).with_digits(given)).with_rules(read_rules(texts, SMALL))
    expected = sum(
        all(is_so(each, *clue) for clue in clues)
        and not (is_distinct and len(set(each.values())) < len(each))
        and all(grid.digits[cell] == digit for cell, digit in given.items())
        for grid, each in zip(GRIDS, READ, strict=True)
    )
    assert len(list(find_solutions(puzzle))) == expected


def test_a_given_that_cannot_begin_the_line_leaves_no_solution() -> None:
    """Of the places 9 to 12 the lines begin with 3."""
    puzzle = Puzzle.from_line("2...............", rules=["full-rank:row1=11"])
    assert check(puzzle).verdict is Verdict.NONE


def test_a_rank_is_told_of_the_first_cell_or_of_a_full_board() -> None:
    grid = every_grid(CLASSIC)[0]
    rule = read_rule("full-rank:row1=4", SMALL)
    (clash,) = rule.find_clashes(SMALL, grid.digits)
    assert str(clash).endswith("but read as a number, it has place 4 among all rows and columns")
    assert not list(rule.find_clashes(SMALL, (*grid.digits[:-1], EMPTY)))
    (clash,) = read_rule("full-rank:row1=16", SMALL).find_clashes(SMALL, (1, *[EMPTY] * 15))
    assert (
        str(clash)
        == "r1c1 is 1, but row 1, which it begins, has place 16 among all rows and columns"
    )


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("full-rank:row1=3:tie", "'tie' is not ties, as in row1=4:ties"),
        ("full-rank:row1", "a number is missing"),
    ],
)
def test_faults_of_ranks(text: str, fault: str) -> None:
    with pytest.raises(SatdokuError, match=fault):
        read_rule(text, SMALL)


def test_equal_lines_are_told_one_after_the_other() -> None:
    grid = Grid.from_line("1234341221434321", SMALL)
    clash = next(read_rule("no-equal-lines", SMALL).find_clashes(SMALL, grid.digits))
    told = "but row 1 and row 4 from the right are not the same number"
    assert str(clash) == f"r1c1 to r4c1 are 1 2 3 4 1 2 3 4, {told}"


def test_a_rank_that_others_may_share_is_drawn_and_told_apart() -> None:
    alone, shared = (read_rule(f"full-rank:row1=3{ties}", SMALL) for ties in ("", ":ties"))
    assert list(alone.drawing(SMALL)) == [("outside", 0, 0, 1, "#3")]
    assert list(shared.drawing(SMALL)) == [("outside", 0, 0, 1, "#3=")]
    assert shared.caption(SMALL).startswith("#= outside: the place of this line")
    assert shared.caption(SMALL).endswith("others may be equal to it")
    assert alone.sentence(SMALL).endswith("and no other is equal")
    assert shared.sentence(SMALL).endswith("and others may be equal")
