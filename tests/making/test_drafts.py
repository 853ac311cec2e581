from itertools import combinations

import pytest

from satdoku.errors import SatdokuError
from satdoku.making.generator import Generated, Generator
from satdoku.making.minimizer import Minimizer
from satdoku.making.request import Minimality
from satdoku.puzzle.grid import EMPTY, Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.symmetry import Symmetry
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from tests.crossing import sampled
from tests.making.requests import make, request
from tests.oracle import count_solutions


def smallest_by_trying(made: Generated) -> int:
    """The fewest cells of the full 4x4 grid that leave one solution, by plain counting."""
    solution = made.solution.digits
    for number in range(16):
        for cells in combinations(range(16), number):
            digits = [digit if cell in cells else EMPTY for cell, digit in enumerate(solution)]
            if count_solutions(2, 2, digits, 2) == 1:
                return number
    raise AssertionError("a full grid has one solution")


def test_no_puzzle_of_the_grid_has_fewer_givens_on_4x4() -> None:
    for made in make(request(Geometry(2, 2), is_fewest=True), 2):
        assert made.is_minimal
        assert made.within == made.solution
        assert count_solutions(2, 2, made.puzzle.grid.digits, 2) == 1
        assert made.givens == smallest_by_trying(made)


def test_on_9x9_the_fewest_are_those_within_a_larger_puzzle() -> None:
    [made] = make(request(seed="within", is_fewest=True))
    assert made.within is not None
    assert made.givens < len(made.within.givens) <= 36
    assert all(made.within.digits[cell] == digit for cell, digit in made.puzzle.givens.items())
    assert count_solutions(3, 3, made.puzzle.grid.digits, 2) == 1
    with Minimizer() as minimizer:
        again = minimizer.find_fewest(minimizer.check(Puzzle(made.within)))
    assert again.is_fewest
    assert again.givens == made.givens


@sampled(2, "solver", ["minisat22", "glucose4", "cadical195"])
def test_another_solver_leads_to_the_same_set(solver: str) -> None:
    for wanted in (request(Geometry(2, 2), is_fewest=True), request(seed="x", is_fewest=True)):
        assert make(wanted) == make(wanted, 1, solver)


def test_a_search_that_takes_too_long_is_given_up() -> None:
    generator = Generator(request(is_fewest=True), budget=Budget(Limits(conflicts=20)))
    with generator, pytest.raises(LimitReachedError):
        generator.make(0)


@pytest.mark.parametrize(
    ("wishes", "reason"),
    [
        ({"givens": (20, 24)}, "a number of givens"),
        ({"symmetry": Symmetry.FULL}, "a symmetry"),
        ({"minimality": Minimality.NONE}, "givens that are not minimal"),
        ({"geometry": Geometry(3, 4)}, "are proved up to 9x9, not on 12x12"),
    ],
)
def test_what_does_not_go_with_the_fewest_is_refused(
    wishes: dict[str, object], reason: str
) -> None:
    with pytest.raises(SatdokuError, match=reason):
        request(is_fewest=True, **wishes)  # type: ignore[arg-type]


@pytest.mark.slow
def test_patience_takes_no_part_in_proofs() -> None:
    """A question that ended without an answer was once taken for a proof."""
    patient = make(request(Geometry(2, 3), is_fewest=True, seed="patience"), 3)
    for patience in (0, 1):
        hasty = make(request(Geometry(2, 3), is_fewest=True, seed="patience", patience=patience), 3)
        assert [made.puzzle for made in hasty] == [made.puzzle for made in patient]
    assert all(count_solutions(2, 3, made.puzzle.grid.digits, 2) == 1 for made in patient)
