"""Sudoku of any size, solved, counted, certified and exported with SAT solvers."""

from satdoku.api import (
    UnsolvedError,
    check,
    count,
    encode,
    parse,
    solutions,
    solve,
    solve_in_place,
    to_cnf,
)
from satdoku.encoding.encode import Encoding
from satdoku.errors import FormatError, SatdokuError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Limits
from satdoku.solving.settings import Settings
from satdoku.solving.verdict import Outcome, Verdict

__all__ = [
    "Encoding",
    "FormatError",
    "Geometry",
    "Grid",
    "Limits",
    "Outcome",
    "Puzzle",
    "SatdokuError",
    "Settings",
    "UnsolvedError",
    "Verdict",
    "check",
    "count",
    "encode",
    "parse",
    "solutions",
    "solve",
    "solve_in_place",
    "to_cnf",
]
