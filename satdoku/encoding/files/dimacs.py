"""Read and write formulas in DIMACS CNF and WCNF. Reading is strict: every error names its line.

    c a comment
    p cnf 3 2          3 variables, 2 clauses
    1 -2 0             a clause ends at its 0, wherever the lines break
    2
    3 0

`Formula` is the interface of formulas in all formats; `read_text_lines` yields the lines of
formulas and answers.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import IO, Protocol

from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.constraint import ClauseGroup, Reason, Why
from satdoku.encoding.encode import auxiliaries_may_vary, encode, encoding_on, measure
from satdoku.encoding.meanings import BLOCKED_COMMENT, describe
from satdoku.encoding.variables import Clause, blocking_clause, variable_count, variable_name
from satdoku.errors import DimacsError, FormatError, SatdokuError, quote
from satdoku.files import memory_of
from satdoku.notation.hints import Hints
from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.grid import Geometry, Grid, is_arrangement
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules, read_unsettled

LONGEST_LINE = 128 << 20
"""Maximum bytes of a line: the list of projected variables for 225x225 takes 100 million."""


def read_text_lines(handle: Iterable[bytes], source: str) -> Iterator[str]:
    """Yield the lines of a text from bytes; raise DimacsError if it is not text."""
    for number, data in enumerate(handle, 1):
        try:
            # Only the first line may have a byte order mark.
            text = data.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            text = "\0"  # no text: rejected below
        if "\0" in text:
            raise DimacsError("this is not text; is the file compressed or binary?", source, number)
        yield text


def without_comments(lines: Iterable[tuple[int, str]], mark: str) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines that are neither blank nor comments, which start with `mark`.

    For OPB and WCNF, with one constraint per line; in DIMACS CNF a clause may span several lines.
    """
    return ((number, text) for number, text in lines if text.strip() and not text.startswith(mark))


# Most bytes of comments. The grid of 1000x1000 takes four million characters, and a rule may take
# as many. Comments about the puzzle precede the names of variables, which take gigabytes on large
# boards.
_MOST_BYTES = 64 << 20


class Comments:
    """Keeps the first comments of a formula, up to a bounded size.

    >>> comments = Comments(100)
    >>> for text in (" first ", "second", "third"):
    ...     comments.add(text)
    >>> comments.kept
    ('first',)
    """

    def __init__(self, most: int = _MOST_BYTES) -> None:
        self._left = most
        self._kept: list[str] = []

    def add(self, text: str) -> None:
        """Keep the comment, stripped, unless the limit was reached."""
        comment = text.strip()
        self._left -= memory_of(comment)
        if self._left >= 0:
            self._kept.append(comment)

    @property
    def kept(self) -> tuple[str, ...]:
        """Return the first comments, in their order."""
        return tuple(self._kept)


@dataclass(frozen=True, slots=True)
class Linear:
    """A constraint of OPB: a weighted sum of variables is at least a bound, or equals it.

    >>> print(Linear(((1, 5), (-1, 7)), ">=", 0))
    +1 x5 -1 x7 >= 0 ;
    """

    terms: tuple[tuple[int, int], ...]
    relation: str
    bound: int

    def is_broken(self, is_false: Callable[[int], bool]) -> bool:
        """Whether the constraint is violated; variables are true unless `is_false` says no."""
        total = sum(weight for weight, variable in self.terms if not is_false(variable))
        return total != self.bound if self.relation == "=" else total < self.bound

    def __str__(self) -> str:
        terms = " ".join(f"{weight:+} x{variable}" for weight, variable in self.terms)
        return f"{terms} {self.relation} {self.bound} ;"


class Formula(Protocol):
    """A formula, held in memory or read lazily."""

    @property
    def variables(self) -> int: ...

    @property
    def comments(self) -> tuple[str, ...]:
        """Return the first comments, at least those before the first constraint."""

    def numbered_clauses(self) -> Iterator[tuple[Clause | Linear, int]]:
        """Yield all clauses or constraints, each with the line on which it starts."""


@dataclass(frozen=True, slots=True)
class NoClauses:
    """The formula of a puzzle that was given without one: variables but no clauses."""

    variables: int
    comments: tuple[str, ...] = ()

    def numbered_clauses(self) -> Iterator[tuple[Clause | Linear, int]]:
        return iter(())


NumberedClause = tuple[Clause, int]
"""A clause and the line on which it starts."""

