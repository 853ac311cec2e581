"""Killers in one line of text, as SudoCue and the players' forums write them.

SudoCue has `3x3::k:` and a number for each cell, 256 times the sum of its cage plus the number
of the cage; `d` before `k` adds both diagonals. A sum of 0 means no cage.

The short form has a character for each cell: `<>^v` and four characters for corners point to
another cell of the same cage, and the last cell has its sum: 0-9, A-Z for 10 to 35, a-j for 36 to
45. A sum of 0 there means a cage without a sum, whose digits differ.
"""

import re

from satdoku.errors import RuleError, quote
from satdoku.notation.exchange.foreign import ForeignBoard
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.rules.arguments import write_cells

_CELLS = 81
_SIDE = 9
_CAGE = 256
_SUMS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij"
_STEPS = {
    "<": -1, ">": 1, "^": -_SIDE, "v": _SIDE,
    "`": -_SIDE - 1, "'": -_SIDE + 1, ",": _SIDE - 1, ".": _SIDE + 1,
}  # fmt: skip


def read_killer(text: str) -> ForeignBoard:
    """Return the cages of a line; a RuleError if they are invalid."""
    line = "".join(text.split())
    foreign = ForeignBoard("a killer in text", Geometry(3, 3))
    cages = _sudocue_cages(line) if ":" in line else _pointed_cages(line)
    if re.match("3x3:d", line):
        foreign.add_rule("diagonals", "", "d")
    for number, (total, cells) in enumerate(cages, 1):
        names = write_cells(cells, foreign.geometry)
        if total:
            foreign.add_rule("killer", f"{total}={names}", f"cage {number}")
        elif len(cells) > 1:
            foreign.add_rule("killer", names, f"cage {number}")
    return foreign


def _sudocue_cages(line: str) -> list[tuple[int, list[int]]]:
    size, diagonals, kind, *numbers = [*line.rstrip(":").split(":"), "", "", ""][: _CELLS + 3]
    if size != "3x3" or kind != "k" or diagonals not in ("", "d"):
        raise RuleError(f"{quote(line)} is no killer of 9x9, which begins with 3x3::k:")
    found: dict[int, tuple[int, list[int]]] = {}
    for cell, text in enumerate(numbers):
        if not (text.isdecimal() and len(text) < 7):
            raise RuleError(f"the number {cell + 1} of {_CELLS} is {quote(text)}")
        total, cage = divmod(int(text), _CAGE)
        if total:
            found.setdefault(cage, (total, []))[1].append(cell)
    return list(found.values())


def _pointed_cages(line: str) -> list[tuple[int, list[int]]]:
    if len(line) != _CELLS:
        raise RuleError(f"{len(line)} signs of a killer found, expected {_CELLS}")
    found: dict[int, list[int]] = {}
    for cell in range(_CELLS):
        found.setdefault(_end_of(line, cell), []).append(cell)
    return [(_SUMS.index(line[end]), cells) for end, cells in found.items()]


def _end_of(line: str, cell: int) -> int:
    """Return the cell of the same cage that has the sum."""
    place = cell
    # More steps than there are cells are a cycle.
    for _ in range(_CELLS):
        if line[place] not in _STEPS:
            if line[place] not in _SUMS:
                raise RuleError(f"{quote(line[place])} is neither a sum nor a sign of a cage")
            return place
        step = _STEPS[line[place]]
        # Cells are numbered along rows, so a step over the side of the board would end in another
        # row.
        column = place % _SIDE + (step + 1) % _SIDE - 1 if abs(step) != _SIDE else place % _SIDE
        place += step
        if not (0 <= place < _CELLS and place % _SIDE == column):
            raise RuleError(f"the sign of {Geometry(3, 3).name_of(cell)} points off the board")
    raise RuleError(f"the signs from {Geometry(3, 3).name_of(cell)} on lead in a circle")
