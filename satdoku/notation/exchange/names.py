"""Cells and lines as f-puzzles and ISS name them: `R1C1`; and the texts of our arguments."""

import re

from satdoku.errors import RuleError, quote
from satdoku.puzzle.rules.arguments import DIAGONAL_STEPS

# A board is no larger than two digits say, and clues outside of it stand one cell further.
_CELL = re.compile("[Rr]([0-9]{1,2})[Cc]([0-9]{1,2})")


def row_and_column(name: object) -> tuple[int, int]:
    """Row and column of a cell, counted from 1; clues outside have 0, or one more than there are.

    >>> row_and_column("R0C4")
    (0, 4)
    """
    match = _CELL.fullmatch(name) if isinstance(name, str) else None
    if match is None:
        raise RuleError(f"{quote(str(name))} is not a cell such as R1C1")
    return int(match[1]), int(match[2])


def our_cell(name: object, size: int) -> str:
    """The cell as our arguments name it; a RuleError if it is not on the board."""
    row, column = row_and_column(name)
    if not (1 <= row <= size and 1 <= column <= size):
        raise RuleError(f"{quote(str(name))} is not on a board of {size}x{size}")
    return f"r{row}c{column}"


def our_cells(names: object, size: int) -> str:
    """Cells with commas between them."""
    if not isinstance(names, list | tuple) or not names:
        raise RuleError(f"{quote(str(names))} is not a list of cells")
    return ",".join(our_cell(name, size) for name in names)


def their_cells(cells: str) -> list[str]:
    """The cells of one of our arguments, as other programs name them."""
    return [cell.upper() for cell in cells.split(",") if cell]


def our_line(name: object, size: int) -> str:
    """The row or column beside which a clue stands, and its end: `col4` or `col4.up`.

    >>> our_line("R0C4", 9), our_line("R10C4", 9), our_line("R2C10", 9)
    ('col4', 'col4.up', 'row2.left')
    """
    row, column = row_and_column(name)
    if row in (0, size + 1) and 1 <= column <= size:
        return f"col{column}" + (".up" if row else "")
    if column in (0, size + 1) and 1 <= row <= size:
        return f"row{row}" + (".left" if column else "")
    raise RuleError(f"{name} is not beside a board of {size}x{size}")


def their_place(line: str, size: int) -> str:
    """The place outside of the board where the clue of a line stands."""
    name, _, end = line.partition(".")
    far = size + 1 if end in ("up", "left") else 0
    number = name[len("row") :]
    return f"R{number}C{far}" if name.startswith("row") else f"R{far}C{number}"


def our_diagonal(name: object, direction: object, size: int) -> str:
    """Where a diagonal begins, one step inside, and its direction: `r1c3.dl`."""
    row, column = row_and_column(name)
    way = str(direction).lower()
    if direction != way.upper() or way not in DIAGONAL_STEPS:
        raise RuleError(f"{quote(str(direction))} is no direction such as DR")
    down, right = DIAGONAL_STEPS[way]
    row, column = row + down, column + right
    if not (1 <= row <= size and 1 <= column <= size):
        raise RuleError(f"{name} leads {direction}, and is not on a board of {size}x{size} then")
    return f"r{row}c{column}.{way}"


def without_loops(cells: str) -> list[str]:
    """A line in parts in which no cell is named twice; each begins where the one before ends.

    >>> without_loops("r1c1,r1c2,r2c1,r1c1")
    ['r1c1,r1c2,r2c1', 'r2c1,r1c1']
    """
    parts: list[list[str]] = [[]]
    for cell in cells.split(","):
        if cell in parts[-1]:
            parts.append(parts[-1][-1:])
        parts[-1].append(cell)
    return [",".join(part) for part in parts]
