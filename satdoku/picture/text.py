"""Pictures for a terminal: a board with boxes, bold givens, and stars at highlighted cells.

Candidates are shown on a separate board or, for programs, on one line. Regions of any shape are
separated by lines:

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

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

from satdoku.notation.drawings import board_width, draw_board
from satdoku.notation.spelling import Spelling, align
from satdoku.picture import PLAIN, Screen
from satdoku.picture.picture import (
    Cage,
    Dot,
    Line,
    Mark,
    Outside,
    Picture,
    Shade,
    Shaft,
    Stroke,
    picture_of,
    pictures_of_outcome,
)
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome

T = TypeVar("T", Cage, Dot, Line, Mark, Outside, Shade, Shaft, Stroke)

# A picture with the shapes of its rules in characters, for terminals, mails and notes.
#
#           35              a sandwich above the second column
#     ┌7──────┬───────┐
#     │ .   . │ . ○ . │     a cage of 7, a white dot
#     │    ╌╌╌│       │
#     │ . ╎ . │ .   . │
#     ├───────┼───────┤
#     │(.)══. │ . X . │     a thermometer, an X
#     │     ║ │       │
#     │ .   . │ .   . │
#     └───────┴───────┘
#
# The drawing order is: borders, cages, lines, arrows, dots, and last the texts of cells. At each
# position, the last sign drawn is visible.

# Characters of a rule's line to the right, down, down and right, down and left: broad and fine.
_BROAD, _FINE = ("═", "║", "╲", "╱"), ("─", "│", "╲", "╱")  # noqa: RUF001 - no slashes

_HEADS = {
    (0, 1): "→",
    (0, -1): "←",
    (-1, 0): "↑",
    (1, 0): "↓",
    (1, 1): "↘",
    (1, -1): "↙",
    (-1, 1): "↗",
    (-1, -1): "↖",
}
# The index of a corner character is the sum of the directions of its lines: up 1, right 2, down 4,
# left 8.
_CORNERS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"


def draw_characters(
    picture: Picture, texts: Sequence[str] | None = None, is_ascii: bool = False
) -> list[str]:
    """Return the lines of the board; `texts`, if given, replace the digits in the cells."""
    shown = align(list(texts or picture.texts()))
    board = _Board(picture, shown, len(shown[0]))
    board.draw_rules()
    return board.lines(is_ascii)


def draw_borders(
    picture: Picture, texts: Sequence[str], width: int, is_ascii: bool = False
) -> list[str]:
    """Return the board with borders only; each text has `width` characters, styles aside."""
    return _Board(picture, texts, width).lines(is_ascii)


class _Board:
    """The characters of a board by position: cell (row, column) begins at line 2 row + 1."""

    def __init__(self, picture: Picture, texts: Sequence[str], width: int) -> None:
        self._picture = picture
        self._geometry = picture.geometry
        self._rows = picture.geometry.height
        self._columns = picture.geometry.width
        self._texts = texts
        self._width = width
        self._pitch = width + 3
        self._signs: dict[tuple[int, int], str] = {}
        # For marked cells, the characters on the left and right of the digit.
        self._around: dict[int, str] = {}
        self._outside: list[Outside] = []
        self._draw_borders()

    def draw_rules(self) -> None:
        """Draw the shapes of rules, except borders."""
        self._draw_cages()
        for stroke in self._drawn(Stroke):
            self._join(stroke.cells, _FINE)
        for line in self._drawn(Line):
            self._join(line.cells, _BROAD)
        for shaft in self._drawn(Shaft):
            self._join(shaft.circle, _BROAD)
            self._join((shaft.circle[-1], *shaft.cells), _FINE, has_head=True)
        self._draw_dots()
        self._note_marks()
        self._outside += self._drawn(Outside)

    def lines(self, is_ascii: bool) -> list[str]:
        """Return the lines, with the clues outside around them."""
        self._draw_cells()
        lines = [line.rstrip() for line in self._joined()]
        return [line.translate(PLAIN) for line in lines] if is_ascii else lines

    def _joined(self) -> Iterator[str]:
        beside, above, below = self._sort_outside()
        left = max((len(text) + 1 for (_, is_left), text in beside.items() if is_left), default=0)
        for texts in above:
            yield " " * left + texts
        for y in range(2 * self._rows + 1):
            row = (y - 1) // 2 if y % 2 else -1
            width = self._columns * self._pitch + 1
            inner = "".join(self._signs.get((y, x), " ") for x in range(width))
            before = beside.get((row, True), "").rjust(left - 1) + " " if left else ""
            yield f"{before}{inner} {beside.get((row, False), '')}"
        for texts in below:
            yield " " * left + texts

    def _draw_borders(self) -> None:
        """Draw the border of the board, the borders between regions, and the corners."""
        for row in range(self._rows + 1):
            for column in range(self._columns + 1):
                corner = (
                    (1, self._is_border(row - 1, column - 1, row - 1, column)),
                    (2, self._is_border(row - 1, column, row, column)),
                    (4, self._is_border(row, column - 1, row, column)),
                    (8, self._is_border(row - 1, column - 1, row, column - 1)),
                )
                sign = _CORNERS[sum(weight for weight, is_there in corner if is_there)]
                self._signs[2 * row, column * self._pitch] = sign
                if self._is_border(row - 1, column, row, column):
                    self._put_above(row, column, "─")
                if self._is_border(row, column - 1, row, column):
                    self._signs[2 * row + 1, column * self._pitch] = "│"

    def _is_border(self, row: int, column: int, other_row: int, other_column: int) -> bool:
        return self._region(row, column) != self._region(other_row, other_column)

    def _region(self, row: int, column: int) -> int:
        cell = self._geometry.cell_at(row, column)
        # -2 is outside the board; no region has this number.
        return -2 if cell is None else self._picture.region_of[cell]

    def _place(self, cell: int) -> tuple[int, int]:
        return self._geometry.row_of(cell), self._geometry.column_of(cell)

    def _drawn(self, kind: type[T]) -> Iterator[T]:
        """Yield the shapes of a kind, except those with cells beside the board: sentences state
        these.
        """
        count = self._geometry.board_count
        for shape in self._picture.drawn_as(kind):
            named = (getattr(shape, name, ()) for name in ("cells", "circle"))
            if self._geometry.is_plain or all(cell < count for cells in named for cell in cells):
                yield shape

    def _put(self, y: int, x: int, text: str) -> None:
        self._signs.update({(y, place): sign for place, sign in enumerate(text, x)})

    def _put_above(self, row: int, column: int, sign: str) -> None:
        """Write a sign on the upper edge of a cell."""
        for x in range(column * self._pitch + 1, (column + 1) * self._pitch):
            self._signs[2 * row, x] = sign

    def _draw_cages(self) -> None:
        for cage in self._drawn(Cage):
            inside = {self._place(cell) for cell in cage.cells}
            for row, column in inside:
                for step in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                    other = row + step[0], column + step[1]
                    # Beside a border a cage needs no dashes.
                    if other not in inside and not self._is_border(row, column, *other):
                        self._draw_dashes((row, column), other)
        # Sums are written after the lines of all cages, so that lines do not cover them.
        for cage in self._drawn(Cage):
            row, column = self._place(min(cage.cells))
            self._put(2 * row, column * self._pitch + 1, cage.text)

    def _draw_dashes(self, one: tuple[int, int], other: tuple[int, int]) -> None:
        """Draw dashes between two adjacent cells."""
        row, column = max(one, other)
        if one[0] == other[0]:
            self._signs[2 * row + 1, column * self._pitch] = "╎"
        else:
            self._put_above(row, column, "╌")

    def _join(
        self, cells: Sequence[int], signs: tuple[str, str, str, str], has_head: bool = False
    ) -> None:
        """Draw a line through the middles of cells, with gaps between cells that do not touch."""
        level, upright, falling, rising = signs
        for number, (one, other) in enumerate(pairwise(cells), 2):
            (row, column), (to_row, to_column) = map(self._place, (one, other))
            step = to_row - row, to_column - column
            if step not in _HEADS:
                continue
            head = _HEADS[step] if has_head and number == len(cells) else ""
            x = max(column, to_column) * self._pitch
            if not step[0]:
                for place, sign in zip(
                    (x - 1, x, x + 1), (level, head or level, level), strict=True
                ):
                    self._signs[2 * row + 1, place] = sign
            elif not step[1]:
                self._signs[2 * max(row, to_row), self._middle(column)] = head or upright
            else:
                sign = falling if step[0] == step[1] else rising
                self._signs[2 * max(row, to_row), x] = head or sign

    def _middle(self, column: int) -> int:
        """Return the middle of the texts in a column."""
        return column * self._pitch + 2 + (self._width - 1) // 2

    def _draw_dots(self) -> None:
        for dot in self._drawn(Dot):
            text = dot.text or ("●" if dot.is_filled else "○")
            places = [self._place(cell) for cell in dot.cells]
            rows, columns = {row for row, _ in places}, {column for _, column in places}
            y = 2 * max(rows) if len(rows) > 1 else 2 * max(rows) + 1
            x = max(columns) * self._pitch if len(columns) > 1 else self._middle(max(columns))
            self._put(y, x - (len(text) - 1) // 2, text)

    def _draw_cells(self) -> None:
        """Write the texts of the cells, and the marks beside them."""
        for cell, text in enumerate(self._texts[: self._geometry.board_count]):
            row, column = self._place(cell)
            y, x = 2 * row + 1, column * self._pitch + 2
            # Stored as one sign, because the escape sequences of a style have no width.
            self._signs.update({(y, x + n): text if n == 0 else "" for n in range(self._width)})
            if cell in self._around:
                self._signs[y, x - 1] = self._around[cell][0]
                self._signs[y, x + self._width] = self._around[cell][1]
            if cell in self._picture.cells:
                self._signs[y, x + self._width] = "*"

    def _note_marks(self) -> None:
        around = self._around
        around.update({cell: "░░" for shade in self._drawn(Shade) for cell in shade.cells})
        for mark in self._drawn(Mark):
            signs = "()" if mark.shape == "circle" else "[]"
            around.update(dict.fromkeys(mark.cells, signs))
        for line in self._drawn(Line):
            ends = [line.cells[0]] * line.has_bulb + [line.cells[0], line.cells[-1]] * line.has_ends
            around.update(dict.fromkeys(ends, "()"))
        for shaft in self._drawn(Shaft):
            around.update(dict.fromkeys(shaft.circle, "()"))

    def _sort_outside(self) -> tuple[dict[tuple[int, bool], str], list[str], list[str]]:
        """Return the texts left (True) and right of each row, and the lines above and below the
        board.
        """
        beside: defaultdict[tuple[int, bool], list[str]] = defaultdict(list)
        stacked: dict[bool, defaultdict[int, list[str]]] = {
            True: defaultdict(list),
            False: defaultdict(list),
        }
        for each in self._outside:
            row, column = self._place(each.cell)
            row, column = row - each.down, column - each.right
            head = _HEADS[each.down, each.right] if each.down and each.right else ""
            if 0 <= row < self._rows:
                beside[row, column < 0].append(each.text + head)
            else:
                stacked[row < 0][column].append(each.text + head)
        sides = {place: " ".join(texts) for place, texts in beside.items()}
        return sides, self._stack(stacked[True]), self._stack(stacked[False])

    def _stack(self, texts_at: dict[int, list[str]]) -> list[str]:
        """Return lines in which the texts of each column are stacked."""
        lines = []
        for level in range(max(map(len, texts_at.values()), default=0)):
            signs: dict[int, str] = {}
            for column, texts in texts_at.items():
                text = texts[level] if level < len(texts) else ""
                # Above the left corner, a text cannot begin further left than the board.
                start = max(0, self._middle(column) - (len(text) - 1) // 2)
                signs.update(enumerate(text, start))
            lines.append("".join(signs.get(x, " ") for x in range(max(signs, default=-1) + 1)))
        return lines


# Use bold and reverse only: users choose the colours of their terminals, and few colours are
# readable on both light and dark backgrounds.
_GIVEN = "\033[1m"
_MARKED = "\033[7m"
_END_OF_COLOUR = "\033[0m"
_BETWEEN = "   "


def render_picture(picture: Picture, has_style: bool = False, is_ascii: bool = False) -> str:
    """Return a board with boxes and the sentences of its rules below it, with a line end.

    With styles, givens are bold and found digits plain; highlighted cells are followed by a star,
    with or without styles. Borders of irregular regions are drawn with box characters unless
    `is_ascii`.
    """
    return "\n".join([*_board_lines(picture, has_style, is_ascii), *picture.sentences]) + "\n"


def render_solution(
    puzzle: Puzzle, solution: Grid, spelling: Spelling, has_style: bool, is_ascii: bool
) -> str:
    """Return the board of a puzzle with its solution filled in."""
    return render_picture(picture_of(puzzle, solution, spelling), has_style, is_ascii)


def render_outcome(outcome: Outcome, spelling: Spelling, screen: Screen) -> str:
    """Return the boards of the solutions in an outcome, side by side if there is room."""
    return render_side_by_side(pictures_of_outcome(outcome, spelling), *screen)


def render_side_by_side(
    pictures: Sequence[Picture], has_style: bool = False, width: int = 80, is_ascii: bool = False
) -> str:
    """Return boards of one puzzle side by side, or one below the other if they are too wide."""
    boards = [_board_lines(picture, has_style, is_ascii) for picture in pictures]
    needed = sum(map(_width, pictures)) + len(_BETWEEN) * (len(pictures) - 1)
    if needed > width:
        # An empty line separates two boards; there is none before the first.
        lines = [line for board in boards for line in ("", *board)][1:]
    else:
        widest = max(map(len, boards[0]))
        if not pictures[0].geometry.is_plain:
            # Lines end at their last cell, and lines of cells beside a board are shorter, so all
            # are padded.
            boards = [[line.ljust(widest) for line in board] for board in boards]
        lines = [_BETWEEN.join(parts) for parts in zip(*boards, strict=True)]
    return "\n".join([*lines, *pictures[0].sentences]) + "\n"


def _width(picture: Picture) -> int:
    width = max(map(len, picture.texts()))
    if picture.has_boxes:
        return board_width(picture.geometry, width)
    return picture.geometry.width * (width + 3) + 1


def _board_lines(picture: Picture, has_style: bool, is_ascii: bool) -> list[str]:
    texts = align(picture.texts())
    width = len(texts[0])
    if has_style:
        texts = [_style(picture, cell, text) for cell, text in enumerate(texts)]
    return [*frame(picture, texts, width, is_ascii), *_beside_lines(picture)]


# The width of lines of cells beside the board: about the width of a board.
_WIDTH_OF_CELLS_BESIDE = 60


def _beside_lines(picture: Picture) -> Iterator[str]:
    """Yield lines with the cells beside the board and their texts; a star marks highlights."""
    board, texts = picture.geometry, picture.texts()
    cells = range(board.board_count, board.cell_count)
    words = [
        f"{board.name_of(cell)}={texts[cell]}{'*' if cell in picture.cells else ''}"
        for cell in cells
    ]
    while words:
        count = 1
        while len(" ".join(words[: count + 1])) < _WIDTH_OF_CELLS_BESIDE and count < len(words):
            count += 1
        yield " ".join(words[:count])
        del words[:count]


def frame(picture: Picture, texts: Sequence[str], width: int, is_ascii: bool) -> list[str]:
    """Return the lines of a board with these texts in its cells, each `width` characters wide.

    Boxes have straight borders, which programs can parse; other regions are drawn in their shape.
    """
    if picture.has_boxes:
        return draw_board(picture.geometry, texts, width, picture.cells)
    return draw_borders(picture, texts, width, is_ascii)


def _style(picture: Picture, cell: int, text: str) -> str:
    """Return the text in its style; leading blanks stay plain, so that they get no background."""
    is_given = cell in picture.givens and picture.digits[cell]
    style = (_MARKED if cell in picture.cells else "") + (_GIVEN if is_given else "")
    padding = text[: len(text) - len(text.lstrip())]
    return f"{padding}{style}{text.lstrip()}{_END_OF_COLOUR}" if style else text


def render_candidates(
    puzzle: Puzzle, digits: Sequence[Sequence[int]], is_ascii: bool = False
) -> str:
    """Return a board with all candidates of each cell side by side, with a line end.

    `digits` has the candidates of each cell. On boards with more than nine digits, commas separate
    the candidates.
    """
    names = [list(map(puzzle.name_of_digit, found)) for found in digits]
    return draw_texts(puzzle, names, is_ascii)


def draw_texts(puzzle: Puzzle, names: Sequence[Sequence[str]], is_ascii: bool = False) -> str:
    """Return a board with candidates given as texts, or with any other texts in its cells."""
    between = "" if puzzle.geometry.size < 10 else ","
    texts = [between.join(found) or "-" for found in names]
    width = max(map(len, texts))
    centred = [text.center(width) for text in texts]
    return "\n".join(frame(picture_of(puzzle), centred, width, is_ascii)) + "\n"


def write_candidates(puzzle: Puzzle, digits: Sequence[Sequence[int]]) -> str:
    """Return all candidates on one line, N characters per cell: each the digit if possible, else a
    dot.

    For 9x9 that is the usual line of 729 characters; above nine digits, blanks separate the
    entries.
    """
    every = range(1, puzzle.geometry.size + 1)
    between = "" if puzzle.geometry.size < 10 else " "
    places = [
        puzzle.name_of_digit(digit) if digit in found else "."
        for found in digits
        for digit in every
    ]
    return between.join(places) + "\n"
