"""Formulas with only the clauses that their proofs need."""

from satdoku.certifying.certificate import PART_COMMENT, ProofFormat
from satdoku.certifying.certify import Refuted, certify, trim
from satdoku.certifying.rup import HintedStep
from satdoku.certifying.verify import verify
from satdoku.encoding.meanings import State, Worth
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from tests.certifying.samples import PROGRAM
from tests.each import for_each
from tests.encoding.files.formulas import read_cnf

WORTH = Worth(((0, (0, 1, 0)),), 1)


@for_each("form", [*ProofFormat])
@for_each("text", ["killer:3=r1c1,r1c2", "sandwich:row2=3", "x-sum:col1.up=6"])
def test_clauses_that_the_proof_does_not_need_are_left_out(text: str, form: ProofFormat) -> None:
    board = Geometry(2, 2)
    puzzle = Puzzle(Grid.empty(board)).with_rules(
        read_rules([text, "odd:r2c2", "even:r2c2"], board)
    )
    whole, part = (
        certify(puzzle, PROGRAM, proof_format=form, is_whole=is_whole) for is_whole in (True, False)
    )
    assert verify(part).clauses < verify(whole).clauses
    assert f"c {PART_COMMENT}\n" in part.formula
    assert PART_COMMENT not in whole.formula
    # Clauses without auxiliaries are those of the whole formula, in their order.
    every, kept = (read_cnf(each.formula.splitlines()).clauses for each in (whole, part))
    in_order = iter(every)
    assert all(clause in in_order for clause in kept if max(map(abs, clause)) <= 64)


def test_numbers_of_clauses_and_auxiliaries_have_no_gaps() -> None:
    clauses = [(1, 9), (-9, 2), (1,), (-1, 11), (-11,), (-3,)]
    steps = [HintedStep(1, 7, (), (3, 4, 5))]
    part = trim(Refuted(clauses, steps, {9: WORTH, 10: WORTH, 11: WORTH}), 1, has_hints=True)
    assert part.clauses == [(1,), (-1, 9), (-9,), (-3,)]
    assert part.steps == [HintedStep(1, 5, (), (1, 2, 3))]
    assert part.meanings == {9: WORTH}


def test_the_clauses_that_define_a_state_stay() -> None:
    """The second verifier reads from them what a state is."""
    states = {n: State(0 if n < 13 else 1, 1, n) for n in range(9, 15)}
    clauses = [(-1, 9), (-9, -2, 10), (-9, -10), (-10, 2), (-10,), (2,), (-1, 13), (-13, 14)]
    steps = [HintedStep(1, 9, (), (4, 5, 6))]
    part = trim(Refuted(clauses, steps, states), 0, has_hints=True)
    # Those of the machine with states 9 to 12 that have one positive literal of a state.
    assert part.clauses == [(-1, 9), (-9, -2, 10), (-10, 2), (-10,), (2,)]
