"""What is written of a puzzle, and DIMACS CNF, streamed: no list of all clauses is ever made.

    c satdoku 0.2.0
    c sudoku 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
    c encoding extended, at most one by pairwise
    c variable (row - 1) * 81 + (column - 1) * 9 + digit: this cell holds this digit
    p cnf 729 10560
    1 2 3 4 5 6 7 8 9 0
    ...

Some readers take any comment that begins with `c p` for a header, so ours never do, except the
`c p show` that model counters ask for.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import IO

from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.constraint import ClauseGroup, Reason, Why
from satdoku.encoding.encode import auxiliaries_may_vary, encode, measure
from satdoku.encoding.files.header import describe
from satdoku.encoding.variables import blocking_clause, variable_count, variable_name
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle

# How many lines go by between two looks at the clock: about a millisecond.
_BETWEEN_LOOKS = 1024


@dataclass(frozen=True, slots=True)
class Export:
    """A formula to write, and how much to say about it.

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
        """The clauses to write."""
        yield from encode(self.puzzle, self.encoding, self.at_most_one)
        if self.blocked is not None:
            reason = Reason(Why.BLOCKED, self.puzzle.geometry)
            yield ClauseGroup(reason, [blocking_clause(self.blocked, self.puzzle)])


def write_cnf(
    export: Export, stream: IO[str], program: str, require_time: Callable[[], None] = lambda: None
) -> None:
    """Writes the file; `program` names us and our version in its first comment.

    `require_time` is called now and then and may raise what it likes.
    """
    # The header has the number of clauses. They are made twice, since those of a large board do not
    # fit into memory.
    size = measure(export.puzzle, export.encoding, export.at_most_one, require_time)
    clauses = size.clauses if export.blocked is None else size.clauses + 1
    stream.writelines(first_comments(export, program))
    stream.writelines(f"c {comment}\n" for comment in variable_comments(export, size.variables))
    stream.write(header_line(size.variables, clauses))
    write_lines(clause_lines(export), stream, require_time)


def write_lines(lines: Iterable[str], stream: IO[str], require_time: Callable[[], None]) -> None:
    """Writes the lines, and calls `require_time` now and then."""
    for number, line in enumerate(lines):
        if number % _BETWEEN_LOOKS == 0:
            require_time()
        stream.write(line)


def first_comments(export: Export, program: str) -> Iterator[str]:
    """The lines with which the file begins."""
    how = f"encoding {export.encoding.value}, at most one by {export.at_most_one.value}"
    comments = describe(export.puzzle, program, how, export.blocked)
    return (f"c {comment}\n" for comment in comments)


def header_line(variables: int, clauses: int) -> str:
    """The line between the comments and the clauses."""
    return f"p cnf {variables} {clauses}\n"


def clause_lines(export: Export) -> Iterator[str]:
    """The lines behind the header, with a comment before each group if it is to have reasons."""
    for group in export.groups():
        if export.has_reasons:
            yield f"c {group.reason}\n"
        for clause in group.clauses:
            yield " ".join(map(str, clause)) + " 0\n"


def variable_comments(export: Export, variables: int) -> Iterator[str]:
    """What the comments say of the variables: which of them count, and their names if asked for."""
    geometry = export.puzzle.geometry
    cells = variable_count(geometry)
    if variables > cells:
        if auxiliaries_may_vary(export.puzzle, export.encoding, export.at_most_one):
            yield (
                "a solution may have several models, alike in the variables of the next line; "
                "count it once"
            )
        yield f"p show {' '.join(map(str, range(1, cells + 1)))} 0"
    for number in range(1, variables + 1) if export.has_names else ():
        name = variable_name(geometry, number) if number <= cells else f"aux{number - cells}"
        yield f"varname {number} {name}"
