"""Plain lines of a file taken by the block, so that less is done for each of them."""

from io import BytesIO
from typing import Any, BinaryIO

from satdoku.files import reading_errors
from satdoku.notation.plain_lines import PlainLines

# Answers come by the block too. So the first blocks are small; with 512 lines what is done for a
# block is a hundredth of what its puzzles take, and of the hardest ones they take half a second.
_FIRST_LINES, _MOST_LINES = 64, 512
# Where fewer lines follow each other, as between comments, to look for them is not worth it.
_FEWEST_LINES = 16


class Blocks:
    """A stream of lines from which blocks of plain lines can be taken between two lines.

    `given` is how many lines were read one by one.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        # What was read for a block, and is none.
        self._ahead = BytesIO()
        self._are_worth_it = True
        self._most = _FIRST_LINES
        self.given = 0
        self._taken = 0
        # What hinders reading on; raised when all that came before is given out.
        self._fault: Exception | None = None

    def readline(self, most: int) -> bytes:
        """The next line, or the first bytes of one that is longer; nothing at the end."""
        line = self._ahead.readline(most)
        if not line.endswith(b"\n") and len(line) < most:
            if self._fault is not None:
                raise self._fault
            line += self._stream.readline(most - len(line))
        self.given += bool(line)
        return line

    def take(self, plain: PlainLines) -> str:
        """The plain lines that follow, up to a number; empty where there are none."""
        begin = self._ahead.tell()
        ahead = self._ahead.read()
        if ahead and not self._are_worth_it:
            self._ahead.seek(begin)
            return ""
        # Whoever read it to its end to tell the format has closed it.
        wanted = 0 if self._stream.closed else self._most * plain.width - len(ahead)
        data = ahead + self._read(wanted)
        count = min(plain.count(data), self._most)
        self._are_worth_it = count >= _FEWEST_LINES
        end = count * plain.width if self._are_worth_it else 0
        self._ahead = BytesIO(data[end:])
        self._most = min(2 * self._most, _MOST_LINES)
        self._taken += end
        return data[:end].decode("ascii")

    def _read(self, wanted: int) -> bytes:
        """So many bytes, or what there is before the end or before damaged data."""
        # Piece by piece: one call for all would lose what it had read before the damage.
        read: Any = getattr(self._stream, "read1", self._stream.read)
        pieces: list[bytes] = []
        while wanted > 0 and self._fault is None:
            try:
                piece: bytes = read(wanted)
            except reading_errors() as error:
                self._fault = error
                break
            if not piece:
                break
            pieces.append(piece)
            wanted -= len(piece)
        return b"".join(pieces)

    def pass_taken(self) -> int:
        """How many bytes went into blocks since somebody asked."""
        taken, self._taken = self._taken, 0
        return taken
