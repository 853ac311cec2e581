"""Regions that a full grid falls into, beside all ways to cut a board."""

from collections.abc import Iterator
from random import Random

import pytest

from satdoku.errors import TooLargeError
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.rules import hidden_regions as divisions
from satdoku.puzzle.rules.hidden_regions import find_divisions
from tests.commands import run
from tests.puzzle.rules.instances import LINES_ONLY, SMALL, every_grid

Cells = frozenset[int]


def every_cut(left: Cells) -> Iterator[frozenset[Cells]]:
    """All ways to cut cells of a board of 4x4 into pieces of four that hang together."""
    if not left:
        yield frozenset()
        return
    first = min(left)
    for piece in pieces(left, frozenset({first})):
        for others in every_cut(left - piece):
            yield others | {piece}


def pieces(left: Cells, piece: Cells) -> set[Cells]:
    if len(piece) == 4:
        return {piece}
    around = {cell + step for cell in piece for step in (-4, 4)}
    around |= {cell - 1 for cell in piece if cell % 4} | {
        cell + 1 for cell in piece if cell % 4 < 3
    }
    return {found for cell in around & left - piece for found in pieces(left, piece | {cell})}


CUTS = set(every_cut(frozenset(range(16))))


def cells_of(region: int) -> Cells:
    return frozenset(cell for cell in range(16) if region >> cell & 1)


def test_there_are_as_many_cuts_as_are_known() -> None:
    """117 ways to cut 4x4 into tetrominoes are known."""
    assert len(CUTS) == 117


def test_divisions_are_the_cuts_whose_pieces_hold_every_digit() -> None:
    for grid in Random(1).sample(every_grid(LINES_ONLY), 60):
        wanted = {
            cut
            for cut in CUTS
            if all(len({grid.digits[cell] for cell in piece}) == 4 for piece in cut)
        }
        found = list(find_divisions(SMALL, grid.digits, lambda region: True))
        assert len(found) == len(wanted)
        assert {frozenset(map(cells_of, each)) for each in found} == wanted


def test_only_regions_that_may_be_are_used() -> None:
    grid = every_grid(LINES_ONLY)[7]
    rows = {sum(1 << cell for cell in row.cells) for row in SMALL.rows}
    [only] = find_divisions(SMALL, grid.digits, rows.__contains__)
    assert set(only) == rows
    assert list(find_divisions(SMALL, grid.digits, lambda region: False)) == []


def test_a_search_without_an_end_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(divisions, "MOST_TRIED", 100)
    digits = [(row + column) % 9 + 1 for row in range(9) for column in range(9)]
    with pytest.raises(TooLargeError, match="more than 100 ways to draw hidden regions"):
        list(find_divisions(Geometry(), digits, lambda region: False))


def test_a_search_without_an_end_costs_one_puzzle_its_verdict(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(divisions, "MOST_TRIED", 10)
    full, clashing = "1234234134124123", "11" + "." * 14
    result = run("check", full, clashing, "--rule", "hidden-regions:same=r1c1,r1c2", "--jobs", "1")
    assert result.code == 124
    assert "more than 10 ways" in result.stdout
    assert "none" in result.stdout
