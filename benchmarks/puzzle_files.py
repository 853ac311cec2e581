"""Samples of the puzzles in files, for benchmarks that have no time for all of them."""

from pathlib import Path

from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.puzzle import Puzzle


def read_some(path: Path, number: int) -> list[Puzzle]:
    """Return `number` puzzles spread over a file, because many files begin with easy ones."""
    with path.open() as lines:
        puzzles = list(read_puzzles(lines, str(path)))
    return puzzles[:: max(1, len(puzzles) // number)][:number]
