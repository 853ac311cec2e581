import pickle

from satdoku.puzzle.verdict import Outcome, Verdict
from tests.boards import HARD, HARD_SOLUTION, clashing_puzzle


def test_verdicts_are_the_four_words_that_are_printed() -> None:
    assert [v.value for v in Verdict] == ["unique", "multiple", "none", "undecided"]


def test_two_solutions_differ_in_cells_and_one_in_none() -> None:
    second = HARD_SOLUTION.with_digits({3: 1, 7: 1})
    assert Outcome(HARD, Verdict.MULTIPLE, HARD_SOLUTION, second).differences == (3, 7)
    assert Outcome(HARD, Verdict.UNIQUE, HARD_SOLUTION).differences == ()


def test_clashing_givens_are_told() -> None:
    puzzle = clashing_puzzle(HARD.geometry)
    outcome = Outcome(puzzle, Verdict.NONE)
    assert [str(clash) for clash in outcome.clashes] == ["r1c1 and r1c9 are both 1, in row 1"]
    assert Outcome(HARD, Verdict.UNIQUE).clashes == ()


def test_outcomes_travel_between_processes() -> None:
    outcome = Outcome(HARD, Verdict.UNIQUE, HARD_SOLUTION)
    assert pickle.loads(pickle.dumps(outcome)) == outcome
