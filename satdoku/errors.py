"""All exceptions that satdoku raises on purpose, and helpers to quote input in messages.

No solution, several solutions and a limit that was reached are verdicts, not errors.
"""

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import TypeVar

_Kind = TypeVar("_Kind", bound=Enum)

# Enough to recognise a word or a name; the line itself may have thousands of characters.
_LONGEST_QUOTE = 20


class SatdokuError(Exception):
    """A fault that the user can understand and correct; its text is one clear sentence."""


class PlacedError(SatdokuError):
    """A fault at a place in a text: `source:line:column: message`."""

    def __init__(self, message: str, source: str = "", line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.source = source
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[type["PlacedError"], tuple[str, str, int, int]]:
        """Pickle with the place, for other processes."""
        return type(self), (self.message, self.source, self.line, self.column)

    @property
    def place(self) -> str:
        """Return the place of the fault, as far as it is known: `source:line:column`."""
        return ":".join(str(part) for part in (self.source, self.line, self.column) if part)

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


class FormatError(PlacedError, ValueError):
    """A text that is not a puzzle; also a ValueError, as Python programs expect."""


class LateError(FormatError):
    """A text in which no puzzle was complete before a limit was reached; it may be valid."""


class SolutionError(FormatError):
    """A known solution that cannot be read; the puzzle beside it may be readable."""


class RuleError(FormatError):
    """Rules beside a puzzle that cannot be read; no other reading of the text may drop them."""


class OptionError(SatdokuError):
    """A value of an option that does not fit the puzzle, or is not understood."""

    def __init__(self, message: str, option: str = "") -> None:
        super().__init__(message)
        self.option = option


class UnknownRuleError(SatdokuError):
    """A rule of a name that neither satdoku nor a package has; `is_like_one` if one is near."""

    def __init__(self, message: str, is_like_one: bool = False) -> None:
        super().__init__(message)
        self.is_like_one = is_like_one


class CutShortError(RuleError):
    """A packed text that ends before its puzzle does; the fault is at its end."""

    def __init__(
        self,
        message: str = "the packed text ends before its puzzle does, as if it was cut short",
        source: str = "",
        line: int = 0,
        column: int = 0,
    ) -> None:
        super().__init__(message, source, line, column)


class DimacsError(PlacedError):
    """A text that is not a formula, or not a solver's answer."""


class OutputError(SatdokuError):
    """A file that could not be written completely, for example because the disk is full."""


class SolverError(SatdokuError):
    """A solver that is missing, lacks a feature, died, or gave a wrong answer."""


class UnseenFileError(SatdokuError):
    """A file named by a record that cannot be read here, or that lacks the record's lines."""


class UnlikeLinesError(SatdokuError):
    """Lines of a file that were not looked at and turned out to be of another kind."""


class SolverDiedError(SolverError):
    """A solver that died on one puzzle; it may still solve others."""


class CertificateError(PlacedError):
    """A certificate that is not valid."""


class TooLargeError(SatdokuError):
    """A task that would take too much memory or time: given up, and other puzzles continue."""


class WrongSolutionError(SatdokuError):
    """A solver's grid that breaks the rules: a bug of satdoku or the solver, not a user error."""


def cut(text: str, longest: int) -> str:
    """Return a text, shortened with three dots if it is too long.

    >>> cut("killer:7=r1c1,r1c2", 12)
    'killer:7=...'
    """
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def quote(text: str, longest: int = _LONGEST_QUOTE) -> str:
    """Return a piece of input for a message: in quotes, on one line, and shortened.

    >>> quote("a line of\\nthe input, and a long one")
    "'a line of\\\\nthe inp...'"
    """
    return repr(cut(text, longest))


def count_of(number: int, noun: str) -> str:
    """Return a number with its noun in the singular or plural: `1 cell`, `2 cells`.

    >>> count_of(1, "row"), count_of(0, "row")
    ('1 row', '0 rows')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def word_of(number: int) -> str:
    """Return a small number as a word, and any other in digits.

    >>> word_of(2), word_of(12)
    ('two', '12')
    """
    return {2: "two", 3: "three", 4: "four"}.get(number, str(number))


def join(words: Sequence[str], last: str = "and") -> str:
    """Return words as a list in a sentence.

    >>> join(["r1c1", "r1c2", "r1c7"])
    'r1c1, r1c2 and r1c7'
    """
    *most, final = words
    return f"{', '.join(most)} {last} {final}" if most else final


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Return the name that was probably meant by a misspelt one; None if none is near.

    >>> nearest("sovle", ["check", "solve"])
    'solve'
    """
    from difflib import get_close_matches  # slow to import, and needed only for misspelt names

    return next(iter(get_close_matches(name, list(names), 1)), None)


def member_named(kind: type[_Kind], name: _Kind | str) -> _Kind:
    """Return a member of an enum, given as itself or by its value."""
    try:
        return kind(name)
    except ValueError:
        names = ", ".join(str(member.value) for member in kind)
        raise SatdokuError(f"{name!r} is none of {names}") from None
