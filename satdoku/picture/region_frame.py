"""A board whose regions have any shape, drawn with lines between them.

┌───────┬───────┐
│ .   . │ .   . │
│   ┌───┘   ┌───┤
│ . │ .   . │ . │
│   ├───┬───┘   │
│ . │ . │ .   . │
├───┘   └───┐   │
│ .   .   . │ . │
└───────────┴───┘
"""

from collections.abc import Collection, Sequence

from satdoku.puzzle.geometry import Geometry

OUTSIDE = -2
"""What stands for the region around the board; no cell has this number."""

# The character at a corner is number "sum of the lines that leave it".
_UP, _RIGHT, _DOWN, _LEFT = 1, 2, 4, 8
_CORNERS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
_PLAIN_CORNERS = " |-+||++-+-+++++"


def draw_regions(
    geometry: Geometry,
    region_of: Sequence[int],
    cells: Sequence[str],
    width: int,
    marked: Collection[int] = (),
    is_ascii: bool = False,
) -> list[str]:
    """The lines of a board with a border wherever two cells lie in different regions.

    Every cell must be seen `width` wide, with a space on either side; a marked one has a star in
    place of the space behind it.
    """
    borders = _Borders(geometry.size, region_of, is_ascii)
    texts = [f" {text}{'*' if cell in marked else ' '}" for cell, text in enumerate(cells)]
    lines = []
    for row in geometry.rows:
        lines.append(borders.line_above(row.number or 0, width + 2))
        lines.append(borders.line_of(row.number or 0, [texts[cell] for cell in row.cells]))
    return [*lines, borders.line_above(geometry.size, width + 2)]


class _Borders:
    """Where lines run between the cells of a board; row and column may be one beyond its edge."""

    def __init__(self, size: int, region_of: Sequence[int], is_ascii: bool) -> None:
        self._size = size
        self._region_of = region_of
        self._upright = "|" if is_ascii else "│"
        self._corners = _PLAIN_CORNERS if is_ascii else _CORNERS

    def line_above(self, row: int, width: int) -> str:
        """The line between two rows of cells that are so wide."""
        level = self._corners[_RIGHT + _LEFT]
        parts = []
        for column in range(self._size):
            parts.append(self._corner(row, column))
            parts.append((level if self._is_level(row, column) else " ") * width)
        return "".join(parts) + self._corner(row, self._size)

    def line_of(self, row: int, texts: Sequence[str]) -> str:
        """A row of cells with the lines between them."""
        parts = []
        for column, text in enumerate([*texts, ""]):
            parts.append(self._upright if self._is_upright(row, column) else " ")
            parts.append(text)
        return "".join(parts)

    def _region_at(self, row: int, column: int) -> int:
        is_inside = 0 <= row < self._size and 0 <= column < self._size
        return self._region_of[row * self._size + column] if is_inside else OUTSIDE

    def _is_upright(self, row: int, column: int) -> bool:
        """Whether a line runs down to the left of a cell."""
        return self._region_at(row, column - 1) != self._region_at(row, column)

    def _is_level(self, row: int, column: int) -> bool:
        """Whether a line runs along above a cell."""
        return self._region_at(row - 1, column) != self._region_at(row, column)

    def _corner(self, row: int, column: int) -> str:
        """What stands at the top left corner of a cell."""
        lines = (
            (_UP, self._is_upright(row - 1, column)),
            (_RIGHT, self._is_level(row, column)),
            (_DOWN, self._is_upright(row, column)),
            (_LEFT, self._is_level(row, column - 1)),
        )
        return self._corners[sum(line for line, is_there in lines if is_there)]


def region_board_width(geometry: Geometry, width: int) -> int:
    """How many characters wide such a board is."""
    return geometry.size * (width + 3) + 1