_HEADER = re.compile(r"\s*p\s+cnf\s+([0-9]{1,10})\s+([0-9]{1,10})\s*")
_LITERAL = re.compile(r"-?[1-9][0-9]{0,9}")
_WHOLE_CLAUSE = re.compile(r"(?:-?[1-9][0-9]{0,9} )*0\r?\n?")


class CnfReader:
    """A formula that is read lazily, clause by clause."""

    def __init__(self, lines: Iterable[str], source: str) -> None:
        self._lines = enumerate(lines, 1)
        self._source = source
        self._header_line = 0
        self._variables = 0
        self._promised = 0
        self._comments = Comments()
        self._start = 0  # the line on which the unfinished clause started, or 0
        self._literals: list[int] = []
        self._finished: list[NumberedClause] = []  # read, but not yielded yet

    @property
    def variables(self) -> int:
        """Return the number of variables; read the file up to its header."""
        self._require_header()
        return self._variables

    @property
    def comments(self) -> tuple[str, ...]:
        """Return the comments read so far, at least those before the header."""
        self._require_header()
        return self._comments.kept

    def numbered_clauses(self) -> Iterator[NumberedClause]:
        """Yield the remaining clauses; raise an error if the file is malformed."""
        self._require_header()
        count = 0
        for number, text in self._lines:
            # Fast path: nearly every line is one clause; only other lines are split into tokens.
            if self._start or not _WHOLE_CLAUSE.fullmatch(text):
                if text.startswith("%"):
                    break  # SATLIB ends its files with "%" and a lone 0
                self._read_line(number, text)
            else:
                self._read_clause(number, text)
            count += len(self._finished)
            yield from self._finished
            self._finished.clear()
        self._require_end(count)

    def _require_header(self) -> None:
        while not self._header_line:
            number, text = next(self._lines, (0, ""))
            if not number or text.startswith("%"):
                raise self._error("there is no header 'p cnf VARIABLES CLAUSES'", 0)
            self._read_line(number, text)

    def _read_clause(self, number: int, text: str) -> None:
        """Read a line that is one whole clause."""
        *literals, _ = map(int, text.split())
        if literals and (max(literals) > self._variables or min(literals) < -self._variables):
            self._read_tokens(number, text)  # raises an error that names the literal
        self._finished.append((tuple(literals), number))

    def _read_line(self, number: int, text: str) -> None:
        """Read a line of any kind."""
        if text.startswith("c"):
            self._comments.add(text[1:])
        elif text.lstrip().startswith("p"):
            self._read_header(number, text)
        else:
            self._read_tokens(number, text)

    def _read_header(self, number: int, text: str) -> None:
        if self._header_line:
            raise self._error(f"a second header; the first is on line {self._header_line}", number)
        counts = _HEADER.fullmatch(text)
        if not counts:
            raise self._error(
                f"the header must be 'p cnf VARIABLES CLAUSES', not {quote(text.strip(), 40)}",
                number,
            )
        self._header_line = number
        self._variables, self._promised = int(counts[1]), int(counts[2])

    def _read_tokens(self, number: int, text: str) -> None:
        for token in text.split():
            if token != "0" and not _LITERAL.fullmatch(token):
                raise self._error(f"{quote(token)} is not a literal", number)
            if not self._header_line:
                raise self._error("a clause before the header 'p cnf VARIABLES CLAUSES'", number)
            if token == "0":
                self._finished.append((tuple(self._literals), self._start or number))
                self._literals, self._start = [], 0
            else:
                self._literals.append(self._require_range(number, int(token)))
                self._start = self._start or number

    def _require_range(self, number: int, literal: int) -> int:
        if abs(literal) > self._variables:
            raise self._error(
                f"the literal {literal} is out of range, the header promises"
                f" {self._variables} variables",
                number,
            )
        return literal

    def _require_end(self, count: int) -> None:
        if self._start:
            raise self._error("the last clause has no closing 0", self._start)
        if count != self._promised:
            raise self._error(
                f"the header promises {self._promised} clauses, the file has {count}",
                self._header_line,
            )

    def _error(self, message: str, line: int) -> DimacsError:
        return DimacsError(message, self._source, line)


# Comments about the puzzle at the start of our formulas, read back

_BOARD = re.compile(r"board (\d{1,4})x\d{1,4}(?: with boxes of (\d{1,4})x(\d{1,4}))?")
_SUDOKU = re.compile(r"sudoku (.+)")
_RULE = re.compile(r"rule (\S+) \(.*\)")
_ENCODING = re.compile(r"encoding (\w+), at most one by (\w+)")
_BLOCKED = re.compile(BLOCKED_COMMENT + ".*")


