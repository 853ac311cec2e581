"""What the first lines of a text show about its format."""

from satdoku.notation.hints import Hints
from satdoku.notation.line_kind import is_data
from satdoku.notation.seen_line import SeenLine
from satdoku.notation.shape import Shape, ShapeFinder


class Head:
    """The first lines of a text, read one by one until a format knows it as its own.

    Each line is looked at once, whichever formats ask about it. `is_whole` says that no line will
    follow.
    """

    def __init__(self, hints: Hints) -> None:
        self.hints = hints
        self.lines: list[str] = []
        self.is_whole = False
        # The first two lines that are neither empty nor comments: no format asks for more.
        self._data: list[SeenLine] = []
        self._shape_finder = ShapeFinder(hints.size)

    def add(self, text: str) -> None:
        """Take a further line."""
        self.lines.append(text)
        line = SeenLine(len(self.lines), text, self.hints.size)
        if len(self._data) < 2 and is_data(text):
            self._data.append(line)
        self._shape_finder.add(line)

    def end(self) -> None:
        """Note that there is no further line."""
        self.is_whole = True
        self._shape_finder.end()

    @property
    def has_data(self) -> bool:
        """Whether there is a line that is neither empty nor a comment; formats ask no earlier."""
        return bool(self._data)

    @property
    def first(self) -> SeenLine:
        """The first line that is neither empty nor a comment."""
        return self._data[0]

    @property
    def second(self) -> SeenLine | None:
        """The second line that is neither empty nor a comment."""
        return self._data[1] if len(self._data) > 1 else None

    @property
    def above(self) -> list[str]:
        """The empty lines and comments above the first line."""
        return self.lines[: self.first.number - 1]

    @property
    def shape(self) -> Shape:
        """Whether there is a puzzle on each line, or a row."""
        return self._shape_finder.shape

    @property
    def first_row(self) -> SeenLine | None:
        """The first line that may hold cells, behind titles, column names and borders."""
        return self._shape_finder.first_row

    @property
    def has_border_above(self) -> bool:
        """Whether a border stands above the first row."""
        return self._shape_finder.has_border_above
