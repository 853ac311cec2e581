"""Puzzles of files, for benchmarks that cannot afford all of them."""

from pathlib import Path

from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.puzzle import Puzzle


def read_some(path: Path, number: int) -> list[Puzzle]:
    """So many puzzles of a file, spread over it, because many files begin with the easy ones."""
    with path.open() as lines:
        puzzles = list(read_puzzles(lines, str(path)))
    return puzzles[:: max(1, len(puzzles) // number)][:number]
