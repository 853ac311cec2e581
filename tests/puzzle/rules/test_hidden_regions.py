"""Hidden regions beside every cut of a board of 4x4, clue by clue."""

import re
from functools import cache
from random import Random

import pytest

import satdoku
from satdoku.errors import SatdokuError
from satdoku.explaining.true_candidates import count_candidates, find_true_candidates
from satdoku.picture.picture import picture_of
from satdoku.picture.text import render_picture
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.classic import Boxes
from satdoku.puzzle.rules.registry import read_rule, read_rules
from satdoku.puzzle.rules.rule import write_rule
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget
from satdoku.solving.questions import check, count, find_solutions
from satdoku.solving.solvers import Settings
from tests.commands import require_failure, run
from tests.crossing import crossed
from tests.each import for_each
from tests.puzzle.rules.instances import LINES_ONLY, SMALL, every_grid
from tests.puzzle.rules.test_divisions import CUTS, Cells

EMPTY = Puzzle(Grid.empty(SMALL))


def piece_with(cut: frozenset[Cells], cell: int) -> Cells:
    [piece] = (piece for piece in cut if cell in piece)
    return piece


def says(word: str, cells: list[int], number: int, cut: frozenset[Cells]) -> bool:
    """What a clue means, as its sentence says it to people."""
    own = piece_with(cut, cells[0])
    if word == "same":
        return own >= set(cells)
    if word == "apart":
        return len({piece_with(cut, cell) for cell in cells}) == len(cells)
    if word == "regions":
        return len({piece_with(cut, cell) for cell in cells[1:]}) == number
    if word == "reach":
        far = 0
        while far < len(cells) and cells[far] in own:
            far += 1
        return far == number
    return len(own & set(cells)) == number + (word == "count-beside")


def random_clue(rng: Random) -> tuple[str, list[int]]:
    word = rng.choice(["same", "apart", "regions", "reach", "count", "count-beside"])
    return word, rng.sample(range(16), rng.randint(2, 2 if word in ("same", "apart") else 5))


@cache
def cuts_by_grid() -> dict[Grid, list[frozenset[Cells]]]:
    """For each grid the cuts with every digit in every piece."""
    return {
        grid: [
            cut
            for cut in CUTS
            if all(len({grid.digits[cell] for cell in piece}) == 4 for piece in cut)
        ]
        for grid in every_grid(LINES_ONLY)
    }


@crossed(16, seed=range(16))
def test_grids_that_keep_clues_are_those_with_a_cut_that_does(seed: int) -> None:
    rng = Random(seed)
    clues = [random_clue(rng) for _ in range(rng.randint(1, 4))]
    words = [f"{word}={','.join(map(SMALL.name_of, cells))}" for word, cells in clues]
    rule = read_rule(f"hidden-regions:{'/'.join(words)}", SMALL)
    kept = 0
    for grid, cuts in cuts_by_grid().items():
        is_kept = any(
            all(says(word, cells, grid.digits[cells[0]], cut) for word, cells in clues)
            for cut in cuts
        )
        assert (not list(rule.find_clashes(SMALL, grid.digits))) == is_kept
        kept += is_kept
    puzzle = EMPTY.with_rules([rule])
    assert Boxes() not in puzzle.rules
    assert count(puzzle).number == kept
    for settings in (Settings(solver="minicard"), Settings(encoding="minimal")):
        assert count(puzzle, settings=settings).number == kept


def test_boxes_stay_where_the_argument_says_so() -> None:
    assert count(EMPTY.with_rules(read_rules(["hidden-regions:no-boxes"], SMALL))).number == 576
    assert count(EMPTY.with_rules(read_rules(["hidden-regions:boxes"], SMALL))).number == 288


def test_short_clues_are_about_cells_around_and_all_four_ways() -> None:
    short, long = (
        read_rule(f"hidden-regions:{text}", SMALL)
        for text in (
            "reach-beside=r2c1/count=r1c2",
            "reach-beside=r2c1,r2c2,r2c3,r2c4+r1c1+r3c1,r4c1/count=r1c2,r1c1,r1c3,r2c1,r2c2,r2c3",
        )
    )
    assert short == long
    assert read_rule(write_rule(short, SMALL), SMALL) == short


def test_digits_from_0_count_as_what_they_are() -> None:
    """The corner has two or three of itself and its neighbours in its region."""
    text = "hidden-regions:count=r1c1,r1c2,r2c1"
    for more, first in (([], {2, 3}), (["digits:0-3"], {3, 4})):
        puzzle = EMPTY.with_rules(read_rules([text, *more], SMALL))
        assert {solution.digits[0] for solution in find_solutions(puzzle)} == first


def test_a_solution_is_drawn_with_its_regions() -> None:
    puzzle = satdoku.parse("1234" + "." * 12, rules=["hidden-regions:same=r1c1,r2c1,r2c2,r3c2"])
    outcome = satdoku.check(puzzle)
    assert outcome.solution is not None
    drawn = render_picture(picture_of(puzzle, outcome.solution))
    assert "└───┐" in drawn
    assert "└───┐" not in render_picture(picture_of(puzzle))


