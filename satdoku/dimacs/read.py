"""Reads a formula in DIMACS CNF, strictly: whatever is wrong with the file is named with its line.

c a comment
p cnf 3 2          3 variables, 2 clauses
1 -2 0             a clause ends at its 0, wherever the lines break
2
3 0
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from satdoku.errors import DimacsError

_HEADER = re.compile(r"\s*p\s+cnf\s+([0-9]{1,10})\s+([0-9]{1,10})\s*")
_LITERAL = re.compile(r"-?[1-9][0-9]{0,9}")
_WHOLE_CLAUSE = re.compile(r"(?:-?[1-9][0-9]{0,9} )*0\r?\n?")


@dataclass(frozen=True, slots=True)
class Cnf:
    """A formula in conjunctive normal form, and where in its file each clause starts."""

    variables: int
    clauses: tuple[tuple[int, ...], ...]
    comments: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()


def read_cnf(lines: Iterable[str], source: str = "<cnf>") -> Cnf:
    """The formula that the lines of a DIMACS file state; raises DimacsError.

    >>> read_cnf(["c example", "p cnf 2 2", "1 -2 0 2", "0"])
    Cnf(variables=2, clauses=((1, -2), (2,)), comments=('example',), lines=(3, 3))
    """
    reader = _Reader(source)
    for number, text in enumerate(lines, 1):
        # Nearly every line is one clause; only others are taken apart token by token.
        if reader.start or not _WHOLE_CLAUSE.fullmatch(text):
            if text.startswith("%"):
                break  # SATLIB ends its files with "%" and a lone 0
            reader.read_line(number, text)
        else:
            reader.read_clause(number, text)
    return reader.finish()


def read_text_lines(handle: Iterable[bytes], source: str) -> Iterator[str]:
    """The lines of a text that come as bytes; raises DimacsError if it is no text."""
    for number, data in enumerate(handle, 1):
        try:
            text = data.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            text = "\0"
        if "\0" in text:
            raise DimacsError("this is not text; is the file compressed or binary?", source, number)
        yield text


@dataclass(slots=True)
class _Reader:
    """What has been read so far of a file."""

    source: str
    header_line: int = 0
    variables: int = 0
    promised: int = 0
    start: int = 0  # the line on which the unfinished clause started, or 0
    literals: list[int] = field(default_factory=list)
    clauses: list[tuple[int, ...]] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    def read_clause(self, number: int, text: str) -> None:
        """A line that is one whole clause."""
        *literals, _ = map(int, text.split())
        if not self.header_line or (
            literals and (max(literals) > self.variables or min(literals) < -self.variables)
        ):
            self.read_tokens(number, text)  # finds what to complain of
        self.clauses.append(tuple(literals))
        self.lines.append(number)

    def read_line(self, number: int, text: str) -> None:
        """A line of any kind."""
        if text.startswith("c"):
            self.comments.append(text[1:].strip())
        elif text.lstrip().startswith("p"):
            self.read_header(number, text)
        else:
            self.read_tokens(number, text)

    def read_header(self, number: int, text: str) -> None:
        if self.header_line:
            raise self.error(f"a second header; the first is on line {self.header_line}", number)
        counts = _HEADER.fullmatch(text)
        if not counts:
            raise self.error(
                f"the header must be 'p cnf VARIABLES CLAUSES', not {text.strip()[:40]!r}", number
            )
        self.header_line = number
        self.variables, self.promised = int(counts[1]), int(counts[2])

    def read_tokens(self, number: int, text: str) -> None:
        for token in text.split():
            if token == "0":
                self.require_header(number)
                self.clauses.append(tuple(self.literals))
                self.lines.append(self.start or number)
                self.literals, self.start = [], 0
            else:
                self.literals.append(self.read_literal(number, token))
                self.start = self.start or number

    def read_literal(self, number: int, token: str) -> int:
        if not _LITERAL.fullmatch(token):
            raise self.error(f"{token[:20]!r} is not a literal", number)
        self.require_header(number)
        literal = int(token)
        if abs(literal) > self.variables:
            raise self.error(
                f"the literal {literal} is out of range, the header promises"
                f" {self.variables} variables",
                number,
            )
        return literal

    def require_header(self, number: int) -> None:
        if not self.header_line:
            raise self.error("a clause before the header 'p cnf VARIABLES CLAUSES'", number)

    def finish(self) -> Cnf:
        if not self.header_line:
            raise self.error("there is no header 'p cnf VARIABLES CLAUSES'", 0)
        if self.start:
            raise self.error("the last clause has no closing 0", self.start)
        if len(self.clauses) != self.promised:
            raise self.error(
                f"the header promises {self.promised} clauses, the file has {len(self.clauses)}",
                self.header_line,
            )
        return Cnf(self.variables, tuple(self.clauses), tuple(self.comments), tuple(self.lines))

    def error(self, message: str, line: int) -> DimacsError:
        return DimacsError(message, self.source, line)
