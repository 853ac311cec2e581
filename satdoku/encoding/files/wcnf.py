"""Puzzles as WCNF, for MaxSAT solvers: as few givens are dropped as have to be.

    c satdoku 0.2.0
    ...
    c 729 variables, 30 soft clauses (the givens), 10530 hard clauses (the rules)
    1 5 0
    h 1 2 3 4 5 6 7 8 9 0
    ...

The givens are soft, with a weight of 1 each, and the rules are hard. It is the format of the MaxSAT
evaluations since 2022: there is no header, and `h` stands where hard clauses once had a weight.

What is read is like what is written, so that a comment says its size.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import IO

from satdoku.encoding.constraint import Clause, Why
from satdoku.encoding.encode import measure
from satdoku.encoding.files.text import Comments, without_comments
from satdoku.encoding.files.write import Export, first_comments, variable_comments, write_lines
from satdoku.errors import DimacsError, quote


def write_wcnf(
    export: Export, stream: IO[str], program: str, require_time: Callable[[], None] = lambda: None
) -> None:
    """Writes the file; `program` and `require_time` are as for a CNF.

    The encoding has to say the rules whatever the givens are, and no solution is blocked: these
    would follow from givens that may be dropped.
    """
    size = measure(export.puzzle, export.encoding, export.at_most_one, require_time)
    soft = sum(group.reason.why is Why.GIVEN for group in export.groups())
    stream.writelines(first_comments(export, program))
    stream.writelines(f"c {comment}\n" for comment in variable_comments(export, size.variables))
    stream.write(
        f"c {size.variables} variables, {soft} soft clauses (the givens), "
        f"{size.clauses - soft} hard clauses (the rules)\n"
    )
    write_lines(_clause_lines(export), stream, require_time)


def _clause_lines(export: Export) -> Iterator[str]:
    for group in export.groups():
        if export.has_reasons:
            yield f"c {group.reason}\n"
        weight = "1" if group.reason.why is Why.GIVEN else "h"
        for clause in group.clauses:
            yield f"{weight} {' '.join(map(str, clause))} 0\n"


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
