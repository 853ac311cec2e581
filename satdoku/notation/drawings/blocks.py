"""Cutting a stream of drawn boards into records, each given away as soon as its last row is seen.

A board ends when it has as many rows as most of its rows have cells; a header or an empty line ends
it too, so that a board with a missing row does not shift those after it. Empty lines may also stand
between the bands of a board, as long as they come after equal numbers of rows.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from satdoku.notation.drawings.row import is_border, is_dashes, is_header, plain, read_row
from satdoku.notation.record import Record


class Block:
    """The lines of a board while they come in."""

    def __init__(self, wanted_size: int | None, name: str = "") -> None:
        self.name = name
        self._wanted_size = wanted_size
        self._start = 0
        self._lines: list[str] = []
        self._sizes: Counter[int] = Counter()
        self._dashes: list[int] = []
        self._has_dash_blanks = False
        self._gap = 0
        self._band = 0
        self._rows_after_gap = 0

    def add_filler(self, number: int, line: str) -> None:
        """Add a line that belongs to the board but holds no cells."""
        if not self._lines:
            self._start = number
        self._lines.append(line)

    def add_row(self, number: int, line: str) -> None:
        drawn = plain(line)
        if is_dashes(drawn):
            self._dashes.append(drawn.count("-"))
        else:
            self._sizes[read_row(drawn).size] += 1
            self._has_dash_blanks |= "-" in drawn
        self._rows_after_gap += 1
        self.add_filler(number, line)

    @property
    def has_rows(self) -> bool:
        return bool(self._sizes or self._dashes)

    @property
    def has_lines(self) -> bool:
        return bool(self._lines)

    @property
    def size(self) -> int:
        """How many rows the board should have."""
        if self._wanted_size is not None:
            return self._wanted_size
        counts = self._sizes or Counter(self._dashes)
        return max(counts, key=lambda size: (counts[size], size)) if counts else 0

    @property
    def row_count(self) -> int:
        if not self._dashes:
            return self._sizes.total()
        dashes_are_rows = self._has_dash_blanks or not self._sizes
        return self._sizes.total() + dashes_are_rows * self._dashes.count(self.size)

    @property
    def is_complete(self) -> bool:
        return self.has_rows and self.row_count >= self.size

    def continues_after_gap(self) -> bool:
        """Note an empty line; tell whether the board may go on behind it."""
        band = self._rows_after_gap
        if not self._sizes or not band or self.size % band or self._band not in (0, band):
            return False
        self._band, self._rows_after_gap = band, 0
        self._gap = len(self._lines)
        return True

    def cut_before(self, line: str) -> "Block | None":
        """The board up to the last gap, if a further row shows that another one began there."""
        if not self._band:
            return None
        is_at_gap = self._rows_after_gap == 0
        is_other_size = is_at_gap and read_row(plain(line)).size != self.size
        if not is_other_size and self._rows_after_gap < self._band:
            return None
        finished = Block(self._wanted_size, self.name)
        finished._lines, finished._start = self._lines[: self._gap], self._start
        finished._sizes = self._sizes
        rest, start = self._lines[self._gap + 1 :], self._start + self._gap + 1
        Block.__init__(self, self._wanted_size)
        for number, kept in enumerate(rest, start):
            add_line(self, number, kept)
        return finished

    def records(self) -> Iterator[Record]:
        """The record of the board, if there is one; lone lines of dashes are none."""
        if self._sizes or (self._dashes and self.row_count >= self.size):
            yield Record(self._start, "\n".join(self._lines).rstrip("\n"), self.name)


def add_line(block: Block, number: int, line: str) -> None:
    """Add a line that is not empty and no header."""
    drawn = plain(line)
    if line.lstrip().startswith("#") or (is_border(drawn) and not is_dashes(drawn)):
        block.add_filler(number, line)
    else:
        block.add_row(number, line)


def split_blocks(lines: Iterable[str], size: int | None = None) -> Iterator[Record]:
    """The boards in a text, with the header above each as its name."""
    block = Block(size)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            if block.has_rows and block.continues_after_gap():
                block.add_filler(number, line)
            else:
                yield from block.records()
                block = Block(size, "" if block.has_rows else block.name)
        elif is_header(line):
            yield from block.records()
            block = Block(size, line.strip())
        else:
            cut = block.cut_before(line)
            if cut is not None:
                yield from cut.records()
            add_line(block, number, line)
            if block.is_complete:
                yield from block.records()
                block = Block(size)
    yield from block.records()
