"""Read a formula in DIMACS CNF, strictly: every error names its line.

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
from typing import Protocol

from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.meanings import BLOCKED_COMMENT
from satdoku.encoding.variables import Clause, variable_count
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
