"""Reads a formula in OPB as `write_opb.py` writes it: linear, a constraint a line, no objective.

* #variable= 2 #constraint= 1
* a comment
+1 x1 -1 x2 >= 0 ;
"""

import re
from collections.abc import Iterable, Iterator

from satdoku.dimacs.comments import Comments
from satdoku.dimacs.formula import Linear
from satdoku.errors import DimacsError, quote

HEADER = re.compile(r"\*\s*#variable=\s*([0-9]{1,10})\s+#constraint=\s*([0-9]{1,10})\s*")
"""The first line, up to what some writers add to it."""

_CONSTRAINT = re.compile(
    r"((?:\s*[+-]?[0-9]{1,18}\s+x[1-9][0-9]{0,9})+)\s*(>=|=)\s*([+-]?[0-9]{1,18})\s*;\s*"
)
_TERM = re.compile(r"([+-]?[0-9]+)\s+x([0-9]+)")


class OpbReader:
    """A formula that is read constraint by constraint, as long as somebody asks for more."""

    def __init__(self, lines: Iterable[str], source: str) -> None:
        self._lines = enumerate(lines, 1)
        self._source = source
        self._comments = Comments()
        self._first: tuple[int, str] | None = None
        header = HEADER.match(next(self._lines, (1, ""))[1])
        if header is None:
            raise self._error("the first line must be '* #variable= N #constraint= N'", 1)
        self.variables, self._promised = int(header[1]), int(header[2])

    @property
    def comments(self) -> tuple[str, ...]:
        """The comments before the first constraint."""
        if self._first is None:
            self._first = next(self._constraint_lines(), (0, ""))
        return self._comments.kept

    def numbered_clauses(self) -> Iterator[tuple[Linear, int]]:
        """The constraints from the first one on; whatever is wrong with the file is raised."""
        count = 0
        if self._first is not None:
            yield self._read(*self._first), self._first[0]
            count = 1
        for number, text in self._constraint_lines():
            yield self._read(number, text), number
            count += 1
        if count != self._promised:
            raise self._error(
                f"the header promises {self._promised} constraints, the file has {count}", 1
            )

    def _constraint_lines(self) -> Iterator[tuple[int, str]]:
        for number, text in self._lines:
            if text.startswith("*"):
                self._comments.add(text[1:])
            elif text.strip():
                yield number, text

    def _read(self, number: int, text: str) -> Linear:
        found = _CONSTRAINT.fullmatch(text)
        if found is None:
            raise self._error(
                f"{quote(text.strip())} is not a linear constraint that ends in ;", number
            )
        terms = tuple((int(term[1]), int(term[2])) for term in _TERM.finditer(found[1]))
        highest = max(variable for _, variable in terms)
        if highest > self.variables:
            raise self._error(
                f"x{highest} is out of range, the header promises {self.variables} variables",
                number,
            )
        return Linear(terms, found[2], int(found[3]))

    def _error(self, message: str, line: int) -> DimacsError:
        return DimacsError(message, self._source, line)
