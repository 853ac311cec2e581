"""What the first comments of our formulas say of the puzzle, written and read back."""

import re
from collections.abc import Iterator, Sequence
from math import isqrt

from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.files.read import Formula
from satdoku.encoding.variables import variable_count
from satdoku.errors import DimacsError, FormatError, SatdokuError
from satdoku.notation.hints import Hints
from satdoku.notation.reading import read_puzzles
from satdoku.notation.spelling import write_cells
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.classic import Boxes
from satdoku.puzzle.rules.registry import read_rules, read_unsettled
from satdoku.puzzle.rules.rule import write_rule

BLOCKED_COMMENT = "the last clause blocks the solution"

_BOARD = re.compile(r"board (\d{1,4})x\d{1,4}(?: with boxes of (\d{1,4})x(\d{1,4}))?")
_SUDOKU = re.compile(r"sudoku (.+)")
_RULE = re.compile(r"rule (\S+) \(.*\)")
_ENCODING = re.compile(r"encoding (\w+), at most one by (\w+)")
_BLOCKED = re.compile(BLOCKED_COMMENT + ".*")


def describe(puzzle: Puzzle, program: str, how: str, blocked: Grid | None = None) -> Iterator[str]:
    """What the comments say of the puzzle; `how` says in which way the rules are stated.

    `blocked` is a solution that the formula excludes.
    """
    geometry = puzzle.geometry
    size = geometry.size
    yield program
    # Of an empty board the next comment says it all.
    if any(puzzle.grid.digits):
        yield f"sudoku {write_cells(puzzle.grid)}"
    # Of a puzzle without boxes, the shape of boxes would mislead.
    boxes = f" with boxes of {geometry}" if Boxes() in puzzle.rules else ""
    yield f"board {size}x{size}{boxes}"
    # All rules, since a puzzle may also lack boxes.
    for rule in () if puzzle.is_classic else puzzle.rules:
        yield f"rule {write_rule(rule, geometry)} ({rule.sentence(geometry)})"
    yield how
    yield (
        f"variable (row - 1) * {size * size} + (column - 1) * {size} + digit: "
        "this cell holds this digit, all counted from 1"
    )
    if blocked is not None:
        yield f"{BLOCKED_COMMENT} " + write_cells(blocked)


def read_geometry(cnf: Formula, source: str, default: Geometry | None = None) -> Geometry:
    """The board of a formula: as its comments say, or `default`, or as its variables suggest."""
    found = _find(_BOARD, cnf.comments)
    if found is None:
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
    # Only square boxes are guessed: of others nothing tells how many rows they have.
    if not size or size**3 != cnf.variables or isqrt(size) ** 2 != size:
        raise DimacsError("no comment tells the board of this formula; say --box RxC", source)
    return Geometry.of_size(size)


def read_puzzle(cnf: Formula, geometry: Geometry, source: str) -> Puzzle:
    """The puzzle of a formula that we wrote; an empty board where no comment tells.

    A rule that we do not know, or cannot read, is an error: without it the puzzle is another one.
    """
    grid = _read_givens(cnf, geometry)
    texts = [found[1] for found in _find_all(_RULE, cnf.comments)]
    try:
        rules = read_rules(texts, geometry)
    except SatdokuError as error:
        # Which of the comments it is, is seen when each is read alone.
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
        puzzles = []  # a comment of another program, which begins like ours
    return puzzles[0].grid if puzzles else Grid.empty(geometry)


def read_encoding(cnf: Formula) -> tuple[Encoding, Method] | None:
    """How the formula says the rules, if a comment tells."""
    found = _find(_ENCODING, cnf.comments)
    try:
        return (Encoding(found[1]), Method(found[2])) if found else None
    except ValueError:
        return None  # an encoding of another program, or of another version of ours


def blocks_solution(cnf: Formula) -> bool:
    """Whether the formula excludes a solution, so that without a model there is just that one."""
    return _find(_BLOCKED, cnf.comments) is not None


def _find(pattern: re.Pattern[str], comments: Sequence[str]) -> re.Match[str] | None:
    return next(_find_all(pattern, comments), None)


def _find_all(pattern: re.Pattern[str], comments: Sequence[str]) -> Iterator[re.Match[str]]:
    return filter(None, (pattern.fullmatch(comment.strip()) for comment in comments))
