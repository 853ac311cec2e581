import pytest
from pysat.solvers import Solver

import satdoku
from satdoku import Encoding
from tests.commands import SMALL, SMALL_SOLUTION


@pytest.mark.parametrize("encoding", Encoding)
def test_the_formula_is_that_of_the_clauses(encoding: Encoding) -> None:
    clauses = [
        list(clause) for group in satdoku.encode(SMALL, encoding) for clause in group.clauses
    ]
    formula = satdoku.to_cnf(SMALL, encoding)
    assert formula.clauses == clauses
    with Solver("cadical153", bootstrap_with=formula) as solver:
        assert solver.solve()
        cells = [variable for variable in solver.get_model()[:64] if variable > 0]
    assert "".join(str((variable - 1) % 4 + 1) for variable in cells) == SMALL_SOLUTION
