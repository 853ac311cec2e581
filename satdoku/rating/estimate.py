"""What the program Sudoku Explainer would say of a puzzle, estimated.

Setters quote its three numbers: ER, the hardest step of its way; EP, the hardest one until the
first digit is placed; ED, the first one. They follow from which techniques it knows, what number
it gives to each, and that it always takes the easiest step next. Here is a way of our own over the
same techniques. Where several steps are equally easy the two may take different ones, and a few of
its techniques are left out; docs/rating.md says how far the numbers differ. The numbers are those
of its successor Sukaku Explainer, by which public collections are rated.

`explaining/` goes a way too, for any rules, of steps that people are told. Its chains grow by the
truths that they rest on; the program counts nodes, so steps found there would get other numbers.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from satdoku.errors import SatdokuError
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.rating.implications import forcing_chains, multiple_chains
from satdoku.rating.sheet import (
    ALL_CELLS,
    PEERS,
    Move,
    Sheet,
    direct_locked,
    fish,
    hidden_sets,
    hidden_singles,
    locked,
    naked_sets,
    naked_singles,
    strong_links,
)
from satdoku.rating.suppositions import dynamic_chains, nishio
from satdoku.rating.wings_and_loops import loops, two_everywhere, wings
from satdoku.solving.limits import Budget


class Estimate(NamedTuple):
    """ER, EP and ED; each is None where it takes harder steps than are known here."""

    er: float | None
    ep: float | None
    ed: float | None


def _searches(budget: Budget) -> Iterator[Callable[[Sheet], Iterator[Move]]]:
    """The techniques in the order in which they are tried: by the lowest number that each gives.

    Aligned pairs and triples (6.2 and 7.5) are not among them, since few puzzles need them; nor is
    what comes after dynamic chains.
    """
    yield from _EASIER
    yield partial(forcing_chains, budget=budget)
    yield partial(wings, size=7)
    yield partial(nishio, budget=budget)
    yield partial(multiple_chains, budget=budget)
    yield partial(dynamic_chains, budget=budget)


_EASIER: tuple[Callable[[Sheet], Iterator[Move]], ...] = (
    hidden_singles,
    direct_locked,
    partial(hidden_sets, size=2, number=2.0, is_direct=True),
    naked_singles,
    partial(hidden_sets, size=3, number=2.5, is_direct=True),
    locked,
    partial(naked_sets, size=2, number=3.0),
    partial(fish, size=2, number=3.2),
    partial(hidden_sets, size=2, number=3.4),
    partial(naked_sets, size=3, number=3.6),
    partial(fish, size=3, number=3.8),
    partial(hidden_sets, size=3, number=4.0),
    partial(strong_links, count=2),
    partial(wings, size=3),
    loops,
    partial(naked_sets, size=4, number=5.0),
    partial(fish, size=4, number=5.2),
    partial(hidden_sets, size=4, number=5.4),
    partial(strong_links, count=3),
    partial(wings, size=4),
    two_everywhere,
    partial(strong_links, count=4),
    partial(wings, size=5),
    partial(wings, size=6),
)


def estimate(puzzle: Puzzle, budget: Budget | None = None) -> Estimate:
    """The estimate of a classic 9x9 puzzle that has exactly one solution."""
    if not puzzle.is_classic or puzzle.geometry.cell_count != len(PEERS):
        raise SatdokuError("Sudoku Explainer is estimated for classic 9x9 puzzles only")
    sheet = _begin(puzzle.grid)
    budget = budget or Budget()
    hardest = 0.0
    first = until_placed = None
    while any(sheet.places):
        move = _next(sheet, budget)
        if move is None:
            return Estimate(None, until_placed, first)
        hardest = max(hardest, round(move.number, 1))
        first = first or hardest
        if move.places is not None:
            until_placed = until_placed or hardest
        sheet = sheet.after(move)
    return Estimate(hardest, until_placed, first)


def _next(sheet: Sheet, budget: Budget) -> Move | None:
    """The easiest move, by the first technique that leads on."""
    for search in _searches(budget):
        budget.require()
        found = min(search(sheet), key=lambda move: move.number, default=None)
        if found is not None:
            return found
    return None


def _begin(grid: Grid) -> Sheet:
    """The sheet of what the givens leave open."""
    empty = sum(1 << cell for cell, digit in enumerate(grid.digits) if digit == EMPTY)
    places = [empty & ALL_CELLS] * 9
    for cell, digit in enumerate(grid.digits):
        if digit != EMPTY:
            places[digit - 1] &= ~PEERS[cell]
    return Sheet(places)
