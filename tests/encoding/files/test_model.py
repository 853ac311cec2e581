from random import Random

import pytest

from satdoku.encoding.choices import Encoding, Method, Status
from satdoku.encoding.files.answer import SolverAnswer, describe_clause, find_violated, read_model
from satdoku.encoding.files.dimacs import Export
from satdoku.encoding.variables import variable
from satdoku.errors import DimacsError
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from tests.boards import full_grid, read_grid, thin_out
from tests.crossing import crossed, sampled
from tests.each import for_each
from tests.encoding.files.formulas import Cnf, read_back
from tests.formulas import models_of_grid

PUZZLE = read_grid("..3..4.24..3..4.")
SOLUTION = read_grid("1234341241232341")

every_encoding = for_each("encoding", Encoding)


def literals_of(solution: Grid) -> list[int]:
    """What a solver says of the cell variables."""
    geometry = solution.geometry
    true = {variable(geometry, cell, digit) for cell, digit in enumerate(solution.digits)}
    return [n if n in true else -n for n in range(1, geometry.cell_count * geometry.size + 1)]


def answer_of(literals: list[int], is_complete: bool = True) -> SolverAnswer:
    true = tuple(n for n in literals if n > 0)
    false = tuple(n for n in literals if n < 0)
    return SolverAnswer(Status.SATISFIABLE, true, false, is_complete)


def require_fault(cnf: Cnf, literals: list[int], *words: str, puzzle: Grid = PUZZLE) -> None:
    with pytest.raises(DimacsError) as caught:
        read_model(answer_of(literals), cnf, Puzzle(puzzle), "answer")
    assert str(caught.value).startswith("answer: ")
    assert all(word in str(caught.value) for word in words), caught.value


@every_encoding
@sampled(2, "geometry", [Geometry(2, 2), Geometry(2, 3), Geometry(3, 3)], ids=str)
def test_a_model_is_read(encoding: Encoding, geometry: Geometry) -> None:
    full = full_grid(Random(1), geometry)
    puzzle = thin_out(Random(1), full, geometry.cell_count // 2)
    cnf = read_back(Export(Puzzle(puzzle), encoding))
    for solution in (full, next(models_of_grid(puzzle, encoding))):
        assert (
            read_model(answer_of(literals_of(solution)), cnf, Puzzle(puzzle), "answer") == solution
        )


def test_a_partial_model_that_settles_every_cell_is_read() -> None:
    cnf = read_back(Export(Puzzle(PUZZLE), Encoding.EXTENDED, Method.SEQUENTIAL))
    positive = [n for n in literals_of(SOLUTION) if n > 0]
    for literals in (positive, positive[::-1], literals_of(SOLUTION)):
        assert read_model(answer_of(literals, False), cnf, Puzzle(PUZZLE), "answer") == SOLUTION


@for_each("position", range(16))
def test_a_cell_without_a_digit_is_named(position: int) -> None:
    cnf = read_back(Export(Puzzle(PUZZLE)))
    positive = [n for n in literals_of(SOLUTION) if n > 0]
    del positive[position]
    name = f"r{position // 4 + 1}c{position % 4 + 1}"
    require_fault(cnf, positive, f"settles no digit for {name}")


@pytest.mark.parametrize(("is_complete", "ending"), [(True, "r3c1$"), (False, "seems to be cut")])
def test_an_answer_without_its_end_seems_cut_off(is_complete: bool, ending: str) -> None:
    cnf = read_back(Export(Puzzle(PUZZLE)))
    with pytest.raises(DimacsError, match=ending):
        read_model(
            answer_of(literals_of(SOLUTION)[:32], is_complete), cnf, Puzzle(PUZZLE), "answer"
        )


def test_a_variable_that_the_formula_has_not_is_refused() -> None:
    cnf = read_back(Export(Puzzle(PUZZLE)))
    require_fault(cnf, [*literals_of(SOLUTION), 65], "variable 65", "only 64")
    require_fault(cnf, [*literals_of(SOLUTION), -99], "variable 99", "only 64")


@crossed(5, encoding=Encoding, position=range(64))
def test_a_flipped_literal_is_refused(encoding: Encoding, position: int) -> None:
    cnf = read_back(Export(Puzzle(PUZZLE), encoding))
    literals = literals_of(SOLUTION)
    literals[position] *= -1
    flipped_on = literals[position] > 0
    require_fault(cnf, literals, "violates the clause on line" if flipped_on else "settles no")


def test_the_violated_clause_is_named_with_its_line_and_rule() -> None:
    export = Export(Puzzle(PUZZLE), Encoding.MINIMAL, has_reasons=True)
    cnf = read_back(export)
    wrong = [n for n in literals_of(SOLUTION.with_digits({0: 2, 1: 1})) if n > 0]
    line = cnf.lines[cnf.clauses.index((-2, -50))]
    assert find_violated(cnf, answer_of(literals_of(SOLUTION)), PUZZLE.geometry) is None
    require_fault(
        cnf, wrong, f"the clause on line {line} of", "-2 -50 0 (2 stands at most once in column 1)"
    )


def test_a_clause_of_an_unknown_encoding_is_spelled_out() -> None:
    cnf = Cnf(64, ((1,), (-1, -5)))
    wrong = [n for n in literals_of(SOLUTION.with_digits({1: 1})) if n > 0]
    require_fault(cnf, wrong, "line 2 of the formula, -1 -5 0 (not r1c1=1 or not r1c2=1)")


def test_two_digits_in_a_cell_are_refused_even_if_the_formula_allows_them() -> None:
    cnf = Cnf(64, ((1, 2),))
    require_fault(cnf, [*(n for n in literals_of(SOLUTION) if n > 0), 2], "both 1 and 2 in r1c1")


@for_each(
    "clause, words",
    [
        ((3, 4, 1, 2), "r1c1 has a digit"),
        ((-1, -2), "r1c1 has at most one digit"),
        ((11,), "r1c3 is given as 3"),
        ((1, 5, 9, 13), "1 stands somewhere in row 1"),
        ((-5, -1), "1 stands at most once in row 1"),
        ((-1, -5, -9), "not r1c1=1 or not r1c2=1 or not r1c3=1"),
        ((1, -5), "r1c1=1 or not r1c2=1"),
        ((1, 65), "r1c1=1 or variable 65"),
    ],
)
def test_clauses_are_described_in_words(clause: tuple[int, ...], words: str) -> None:
    cnf = read_back(Export(Puzzle(PUZZLE)))
    assert describe_clause(cnf, clause, Puzzle(PUZZLE)) == words


def test_clauses_of_others_are_spelled_out() -> None:
    assert describe_clause(Cnf(64, ()), (-1, 2), Puzzle(PUZZLE)) == "not r1c1=1 or r1c1=2"


@pytest.mark.parametrize("open_cells", [1, 2, 9])
def test_the_blocked_solution_is_named(open_cells: int) -> None:
    puzzle = SOLUTION.with_digits(dict.fromkeys(range(open_cells), 0))
    cnf = read_back(Export(Puzzle(puzzle), blocked=SOLUTION))
    require_fault(cnf, literals_of(SOLUTION), "(the blocked solution)", puzzle=puzzle)
