"""What the comments of our DIMACS files say, read back."""

import re
from collections.abc import Sequence
from math import isqrt

from satdoku.dimacs.read import Cnf
from satdoku.dimacs.write import BLOCKED_COMMENT
from satdoku.encoding.at_most_one import Method
from satdoku.encoding.encode import Encoding
from satdoku.encoding.variables import variable_count
from satdoku.errors import DimacsError, FormatError, SatdokuError
from satdoku.notation.hints import Hints
from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid

_BOARD = re.compile(r"board \d+x\d+ with boxes of (\d+x\d+)")
_SUDOKU = re.compile(r"sudoku (.+)")
_ENCODING = re.compile(r"encoding (\w+), at most one by (\w+)")
_BLOCKED = re.compile(BLOCKED_COMMENT + ".*")


def read_geometry(cnf: Cnf, source: str, default: Geometry | None = None) -> Geometry:
    """The board of a formula: as its comments say, or `default`, or as its variables suggest."""
    found = _find(_BOARD, cnf.comments)
    geometry = _parse_box(found[1], source) if found else default or _guess(cnf, source)
    if variable_count(geometry) > cnf.variables:
        raise DimacsError(
            f"a board with boxes of {geometry} needs {variable_count(geometry)} variables, "
            f"but the formula has {cnf.variables}",
            source,
        )
    return geometry


def _parse_box(text: str, source: str) -> Geometry:
    try:
        return Geometry.parse(text)
    except SatdokuError as error:
        raise DimacsError(str(error), source) from None


def _guess(cnf: Cnf, source: str) -> Geometry:
    size = round(cnf.variables ** (1 / 3))
    if not size or size**3 != cnf.variables or isqrt(size) ** 2 != size:
        raise DimacsError("no comment tells the board of this formula; say --box RxC", source)
    return Geometry.of_size(size)


def read_givens(cnf: Cnf, geometry: Geometry) -> Grid:
    """The puzzle of a formula that we wrote; an empty board where no comment tells."""
    found = _find(_SUDOKU, cnf.comments)
    try:
        puzzles = list(read_puzzles([found[1]], "", "line", Hints(geometry)) if found else ())
    except FormatError:
        puzzles = []  # somebody else's comment
    return puzzles[0].grid if puzzles else Grid.empty(geometry)


def read_encoding(cnf: Cnf) -> tuple[Encoding, Method] | None:
    """How the formula says the rules, if a comment tells."""
    found = _find(_ENCODING, cnf.comments)
    try:
        return (Encoding(found[1]), Method(found[2])) if found else None
    except ValueError:
        return None


def blocks_solution(cnf: Cnf) -> bool:
    """Whether the formula excludes a solution, so that without a model there is just that one."""
    return _find(_BLOCKED, cnf.comments) is not None


def _find(pattern: re.Pattern[str], comments: Sequence[str]) -> re.Match[str] | None:
    matches = (pattern.fullmatch(comment.strip()) for comment in comments)
    return next(filter(None, matches), None)
