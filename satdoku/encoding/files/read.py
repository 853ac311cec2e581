"""Reads a formula in DIMACS CNF, strictly: whatever is wrong with the file is named with its line.

c a comment
p cnf 3 2          3 variables, 2 clauses
1 -2 0             a clause ends at its 0, wherever the lines break
2
3 0

`Formula` is what is asked of a formula, in whichever format it comes; `read_text_lines` gives the
lines of formulas and answers.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from satdoku.encoding.variables import Clause
from satdoku.errors import DimacsError, quote
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


@dataclass(frozen=True, slots=True)
class Linear:
    """A constraint of OPB: a weighted sum of variables that reaches a bound, or equals it.

    >>> print(Linear(((1, 5), (-1, 7)), ">=", 0))
    +1 x5 -1 x7 >= 0 ;
    """

    terms: tuple[tuple[int, int], ...]
    relation: str
    bound: int

    def is_broken(self, is_false: Callable[[int], bool]) -> bool:
        """Whether it does not hold when those variables are true that `is_false` is not true of."""
        total = sum(weight for weight, variable in self.terms if not is_false(variable))
        return total != self.bound if self.relation == "=" else total < self.bound

    def __str__(self) -> str:
        terms = " ".join(f"{weight:+} x{variable}" for weight, variable in self.terms)
        return f"{terms} {self.relation} {self.bound} ;"


class Formula(Protocol):
    """A formula, held in memory or read as it is needed."""

    @property
    def variables(self) -> int: ...

    @property
    def comments(self) -> tuple[str, ...]:
        """The first comments, at least those before the first constraint."""

    def numbered_clauses(self) -> Iterator[tuple[Clause | Linear, int]]:
        """All that has to hold, with the line on which it begins."""


@dataclass(frozen=True, slots=True)
class NoClauses:
    """The formula of a puzzle that comes without one: it says nothing of so many variables."""

    variables: int
    comments: tuple[str, ...] = ()

    def numbered_clauses(self) -> Iterator[tuple[Clause | Linear, int]]:
        return iter(())


NumberedClause = tuple[Clause, int]
"""A clause and the line on which it starts."""

_HEADER = re.compile(r"\s*p\s+cnf\s+([0-9]{1,10})\s+([0-9]{1,10})\s*")
_LITERAL = re.compile(r"-?[1-9][0-9]{0,9}")
_WHOLE_CLAUSE = re.compile(r"(?:-?[1-9][0-9]{0,9} )*0\r?\n?")


class CnfReader:
    """A formula that is read clause by clause, as long as somebody asks for more."""

    def __init__(self, lines: Iterable[str], source: str) -> None:
        self._lines = enumerate(lines, 1)
        self._source = source
        self._header_line = 0
        self._variables = 0
        self._promised = 0
        self._comments = Comments()
        self._start = 0  # the line on which the unfinished clause started; 0 if none is
        self._literals: list[int] = []
        self._finished: list[NumberedClause] = []  # read, and not yet handed on

    @property
    def variables(self) -> int:
        """The number of variables; reads the file up to its header."""
        self._require_header()
        return self._variables

    @property
    def comments(self) -> tuple[str, ...]:
        """The comments read so far, at least those before the header."""
        self._require_header()
        return self._comments.kept

    def numbered_clauses(self) -> Iterator[NumberedClause]:
        """The clauses from where reading has come to; whatever is wrong with the file is raised."""
        self._require_header()
        count = 0
        for number, text in self._lines:
            # Nearly every line is one clause; only others are taken apart token by token.
            if self._start or not _WHOLE_CLAUSE.fullmatch(text):
                if text.startswith("%"):
                    break  # SATLIB ends its files with "%" and a lone 0
                self._read_line(number, text)
            else:
                self._read_clause(number, text)
            count += len(self._finished)
            yield from self._finished
            self._finished.clear()
        self._require_end(count)

    def _require_header(self) -> None:
        while not self._header_line:
            number, text = next(self._lines, (0, ""))
            if not number or text.startswith("%"):
                raise self._error("there is no header 'p cnf VARIABLES CLAUSES'", 0)
            self._read_line(number, text)

    def _read_clause(self, number: int, text: str) -> None:
        """A line that is one whole clause."""
        *literals, _ = map(int, text.split())
        if literals and (max(literals) > self._variables or min(literals) < -self._variables):
            self._read_tokens(number, text)  # raises the error, which names the literal
        self._finished.append((tuple(literals), number))

    def _read_line(self, number: int, text: str) -> None:
        """A line of any kind."""
        if text.startswith("c"):
            self._comments.add(text[1:])
        elif text.lstrip().startswith("p"):
            self._read_header(number, text)
        else:
            self._read_tokens(number, text)

    def _read_header(self, number: int, text: str) -> None:
        if self._header_line:
            raise self._error(f"a second header; the first is on line {self._header_line}", number)
        counts = _HEADER.fullmatch(text)
        if not counts:
            raise self._error(
                f"the header must be 'p cnf VARIABLES CLAUSES', not {quote(text.strip(), 40)}",
                number,
            )
        self._header_line = number
        self._variables, self._promised = int(counts[1]), int(counts[2])

    def _read_tokens(self, number: int, text: str) -> None:
        for token in text.split():
            if token != "0" and not _LITERAL.fullmatch(token):
                raise self._error(f"{quote(token)} is not a literal", number)
            if not self._header_line:
                raise self._error("a clause before the header 'p cnf VARIABLES CLAUSES'", number)
            if token == "0":
                self._finished.append((tuple(self._literals), self._start or number))
                self._literals, self._start = [], 0
            else:
                self._literals.append(self._require_range(number, int(token)))
                self._start = self._start or number

    def _require_range(self, number: int, literal: int) -> int:
        if abs(literal) > self._variables:
            raise self._error(
                f"the literal {literal} is out of range, the header promises"
                f" {self._variables} variables",
                number,
            )
        return literal

    def _require_end(self, count: int) -> None:
        if self._start:
            raise self._error("the last clause has no closing 0", self._start)
        if count != self._promised:
            raise self._error(
                f"the header promises {self._promised} clauses, the file has {count}",
                self._header_line,
            )

    def _error(self, message: str, line: int) -> DimacsError:
        return DimacsError(message, self._source, line)
