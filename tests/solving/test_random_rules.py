"""Boards with random rules have the solutions that the definitions of the rules leave."""

from itertools import cycle, islice, product
from random import Random

import pytest

from satdoku.encoding.choices import Encoding, Method
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.questions import check, count, find_solutions
from satdoku.solving.solvers import Settings
from tests.crossing import few_or_many
from tests.rule_boards import RuleBoard, rule_boards
from tests.solvers import INSTALLED, every_solver

VERDICTS = [Verdict.NONE, Verdict.UNIQUE, Verdict.MULTIPLE]
# Triads are for boards of rows, columns and boxes alone.
ENCODINGS = [encoding for encoding in Encoding if encoding is not Encoding.TRIADS]
WAYS = list(product(ENCODINGS, (None, *Method)))


def require_solutions(board: RuleBoard, settings: Settings) -> Verdict:
    """Check verdict, evidence, number and solutions; return the verdict."""
    geometry = Geometry(*board.box)
    puzzle = Puzzle(Grid(geometry, board.digits)).with_rules(read_rules(board.rules, geometry))
    told = (board, settings)
    outcome = check(puzzle, settings)
    evidence = {grid.digits for grid in (outcome.solution, outcome.second) if grid is not None}
    assert outcome.verdict is VERDICTS[min(len(board.solutions), 2)], told
    assert evidence <= board.solutions, told
    assert len(evidence) == min(len(board.solutions), 2), told
    assert count(puzzle, 3).number == min(len(board.solutions), 3), told
    if len(board.solutions) < 12:
        found = [grid.digits for grid in find_solutions(puzzle, settings)]
        assert sorted(found) == sorted(board.solutions), told
    return outcome.verdict


@few_or_many("number", 24, 120)
def test_boards_with_rules_have_the_solutions_of_the_definitions(number: int) -> None:
    ways = islice(cycle(product(INSTALLED[:4], WAYS)), number)
    seen = [
        require_solutions(board, Settings(solver=solver, encoding=encoding, at_most_one=method))
        for board, (solver, (encoding, method)) in zip(rule_boards("few"), ways, strict=False)
    ]
    assert set(seen) == set(VERDICTS)


@pytest.mark.slow
@every_solver
def test_many_more_do_with_every_solver_and_encoding(solver: str) -> None:
    rng = Random(solver)
    for board in islice(rule_boards(solver), 100):
        encoding, method = rng.choice(WAYS)
        require_solutions(board, Settings(solver=solver, encoding=encoding, at_most_one=method))
