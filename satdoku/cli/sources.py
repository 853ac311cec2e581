"""The kind of an argument (a file, a typed puzzle, or neither), and the lines of a source."""

import os
import re
import stat
import time
from codecs import iterdecode
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

import click

from satdoku.errors import FormatError, SatdokuError, cut
from satdoku.files import LONGEST_LINE, readable
from satdoku.notation.fields import begins_table
from satdoku.notation.line_kind import names_rule
from satdoku.notation.parser import LOST, NO_TEXT_LEFT, mark_lost
from satdoku.notation.plain_lines import Flow, plain_board
from satdoku.notation.spelling import CELL_CHARACTERS, FEWEST_CELLS
from satdoku.solving.limits import LimitReachedError

# Most files of a folder: nobody means more by its name, as with the root of a disk.
_MOST_FILES = 10_000
# No common file system has longer names, so a longer argument is no file name.
_LONGEST_NAME = 255
# The least share of digits and blanks in a puzzle with errors; file names with dates have less.
_LEAST_KNOWN = 0.6
_WITHOUT_KNOWN = dict.fromkeys(map(ord, CELL_CHARACTERS + " |,\n"))


def is_file(argument: str) -> bool:
    """Whether an argument names a file or a pipe."""
    try:
        # A puzzle may be too long for a file name, or contain a forbidden character.
        mode = os.stat(argument).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


def is_input(argument: str) -> bool:
    """Whether an argument is a file or a puzzle, even a faulty one."""
    return is_file(argument) or _looks_like_puzzle(argument)


def may_be_input(argument: str) -> bool:
    """Whether an argument is meant as a file or a puzzle, even if there is no such file."""
    return is_input(argument) or looks_like_path(argument) or os.path.isdir(argument)


def require_no_loose_rows(arguments: Sequence[str]) -> None:
    """Raise an error for arguments that are rows of one board."""
    if are_loose_rows(arguments):
        count = len(arguments)
        raise click.UsageError(
            f"these {count} arguments look like the rows of one puzzle; put quotes around them all"
        )


def are_loose_rows(arguments: Sequence[str]) -> bool:
    """Whether the shell has split a board that was pasted without quotes."""
    count = len(arguments)
    # A board has as many rows as each row has characters.
    return count > 1 and all(len(each) == count and not is_input(each) for each in arguments)


def files_of(argument: str) -> list[str]:
    """Return the files of a folder and its subfolders, sorted by name; else the argument itself.

    Hidden files are left out, and so are files that are not regular, such as pipes.
    """
    if not os.path.isdir(argument):
        return [argument]
    found: list[str] = []
    for folder, folders, files in os.walk(argument):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        paths = [os.path.join(folder, name) for name in sorted(files) if name[:1] != "."]
        found += filter(os.path.isfile, paths)
        if len(found) > _MOST_FILES:
            raise SatdokuError(
                f"the folder {argument} has more than {_MOST_FILES:,} files; name those to read"
            )
    return found or [argument]


def typed_lines(argument: str, cells: int | None = None) -> list[str]:
    """Return the lines of a typed puzzle; raise an error if it is neither a puzzle nor a file.

    `cells` is the number of cells of the board, if an option tells it.
    """
    if _looks_like_puzzle(argument, min(FEWEST_CELLS, cells or FEWEST_CELLS)):
        return argument.splitlines()
    if os.path.isdir(argument):
        raise SatdokuError(f"{argument} is a folder without files")
    if names_rule(argument):
        rule = cut(argument, 60)
        raise SatdokuError(f"there is no --rule before {rule}; each rule needs its own")
    if looks_like_path(argument):
        raise SatdokuError(f"there is no file {argument}")
    raise SatdokuError(
        f"{argument!r} is neither a file nor a puzzle (a puzzle has a character for every cell)"
    )


