"""A picture as a figure: where its lines, digits, frames and arrows go."""

from collections.abc import Iterator
from itertools import pairwise
from math import ceil, hypot, sqrt

from satdoku.picture.picture import Arrow, Emphasis, Picture, Place, describe
from satdoku.picture.rule_shapes import (
    SUM,
    Points,
    RuleShapes,
    bends,
    outline_of,
    outside_room,
    tip,
)
from satdoku.picture.shapes import (
    LEADING,
    Circle,
    Figure,
    Group,
    Path,
    Rect,
    Shape,
    Text,
    lines_of,
    paragraph,
)
from satdoku.puzzle.rules.drawn import Cage, Mark, MarkShape, Shade, Stroke

# The side of a cell, unless its candidates need more; a candidate gets a square of this side,
# less what `_FREE` takes.
_CELL, _SMALL_CELL = 42.0, 14.0
# Candidates are at most so high, as a share of the cell.
_LARGEST_SMALL = 0.36
# Half of the thick border around the board lies outside; labels at its edge are two letters wide.
_MARGIN, _LABELS = 2.0, 16.0
_TITLE_SIZE, _WORDS_SIZE, _LABEL_SIZE = 15.0, 12.0, 11.0
# Frames of cells lie clear of thick borders, and marks of rules within these frames.
_FRAME_INSET, _MARK_SIDE = 3.5, 0.78
# The height of a digit as a share of its cell, chosen by eye; where a board has two characters side
# by side, all of it is smaller, so that they stay within the cell. The same for candidates within
# squares.
_ONE_CHARACTER, _TWO_CHARACTERS = 0.62, 0.46
_ONE_SMALL, _TWO_SMALL = 0.86, 0.64
# The share of a cell that its candidates leave free at each side: rings stay clear of borders, and
# of the thick ones around boxes.
_FREE = 0.09
# Cages are drawn 0.09 inside, and between their sums and candidates there is a little air.
_FREE_IN_CAGES, _FREE_BELOW_SUMS = 0.12, 0.06
# An arrow begins and ends just outside the ring around a candidate, of which 0.5 is the radius.
_ARROW_GAP = 0.55
# From the middle of a digit down to its base line, in units of its size.
BASE = 0.36


def draw(picture: Picture) -> Figure:
    """The figure of a picture, with its title above and its captions below the board."""
    return _Drawing(picture).figure()


