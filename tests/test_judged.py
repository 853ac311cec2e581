"""Every grid that leaves satdoku, by whatever door, has passed the judge."""

import io
import re
import sys
from contextlib import redirect_stdout
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from satdoku.answering.many import LEAST_BOARDS
from satdoku.puzzle.grid import Geometry
from tests.apart import in_a_copy
from tests.boards import full_grid, thin_out
from tests.commands import AMBIGUOUS, EASY, HARD, SMALL, SMALL_SOLUTION, run
from tests.judging import grids_noted

# A full board of 9x9 or 4x4 on a line, or in a list of JSON; puzzles have blanks.
FULL = re.compile(r"(?<![0-9.])(?:[1-9]{81}|[1-4]{16})(?![0-9.])")

_RNG = Random(1)
MANY = [
    "".join(str(digit or ".") for digit in thin_out(_RNG, full_grid(_RNG, geometry), givens).digits)
    for geometry, givens in ((Geometry(), 60), (Geometry(2, 2), 12))
    for _ in range(LEAST_BOARDS)
]
# So few cells of a full grid are missing that nearly all have one solution; but there are only 288
# grids of 4x4, so that some come twice.
FEWEST_UNIQUE = len(MANY) * 8 // 10

A_SOLVER = """
import sys
from pysat.formula import CNF
from pysat.solvers import Solver
with Solver("glucose4", bootstrap_with=CNF(from_string=sys.stdin.read())) as solver:
    if solver.solve():
        print("s SATISFIABLE")
        print("v", *solver.get_model(), 0)
    else:
        print("s UNSATISFIABLE")
"""


class Ran(NamedTuple):
    """The grids in what a program wrote, and those that each face of the judge found right."""

    written: set[str]
    grids: set[str]
    by_bytes: set[str]

    def require_judged(self) -> None:
        assert self.written <= self.grids | self.by_bytes, self.written - self.grids - self.by_bytes


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "many.txt").write_text("\n".join(MANY) + "\n")
    (tmp_path / "table.csv").write_text("id,puzzle\n" + "".join(f"7,{line}\n" for line in MANY))
    (tmp_path / "solver.py").write_text(A_SOLVER)
    return tmp_path


def run_judged(folder: Path, *arguments: str) -> Ran:
    """Everything that `satdoku ARGUMENTS` printed, or wrote into the folder, is looked through.

    `-c CODE` runs Python instead.
    """
    before = set(folder.iterdir())
    notes = folder / "notes"
    printed = in_a_copy(lambda: noted(notes, *arguments))
    texts = [path.read_text() for path in set(folder.iterdir()) - before - {notes}]
    written = {grid for text in [printed, *texts] for grid in FULL.findall(text)}
    seen: dict[str, set[str]] = {"grid": set(), "bytes": set(), "lanes": set()}
    for line in notes.read_text().splitlines() if notes.exists() else []:
        face, grid = line.split()
        seen[face].add(grid)
    return Ran(written, seen["grid"], seen["bytes"] | seen["lanes"])


def noted(notes: Path, *arguments: str) -> str:
    with grids_noted(notes):
        if arguments[0] != "-c":
            return run(*arguments).stdout
        with redirect_stdout(io.StringIO()) as printed:
            exec(arguments[1], {})
        return printed.getvalue()


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        (["solve", EASY], 1),
        (["solve", HARD, "--json"], 1),
        (["solve", HARD, "--solver", "glucose4", "--encoding", "extended"], 1),
        (["solve", AMBIGUOUS, "--any"], 1),
        (["solve", AMBIGUOUS, "-n", "3"], 3),
        (["solve", AMBIGUOUS, "--all"], 72),
        (["check", AMBIGUOUS, "--json"], 2),
        (["check", AMBIGUOUS, "--csv"], 2),
        (["solve", EASY, "--portfolio", "glucose4,minicard"], 1),
        (["solve", EASY, "--solver", "lingeling"], 1),
        (["solve", EASY, "--with", f"{sys.executable} FOLDER/solver.py"], 1),
        (["certify", EASY, "-d", "FOLDER"], 1),
        (["certify", AMBIGUOUS, "-d", "FOLDER"], 2),
        (["export", EASY, "--unique", "-o", "FOLDER/p.cnf"], 1),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_grids_of_one_puzzle(arguments: list[str], count: int, folder: Path) -> None:
    ran = run_judged(folder, *(argument.replace("FOLDER", str(folder)) for argument in arguments))
    assert len(ran.written) == count
    ran.require_judged()


@pytest.mark.parametrize(
    "command",
    [
        ["solve", "many.txt", "--jobs", "1"],
        ["solve", "table.csv", "--to", "sdm", "--jobs", "2"],
        ["check", "many.txt", "--json", "--jobs", "2"],
    ],
    ids=" ".join,
)
def test_grids_of_many_puzzles(command: list[str], folder: Path) -> None:
    name, source, *options = command
    ran = run_judged(folder, name, str(folder / source), *options)
    assert len(ran.written) >= FEWEST_UNIQUE
    ran.require_judged()


@pytest.mark.parametrize("form", ["Grids()", "Json(False)"])
def test_grids_that_are_solved_in_bulk(form: str, folder: Path) -> None:
    """How many of a run are solved in bulk depends on its pace; here all are."""
    code = f"""
from satdoku.answering.checker import Checker
from satdoku.answering.fact_finder import Json
from satdoku.answering.form import Grids
from tests.answering.samples import tasks_of
for row in Checker({form}).answers(tasks_of({MANY!r})):
    print(row.text, end="")
"""
    ran = run_judged(folder, "-c", code)
    assert len(ran.written & ran.by_bytes) >= FEWEST_UNIQUE
    ran.require_judged()


def test_a_grid_that_a_stranger_answered(folder: Path) -> None:
    true = {4 * cell + int(digit) for cell, digit in enumerate(SMALL_SOLUTION)}
    model = " ".join(str(n if n in true else -n) for n in range(1, 65))
    (folder / "answer.txt").write_text(f"s SATISFIABLE\nv {model} 0\n")
    ran = run_judged(folder, "decode", SMALL, str(folder / "answer.txt"), "--to", "line")
    assert ran.written == {SMALL_SOLUTION}
    ran.require_judged()


@pytest.mark.parametrize(
    ("code", "count"),
    [
        (f"print(*satdoku.solve('{EASY}').digits, sep='')", 1),
        (f"print(*satdoku.check('{SMALL}').solution.digits, sep='')", 1),
        (f"for grid in satdoku.solutions('{AMBIGUOUS}'): print(*grid.digits, sep='')", 72),
        (
            f"rows = [list('{SMALL}'[at:at+4]) for at in range(0, 16, 4)]\n"
            "satdoku.solve_in_place(rows); print(*sum(rows, []), sep='')",
            1,
        ),
        (
            "from satdoku.solving.bulk import Bulk\n"
            f"board = bytes(int(cell) if cell != '.' else 0 for cell in '{SMALL}')\n"
            "print(*next(Bulk(satdoku.Geometry(2, 2)).solutions([board])).solution, sep='')",
            1,
        ),
    ],
    ids=["solve", "check", "solutions", "solve_in_place", "Bulk"],
)
def test_grids_of_the_library(code: str, count: int, folder: Path) -> None:
    ran = run_judged(folder, "-c", f"import satdoku\n{code}")
    assert len(ran.written) == count
    ran.require_judged()