def _looks_like_puzzle(argument: str, fewest: int = FEWEST_CELLS) -> bool:
    """Whether to read an argument as a puzzle, so that its errors are reported as such.

    That is the case if most of its characters are digits or blanks: `53..7.... 6..q95...` is a
    puzzle with a wrong character, `sudokus-2026-01-31.txt` a file that does not exist.
    """
    if argument.lstrip()[:1] in ("[", "{") or len(argument) > _LONGEST_NAME:
        return True
    # A link may be in brackets, or among words.
    if "://" in argument:
        return True
    known = len(argument) - len(argument.translate(_WITHOUT_KNOWN))
    is_long = len(argument) >= fewest
    if is_long and known >= _LEAST_KNOWN * len(argument) and "/" not in argument:
        return True
    # Imported here: most typed puzzles are plain cells.
    from satdoku.notation.exchange.seen import is_iss, is_killer, is_link

    return is_link(argument) or is_iss(argument) or is_killer(argument)


# The cells of 6x6. A shorter text may be a date with a time, which is a good file name.
_LONGER_THAN_NAMES = 36


def is_no_name(text: str) -> bool:
    """Whether a text is a puzzle, which nobody means as the name of a file to write.

    >>> is_no_name("1.....2..3.....4"), is_no_name("2026-01-31-12-00-00"), is_no_name("out.html")
    (True, False, False)
    """
    if "\n" in text or "://" in text or text.startswith(('{"', "[[", '["')):
        return True
    are_cells = len(text) >= FEWEST_CELLS and not text.translate(_WITHOUT_KNOWN)
    return are_cells and (len(text) >= _LONGER_THAN_NAMES or plain_board(text) is not None)


def looks_like_path(argument: str) -> bool:
    """Whether an argument has a folder or a suffix of letters, like the name of a file."""
    _, suffix = os.path.splitext(argument)
    # The x after the last dot of a puzzle such as `12.x` is an empty cell, not a suffix.
    return os.sep in argument or suffix[1:].strip("xX").isalpha()


_NO_TEXT = {
    b"\x1f\x8b": "this is compressed data; name a file that ends in .gz",
    b"\xfd7zXZ": "this is compressed data; name a file that ends in .xz",
    b"\x28\xb5\x2f\xfd": "this is compressed data; name a file that ends in .zst",
    b"PAR1": "this is a Parquet file; name a file that ends in .parquet",
    b"BZh": "this is compressed data; name a file that ends in .bz2",
    b"%PDF": "this is a PDF file; copy the puzzle from it as text, with dots for blanks",
    b"\x89PNG": "this is a picture; type the puzzle, row by row, with dots for blanks",
    b"\xff\xd8\xff": "this is a picture; type the puzzle, row by row, with dots for blanks",
    b"PK\3\4": "this is an archive, as .xlsx and .docx are; save the puzzle as text or CSV",
}

