"""Reads a formula in OPB as `write_opb.py` writes it: linear, a constraint a line, no objective.

* #variable= 2 #constraint= 1
* a comment
+1 x1 -1 x2 >= 0 ;
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from satdoku.encoding.files.comments import Comments
from satdoku.encoding.files.formula import Linear
from satdoku.encoding.files.text import without_comments
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
        self._source = source
        numbered = enumerate(lines, 1)
        header = HEADER.match(next(numbered, (1, ""))[1])
        if header is None:
            raise self._error("the first line must be '* #variable= N #constraint= N'", 1)
        self.variables, self._promised = int(header[1]), int(header[2])
        comments = Comments()
        first: list[tuple[int, str]] = []
        for number, text in numbered:
            if text.startswith("*"):
                comments.add(text[1:])
            elif text.strip():
                first.append((number, text))
                break
        # Comments further on may be the reasons of constraints, and fill the memory.
        self.comments = comments.kept
        """The comments before the first constraint."""
        self._lines = chain(first, numbered)

    def numbered_clauses(self) -> Iterator[tuple[Linear, int]]:
        """The constraints; whatever is wrong with the file is raised."""
        count = 0
        for number, text in without_comments(self._lines, "*"):
            yield self._read(number, text), number
            count += 1
        if count != self._promised:
            raise self._error(
                f"the header promises {self._promised} constraints, the file has {count}", 1
            )

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