@for_each(
    "argument, fault",
    [
        ("", "needs an argument"),
        (
            "count",
            "'count' is none of same=CELLS, apart=CELLS, count=CELLS, reach=CELLS, regions=CELLS "
            "and boxes",
        ),
        ("/", "a clue is missing"),
        ("boxes/no-boxes", "boxes and no-boxes cannot both be"),
        ("same=r1c1", "same is said of two cells or more"),
        ("regions=r1c1", "the cells are missing"),
        ("apart-beside=r1c1,r1c2", "is none of"),
        ("count=r1c1,r1c2+r2c1", "only reach= has arms"),
        ("count=r1c1,r5c5", "r5c5 is not on a board of 4x4"),
        ("reach=r1c1,r1c1", "r1c1 is named twice"),
        ("reach=r1c1,r1c2+r1c2", "two arms from r1c1 have a cell in common"),
    ],
)
def test_slips_are_told_with_their_word(argument: str, fault: str) -> None:
    with pytest.raises(SatdokuError, match=fault.replace("+", r"\+")):
        read_rule(f"hidden-regions:{argument}", SMALL)


def test_what_cannot_follow_them_says_so() -> None:
    rule = "hidden-regions:same=r1c1,r2c2"
    for command in ("explain", "hint", "rate", "canonical"):
        result = run(command, "12343412" + "." * 8, "--rule", rule)
        assert result.code == 1
        assert "hidden" in result.stderr
    require_failure(
        run("check", "." * 16, "--rule", f"either:{rule}|odd:r1c1"), "cannot be one of", code=1
    )


@for_each("givens", ["1" + "." * 15, "12" + "." * 14, "1..3" + "." * 8 + "2..4"])
def test_true_candidates_are_the_digits_of_all_solutions(givens: str) -> None:
    puzzle = satdoku.parse(givens, rules=["hidden-regions:reach=r2c2/count=r3c4"])
    solutions = list(find_solutions(puzzle))
    wanted = [{solution.digits[cell] for solution in solutions} for cell in range(16)]
    assert list(map(set, find_true_candidates(puzzle, Budget()).digits_of_cells)) == wanted
    counted = count_candidates(puzzle, 1000, Budget())
    assert [sum(numbers.values()) for numbers in counted.numbers] == [len(solutions)] * 16


def test_a_full_grid_that_no_regions_fit_is_told() -> None:
    rule = read_rule("hidden-regions:count=r1c1,r4c4", SMALL)
    grid = every_grid(LINES_ONLY)[-1]
    assert grid.digits[0] > 2
    [clash] = rule.find_clashes(SMALL, grid.digits)
    assert "which no regions fit with these clues" in str(clash)


def test_larger_boards_are_decided_and_checked() -> None:
    words = [f"same={','.join(f'r{r}c{c}' for c in (1, 2))}" for r in (1, 3, 5)]
    rule = read_rule(f"hidden-regions:{'/'.join(words)}/reach=r6c6", Geometry(2, 3))
    puzzle = Puzzle(Grid.empty(Geometry(2, 3))).with_rules([rule])
    outcome = check(puzzle)
    assert outcome.verdict is Verdict.MULTIPLE


def test_captions_tell_what_is_not_drawn() -> None:
    drawn, told = (
        read_rule(f"hidden-regions:{text}", SMALL).caption(SMALL)
        for text in (
            "count=r2c2/reach=r1c1",
            "count-beside=r2c2/count=r1c1,r1c2/reach=r3c3,r3c4,r4c4/same=r1c1,r1c2/apart=r1c3,r1c4",
        )
    )
    assert "a square counts" in drawn
    assert "a circle counts" in drawn
    assert not re.search(r"r\dc\d", drawn)
    for words in (
        "r2c2 not counted",
        "r1c1 says how many of r1c1,r1c2",
        "r3c3 says how far its own reaches along r3c3,r3c4,r4c4",
        "r1c1,r1c2 lie in one of them",
        "no two of r1c3,r1c4",
    ):
        assert words in told


@for_each("clue", ["reach=r1c1", "count=r1c1", "regions=r1c1,r1c1"])
def test_a_board_of_one_cell_is_its_region(clue: str) -> None:
    puzzle = Puzzle(Grid.empty(Geometry(1, 1)))
    rules = read_rules([f"hidden-regions:{clue}"], puzzle.geometry)
    assert check(puzzle.with_rules(rules)).verdict is Verdict.UNIQUE


@for_each(
    "typed, meant",
    [
        ("same=r1c1, r1c2", "same=r1c1,r1c2"),
        ("count = r1c1 r1c2 , apart=r1c1 r2c2", "count=r1c1,r1c2/apart=r1c1,r2c2"),
        ("COUNT=R1C1-2/no-boxes", "count=r1c1,r1c2"),
        ("reach=r1c1+r1c2", "reach=r1c1,r1c2"),
    ],
)
def test_clues_are_read_as_people_type_them(typed: str, meant: str) -> None:
    rule = read_rule(f"hidden-regions:{typed}", SMALL)
    assert rule.argument(SMALL) == read_rule(f"hidden-regions:{meant}", SMALL).argument(SMALL)


@for_each("clue", ["count=r9c9", "reach=r9c9,r9c8,r9c7", "regions=r9c9,r1c1,r1c2"])
def test_a_number_that_no_clue_can_count_needs_no_search(
    clue: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("satdoku.puzzle.rules.hidden_regions.MOST_TRIED", 0)
    rule = read_rule(f"hidden-regions:{clue}", Geometry())
    digits = [(row + column) % 9 + 1 for row in range(9) for column in range(9)]
    assert digits[80] == 8
    assert len(list(rule.find_clashes(Geometry(), digits))) == 1