# Byte order marks, as Windows writes them; longer marks come before their prefixes.
_WIDE = {
    b"\xff\xfe\0\0": "utf-32",
    b"\0\0\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
# Without a mark, this many bytes of the first line decide; a board has more.
_TELLING = 16

# End marks of old programs: Ctrl-Z of DOS, and NUL.
_ENDS = b"\x1a\0"
_ZEROS = b"\0" * len(LOST)
_SOME_ZEROS = re.compile(rb"\0+")
# Control characters that no text has; zeros are handled apart.
_CONTROL = frozenset(range(1, 32)).difference(b"\t\n\v\f\r\x1a\x1b")


def decode(stream: Iterable[bytes], source: str) -> Iterator[str]:
    """Yield the lines of a text; raise an error with the line number if it is binary."""
    with readable(source):
        lines = iter(stream)
        first = next(lines, b"")
        encoding = _wide_encoding(first)
        if encoding is not None:
            yield from _decode_wide(chain([first], lines), encoding, source)
            return
        head = first.decode("utf-8", "replace").removeprefix("\ufeff").rstrip("\r\n")
        errors = "surrogateescape" if begins_table(head) else "replace"
        for number, line in enumerate(chain([first], lines), 1):
            if number == 1 and line.startswith(tuple(_NO_TEXT)):
                raise FormatError(_describe_no_text(line), source, number)
            has_marks = b"\x1a" in line or b"\0" in line
            # A stray byte invalidates only the record that contains it.
            text = _without_marks(line, number, source) if has_marks else line
            yield text.decode("utf-8", errors)


def _without_marks(line: bytes, number: int, source: str) -> bytes:
    """Return a line without end marks; zero bytes in place of text are marked.

    After a power cut a file has zeros where its lines were. The parser refuses such records only.
    The first line, by which the format of a text is found, must be text, and zeros beside other
    control characters are binary data.
    """
    bare = line.rstrip(b"\r\n")
    text = bare.rstrip(_ENDS) if bare.endswith((b"\x1a", b"\0")) else line
    is_cut = len(line) - len(text) >= len(LOST) and _ZEROS in line
    if b"\0" in text and (number == 1 or not _CONTROL.isdisjoint(text)):
        raise FormatError(_describe_no_text(line), source, number)
    if number == 1 and is_cut:
        raise FormatError(NO_TEXT_LEFT, source, number)
    end = mark_lost(len(bare) - len(text)).encode() if is_cut else b""
    return _SOME_ZEROS.sub(lambda zeros: mark_lost(len(zeros[0])).encode(), text) + end


def _describe_no_text(line: bytes) -> str:
    found = (message for sign, message in _NO_TEXT.items() if line.startswith(sign))
    return next(
        found,
        "this is binary data, not text; puzzles are text, or a table in .parquet",
    )


def _wide_encoding(line: bytes) -> str | None:
    """Return the encoding of a text with two or four bytes a character; None for others."""
    marked = next((name for mark, name in _WIDE.items() if line.startswith(mark)), None)
    head = line[:_TELLING]
    if marked or len(head) < _TELLING or b"\0" not in head:
        return marked
    for name, (zeros, others) in {
        "utf-16-le": (head[1::2], head[::2]),
        "utf-16-be": (head[::2], head[1::2]),
    }.items():
        if not any(zeros) and all(others):
            return name
    return None


def _decode_wide(stream: Iterable[bytes], encoding: str, source: str) -> Iterator[str]:
    """Decode a text that was split at newline bytes, which may be half of a character."""
    begun: list[str] = []
    length = 0
    for piece in iterdecode(stream, encoding, "replace"):
        *ended, rest = piece.split("\n")
        for line in ended:
            yield "".join([*begun, line, "\n"])
            begun, length = [], 0
        begun.append(rest)
        length += len(rest)
        if length > LONGEST_LINE:
            raise FormatError("this line is too long for a puzzle", source)
    if length:
        yield "".join(begun)


class Patience:
    """Time limit for the text of a puzzle, from its first byte; None is no limit.

    So a pipe that stalls within a puzzle ends the wait, but may be silent between two puzzles.
    """

    def __init__(self, seconds: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._begun: float | None = None

    def lines(self, lines: Iterable[str]) -> Iterable[str]:
        """Yield the lines; raise LimitReachedError when time is up."""
        return lines if self._seconds is None else self._watched(lines)

    def wait(self, flow: Flow, has_begun: bool) -> None:
        """Wait for more of a stream, with the limit if a puzzle or a line has begun."""
        if self._seconds is None:
            return
        if has_begun:
            self._begin()
        if self._begun is not None:
            flow.is_readable(max(0, self._seconds - self.used))
            self.require()

    @property
    def is_limited(self) -> bool:
        """Whether there is a limit."""
        return self._seconds is not None

    @property
    def used(self) -> float:
        """Return the seconds since the first byte of the current text."""
        return 0 if self._begun is None else self._clock() - self._begun

    def require(self) -> None:
        """Raise LimitReachedError if time is up; otherwise return."""
        if self._seconds is not None and self.used >= self._seconds:
            raise LimitReachedError(f"not read to the end of a puzzle within {self._seconds:g} s")

    def take(self) -> float:
        """Return the seconds that the text just read took, and reset the clock."""
        self.require()
        used, self._begun = self.used, None
        return used

    def _begin(self) -> None:
        if self._begun is None:
            self._begun = self._clock()

    def _watched(self, lines: Iterable[str]) -> Iterator[str]:
        for line in lines:
            if not line.isspace():
                self._begin()
                self.require()
            yield line
