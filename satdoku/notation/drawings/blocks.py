"""Cutting a stream of drawn boards into records.

A board ends when it has as many rows as most of its rows have cells; a title or an empty line ends
it too, so that a board with a missing row does not shift those after it. Empty lines may also stand
between the bands of a board, as long as they come after equal numbers of rows.

A whole board waits for what follows it without an empty line: a further whole board is one of its
own, but a few rows show that the drawing has a row too many. Nobody can say which of ten rows are
the nine of a board, so all ten are one record then, and its fault is the number of rows.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from satdoku.files import memory_of
from satdoku.notation.drawings.row import read_row
from satdoku.notation.line_kind import LineKind, kind_of, plain
from satdoku.notation.record import Record

# Of lines that hold no cells, behind the last row of a board, in bytes: as much as the wordiest
# comment has. A board that is not whole by then is torn.
_MOST_WITHOUT_CELLS = 1 << 20


class Line(NamedTuple):
    """A line with its number in the text, and how it looks when it is plain."""

    number: int
    text: str
    plain: str
    kind: LineKind

    @classmethod
    def read(cls, number: int, text: str) -> "Line":
        drawn = plain(text)
        return cls(number, text, drawn, kind_of(drawn))


class Block:
    """The lines of one board while they come in; `size` is known if the user said it."""

    def __init__(self, size: int | None, name: str = "") -> None:
        self.name = name
        self._wanted_size = size
        self._lines: list[Line] = []
        # How many rows have so many cells, and the size that most of them have behind its count;
        # lines of dashes are kept apart, with their lengths.
        self._sizes: Counter[int] = Counter()
        self._most_common = (0, 0)
        self._dashes: Counter[int] = Counter()
        self._has_dash_blanks = False
        # Where the last empty line stands that the board went on behind, how many rows each band
        # before it has (0 before the first such line), and how many rows followed it.
        self._gap = 0
        self._band = 0
        self._rows_after_gap = 0
        self._bytes_without_cells = 0

    def add(self, line: Line) -> None:
        """Add a line: a row, or one that belongs to the board but holds no cells."""
        self._lines.append(line)
        self._bytes_without_cells += memory_of(line.text)
        if line.kind is LineKind.DASHES:
            self._dashes[line.plain.count("-")] += 1
            self._rows_after_gap += 1
            self._bytes_without_cells = 0
        elif line.kind is LineKind.CELLS:
            size = read_row(line.plain).size
            self._sizes[size] += 1
            # Kept, as `size` is asked for with every line.
            self._most_common = max(self._most_common, (self._sizes[size], size))
            self._has_dash_blanks |= "-" in line.plain
            self._rows_after_gap += 1
            self._bytes_without_cells = 0

    @property
    def has_rows(self) -> bool:
        return bool(self._sizes or self._dashes)

    @property
    def has_lines(self) -> bool:
        return bool(self._lines)

    @property
    def size(self) -> int:
        """How many rows the board should have: as many as most of its rows have cells."""
        if self._wanted_size is not None:
            return self._wanted_size
        if self._sizes:
            return self._most_common[1]
        return max(((count, size) for size, count in self._dashes.items()), default=(0, 0))[1]

    @property
    def row_count(self) -> int:
        """How many rows there are.

        A line of dashes is a row if dashes are blanks in other rows too, or if there are no other
        rows, and if it has a dash for each cell; else it is a border.
        """
        count = self._sizes.total()
        if self._has_dash_blanks or not self._sizes:
            count += self._dashes[self.size]
        return count

    @property
    def is_spaced(self) -> bool:
        """Whether an empty line stands between any two rows."""
        return self._band == 1

    @property
    def is_complete(self) -> bool:
        return self.has_rows and self.row_count >= self.size

    @property
    def is_stalled(self) -> bool:
        """Whether so much came without any cells that no further row is waited for."""
        return self._bytes_without_cells > _MOST_WITHOUT_CELLS

    def may_go_on_behind_gap(self) -> bool:
        """Whether the rows since the last gap are a band, so that an empty line may follow.

        All bands have equally many rows, and some number of them makes the board.
        """
        band = self._rows_after_gap
        return bool(self._sizes) and band > 0 and self.size % band == 0 and self._band in (0, band)

    def add_gap(self, line: Line) -> None:
        """Add an empty line between two bands."""
        self._band, self._rows_after_gap = self._rows_after_gap, 0
        self._gap = len(self._lines)
        self.add(line)

    def ended_at_gap(self, next_line: Line) -> bool:
        """Whether the next line shows that another board began behind the last gap.

        It does if it is not as long as the rows before the gap. It does as well if a whole band
        stands behind the gap already: a board with gaps would have one more there. So three rows
        of a torn board do not take six of the nine rows of the next one.
        """
        if self._band == 0:
            return False
        if self._rows_after_gap == 0 and read_row(next_line.plain).size != self.size:
            return True
        return self._rows_after_gap >= self._band

    def split_at_gap(self) -> tuple["Block", "Block"]:
        """The board before the last gap, and the beginning of the one behind it."""
        before, behind = Block(self._wanted_size, self.name), Block(self._wanted_size)
        for line in self._lines[: self._gap]:
            before.add(line)
        # The gap itself, an empty line, is in neither.
        for line in self._lines[self._gap + 1 :]:
            behind.add(line)
        return before, behind

    @property
    def has_surplus_rows(self) -> bool:
        """Whether these lines, found right behind a whole board, hold rows; borders are none."""
        return bool(self._sizes)

    def joined(self, behind: "Block") -> "Block":
        """This board with the lines that follow it."""
        block = Block(self._wanted_size, self.name)
        for line in [*self._lines, *behind._lines]:
            block.add(line)
        return block

    def records(self) -> Iterator[Record]:
        """The record of the board, if there is one; lone lines of dashes are none."""
        if self._sizes or (self._dashes and self.is_complete):
            text = "\n".join(line.text for line in self._lines).rstrip("\n")
            yield Record(self._lines[0].number, text, self.name)


class Run:
    """Boards that follow each other without an empty line or a title between them.

    The last whole board is kept back until it is clear that the rows behind it are not its own.
    """

    def __init__(self, size: int | None) -> None:
        self.block = Block(size)
        self._size = size
        self._whole: Block | None = None
        self._is_behind_gap = False

    @property
    def has_rows(self) -> bool:
        """Whether there are rows, of a whole board or of one that is not whole yet."""
        return self._whole is not None or self.block.has_rows

    @property
    def has_board(self) -> bool:
        """Whether a whole board waits, and nothing but borders has followed it."""
        return self._whole is not None and not self.block.has_rows

    def add(self, line: Line) -> Iterator[Record]:
        """Add a line of a board; gives the boards that are finished by it."""
        self._is_behind_gap = False
        if self.block.ended_at_gap(line):
            finished, behind = self.block.split_at_gap()
            self.block = finished
            yield from self.end()
            self.block = behind
        self.block.add(line)
        if self.block.is_complete:
            if self._whole is not None:
                yield from self._whole.records()
            self._whole, self.block = self.block, Block(self._size)

    def go_on_behind_gap(self) -> bool:
        """Whether an empty line ends nothing yet: a board with one between any two rows may have a
        row too many behind it.
        """
        waits = self._whole is not None and self._whole.is_spaced and not self._is_behind_gap
        self._is_behind_gap = True
        return waits and self.has_board

    def end(self, name: str = "") -> Iterator[Record]:
        """The boards not given out yet. `name` is that of the board whose lines come next."""
        whole, rest = self._whole, self.block
        self._whole, self.block = None, Block(self._size, name)
        if whole is not None and rest.has_surplus_rows:
            yield from whole.joined(rest).records()
            return
        if whole is not None:
            yield from whole.records()
        yield from rest.records()


def split_blocks(lines: Iterable[str], size: int | None = None) -> Iterator[Record]:
    """The boards in a text, with the title above each as its name."""
    run = Run(size)
    for number, text in enumerate(lines, 1):
        line = Line.read(number, text)
        if line.kind is LineKind.TITLE:
            # No board has a title within, so whatever came before is over.
            yield from run.end(text.strip())
            continue
        if line.kind is not LineKind.EMPTY:
            yield from run.add(line)
        elif run.block.may_go_on_behind_gap():
            run.block.add_gap(line)
            continue
        elif run.go_on_behind_gap():
            continue
        if line.kind is LineKind.EMPTY or run.block.is_stalled:
            # A title may stand above an empty line; the name of a torn board is not the next one's.
            is_between = run.block.has_rows or run.has_board
            yield from run.end("" if is_between else run.block.name)
    yield from run.end()
