"""Write puzzles as DIMACS CNF and as WCNF, streamed: clauses are never all in memory.

    c satdoku 0.2.0
    c sudoku 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
    c encoding extended, at most one by pairwise
    c variable (row - 1) * 81 + (column - 1) * 9 + digit: this cell holds this digit
    p cnf 729 10560
    1 2 3 4 5 6 7 8 9 0
    ...

Some readers take any comment that begins with `c p` for a header, so the writer avoids this prefix,
except in the `c p show` that model counters need.

WCNF is for MaxSAT solvers, which drop as few givens as possible.

    c satdoku 0.2.0
    ...
    c 729 variables, 30 soft clauses (the givens), 10530 hard clauses (the rules)
    1 5 0
    h 1 2 3 4 5 6 7 8 9 0
    ...

The givens are soft with weight 1, and the rules are hard. The format is that of the MaxSAT
evaluations since 2022: it has no header, and `h` replaces the weight of hard clauses.

The reader of WCNF needs the comment with the sizes, exactly as the writer writes it.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import IO

from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.constraint import ClauseGroup, Reason, Why
from satdoku.encoding.encode import auxiliaries_may_vary, encode, encoding_on, measure
from satdoku.encoding.files.dimacs import Comments, without_comments
from satdoku.encoding.meanings import describe
from satdoku.encoding.variables import Clause, blocking_clause, variable_count, variable_name
from satdoku.errors import DimacsError, quote
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle

# Lines written between two checks of the time limit: about a millisecond.
_BETWEEN_LOOKS = 1024


@dataclass(frozen=True, slots=True)
class Export:
    """A formula to write, and the comments to add.

    `blocked` is a solution that the formula excludes: if it is the only one, the formula is
    unsatisfiable.
    """

    puzzle: Puzzle
    encoding: Encoding = Encoding.EXTENDED
    at_most_one: Method = Method.PAIRWISE
    blocked: Grid | None = None
    has_names: bool = False
    has_reasons: bool = False

    def groups(self) -> Iterator[ClauseGroup]:
        """Yield the clauses to write."""
        yield from encode(self.puzzle, self.encoding, self.at_most_one)
        if self.blocked is not None:
            reason = Reason(Why.BLOCKED, self.puzzle.geometry)
            yield ClauseGroup(reason, [blocking_clause(self.blocked, self.puzzle)])


def write_cnf(
    export: Export, stream: IO[str], program: str, require_time: Callable[[], None] = lambda: None
) -> None:
    """Write the file; the first comment names `program`, with its version.

    `require_time` is called regularly and may raise any error to stop.
    """
    # The header has the number of clauses. Clauses are made twice, since those of a large board do
    # not fit into memory.
    size = measure(export.puzzle, export.encoding, export.at_most_one, require_time)
    clauses = size.clauses if export.blocked is None else size.clauses + 1
    stream.writelines(first_comments(export, program))
    stream.writelines(f"c {comment}\n" for comment in variable_comments(export, size.variables))
    stream.write(header_line(size.variables, clauses))
    write_lines(clause_lines(export), stream, require_time)


def write_lines(lines: Iterable[str], stream: IO[str], require_time: Callable[[], None]) -> None:
    """Write the lines, and call `require_time` regularly."""
    for number, line in enumerate(lines):
        if number % _BETWEEN_LOOKS == 0:
            require_time()
        stream.write(line)


def first_comments(export: Export, program: str) -> Iterator[str]:
    """Yield the comments about the puzzle at the start of the file."""
    used = encoding_on(export.puzzle.geometry, export.encoding)
    how = f"encoding {used.value}, at most one by {export.at_most_one.value}"
    comments = describe(export.puzzle, program, how, export.blocked)
    return (f"c {comment}\n" for comment in comments)


def header_line(variables: int, clauses: int) -> str:
    """Return the line between the comments and the clauses."""
    return f"p cnf {variables} {clauses}\n"


def clause_lines(export: Export, is_weighted: bool = False) -> Iterator[str]:
    """Yield the lines of the clauses, with a comment before each group if reasons are wanted.

    In WCNF each clause has a weight: givens are soft, all other clauses are hard.
    """
    for group in export.groups():
        if export.has_reasons:
            yield f"c {group.reason}\n"
        weight = ("1 " if group.reason.why is Why.GIVEN else "h ") if is_weighted else ""
        for clause in group.clauses:
            yield f"{weight}{' '.join(map(str, clause))} 0\n"


def variable_comments(export: Export, variables: int) -> Iterator[str]:
    """Yield comments on the variables: those of a projected count, and names if wanted."""
    geometry = export.puzzle.geometry
    cells = variable_count(geometry)
    if variables > cells:
        yield f"variables {cells + 1} to {variables} are the encoding's own: no digit of a cell"
        if auxiliaries_may_vary(export.puzzle, export.encoding, export.at_most_one):
            yield (
                "a solution may have several models, alike in the variables of the next line; "
                "count it once"
            )
        yield f"p show {' '.join(map(str, range(1, cells + 1)))} 0"
    for number in range(1, variables + 1) if export.has_names else ():
        name = variable_name(geometry, number) if number <= cells else f"aux{number - cells}"
        yield f"varname {number} {name}"


def write_wcnf(
    export: Export, stream: IO[str], program: str, require_time: Callable[[], None] = lambda: None
) -> None:
    """Write the file; `program` and `require_time` are as in `write_cnf`.

    The encoding must not depend on the givens, and no solution may be blocked: givens may be
    violated, and clauses derived from them would then be wrong.
    """
    size = measure(export.puzzle, export.encoding, export.at_most_one, require_time)
    soft = sum(group.reason.why is Why.GIVEN for group in export.groups())
    stream.writelines(first_comments(export, program))
    stream.writelines(f"c {comment}\n" for comment in variable_comments(export, size.variables))
    stream.write(
        f"c {size.variables} variables, {soft} soft clauses (the givens), "
        f"{size.clauses - soft} hard clauses (the rules)\n"
    )
    write_lines(clause_lines(export, is_weighted=True), stream, require_time)


SIZE = re.compile(
    r"([0-9]{1,10}) variables, ([0-9]{1,10}) soft clauses \(the givens\), "
    r"([0-9]{1,10}) hard clauses \(the rules\)"
)
"""The comment with the size of the formula."""

_CLAUSE = re.compile(r"(h|[1-9][0-9]{0,17})((?: -?[1-9][0-9]{0,9})+) 0\s*")


class WcnfReader:
    """A formula whose hard clauses are read lazily, and whose soft clauses are kept in memory."""

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
        """Yield the hard clauses; raise an error if the file is malformed."""
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
        """Return the weight of violated soft clauses. Valid only after the hard ones were read."""
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