class _Drawing:
    """Lengths and places on the board of one picture."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture
        self._size = picture.geometry.size
        # As many columns of candidates as rows, or one more: 2 by 3 for six of them.
        self._columns = ceil(sqrt(self._size))
        self._rows = ceil(self._size / self._columns)
        self._cell = max(_CELL, self._columns * _SMALL_CELL)
        is_short = max(map(len, picture.names)) == 1
        self._digit_size = self._cell * (_ONE_CHARACTER if is_short else _TWO_CHARACTERS)
        self._small_share = _ONE_SMALL if is_short else _TWO_SMALL
        # Candidates stand within the borders of cages and below their sums, the same in all cells.
        has_cages = any(picture.drawn_as(Cage))
        self._free = _FREE_IN_CAGES if has_cages else _FREE
        self._free_above = SUM + _FREE_BELOW_SUMS if has_cages else _FREE
        self._room = outside_room(picture) * self._cell
        self._left = _MARGIN + (_LABELS if picture.has_labels else 0) + self._room
        self._top = self._left
        self._board = self._size * self._cell

    def figure(self) -> Figure:
        """The whole drawing."""
        picture = self._picture
        width = self._left + self._board + _MARGIN + self._room
        title = lines_of(picture.title, width, _TITLE_SIZE)
        if title:
            self._top += LEADING * _TITLE_SIZE * (len(title) + 0.3)
        left = self._left - self._room
        above = list(paragraph(title, left, 0, _TITLE_SIZE, "title"))
        words = [line for text in picture.captions for line in lines_of(text, width, _WORDS_SIZE)]
        bottom = self._top + self._board + _MARGIN + self._room
        below = list(paragraph(words, left, bottom, _WORDS_SIZE, "words"))
        height = bottom + (len(words) + 0.5 if words else 0) * LEADING * _WORDS_SIZE
        return Figure(
            width,
            height,
            [Rect(0, 0, width, height, "paper"), *above, *self._board_shapes(), *below],
            picture.title or f"Sudoku {self._size}x{self._size}",
            describe(picture),
        )

    def _board_shapes(self) -> Iterator[Shape]:
        # What comes later covers what came before: grounds lie under all lines, and digits above.
        yield from self._grounds()
        rules = RuleShapes(self._picture, self._cell, self._middle)
        yield from self._fine_lines()
        yield from rules.below()
        yield Path(tuple(self._grid_lines()), "thin")
        yield from self._marks()
        yield from self._thick_lines()
        yield from rules.above()
        yield from self._frames()
        yield from self._labels()
        for cell in range(self._picture.geometry.cell_count):
            shapes = list(self._content(cell))
            if shapes:
                yield Group(self._picture.geometry.name_of(cell), shapes)
        for arrow in self._picture.arrows:
            yield from self._arrow(arrow)

    def _corner(self, cell: int) -> tuple[float, float]:
        row, column = divmod(cell, self._size)
        return self._left + column * self._cell, self._top + row * self._cell

    def _middle(self, cell: int) -> tuple[float, float]:
        x, y = self._corner(cell)
        return x + self._cell / 2, y + self._cell / 2

    def _grounds(self) -> Iterator[Shape]:
        """One ground a cell: what is pointed out hides what a rule shades."""
        grounds = {cell: "shade" for shade in self._shades() for cell in shade.cells}
        grounds |= {cell: why.value for cell, why in self._picture.cells.items()}
        for cell, paint in sorted(grounds.items()):
            yield Rect(*self._corner(cell), self._cell, self._cell, paint)

    def _shades(self) -> Iterator[Shade]:
        return self._picture.drawn_as(Shade)

    def _fine_lines(self) -> Iterator[Shape]:
        for shade in self._shades():
            if shade.has_outline:
                # A little inside, so that the borders of neighbours stay apart.
                yield self._outline(shade.cells, 3.0, "fine")
        for stroke in self._picture.drawn_as(Stroke):
            ends = (self._middle(stroke.cells[0]), self._middle(stroke.cells[-1]))
            yield Path((ends,), "fine")

    def _outline(self, cells: tuple[int, ...], inset: float, paint: str) -> Path:
        lines = outline_of(frozenset(cells), self._size, inset / self._cell)
        return Path(
            tuple(
                tuple((self._left + x * self._cell, self._top + y * self._cell) for x, y in line)
                for line in lines
            ),
            paint,
        )

    def _grid_lines(self) -> Iterator[tuple[tuple[float, float], ...]]:
        right, bottom = self._left + self._board, self._top + self._board
        for n in range(1, self._size):
            at = n * self._cell
            yield ((self._left, self._top + at), (right, self._top + at))
            yield ((self._left + at, self._top), (self._left + at, bottom))

    def _marks(self) -> Iterator[Shape]:
        side = _MARK_SIDE * self._cell
        for mark in self._picture.drawn_as(Mark):
            for cell in mark.cells:
                x, y = self._middle(cell)
                for style in ("grey", "figure") if mark.is_filled else ("figure",):
                    if mark.shape is MarkShape.CIRCLE:
                        yield Circle(x, y, side / 2, style)
                    else:
                        yield Rect(x - side / 2, y - side / 2, side, side, style)

    def _thick_lines(self) -> Iterator[Shape]:
        """The border of the board, and those between regions, as few long lines."""
        size, region_of = self._size, self._picture.region_of
        edges: list[tuple[tuple[float, float], ...]] = []
        for is_level in (True, False):
            for line in range(1, size):
                cells = [
                    (line * size + n, (line - 1) * size + n)
                    if is_level
                    else (n * size + line, n * size + line - 1)
                    for n in range(size)
                ]
                is_border = [region_of[a] != region_of[b] for a, b in cells]
                edges += (self._edge(line, *run, is_level) for run in _runs(is_border))
        yield Path(tuple(edges), "thick")
        yield Rect(self._left, self._top, self._board, self._board, "thick")

    def _edge(
        self, line: int, first: int, last: int, is_level: bool
    ) -> tuple[tuple[float, float], ...]:
        ends = [(first, line), (last, line)] if is_level else [(line, first), (line, last)]
        return tuple((self._left + x * self._cell, self._top + y * self._cell) for x, y in ends)

    def _frames(self) -> Iterator[Shape]:
        inset = _FRAME_INSET
        side = self._cell - 2 * inset
        for cell, why in sorted(self._picture.cells.items()):
            x, y = self._corner(cell)
            yield Rect(x + inset, y + inset, side, side, f"frame-{why.value}")
            if why is Emphasis.CLASHING:
                # Clashing and placed cells have the same frame; a cross in the corner tells them
                # apart where there are no colours.
                far, near = self._cell - inset - 2, self._cell - inset - 8
                yield Path(
                    (
                        ((x + near, y + inset + 2), (x + far, y + inset + 8)),
                        ((x + near, y + inset + 8), (x + far, y + inset + 2)),
                    ),
                    "struck",
                )

    def _labels(self) -> Iterator[Shape]:
        if not self._picture.has_labels:
            return
        base = BASE * _LABEL_SIZE
        away = self._room + _LABELS / 2
        for n in range(self._size):
            x, y = self._middle(n * self._size + n)
            yield Text(x, self._top - away + base, f"c{n + 1}", _LABEL_SIZE, "label")
            yield Text(self._left - away, y + base, f"r{n + 1}", _LABEL_SIZE, "label")

    def _content(self, cell: int) -> Iterator[Shape]:
        digit = self._picture.digits[cell]
        if digit:
            name, size = self._picture.names[digit], self._digit_size
            x, y = self._middle(cell)
            paint = "given" if cell in self._picture.givens else "found"
            yield Text(x, y + BASE * size, name, size, paint)
        for small in self._picture.small_digits.get(cell, ()):
            yield from self._candidate(Place(cell, small))

    def _candidate(self, place: Place) -> Iterator[Shape]:
        x, y = self._small_middle(place)
        name = self._picture.names[place.digit]
        pitch = self._pitch
        # On boards of four digits there is room for larger ones, which would look like found ones.
        size = self._small_share * min(pitch, _LARGEST_SMALL * self._cell)
        why = self._picture.places.get(place)
        paint = "small"
        if why in (Emphasis.USED, Emphasis.PLACED):
            paint = "chosen"
            # No ring leaves its cell, or it would run into those of the next one.
            yield Circle(x, y, pitch * 0.47, "ring")
            if why is Emphasis.PLACED:
                yield Circle(x, y, pitch * 0.39, "ring")
        elif why is Emphasis.OFF:
            paint = "off"
            yield Circle(x, y, pitch * 0.47, "ring-off")
        elif why is not None:
            paint = "goes"
        yield Text(x, y + BASE * size, name, size, paint)
        if paint == "goes":
            reach = pitch * 0.42
            yield Path((((x - reach, y + reach), (x + reach, y - reach)),), "struck")

    def _small_middle(self, place: Place) -> tuple[float, float]:
        """Where a candidate stands: 1 2 3 above 4 5 6 above 7 8 9, whichever are there."""
        x, y = self._corner(place.cell)
        row, column = divmod(place.digit - 1, self._columns)
        wide, high = 1 - 2 * self._free, 1 - self._free - self._free_above
        return (
            x + (self._free + wide * (column + 0.5) / self._columns) * self._cell,
            y + (self._free_above + high * (row + 0.5) / self._rows) * self._cell,
        )

    @property
    def _pitch(self) -> float:
        """How far candidates are apart: side by side or above each other, whichever is less."""
        wide, high = 1 - 2 * self._free, 1 - self._free - self._free_above
        return min(wide / self._columns, high / self._rows) * self._cell

    def _digits_on(self, curve: Points) -> int:
        """How often a curve meets a large digit; points outside the board count as well."""
        count = 0
        halves = [((a + c) / 2, (b + d) / 2) for (a, b), (c, d) in pairwise(curve)]
        for x, y in (*curve[1:-1], *halves):
            column, row = int((x - self._left) // self._cell), int((y - self._top) // self._cell)
            if not (0 <= column < self._size and 0 <= row < self._size):
                count += 1
            elif self._picture.digits[row * self._size + column]:
                middle = self._middle(row * self._size + column)
                # A digit is about so far from its middle to its end.
                count += hypot(x - middle[0], y - middle[1]) < 0.36 * self._cell
        return count

    def _arrow(self, arrow: Arrow) -> Iterator[Shape]:
        start, end = self._small_middle(arrow.start), self._small_middle(arrow.end)
        length = hypot(end[0] - start[0], end[1] - start[1])
        gap = _ARROW_GAP * self._pitch
        # Between neighbours the rings leave no room for an arrow.
        if length <= 2 * gap:
            return
        along = (end[0] - start[0]) / length, (end[1] - start[1]) / length
        first = start[0] + gap * along[0], start[1] + gap * along[1]
        last = end[0] - gap * along[0], end[1] - gap * along[1]
        curve = min(bends(first, last, 1.6 * self._cell), key=self._digits_on)
        yield Path((curve,), "strong" if arrow.is_strong else "weak")
        yield Path((tip(curve[-2], last),), "tip")


def _runs(flags: list[bool]) -> Iterator[tuple[int, int]]:
    """Where neighbouring flags are set: the first, and the one behind the last.

    >>> list(_runs([True, True, False, True]))
    [(0, 2), (3, 4)]
    """
    changes = [0, *(n for n in range(1, len(flags)) if flags[n] != flags[n - 1]), len(flags)]
    yield from ((first, last) for first, last in pairwise(changes) if flags[first])
