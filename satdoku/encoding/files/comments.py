"""The comments of a formula: what they say first is kept, however many follow."""

from satdoku.files import memory_of

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
