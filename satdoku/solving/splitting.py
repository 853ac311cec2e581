"""A puzzle split into several whose solutions together are its own, each in one of them."""

from satdoku.puzzle.candidates import find_candidates, find_missing
from satdoku.puzzle.puzzle import Puzzle


def split_puzzle(puzzle: Puzzle, least: int) -> list[Puzzle]:
    """At least so many puzzles, or fewer where filling empty cells makes no more.

    Cell after cell in the order of the board is filled in every way that the other givens leave
    open. Where a cell has no way left there is no solution, and the puzzle is dropped.
    """
    shares = [puzzle]
    for cell in range(puzzle.geometry.cell_count):
        if len(shares) >= least or not shares:
            break
        if cell not in puzzle.givens:
            shares = [filled for share in shares for filled in _fill(share, cell)]
    return shares


def _fill(puzzle: Puzzle, cell: int) -> list[Puzzle]:
    """The puzzle with each digit in this cell that the other givens leave open."""
    open_digits = dict(find_candidates(puzzle, find_missing(puzzle)))[cell]
    return [
        puzzle.with_grid(puzzle.grid.with_digits({cell: digit}))
        for digit in range(1, puzzle.geometry.size + 1)
        if open_digits >> digit & 1
    ]
