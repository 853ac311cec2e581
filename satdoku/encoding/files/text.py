"""The lines of formulas and answers, as text, and the first comments among them."""

from collections.abc import Iterable, Iterator

from satdoku.errors import DimacsError
from satdoku.files import memory_of

LONGEST_LINE = 128 << 20
"""Bytes of a line: the list of variables that count, for a board of 225x225, takes 100 million."""


def read_text_lines(handle: Iterable[bytes], source: str) -> Iterator[str]:
    """The lines of a text that come as bytes; raises DimacsError if it is no text."""
    for number, data in enumerate(handle, 1):
        try:
            # Only the first line may have a byte order mark.
            text = data.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            text = "\0"  # which no text has either
        if "\0" in text:
            raise DimacsError("this is not text; is the file compressed or binary?", source, number)
        yield text


def without_comments(lines: Iterable[tuple[int, str]], mark: str) -> Iterator[tuple[int, str]]:
    """The numbered lines that are neither blank nor begin with the mark of comments.

    For OPB and WCNF, where a constraint is a line; in DIMACS CNF a clause may go over several.
    """
    return ((number, text) for number, text in lines if text.strip() and not text.startswith(mark))


# The grid of 1000x1000 in numbers takes four million characters, and so may a rule; what comments
# say of a puzzle stands before the names of variables, of which large boards have gigabytes.
_MOST_BYTES = 64 << 20


class Comments:
    """Keeps the comments of a formula as far as they fit into a bounded memory.

    >>> comments = Comments(100)
    >>> for text in (" first ", "second", "third"):
    ...     comments.add(text)
    >>> comments.kept
    ('first',)
    """

    def __init__(self, most: int = _MOST_BYTES) -> None:
        self._left = most
        self._kept: list[str] = []

    def add(self, text: str) -> None:
        """Keeps the comment, without blanks around it, unless there were too many."""
        comment = text.strip()
        self._left -= memory_of(comment)
        if self._left >= 0:
            self._kept.append(comment)

    @property
    def kept(self) -> tuple[str, ...]:
        """The first comments, in their order."""
        return tuple(self._kept)
