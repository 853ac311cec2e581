"""A picture in a terminal: a boxed board, givens bold, what is pointed out with a star.

The candidates of every cell stand on a board of their own, or for programs on one line. Where
regions have any shape, lines run between them:

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

from satdoku.notation.drawings.board import board_width, draw_board
from satdoku.notation.spelling import Spelling, align
from satdoku.picture import Screen
from satdoku.picture.making import picture_of, pictures_of_outcome
from satdoku.picture.picture import Picture
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome

# Weight and reversal only: colours of a terminal are its owner's, and few of them can be read on
# light and on dark grounds.
_GIVEN = "\033[1m"
_MARKED = "\033[7m"
_PLAIN = "\033[0m"
_BETWEEN = "   "


def render_picture(picture: Picture, has_style: bool = False, is_ascii: bool = False) -> str:
    """A boxed board with the sentences of its rules below it, and a line end.

    With styles givens are bold, and found digits plain; cells that are pointed out have a star
    behind them, with or without styles. Borders of irregular regions are drawn with box characters
    unless `is_ascii`.
    """
    return "\n".join([*_board_lines(picture, has_style, is_ascii), *picture.sentences]) + "\n"


def render_solution(
    puzzle: Puzzle, solution: Grid, spelling: Spelling, has_style: bool, is_ascii: bool
) -> str:
    """A puzzle with a solution of it."""
    return render_picture(picture_of(puzzle, solution, spelling), has_style, is_ascii)


def render_outcome(outcome: Outcome, spelling: Spelling, screen: Screen) -> str:
    """The solutions that an outcome has, side by side where there is room."""
    return render_side_by_side(pictures_of_outcome(outcome, spelling), *screen)


def render_side_by_side(
    pictures: Sequence[Picture], has_style: bool = False, width: int = 80, is_ascii: bool = False
) -> str:
    """Boards of one puzzle beside each other; below each other where they would be too wide."""
    boards = [_board_lines(picture, has_style, is_ascii) for picture in pictures]
    needed = sum(map(_width, pictures)) + len(_BETWEEN) * (len(pictures) - 1)
    if needed > width:
        # An empty line between two of them, and none before the first.
        lines = [line for board in boards for line in ("", *board)][1:]
    else:
        lines = [_BETWEEN.join(parts) for parts in zip(*boards, strict=True)]
    return "\n".join([*lines, *pictures[0].sentences]) + "\n"


def _width(picture: Picture) -> int:
    measure = board_width if picture.has_boxes else region_board_width
    return measure(picture.geometry, max(map(len, picture.texts())))


def _board_lines(picture: Picture, has_style: bool, is_ascii: bool) -> list[str]:
    texts = align(picture.texts())
    width = len(texts[0])
    if has_style:
        texts = [_style(picture, cell, text) for cell, text in enumerate(texts)]
    return frame(picture, texts, width, is_ascii)


def frame(picture: Picture, texts: Sequence[str], width: int, is_ascii: bool) -> list[str]:
    """The lines of a board with these texts in its cells, each seen `width` wide.

    Boxes have straight borders, and programs read such boards; other regions have their own shape.
    """
    marked = frozenset(picture.cells)
    if picture.has_boxes:
        return draw_board(picture.geometry, texts, width, marked)
    return draw_regions(picture.geometry, picture.region_of, texts, width, marked, is_ascii)


def _style(picture: Picture, cell: int, text: str) -> str:
    """The text in its style; the spaces before it stay plain, so that nothing is underlaid."""
    is_given = cell in picture.givens and picture.digits[cell]
    style = (_MARKED if cell in picture.cells else "") + (_GIVEN if is_given else "")
    padding = text[: len(text) - len(text.lstrip())]
    return f"{padding}{style}{text.lstrip()}{_PLAIN}" if style else text


def render_candidates(
    puzzle: Puzzle, digits: Sequence[Sequence[int]], is_ascii: bool = False
) -> str:
    """A board with all candidates of each cell side by side, and a line end.

    `digits` has the candidates of each cell. Above nine digits there is a comma between two.
    """
    names = [list(map(puzzle.name_of_digit, found)) for found in digits]
    return draw_texts(puzzle, names, is_ascii)


def draw_texts(puzzle: Puzzle, names: Sequence[Sequence[str]], is_ascii: bool = False) -> str:
    """The same for candidates by their names, or by whatever stands for them."""
    between = "" if puzzle.geometry.size < 10 else ","
    texts = [between.join(found) or "-" for found in names]
    width = max(map(len, texts))
    centred = [text.center(width) for text in texts]
    return "\n".join(frame(picture_of(puzzle), centred, width, is_ascii)) + "\n"


def write_candidates(puzzle: Puzzle, digits: Sequence[Sequence[int]]) -> str:
    """All candidates on one line, N places a cell: the digit where it is one, else a dot.

    On 9x9 that is the usual line of 729 characters; above nine digits there are spaces between.
    """
    every = range(1, puzzle.geometry.size + 1)
    between = "" if puzzle.geometry.size < 10 else " "
    places = [
        puzzle.name_of_digit(digit) if digit in found else "."
        for found in digits
        for digit in every
    ]
    return between.join(places) + "\n"


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
