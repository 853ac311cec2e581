"""Boards for the methods that work in turn: large ones, and small ones with rules of all kinds."""

from random import Random

from satdoku.deducing.prune import prune
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.large.ladder import TurnLengths
from satdoku.solving.large.walk import Neighbours
from tests.boards import full_grid, thin_out

SHORT = TurnLengths(first_solver=1, moves=20_000, stable=500, prover=500)
"""Turns so short that every rung has one on boards that a test has time for."""


def thinned(geometry: Geometry, empty_share: float, seed: int = 1) -> Puzzle:
    """A board with at least one solution."""
    rng = Random(f"{geometry} {seed}")
    givens = round((1 - empty_share) * geometry.cell_count)
    return Puzzle(thin_out(rng, full_grid(rng, geometry), givens))


def pruned(puzzle: Puzzle) -> dict[int, int]:
    """What pruning leaves of a board that has a solution."""
    candidates = prune(puzzle)
    assert candidates is not None
    return candidates


def neighbours_of(puzzle: Puzzle) -> Neighbours:
    return Neighbours(puzzle, pruned(puzzle))
