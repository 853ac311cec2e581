"""Reads a formula in WCNF as `write_wcnf.py` writes it, which says its size in a comment.

c 2 variables, 1 soft clauses (the givens), 2 hard clauses (the rules)
1 2 0
h 1 2 0
h -1 -2 0
"""

import re
from collections.abc import Iterable, Iterator

from satdoku.encoding.constraint import Clause
from satdoku.encoding.files.comments import Comments
from satdoku.encoding.files.text import without_comments
from satdoku.errors import DimacsError, quote

SIZE = re.compile(
    r"([0-9]{1,10}) variables, ([0-9]{1,10}) soft clauses \(the givens\), "
    r"([0-9]{1,10}) hard clauses \(the rules\)"
)
"""The comment that says how large the formula is."""

_CLAUSE = re.compile(r"(h|[1-9][0-9]{0,17})((?: -?[1-9][0-9]{0,9})+) 0\s*")


class WcnfReader:
    """A formula whose hard clauses are read one by one; the soft ones are kept."""

    def __init__(self, lines: Iterable[str], source: str) -> None:
        self._lines = enumerate(lines, 1)
        self._source = source
        self._comments = Comments()
        self._soft: list[tuple[int, Clause]] = []
        self.variables, self._promised = 0, (0, 0)
        for _, text in self._lines:
            if not text.startswith("c"):
                break
            size = SIZE.fullmatch(text[1:].strip())
            if size is not None:
                self.variables, self._promised = int(size[1]), (int(size[2]), int(size[3]))
                return
            self._comments.add(text[1:])
        raise self._error("no comment before the clauses tells how many variables there are", 0)

    @property
    def comments(self) -> tuple[str, ...]:
        """The comments before the clauses."""
        return self._comments.kept

    def numbered_clauses(self) -> Iterator[tuple[Clause, int]]:
        """The hard clauses; whatever is wrong with the file is raised."""
        hard = 0
        for number, text in without_comments(self._lines, "c"):
            weight, clause = self._read(number, text)
            if weight is None:
                hard += 1
                yield clause, number
            else:
                self._soft.append((weight, clause))
        if (len(self._soft), hard) != self._promised:
            soft_then, hard_then = self._promised
            raise self._error(
                f"a comment promises {soft_then} soft and {hard_then} hard clauses, "
                f"the file has {len(self._soft)} and {hard}",
                0,
            )

    def cost(self, true: set[int]) -> int:
        """The weight of the soft clauses that do not hold; to be asked after the hard ones."""
        return sum(
            weight
            for weight, clause in self._soft
            if not any((abs(literal) in true) is (literal > 0) for literal in clause)
        )

    def _read(self, number: int, text: str) -> tuple[int | None, Clause]:
        found = _CLAUSE.fullmatch(text)
        if found is None:
            raise self._error(
                f"{quote(text.strip())} is not a clause with its weight or h before it", number
            )
        clause = tuple(map(int, found[2].split()))
        highest = max(map(abs, clause))
        if highest > self.variables:
            raise self._error(
                f"variable {highest} is out of range, a comment promises {self.variables}", number
            )
        return (None if found[1] == "h" else int(found[1])), clause

    def _error(self, message: str, line: int) -> DimacsError:
        return DimacsError(message, self._source, line)
