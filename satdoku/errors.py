"""Everything that satdoku raises on purpose, and how messages show what was found.

No solution, several solutions and a limit that was reached are verdicts, not errors.
"""

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import TypeVar

_Kind = TypeVar("_Kind", bound=Enum)

# Enough to recognise a word or a name; the line in question may have thousands of characters.
_LONGEST_QUOTE = 20


class SatdokuError(Exception):
    """Something that the user can understand and mend; its text is one clear sentence."""


class PlacedError(SatdokuError):
    """A fault at a place in a text: `source:line:column: message`."""

    def __init__(self, message: str, source: str = "", line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.source = source
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[type["PlacedError"], tuple[str, str, int, int]]:
        """Travel between processes with the place."""
        return type(self), (self.message, self.source, self.line, self.column)

    @property
    def place(self) -> str:
        """Where the fault is, as far as that is known: `source:line:column`."""
        return ":".join(str(part) for part in (self.source, self.line, self.column) if part)

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


class FormatError(PlacedError, ValueError):
    """A text that is not a puzzle; a ValueError too, which is what Python programs expect."""


class LateError(FormatError):
    """A text that did not come to the end of a puzzle before a limit: nothing is wrong with it."""


class SolutionError(FormatError):
    """A known solution cannot be read; the puzzle beside it may be."""


class RuleError(FormatError):
    """Rules beside a puzzle that cannot be read; no other way to read the text may drop them."""


class DimacsError(PlacedError):
    """A text that is not a formula, or not a solver's answer."""


class OutputError(SatdokuError):
    """A file that the system does not let us write to its end, as when the disk is full."""


class SolverError(SatdokuError):
    """A solver that is missing, cannot do what was asked of it, died, or lied."""


class SolverDiedError(SolverError):
    """A solver that met its death over one puzzle; it may well solve the next."""


class CertificateError(PlacedError):
    """A certificate that does not hold."""


class TooLargeError(SatdokuError):
    """A task that would take too much memory or time: given up, and other puzzles go on."""


class WrongSolutionError(SatdokuError):
    """A solver's grid broke the rules: a bug of ours or of the solver, never the user's fault."""


def cut(text: str, longest: int) -> str:
    """A text, or as much of its beginning as fits with three points behind it.

    >>> cut("killer:7=r1c1,r1c2", 12)
    'killer:7=...'
    """
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def quote(text: str, longest: int = _LONGEST_QUOTE) -> str:
    """A piece of input as a message shows it: in quotes, on one line, and not too long.

    >>> quote("a line of\\nthe input, and a long one")
    "'a line of\\\\nthe inp...'"
    """
    return repr(cut(text, longest))


def count_of(number: int, noun: str) -> str:
    """So many of a thing, in words: `1 cell`, `2 cells`.

    >>> count_of(1, "row"), count_of(0, "row")
    ('1 row', '0 rows')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def join(words: Sequence[str], last: str = "and") -> str:
    """Words as a list in a sentence.

    >>> join(["r1c1", "r1c2", "r1c7"])
    'r1c1, r1c2 and r1c7'
    """
    *most, final = words
    return f"{', '.join(most)} {last} {final}" if most else final


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The one of some names that may be meant by one with a slip in it; None where none is near.

    >>> nearest("sovle", ["check", "solve"])
    'solve'
    """
    from difflib import get_close_matches  # long to import, and only slips need it

    return next(iter(get_close_matches(name, list(names), 1)), None)


def member_named(kind: type[_Kind], name: _Kind | str) -> _Kind:
    """A member of an enum, which a caller may name by its value."""
    try:
        return kind(name)
    except ValueError:
        names = ", ".join(str(member.value) for member in kind)
        raise SatdokuError(f"{name!r} is none of {names}") from None
