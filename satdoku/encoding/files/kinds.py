"""The kinds of formulas: by which names they go, who writes and who reads them."""

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
)
from satdoku.encoding.files.read import (
    CnfReader,
    Comments,
    Formula,
    Linear,
    describe,
    without_comments,
)
from satdoku.encoding.files.write import (
    SIZE,
    Export,
    WcnfReader,
    variable_comments,
    write_cnf,
    write_lines,
    write_wcnf,
)
from satdoku.encoding.variables import Auxiliaries, Clause, blocking_clause, variable_count
from satdoku.encoding.wider.full import wider_rules
from satdoku.errors import DimacsError, SatdokuError, quote
from satdoku.files import COMPRESSIONS
from satdoku.puzzle.constraints import Constraints
from satdoku.puzzle.puzzle import Puzzle

# Puzzles as OPB, the format of pseudo-Boolean solvers, with "exactly one" said in one line.
#
#     * #variable= 729 #constraint= 354
#     * satdoku 0.2.0
#     ...
#     +1 x5 >= 1 ;
#     +1 x1 +1 x2 +1 x3 +1 x4 +1 x5 +1 x6 +1 x7 +1 x8 +1 x9 = 1 ;
#     ...
#
# There is one way to say the rules then: no encoding to choose, no auxiliary variables, so that
# every variable counts, and of an empty board of N x N cells 4 N² constraints, where clauses are N⁴
# and more. What is read is like what is written: linear, a constraint a line, no objective.


def native_constraints(puzzle: Puzzle) -> Iterator[NativeConstraint]:
    """All that a puzzle asks: its givens, a digit in every cell, and its rules."""
    constraints = puzzle.constraints
    yield from givens_hold(puzzle)
    yield from cells_are_allowed(constraints)
    yield from of_each_cell(puzzle.geometry, Why.CELL_EXACTLY_ONE, ExactlyOne)
    yield from _units_have_digits_once(constraints)
    yield from pairs_are_kept(constraints)
    if constraints.wider:
        yield from wider_rules(puzzle, Auxiliaries(variable_count(puzzle.geometry)))


def _units_have_digits_once(constraints: Constraints) -> Iterator[NativeConstraint]:
    """Exactly once where a unit has as many cells as there are digits, else at most once."""
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
    """Writes the file; `program` and `require_time` are as for a CNF.

    The export's encoding and its method for at-most-one play no part.
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
    """A constraint as one line, or, of pairs, a line for each of them."""
    if isinstance(constraint, AtLeastOne):
        return [_at_least(constraint.literals, 1)]
    if isinstance(constraint, ExactlyOne):
        return [f"+1 x{' +1 x'.join(map(str, constraint.literals))} = 1 ;"]
    if isinstance(constraint, Clauses):
        return [_at_least(clause, 1) for clause in constraint.clauses]
    groups = [constraint.literals] if isinstance(constraint, AtMostOne) else constraint.pairs
    # At most one of n holds: at least n - 1 of their negations do.
    return [_at_least([-literal for literal in group], len(group) - 1) for group in groups]


def _constraints(export: Export) -> Iterator[NativeConstraint]:
    yield from native_constraints(export.puzzle)
    if export.blocked is not None:
        reason = Reason(Why.BLOCKED, export.puzzle.geometry)
        yield AtLeastOne(reason, blocking_clause(export.blocked, export.puzzle))


def _count(constraint: NativeConstraint) -> int:
    """How many lines a constraint has, found without writing them."""
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
    """The line that asks for so many true literals; a negative one is `1 - x`, its 1 goes right."""
    terms = " ".join(f"+1 x{n}" if n > 0 else f"-1 x{-n}" for n in literals)
    negative = sum(literal < 0 for literal in literals)
    return f"{terms} >= {count - negative} ;"


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


# Names that promise no more than text.
_PLAIN = ("", ".txt", ".dimacs")


class FormulaKind(Enum):
    """A format of formulas; the value is its name in options and, with a dot, its suffix."""

    CNF = "cnf"
    OPB = "opb"
    WCNF = "wcnf"


_OF_SUFFIX = {f".{kind.value}": kind for kind in FormulaKind}


def kind_of_output(name: str) -> FormulaKind | None:
    """The kind that a name promises, if it promises one; raises for what is not written.

    A suffix without letters, as of `rules.2`, is part of a name.
    """
    path = Path(name)
    if path.suffix in COMPRESSIONS:
        path = path.with_suffix("")
    suffix = path.suffix.lower()
    if suffix in _OF_SUFFIX:
        return _OF_SUFFIX[suffix]
    if suffix in _PLAIN or not any(map(str.isalpha, suffix)):
        return None
    kinds = ", ".join(_OF_SUFFIX)
    raise SatdokuError(
        f"{name} would be no {suffix} file: formulas are written as {kinds}, "
        f"and compressed as {', '.join(COMPRESSIONS)}"
    )


def write_formula(
    kind: FormulaKind,
    export: Export,
    stream: IO[str],
    program: str,
    require_time: Callable[[], None],
) -> None:
    """Writes a formula of this kind; see `write_cnf`."""
    _WRITERS[kind](export, stream, program, require_time)


def find_kind(name: str, begin: Sequence[str]) -> FormulaKind | None:
    """The kind of a file with a formula, by its name or its first lines; None for other files.

    `begin` are the lines up to the first that is neither blank nor a comment of a CNF.
    """
    # Any of its suffixes: the last may be that of a compression.
    for suffix in Path(name).suffixes:
        if suffix.lower() in _OF_SUFFIX:
            return _OF_SUFFIX[suffix.lower()]
    if not begin:
        return None
    if begin[-1].split()[:2] == ["p", "cnf"]:
        return FormulaKind.CNF
    if HEADER.match(begin[-1]):
        return FormulaKind.OPB
    # WCNF has no header since 2022; only the comment that we write into ours tells it from others.
    return FormulaKind.WCNF if any(SIZE.fullmatch(line[1:].strip()) for line in begin) else None


def open_formula(kind: FormulaKind, lines: Iterable[str], source: str) -> Formula:
    """A formula of this kind that is read as it is needed."""
    return _READERS[kind](lines, source)


_WRITERS = {FormulaKind.CNF: write_cnf, FormulaKind.OPB: write_opb, FormulaKind.WCNF: write_wcnf}
_READERS: dict[FormulaKind, Callable[[Iterable[str], str], Formula]] = {
    FormulaKind.CNF: CnfReader,
    FormulaKind.OPB: OpbReader,
    FormulaKind.WCNF: WcnfReader,
}
