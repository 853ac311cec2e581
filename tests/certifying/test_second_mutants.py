"""Wrong tables in the package are caught where they forbid what a rule allows."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from pysat.solvers import Solver

from satdoku.certifying.certificate import read_certificate
from satdoku.certifying.second_verifier import ask
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.classic import CLASSIC
from satdoku.puzzle.rules.registry import read_rules
from tests.certifying.mutants import TEXTS, Mutant, hopeless_cell, mutants
from tests.certifying.second import ROOT, needs_compiler, program
from tests.encoding.files.formulas import read_cnf
from tests.puzzle.rules.instances import every_grid

pytestmark = needs_compiler

_WANTED = 50


def certify(mutant: Mutant, folder: Path) -> list[Path]:
    """The certificates that the package writes with a mutant in it, as far as it comes."""
    folder.mkdir()
    command = [sys.executable, "-m", "tests.certifying.mutants", str(folder)]
    subprocess.run(command, input=json.dumps(mutant), text=True, cwd=ROOT, capture_output=True)
    return sorted(folder.glob("*.json"))


def forbids_a_solution(path: Path, text: str) -> bool:
    """Whether the formula, but for the hopeless cell, excludes a grid that keeps the rule."""
    cell = hopeless_cell(text)
    if f"even:r{cell // 4 + 1}c{cell % 4 + 1}" not in path.read_text("utf-8"):
        # The mutant left a cell of the rule without a digit: then each clause of the rule is true.
        return False
    hopeless = {(-(4 * cell + digit),) for digit in range(1, 5)}
    lines = path.with_suffix(".cnf").read_text("utf-8").splitlines()
    clauses = [clause for clause in read_cnf(lines).clauses if tuple(clause) not in hopeless]
    puzzle = Puzzle(Grid.empty(Geometry(2, 2))).with_rules(read_rules([text], Geometry(2, 2)))
    with Solver("cadical153", bootstrap_with=clauses) as solver:
        return any(
            not solver.solve([4 * place + digit for place, digit in enumerate(grid.digits)])
            for grid in every_grid(CLASSIC)
            if not find_fault(grid, puzzle)
        )


def is_refused(path: Path) -> bool:
    return not ask(program(), read_certificate(path), path, timeout=60)[0]


@pytest.mark.slow
def test_it_refuses_tables_that_forbid_a_solution(tmp_path: Path) -> None:
    every = [*mutants()]
    Random(1).shuffle(every)
    survivors, met = [], 0
    for number, mutant in enumerate(every):
        paths = certify(mutant, tmp_path / str(number))
        texts = TEXTS[mutant.module.rpartition(".")[2]]
        wrong = [each for each in paths if forbids_a_solution(each, texts[int(each.stem)])]
        if wrong:
            met += 1
            if not all(map(is_refused, wrong)):
                survivors.append(mutant.change)
        if met == _WANTED:
            break
    assert met == _WANTED
    assert survivors == []
