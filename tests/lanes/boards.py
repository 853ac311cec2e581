"""Boards with one solution, with several and with none, made from seeds."""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

from satdoku.puzzle.grid import Geometry
from tests.boards import full_grid, thin_out

CELLS = 81

CLASSIC = (
    # By Norvig: without solution, which takes a plain search more than a million nodes.
    ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........",
    # Hard ones, by Inkala and of 17 givens.
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    "000000010400000000020000000000050407008000300001090000300400200050100000000806000",
    "." * 81,
    # All that rows and columns say is kept; one box has a digit twice.
    "1........1" + "." * 71,
)


def digits_of(line: str) -> bytes:
    return bytes(0 if cell == "." else int(cell) for cell in line)


def collections() -> Iterator[list[bytes]]:
    """The boards of each file of plain lines in the folder that SATDOKU_BANKS names.

    They belong to those who collected them, and are not part of satdoku.
    """
    folder = os.environ.get("SATDOKU_BANKS")
    for path in sorted(Path(folder).glob("*.txt")) if folder else ():
        lines = [
            line.split("#")[0].strip().replace("0", ".") for line in path.read_text().splitlines()
        ]
        yield [digits_of(line) for line in lines if len(line) == CELLS]


def boards_from(seed: int, number: int) -> Iterator[bytes]:
    """Boards with 17 to 45 digits of a grid; of every third one a digit is changed."""
    rng = Random(seed)
    yield from map(digits_of, CLASSIC)
    for count in range(number):
        if count % 20 == 0:
            grid = full_grid(rng, Geometry())
        board = bytearray(thin_out(rng, grid, rng.randint(17, 45)).digits)
        if count % 3 == 0:
            place = rng.choice([cell for cell, digit in enumerate(board) if digit])
            board[place] = rng.randint(1, 9)
        yield bytes(board)
