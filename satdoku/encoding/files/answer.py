"""Read what a SAT solver printed, in any of the usual formats.

    s SATISFIABLE      SAT competition: a status line, and values on lines with v,
    v 1 -2             in either order; comments with c
    v 3 0

    SAT                MiniSat's result file: a status word, and values on a line of their own
    1 -2 3 0

    1 -2 3             values alone

    o 2                MaxSAT: the cost of its model, and a character for each variable
    s OPTIMUM FOUND    or literals as above
    v 101

    s SATISFIABLE      pseudo-Boolean: names of variables
    v x1 -x2 x3

Other lines are log output and are skipped, unless they start like values.

An answer for 225x225 has eleven million literals, nearly all of them negative: these are stored as
ints of four bytes each.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from satdoku.encoding.choices import Status
from satdoku.encoding.encode import encode
from satdoku.encoding.files.dimacs import (
    Formula,
    Linear,
    WcnfReader,
    blocks_solution,
    read_encoding,
)
from satdoku.encoding.files.kinds import constraint_lines, native_constraints
from satdoku.encoding.variables import Clause, decode, placement, variable_count, variable_name
from satdoku.errors import DimacsError, SolverError, quote
from satdoku.files import memory_of
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,9}")
_NAMED = re.compile(r"-?x[1-9][0-9]{0,9}")
# A model as characters, at least 11: no literal has so many digits. Only models of 2x2 boards and
# smaller are shorter; they would be taken for a literal.
_BITS = re.compile(r"[01]{11,}")
_OPTIMUM = "OPTIMUM FOUND"
_LARGEST = 2**31 - 1  # SAT solvers keep literals in 32 bits
# An answer lists each variable once. Reading stops if it has this many values more than twice its
# variables: the input may be an endless pipe, and every value is kept in memory.
_MOST_REPEATED = 1 << 20
# Most bytes of comments, empty lines and other lines without values. A solver that prints a line
# per second prints less in a month; more may be an endless pipe.
_MOST_OTHER = 256 << 20
# MiniSat writes all values on one line, which is therefore read in pieces of this length.
_CHARACTERS_AT_ONCE = 1 << 16

_STATUS_WORDS = {
    "SAT": Status.SATISFIABLE,
    "SATISFIABLE": Status.SATISFIABLE,
    _OPTIMUM: Status.SATISFIABLE,
    "UNSAT": Status.UNSATISFIABLE,
    "UNSATISFIABLE": Status.UNSATISFIABLE,
    "UNKNOWN": Status.UNKNOWN,
    "INDET": Status.UNKNOWN,
    "INDETERMINATE": Status.UNKNOWN,
}


@dataclass(frozen=True, slots=True)
class SolverAnswer:
    """A solver's status, and the literals that it lists: true variables, and negated false ones.

    The literals need not be a model: variables may be missing, above all if `is_complete` is false,
    which means that there was no closing 0. `cost` is the cost that the solver claims for the
    model; `is_optimal` means that it claims that no model costs less.
    """

    status: Status
    true: Sequence[int] = ()
    false: Sequence[int] = ()
    is_complete: bool = False
    is_optimal: bool = False
    cost: int | None = None


def read_answer(
    lines: Iterable[str],
    source: str = "<answer>",
    most_repeated: int = _MOST_REPEATED,
    most_other: int = _MOST_OTHER,
) -> SolverAnswer:
    """Return the answer in a solver's output; raise DimacsError if it contradicts itself.

    Reading stops after `most_repeated` superfluous values, or `most_other` bytes of lines without
    values.

    >>> read_answer(["c noise", "s SATISFIABLE", "v 1 -2", "v 3 0"]).true
    (1, 3)
    """
    reader = _Reader(source, most_repeated, most_other)
    for number, line in enumerate(lines, 1):
        reader.read_line(number, line)
    return reader.finish()


def _tokens(line: str) -> Iterator[list[str]]:
    """Yield the words of a line; those of a long line in lists of some thousands."""
    start = 0
    while start < len(line):
        end = start + _CHARACTERS_AT_ONCE
        while end < len(line) and not line[end].isspace():
            end += 1
        tokens = line[start:end].split()
        if tokens:
            yield tokens
        start = end


def _without_name(token: str) -> str:
    """Return a pseudo-Boolean literal in DIMACS form: `-2` for `-x2`."""
    return token.replace("x", "", 1) if _NAMED.fullmatch(token) else token


class _Reader:
    """Collects an answer, line by line."""

    def __init__(self, source: str, most_repeated: int, most_other: int) -> None:
        self._source = source
        self._most_repeated, self._most_other = most_repeated, most_other
        self._status: Status | None = None
        self._status_line = 0
        self._has_given_up = False
        self._true: dict[int, int] = {}  # variable -> the first line that lists it as true
        self._false = array("i")  # negative literals, repeats included
        # For every line with values: the index in `_false` of the line's first literal.
        self._starts, self._lines = array("q"), array("q")
        self._highest = 0  # the highest variable so far
        self._other = 0  # bytes of lines without values
        self._end_line = 0  # the line of the closing 0, or 0
        self._is_optimal = False
        self._cost: int | None = None

    def read_line(self, number: int, line: str) -> None:
        """Read the next line, which has this number."""
        rest = _tokens(line)
        first = next(rest, [""])
        if not self._read_words(number, first, rest):
            self._other += memory_of(line)
            if self._other > self._most_other:
                raise self._error("too many lines without values; is the input endless?", number)

    def _read_words(self, number: int, first: list[str], rest: Iterator[list[str]]) -> bool:
        """Read the words of a line, which come in batches, if they are values; return whether they
        are.
        """
        kind, *words = first
        if kind == "c":
            # If it reaches a limit, cadical prints only the comment "c UNKNOWN".
            self._has_given_up = self._has_given_up or words == ["UNKNOWN"]
        elif kind == "s":
            self._read_status(number, " ".join(words))
        elif kind == "v":
            self._read_value_line(number, words, rest)
            return bool(words)
        elif kind == "o" and len(words) == 1 and _INTEGER.fullmatch(words[0]):
            self._cost = int(words[0])
        elif _INTEGER.fullmatch(kind):
            self._read_values(number, first, rest)
            return True
        elif not words and kind.upper() in _STATUS_WORDS:
            self._read_status(number, kind.upper())
        else:
            self._require_talk(number, kind, words)
        return False

    def _require_talk(self, number: int, kind: str, words: list[str]) -> None:
        """Raise an error if a line without values is more likely a mistake than log output."""
        if kind == "p" and words[:1] in (["cnf"], ["wcnf"]):
            raise self._error("this is a formula, not a solver's answer", number)
        if kind in ("S", "V") and words and re.fullmatch(r"-?x?\d+|[A-Z]+", words[0]):
            raise self._error(f"this line must begin with a lowercase {kind.lower()}", number)

    def _read_value_line(self, number: int, words: list[str], rest: Iterator[list[str]]) -> None:
        if len(words) == 1 and _BITS.fullmatch(words[0]):
            self._read_bits(number, words[0])
        elif words:
            self._read_values(number, words, rest)

    def _read_status(self, number: int, word: str) -> None:
        status = _STATUS_WORDS.get(word)
        if status is None:
            raise self._error(f"{quote(word)} is not a solver's status", number)
        if self._status not in (None, status):
            raise self._error(
                f"the status is {word} here, but another on line {self._status_line}", number
            )
        self._status, self._status_line = status, number
        self._is_optimal = self._is_optimal or word == _OPTIMUM

    def _read_bits(self, number: int, bits: str) -> None:
        """Read one character per variable, 1 if it is true."""
        self._begin_values(number)
        self._highest = max(self._highest, len(bits))
        for variable, bit in enumerate(bits, 1):
            if bit == "1":
                self._true.setdefault(variable, number)
            else:
                self._false.append(-variable)

    def _read_values(self, number: int, first: list[str], rest: Iterator[list[str]]) -> None:
        self._begin_values(number)
        for tokens in chain([first], rest):
            # The first token tells whether literals are names: a solver uses names for all
            # variables or none.
            if _NAMED.fullmatch(tokens[0]):
                tokens = list(map(_without_name, tokens))
            if not self._reads_at_once(number, tokens):
                for token in tokens:
                    self._read_value(number, token)

    def _begin_values(self, number: int) -> None:
        known = len(self._false) + len(self._lines)
        if known > 2 * self._highest + self._most_repeated:
            raise self._error("these values repeat those of earlier lines without end", number)
        self._starts.append(len(self._false))
        self._lines.append(number)

    def _reads_at_once(self, number: int, tokens: list[str]) -> bool:
        """Read plain values in one pass, three times faster; return False if a token needs a closer
        look.
        """
        if self._end_line or "0" in tokens or not all(map(_INTEGER.fullmatch, tokens)):
            return False
        literals = list(map(int, tokens))
        highest = max(map(abs, literals), default=0)
        if highest > _LARGEST:
            return False
        self._highest = max(self._highest, highest)
        self._false.extend([literal for literal in literals if literal < 0])
        for literal in literals:
            if literal > 0:
                self._true.setdefault(literal, number)
        return True

    def _read_value(self, number: int, token: str) -> None:
        if not _INTEGER.fullmatch(token) or abs(int(token)) > _LARGEST:
            raise self._error(f"{quote(token)} is not a literal", number)
        if self._end_line:
            raise self._error(
                f"values after the closing 0 of line {self._end_line};"
                " is this more than one answer?",
                number,
            )
        literal = int(token)
        self._highest = max(self._highest, abs(literal))
        if literal > 0:
            self._true.setdefault(literal, number)
        elif literal < 0:
            self._false.append(literal)
        else:
            self._end_line = number

    def finish(self) -> SolverAnswer:
        """Return the whole answer; call it after the last line."""
        self._require_consistency()
        has_values = bool(self._true or self._false)
        status = self._status
        if status is None and (has_values or self._end_line):
            # Values without a status are a model; so is a lone 0, for a formula without variables.
            status = Status.SATISFIABLE
        elif status is None and self._has_given_up:
            status = Status.UNKNOWN
        if status is None:
            raise self._error("there is no answer: neither a status nor values", 0)
        if status is Status.UNSATISFIABLE and has_values:
            raise self._error("the status is UNSATISFIABLE, yet there are values", self._lines[0])
        return SolverAnswer(
            status,
            tuple(self._true),
            self._false,
            bool(self._end_line),
            self._is_optimal,
            self._cost,
        )

    def _require_consistency(self) -> None:
        for index, literal in enumerate(self._false):
            line = self._true.get(-literal)
            if line is not None:
                other = self._lines[bisect_right(self._starts, index) - 1]
                raise self._error(
                    f"the literals {-literal} and {literal} contradict each other;"
                    f" the first of them is on line {min(line, other)}",
                    max(line, other),
                )

    def _error(self, message: str, line: int) -> DimacsError:
        return DimacsError(message, self._source, line)


# Check a solver's answer against its formula, and name the rule that it breaks


def read_model(
    answer: SolverAnswer,
    cnf: Formula,
    puzzle: Puzzle,
    source: str,
    require_time: Callable[[], None] = lambda: None,
) -> Grid:
    """Return the grid of an answer that satisfies the formula and fills every cell.

    The formula is read once, clause by clause. Naming a broken rule may take long on large boards;
    `require_time` is called meanwhile and may raise any error to stop.
    """
    highest = max(max(answer.true, default=0), -min(answer.false, default=0))
    if highest > cnf.variables:
        raise DimacsError(
            f"the answer has variable {highest}, but the formula only {cnf.variables}", source
        )
    geometry = puzzle.geometry
    # Checked before the formula: a truncated answer may violate clauses just because values are
    # missing.
    open_cell = _find_open_cell(answer, geometry)
    if open_cell is not None:
        ending = "" if answer.is_complete else "; it seems to be cut off"
        place = geometry.name_of(open_cell)
        raise DimacsError(f"the answer settles no digit for {place}{ending}", source)
    violated = find_violated(cnf, answer, geometry)
    if violated is not None:
        raise DimacsError(
            f"the answer violates {violated.place} of the formula, {violated.text} "
            f"({describe_clause(cnf, violated.clause, puzzle, require_time)})",
            source,
        )
    try:
        return decode(geometry, answer.true)
    except SolverError as error:
        raise DimacsError(str(error), source) from None


def find_dropped(
    answer: SolverAnswer, formula: WcnfReader, puzzle: Puzzle, grid: Grid, source: str
) -> dict[int, int]:
    """Return the givens that the answer's grid violates. Call it after `read_model`.

    Raise an error if the solver claims another cost than that of the soft clauses.
    """
    cost = formula.cost(set(answer.true))
    if answer.cost not in (None, cost):
        raise DimacsError(
            f"the solver says that its answer costs {answer.cost}, but it costs {cost}", source
        )
    return {cell: digit for cell, digit in puzzle.givens.items() if grid.digits[cell] != digit}


class Violated(NamedTuple):
    """A violated clause or constraint, and its place in words: `the clause on line 5`."""

    clause: Clause | Linear
    place: str

    @property
    def text(self) -> str:
        """Return the clause or constraint as written in the file."""
        if isinstance(self.clause, Linear):
            return str(self.clause)
        return f"{' '.join(map(str, self.clause))} 0"


def find_violated(cnf: Formula, answer: SolverAnswer, geometry: Geometry) -> Violated | None:
    """Return the first clause with only false literals, or the first broken constraint.

    The variable of a cell is false unless the answer makes it true; an auxiliary is false only if
    the answer says so.
    """
    true = set(answer.true)
    cells = variable_count(geometry)
    false_auxiliaries = {-literal for literal in answer.false if -literal > cells}

    def is_false(literal: int) -> bool:
        if literal < 0:
            return -literal in true
        return literal in false_auxiliaries or (literal <= cells and literal not in true)

    for clause, line in cnf.numbered_clauses():
        if isinstance(clause, Linear):
            if clause.is_broken(is_false):
                return Violated(clause, f"the constraint on line {line}")
        elif all(map(is_false, clause)):
            return Violated(clause, f"the clause on line {line}")
    return None


def describe_clause(
    cnf: Formula,
    clause: Clause | Linear,
    puzzle: Puzzle,
    require_time: Callable[[], None] = lambda: None,
) -> str:
    """Return the rule that a clause or constraint states, as a sentence."""
    if isinstance(clause, Linear):
        return _describe_linear(cnf, clause, puzzle, require_time)
    how = read_encoding(cnf)
    wanted = set(clause)
    if how is not None:
        # The formula is encoded again, since files have reasons beside clauses only with
        # --annotate.
        for group in encode(puzzle, *how):
            require_time()
            if any(wanted == set(candidate) for candidate in group.clauses):
                return str(group.reason)
    # The clause states no rule. The blocking clause of a solution negates its digits; if the
    # formula has no blocking clause, the clause is from another program.
    if blocks_solution(cnf) and all(literal < 0 for literal in clause):
        return "the blocked solution"
    return _spell_out(clause, puzzle.geometry)


def _describe_linear(
    formula: Formula, constraint: Linear, puzzle: Puzzle, require_time: Callable[[], None]
) -> str:
    text = str(constraint)
    for native in native_constraints(puzzle):
        require_time()
        if text in constraint_lines(native):
            return str(native.reason)
    return "the blocked solution" if blocks_solution(formula) else "no rule of this puzzle"


def _find_open_cell(answer: SolverAnswer, geometry: Geometry) -> int | None:
    """Return the first cell without a true digit; None if there is none."""
    highest = variable_count(geometry)
    settled = {placement(geometry, number).cell for number in answer.true if number <= highest}
    return next((cell for cell in range(geometry.cell_count) if cell not in settled), None)


def _spell_out(clause: Sequence[int], geometry: Geometry) -> str:
    names = []
    for literal in clause:
        number = abs(literal)
        is_cell = number <= variable_count(geometry)
        name = variable_name(geometry, number) if is_cell else f"variable {number}"
        names.append(name if literal > 0 else f"not {name}")
    return " or ".join(names)