def read_geometry(cnf: Formula, source: str, default: Geometry | None = None) -> Geometry:
    """Return the board of a formula: from comments, or `default`, or guessed from the number of
    variables.
    """
    found = _find(_BOARD, cnf.comments)
    described = next(filter(is_arrangement, cnf.comments), None)
    if described is not None:
        geometry = Geometry.parse(described)
    elif found is None:
        geometry = default or _guess(cnf, source)
    elif found[2]:
        geometry = Geometry(int(found[2]), int(found[3]))
    else:
        geometry = Geometry.of_size(int(found[1]))
    if variable_count(geometry) > cnf.variables:
        raise DimacsError(
            f"a board with boxes of {geometry} needs {variable_count(geometry)} variables, "
            f"but the formula has {cnf.variables}",
            source,
        )
    return geometry


def _guess(cnf: Formula, source: str) -> Geometry:
    size = round(cnf.variables ** (1 / 3))
    # Only square boxes are guessed: the number of variables does not tell other box shapes.
    if not size or size**3 != cnf.variables or isqrt(size) ** 2 != size:
        raise DimacsError("no comment tells the board of this formula; say --box RxC", source)
    return Geometry.of_size(size)


def read_puzzle(cnf: Formula, geometry: Geometry, source: str) -> Puzzle:
    """Return the puzzle of a formula that satdoku wrote; an empty board if no comment states one.

    An unknown or malformed rule is an error: without the rule it would be another puzzle.
    """
    grid = _read_givens(cnf, geometry)
    texts = [found[1] for found in _find_all(_RULE, cnf.comments)]
    try:
        rules = read_rules(texts, geometry)
    except SatdokuError as error:
        # Read each comment alone to find the faulty one.
        text = next((text for text in texts if not _is_readable(text, geometry)), texts[0])
        raise DimacsError(f"the comment 'rule {text[:40]}': {error}", source) from None
    return Puzzle(grid, rules=rules) if rules else Puzzle(grid)


def _is_readable(text: str, geometry: Geometry) -> bool:
    try:
        return bool(read_unsettled(text, geometry))
    except SatdokuError:
        return False


def _read_givens(cnf: Formula, geometry: Geometry) -> Grid:
    found = _find(_SUDOKU, cnf.comments)
    try:
        puzzles = list(read_puzzles([found[1]], "", "line", Hints(geometry)) if found else ())
    except FormatError:
        puzzles = []  # a comment of another program with the same prefix
    return puzzles[0].grid if puzzles else Grid.empty(geometry)


def read_encoding(cnf: Formula) -> tuple[Encoding, Method] | None:
    """Return how the formula encodes the rules, if a comment says so."""
    found = _find(_ENCODING, cnf.comments)
    try:
        return (Encoding(found[1]), Method(found[2])) if found else None
    except ValueError:
        return None  # unknown: from another program or another version


def blocks_solution(cnf: Formula) -> bool:
    """Whether the formula blocks a solution; if it has no model, that solution is the only one."""
    return _find(_BLOCKED, cnf.comments) is not None


def _find(pattern: re.Pattern[str], comments: Sequence[str]) -> re.Match[str] | None:
    return next(_find_all(pattern, comments), None)


def _find_all(pattern: re.Pattern[str], comments: Sequence[str]) -> Iterator[re.Match[str]]:
    return filter(None, (pattern.fullmatch(comment.strip()) for comment in comments))


# Write puzzles as DIMACS CNF and as WCNF, streamed: clauses are never all in memory
#
#     c satdoku 0.2.0
#     c sudoku 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
#     c encoding extended, at most one by pairwise
#     c variable (row - 1) * 81 + (column - 1) * 9 + digit: this cell holds this digit
#     p cnf 729 10560
#     1 2 3 4 5 6 7 8 9 0
#     ...
#
# Some readers take any comment that begins with `c p` for a header, so the writer avoids this
# prefix, except in the `c p show` that model counters need.
#
# WCNF is for MaxSAT solvers, which drop as few givens as possible.
#
#     c satdoku 0.2.0
#     ...
#     c 729 variables, 30 soft clauses (the givens), 10530 hard clauses (the rules)
#     1 5 0
#     h 1 2 3 4 5 6 7 8 9 0
#     ...
#
# The givens are soft with weight 1, and the rules are hard. The format is that of the MaxSAT
# evaluations since 2022: it has no header, and `h` replaces the weight of hard clauses.
#
# The reader of WCNF needs the comment with the sizes, exactly as the writer writes it.

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
