"""OPB, written, read, and asked of clasp."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from satdoku.encoding.files.dimacs import (
    Export,
    Linear,
    blocks_solution,
    read_geometry,
    read_puzzle,
)
from satdoku.encoding.files.kinds import FormulaKind, OpbReader
from satdoku.errors import DimacsError
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from tests.boards import SHAPES, full_grid, random_puzzle
from tests.commands import require_program
from tests.each import for_each
from tests.encoding.files.formulas import PROGRAM, text_of
from tests.oracle import count_solutions

HEADER = "* #variable= 9 #constraint= 1\n"


def read(text: str) -> list[tuple[Linear, int]]:
    return list(OpbReader(text.splitlines(keepends=True), "p.opb").numbered_clauses())


@for_each("geometry", SHAPES)
def test_it_reads_back_with_its_puzzle(geometry: Geometry) -> None:
    puzzle = random_puzzle(Random(1), geometry)
    rule = read_rule("anti-knight", geometry)
    for each in (puzzle, puzzle.with_rules([rule])):
        text = text_of(Export(each, has_names=True, has_reasons=True), FormulaKind.OPB)
        reader = OpbReader(text.splitlines(keepends=True), "p.opb")
        assert reader.comments[0] == PROGRAM
        assert read_geometry(reader, "p.opb") == geometry
        assert read_puzzle(reader, geometry, "p.opb") == each
        assert f"varname {geometry.size} r1c1={geometry.size}" in reader.comments
        written = [str(constraint) for constraint, _ in reader.numbered_clauses()]
        assert written == [line for line in text.splitlines() if not line.startswith("*")]


def test_a_small_board_is_said_like_this() -> None:
    puzzle = Puzzle(Grid.empty(Geometry(1, 2)).with_digits({0: 2}))
    assert text_of(Export(puzzle, has_reasons=True), FormulaKind.OPB).splitlines() == [
        "* #variable= 8 #constraint= 13",
        "* satdoku 1.2.3",
        "* sudoku 2...",
        "* board 2x2 with boxes of 1x2",
        "* exactly one and at most one are said natively",
        "* variable (row - 1) * 4 + (column - 1) * 2 + digit: this cell holds this digit, "
        "all counted from 1",
        *("* r1c1 is given as 2", "+1 x2 >= 1 ;"),
        *("* r1c1 has exactly one digit", "+1 x1 +1 x2 = 1 ;"),
        *("* r1c2 has exactly one digit", "+1 x3 +1 x4 = 1 ;"),
        *("* r2c1 has exactly one digit", "+1 x5 +1 x6 = 1 ;"),
        *("* r2c2 has exactly one digit", "+1 x7 +1 x8 = 1 ;"),
        *("* 1 stands exactly once in row 1", "+1 x1 +1 x3 = 1 ;"),
        *("* 2 stands exactly once in row 1", "+1 x2 +1 x4 = 1 ;"),
        *("* 1 stands exactly once in row 2", "+1 x5 +1 x7 = 1 ;"),
        *("* 2 stands exactly once in row 2", "+1 x6 +1 x8 = 1 ;"),
        *("* 1 stands exactly once in column 1", "+1 x1 +1 x5 = 1 ;"),
        *("* 2 stands exactly once in column 1", "+1 x2 +1 x6 = 1 ;"),
        *("* 1 stands exactly once in column 2", "+1 x3 +1 x7 = 1 ;"),
        *("* 2 stands exactly once in column 2", "+1 x4 +1 x8 = 1 ;"),
    ]


def clasp_counts(text: str, folder: Path) -> int:
    """How many models clasp finds."""
    path = folder / "p.opb"
    path.write_text(text)
    command = [require_program("clasp"), "--quiet", str(path), "0"]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60).stdout
    counted = re.search(r"^c Models +: (\d+)$", said, re.M)
    assert counted, said
    return int(counted[1])


@for_each("seed", range(8))
@for_each("geometry", [Geometry(2, 2), Geometry(2, 3), Geometry(1, 4)])
def test_clasp_counts_what_the_oracle_counts(geometry: Geometry, seed: int, tmp_path: Path) -> None:
    puzzle = random_puzzle(Random(seed), geometry, 0.3)
    digits = puzzle.grid.digits
    expected = count_solutions(geometry.box_rows, geometry.box_columns, digits)
    assert clasp_counts(text_of(Export(puzzle), FormulaKind.OPB), tmp_path) == expected


def test_clasp_counts_the_grids_of_a_rule(tmp_path: Path) -> None:
    empty = Puzzle(Grid.empty(Geometry(2, 2)))
    assert clasp_counts(text_of(Export(empty), FormulaKind.OPB), tmp_path) == 288
    diagonal = empty.with_rules([read_rule("diagonals", empty.geometry)])
    assert clasp_counts(text_of(Export(diagonal), FormulaKind.OPB), tmp_path) == 48


def test_a_blocked_solution_is_no_model(tmp_path: Path) -> None:
    full = full_grid(Random(2), Geometry(2, 2))
    for grid, left in ((full, 0), (Grid.empty(full.geometry), 287)):
        text = text_of(Export(Puzzle(grid), blocked=full), FormulaKind.OPB)
        assert blocks_solution(OpbReader(text.splitlines(keepends=True), "p.opb"))
        assert clasp_counts(text, tmp_path) == left


@for_each(
    "text, line, words",
    [
        ("", 1, "the first line must be"),
        ("+1 x1 >= 1 ;\n", 1, "the first line must be"),
        (HEADER, 1, "promises 1 constraints, the file has 0"),
        (HEADER + "+1 x1 >= 1 ;\n+1 x1 >= 1 ;\n", 1, "the file has 2"),
        (HEADER + "+1 x1 >= 1\n", 2, "is not a linear constraint"),
        (HEADER + "min: +1 x1 ;\n", 2, "is not a linear constraint"),
        (HEADER + "* talk\n\n+1 x10 >= 1 ;\n", 4, "x10 is out of range"),
        (HEADER + "+1 x0 >= 1 ;\n", 2, "is not a linear constraint"),
        (HEADER + "+1 x1 <= 1 ;\n", 2, "is not a linear constraint"),
        (HEADER + f"+{'9' * 5000} x1 >= 1 ;\n", 2, "is not a linear constraint"),
        (HEADER + "+1 x1 x2 >= 1 ;\n", 2, "is not a linear constraint"),
    ],
)
def test_damage_is_named_with_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(DimacsError, match=words) as caught:
        read(text)
    assert caught.value.line == line


@for_each("cut", range(0, 700, 7))
def test_a_file_that_is_cut_off_is_refused(cut: int) -> None:
    text = text_of(Export(Puzzle(Grid.empty(Geometry(2, 2)))), FormulaKind.OPB)
    with pytest.raises(DimacsError):
        read(text[:cut])


CASES: list[tuple[Linear, Callable[[int], bool], bool]] = [
    (Linear(((1, 1), (1, 2)), "=", 1), lambda n: n == 1, False),
    (Linear(((1, 1), (1, 2)), "=", 1), lambda n: False, True),
    (Linear(((1, 1), (1, 2)), "=", 1), lambda n: True, True),
    (Linear(((-1, 1), (-1, 2)), ">=", -1), lambda n: False, True),
    (Linear(((-1, 1), (-1, 2)), ">=", -1), lambda n: True, False),
    (Linear(((3, 1), (-2, 2)), ">=", 2), lambda n: n == 2, False),
]


@for_each("constraint, is_false, is_broken", CASES)
def test_a_constraint_is_a_sum(
    constraint: Linear, is_false: Callable[[int], bool], is_broken: bool
) -> None:
    assert constraint.is_broken(is_false) is is_broken
