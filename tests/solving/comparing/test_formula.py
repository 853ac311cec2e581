import pytest

from satdoku.encoding.at_most_one import Method
from satdoku.encoding.encode import Encoding, measure
from satdoku.errors import SatdokuError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.comparing.formula import LoadedSize, measure_formula
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.settings import Settings

EMPTY = Puzzle(Grid.empty(Geometry(3, 3)))
FULL = [encoding for encoding in Encoding if encoding is not Encoding.REDUCED]


@pytest.mark.parametrize("encoding", FULL, ids=lambda encoding: encoding.value)
@pytest.mark.parametrize("method", [Method.PAIRWISE, Method.TEXTBOOK, Method.SEQUENTIAL])
def test_the_formula_of_a_solver_is_as_large_as_the_exported_one(
    encoding: Encoding, method: Method
) -> None:
    settings = Settings("cadical195", encoding, method)
    found = measure_formula(EMPTY, settings, Budget(Limits()))
    assert found == (*measure(EMPTY, encoding, method), 0)


def test_native_constraints_are_counted_apart() -> None:
    found = measure_formula(EMPTY, Settings("minicard", Encoding.EXTENDED), Budget(Limits()))
    assert found == LoadedSize(variables=729, clauses=324, natives=324)


def test_a_formula_that_takes_too_long_is_no_formula() -> None:
    large = Puzzle(Grid.empty(Geometry(6, 6)))
    settings = Settings("cadical195", Encoding.EXTENDED)
    with pytest.raises((LimitReachedError, SatdokuError)):
        measure_formula(large, settings, Budget(Limits(timeout=1e-9)))
