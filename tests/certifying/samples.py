"""Certificates to check and to spoil, each made once."""

from functools import cache
from random import Random

from satdoku.certifying.certificate import Certificate, ProofFormat
from satdoku.certifying.certify import certify
from satdoku.encoding.choices import Encoding
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.questions import check
from tests.boards import HARD, clashing_puzzle, full_grid, read_grid, stuck_puzzle

PROGRAM = "satdoku 1.2.3"

# Impossible, though no two givens clash and every cell has candidates; see cnf/puzzles.txt.
DEEP = read_grid(
    ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
)


def minimal_puzzle(seed: int, geometry: Geometry) -> Grid:
    """A puzzle with one solution of which no given can be spared."""
    rng = Random(seed)
    grid = full_grid(rng, geometry)
    for cell in rng.sample(range(geometry.cell_count), geometry.cell_count):
        fewer = grid.with_digits({cell: EMPTY})
        if check(Puzzle(fewer)).verdict is Verdict.UNIQUE:
            grid = fewer
    return grid


@cache
def grids() -> dict[str, Grid]:
    """Puzzles of every kind by their names."""
    two, six, nine = Geometry(2, 2), Geometry(2, 3), Geometry(3, 3)
    full = full_grid(Random(5), six)
    eight = minimal_puzzle(0, Geometry(2, 4))
    return {
        "unique 1x1": Grid.empty(Geometry(1, 1)),
        "unique 4x4": read_grid("..3..4.24..3..4."),
        "unique 6x6": minimal_puzzle(0, six),
        "unique 8x8": eight,
        "unique 9x9": HARD.grid,
        "unique 12x12": minimal_puzzle(0, Geometry(3, 4)),
        "full and right": full,
        "full and wrong": full.with_digits({0: full.digits[1]}),
        "clash": clashing_puzzle(two).grid,
        "clash 9x9": clashing_puzzle(nine).grid,
        "cell without candidates": stuck_puzzle(six).grid,
        "deeply impossible 8x8": eight.with_digits({42: 1}),
        "deeply impossible 9x9": DEEP,
        "ambiguous 4x4": Grid.empty(two),
        "ambiguous 9x9": Grid.empty(nine).with_digits({0: 1}),
    }


NAMES = (
    "unique 1x1",
    "unique 4x4",
    "unique 6x6",
    "unique 8x8",
    "unique 9x9",
    "unique 12x12",
    "full and right",
    "full and wrong",
    "clash",
    "clash 9x9",
    "cell without candidates",
    "deeply impossible 8x8",
    "deeply impossible 9x9",
    "ambiguous 4x4",
    "ambiguous 9x9",
)


@cache
def sample(name: str, encoding: Encoding = Encoding.REDUCED) -> Certificate:
    """The certificate of a puzzle of `grids`."""
    return certify(Puzzle(grids()[name]), PROGRAM, encoding=encoding)


@cache
def hinted_sample(name: str) -> Certificate:
    """The same with an LRAT proof."""
    return certify(Puzzle(grids()[name]), PROGRAM, proof_format=ProofFormat.LRAT)
