"""The estimate of Sudoku Explainer, beside public ratings and the solution."""

import csv
from pathlib import Path
from random import Random

import pytest

from satdoku.errors import SatdokuError
from satdoku.puzzle.constraints import digits_of
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.rating.estimate import (
    Estimate,
    _begin,
    _next,
    added_for,
    estimate,
    estimate_in_python,
    estimates_of,
)
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.questions import check
from tests.boards import HARD, read_grid
from tests.compiled import needs_library
from tests.crossing import sampled
from tests.each import for_each
from tests.making.requests import make, request
from tests.random_twins import random_twin

# Puzzles of the Sudoku Exchange bank, one for each of some ratings that it has from Sukaku
# Explainer, and further ones whose EP and ED differ; EP and ED are what that program said.
RATED = Path(__file__).parents[1] / "data" / "estimates.csv"

with RATED.open(newline="") as lines:
    ROWS = [
        (Puzzle(read_grid(row["puzzle"])), Estimate(*(float(row[n]) for n in ("er", "ep", "ed"))))
        for row in csv.DictReader(lines)
    ]


@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_the_numbers_are_near_the_public_ones(step: int) -> None:
    off = []
    for puzzle, public in ROWS[::step]:
        found = estimate(puzzle)
        assert (found.ep, found.ed) == (public.ep, public.ed)
        assert found.er is not None
        assert public.er is not None
        off.append(abs(found.er - public.er))
    assert sum(error < 0.55 for error in off) >= 0.9 * len(off)


@needs_library
@pytest.mark.parametrize("count", [3, pytest.param(300, marks=pytest.mark.slow)])
def test_the_compiled_library_estimates_the_same(count: int) -> None:
    made = [bytes(each.puzzle.grid.digits) for each in make(request(seed="estimates"), count)]
    boards = [*made, *(bytes(puzzle.grid.digits) for puzzle, _ in ROWS[10 : 10 + count])]
    for board, found in zip(boards, estimates_of(b"".join(boards)), strict=True):
        assert found == estimate_in_python(board, Budget())


@needs_library
def test_a_wrong_estimate_of_the_compiled_library_ends_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("satdoku.rating.estimate.is_sample", lambda board: True)
    puzzle, _ = ROWS[0]
    estimate(puzzle)
    monkeypatch.setattr("satdoku.rating.estimate.find_estimates", lambda boards: b"\x14\x14\x14")
    with pytest.raises(SatdokuError, match="this is a bug"):
        estimate(puzzle)


@sampled(2, "place", range(12, len(ROWS), 7))
def test_no_move_goes_against_the_solution(place: int) -> None:
    puzzle, _ = ROWS[place]
    solution = check(puzzle).solution
    assert solution is not None
    wanted = {81 * (digit - 1) + cell for cell, digit in enumerate(solution.digits)}
    sheet = _begin(puzzle.grid.digits)
    while any(sheet.places):
        move = _next(sheet, Budget())
        assert move is not None
        assert not wanted & set(digits_of(move.gone))
        if move.places is not None:
            cell, digit = move.places
            assert 81 * digit + cell in wanted
        sheet = sheet.after(move)


@pytest.mark.slow
def test_the_older_version_has_no_strong_links_and_no_large_wings() -> None:
    differ = 0
    for puzzle, _ in ROWS[::8]:
        new, old = estimate(puzzle), estimate(puzzle, version="1.2.1")
        if new.er is not None and new.er < 4.0:
            assert old == new
        # Every step of the older version is one of the newer.
        for one, other in zip(new, old, strict=True):
            assert other is None or (one is not None and one <= other)
        differ += old != new
    assert differ


def test_other_versions_are_refused() -> None:
    with pytest.raises(SatdokuError, match=r"1\.18 and 1\.2\.1"):
        estimate(ROWS[0][0], version="1.3")


def test_what_is_harder_than_dynamic_chains_has_no_number() -> None:
    assert estimate(HARD).er is None


def test_twins_are_about_as_hard() -> None:
    puzzle, public = ROWS[8]
    assert public.er is not None
    for seed in range(2):
        found = estimate(Puzzle(random_twin(Random(seed), puzzle.grid)))
        assert found.er is not None
        assert abs(found.er - public.er) < 0.55


@for_each("nodes, added", [(1, 0.0), (6, 0.0), (7, 0.1), (9, 0.2), (14, 0.3), (15, 0.4), (27, 0.6)])
def test_long_arguments_add_ever_less(nodes: int, added: float) -> None:
    assert added_for(nodes) == pytest.approx(added)


def test_other_boards_are_refused() -> None:
    with pytest.raises(SatdokuError, match="classic 9x9"):
        estimate(Puzzle(Grid.empty(Geometry(2, 2))))


def test_a_limit_ends_it() -> None:
    with pytest.raises(LimitReachedError):
        estimate(HARD, Budget(Limits(timeout=0.001)))
