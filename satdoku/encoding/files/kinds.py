"""The kinds of formulas: their names, writers and readers."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from itertools import chain
from pathlib import Path
from typing import IO

from satdoku.encoding.constraint import (
    AtLeastOne,
    AtMostOne,
    Clauses,
    ExactlyOne,
    NativeConstraint,
    NeverBoth,
    Reason,
    Why,
)
from satdoku.encoding.encode import (
    cells_are_allowed,
    givens_hold,
    of_each_cell,
    pairs_are_kept,
    places_of,
    wider_rules,
)
from satdoku.encoding.files.dimacs import (
    SIZE,
    CnfReader,
    Comments,
    Export,
    Formula,
    Linear,
    WcnfReader,
    variable_comments,
    without_comments,
    write_cnf,
    write_lines,
    write_wcnf,
)
from satdoku.encoding.files.minizinc import write_minizinc
from satdoku.encoding.meanings import describe
from satdoku.encoding.variables import Auxiliaries, Clause, blocking_clause, variable_count
from satdoku.errors import DimacsError, SatdokuError, quote
from satdoku.files import ALL_COMPRESSIONS
from satdoku.puzzle.constraints import Constraints
from satdoku.puzzle.puzzle import Puzzle

# OPB, the format of pseudo-Boolean solvers, with "exactly one" in one line
#
#     * #variable= 729 #constraint= 354
#     * satdoku 0.2.0
#     ...
#     +1 x5 >= 1 ;
#     +1 x1 +1 x2 +1 x3 +1 x4 +1 x5 +1 x6 +1 x7 +1 x8 +1 x9 = 1 ;
#     ...
#
# There is only one way to state the rules: no choice of encoding and no auxiliary variables, so
# that model counts are right. An empty board of N x N cells takes 4 N² constraints, or N⁴ and more
# clauses. The reader accepts only files as the writer writes them: linear constraints, one per
# line, and no objective.


def native_constraints(puzzle: Puzzle) -> Iterator[NativeConstraint]:
    """Yield all constraints of a puzzle natively: givens, a digit in every cell, and rules."""
    constraints = puzzle.constraints
    yield from givens_hold(puzzle)
    yield from cells_are_allowed(constraints)
    yield from of_each_cell(puzzle.geometry, Why.CELL_EXACTLY_ONE, ExactlyOne)
    yield from _units_have_digits_once(constraints)
    yield from pairs_are_kept(constraints)
    if constraints.wider:
        yield from wider_rules(puzzle, Auxiliaries(variable_count(puzzle.geometry)))


def _units_have_digits_once(constraints: Constraints) -> Iterator[NativeConstraint]:
    """Yield "exactly once" for units with as many cells as digits, "at most once" for others."""
    geometry = constraints.geometry
    for unit in constraints.units:
        has_every_digit = constraints.has_every_digit(unit)
        for digit in range(1, geometry.size + 1):
            places = places_of(geometry, digit, unit)
            if has_every_digit:
                reason = Reason(Why.UNIT_EXACTLY_ONCE, geometry, digit, unit=unit)
                yield ExactlyOne(reason, places)
            else:
                yield AtMostOne(Reason(Why.UNIT_ONCE, geometry, digit, unit=unit), places)


_HOW = "exactly one and at most one are said natively"


def write_opb(
    export: Export, stream: IO[str], program: str, require_time: Callable[[], None] = lambda: None
) -> None:
    """Write the file; `program` and `require_time` are as in `write_cnf`.

    The export's encoding and at-most-one method are not used.
    """
    variables = variable_count(export.puzzle.geometry)
    count = 0
    for constraint in _constraints(export):
        require_time()
        count += _count(constraint)
        if isinstance(constraint, Clauses):
            highest = max((max(map(abs, clause)) for clause in constraint.clauses), default=0)
            variables = max(variables, highest)
    stream.write(f"* #variable= {variables} #constraint= {count}\n")
    for comments in (
        describe(export.puzzle, program, _HOW, export.blocked),
        variable_comments(export, variables),
    ):
        stream.writelines(f"* {comment}\n" for comment in comments)
    write_lines(_lines(export), stream, require_time)


def constraint_lines(constraint: NativeConstraint) -> list[str]:
    """Return the lines of a constraint: one line, or for pairs one line each."""
    if isinstance(constraint, AtLeastOne):
        return [_at_least(constraint.literals, 1)]
    if isinstance(constraint, ExactlyOne):
        return [f"+1 x{' +1 x'.join(map(str, constraint.literals))} = 1 ;"]
    if isinstance(constraint, Clauses):
        return [_at_least(clause, 1) for clause in constraint.clauses]
    groups = [constraint.literals] if isinstance(constraint, AtMostOne) else constraint.pairs
    # At most one of n literals is true if and only if at least n - 1 of their negations are.
    return [_at_least([-literal for literal in group], len(group) - 1) for group in groups]


def _constraints(export: Export) -> Iterator[NativeConstraint]:
    yield from native_constraints(export.puzzle)
    if export.blocked is not None:
        reason = Reason(Why.BLOCKED, export.puzzle.geometry)
        yield AtLeastOne(reason, blocking_clause(export.blocked, export.puzzle))


def _count(constraint: NativeConstraint) -> int:
    """Return how many lines a constraint has, without writing them."""
    if isinstance(constraint, Clauses):
        return len(constraint.clauses)
    return len(constraint.pairs) if isinstance(constraint, NeverBoth) else 1


def _lines(export: Export) -> Iterator[str]:
    for constraint in _constraints(export):
        if export.has_reasons:
            yield f"* {constraint.reason}\n"
        for line in constraint_lines(constraint):
            yield f"{line}\n"


def _at_least(literals: Clause | list[int], count: int) -> str:
    """Return the constraint that at least `count` literals are true.

    A negated literal is `1 - x`; the 1 moves to the right-hand side.
    """
    terms = " ".join(f"+1 x{n}" if n > 0 else f"-1 x{-n}" for n in literals)
    negative = sum(literal < 0 for literal in literals)
    return f"{terms} >= {count - negative} ;"


HEADER = re.compile(r"\*\s*#variable=\s*([0-9]{1,10})\s+#constraint=\s*([0-9]{1,10})\s*")
"""The header line; text that some writers append to it is ignored."""

_CONSTRAINT = re.compile(
    r"((?:\s*[+-]?[0-9]{1,18}\s+x[1-9][0-9]{0,9})+)\s*(>=|=)\s*([+-]?[0-9]{1,18})\s*;\s*"
)
_TERM = re.compile(r"([+-]?[0-9]+)\s+x([0-9]+)")


class OpbReader:
    """A formula that is read lazily, constraint by constraint."""

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
        # Later comments may be reasons of constraints, which are too many to keep.
        self.comments = comments.kept
        """The comments before the first constraint."""
        self._lines = chain(first, numbered)

    def numbered_clauses(self) -> Iterator[tuple[Linear, int]]:
        """Yield the constraints; raise an error if the file is malformed."""
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


# Suffixes of plain text, which imply no format.
_PLAIN = ("", ".txt", ".dimacs")


class FormulaKind(Enum):
    """A format of formulas; the value is its name in options and, with a dot, its suffix."""

    CNF = "cnf"
    OPB = "opb"
    WCNF = "wcnf"
    MZN = "mzn"


_OF_SUFFIX = {f".{kind.value}": kind for kind in FormulaKind}


def kind_of_output(name: str) -> FormulaKind | None:
    """Return the kind that a file name implies, or None; raise an error for formats not supported.

    A suffix without letters, as in `rules.2`, counts as part of the name.
    """
    path = Path(name)
    if path.suffix in ALL_COMPRESSIONS:
        path = path.with_suffix("")
    suffix = path.suffix.lower()
    if suffix in _OF_SUFFIX:
        return _OF_SUFFIX[suffix]
    if suffix in _PLAIN or not any(map(str.isalpha, suffix)):
        return None
    kinds = ", ".join(_OF_SUFFIX)
    raise SatdokuError(
        f"{name} would be no {suffix} file: formulas are written as {kinds}, "
        f"and compressed as {', '.join(ALL_COMPRESSIONS)}"
    )


def write_formula(
    kind: FormulaKind,
    export: Export,
    stream: IO[str],
    program: str,
    require_time: Callable[[], None],
) -> None:
    """Write a formula of this kind; see `write_cnf`."""
    _WRITERS[kind](export, stream, program, require_time)


def find_kind(name: str, begin: Sequence[str]) -> FormulaKind | None:
    """Return the kind of a file by its name or its first lines; None if it is not a formula.

    `begin` has the lines up to the first that is neither blank nor a comment of a CNF.
    """
    # All suffixes are tried, as the last one may name a compression.
    for suffix in Path(name).suffixes:
        if suffix.lower() in _OF_SUFFIX:
            return _OF_SUFFIX[suffix.lower()]
    if not begin:
        return None
    if begin[-1].split()[:2] == ["p", "cnf"]:
        return FormulaKind.CNF
    if HEADER.match(begin[-1]):
        return FormulaKind.OPB
    # WCNF has no header since 2022; it is recognised by the comment that satdoku's writer adds.
    return FormulaKind.WCNF if any(SIZE.fullmatch(line[1:].strip()) for line in begin) else None


def open_formula(kind: FormulaKind, lines: Iterable[str], source: str) -> Formula:
    """Return a formula of this kind, to be read lazily; raise an error for a MiniZinc model."""
    if kind not in _READERS:
        raise SatdokuError(
            f"{source}: models of MiniZinc are written only; compare an answer with its puzzle, "
            "as in `satdoku grade puzzle.txt answer.txt`"
        )
    return _READERS[kind](lines, source)


_WRITERS = {
    FormulaKind.CNF: write_cnf,
    FormulaKind.OPB: write_opb,
    FormulaKind.WCNF: write_wcnf,
    FormulaKind.MZN: write_minizinc,
}
_READERS: dict[FormulaKind, Callable[[Iterable[str], str], Formula]] = {
    FormulaKind.CNF: CnfReader,
    FormulaKind.OPB: OpbReader,
    FormulaKind.WCNF: WcnfReader,
}
