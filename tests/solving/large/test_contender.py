import pytest

from satdoku.deducing.prune import prune
from satdoku.encoding.files.status import Status
from satdoku.errors import TooLargeError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving import formulas
from satdoku.solving.large.contender import Contender, Engine, contend
from satdoku.solving.limits import Budget
from satdoku.solving.questions import count
from tests.boards import HARD, HARD_SOLUTION
from tests.solving.large.boards import thinned

ENGINES = [
    Engine("minicard"),
    Engine("gluecard4"),
    Engine("cadical195", {"stabilizeonly": 1, "seed": 3}),
    Engine("cadical195", is_sliced=False),
]
every_engine = pytest.mark.parametrize("engine", ENGINES, ids=str)


@every_engine
@pytest.mark.parametrize("is_pruned", [False, True])
def test_it_finds_each_solution_that_is_not_known(engine: Engine, is_pruned: bool) -> None:
    puzzle = thinned(Geometry(2, 2), 0.8)
    expected = count(puzzle).number
    assert expected > 2
    known: list[Grid] = []
    with contend(puzzle, engine, Budget(), prune(puzzle) if is_pruned else None) as contender:
        while contender.find(known, Budget()) is Status.SATISFIABLE:
            known.append(contender.solution())
            assert not find_fault(known[-1], puzzle)
    assert len(set(known)) == len(known) == expected


@every_engine
def test_solutions_that_others_found_are_excluded_too(engine: Engine) -> None:
    with contend(HARD, engine, Budget(), None) as contender:
        assert contender.find([HARD_SOLUTION], Budget()) is Status.UNSATISFIABLE
        assert not contender.has_found(HARD_SOLUTION)


def test_its_patience_ends() -> None:
    with contend(HARD, Engine("minicard"), Budget(), None) as contender:
        assert contender.find([], Budget(), 1) is Status.UNKNOWN
        assert contender.counters()["conflicts"] >= 1
        assert contender.find([], Budget()) is Status.SATISFIABLE
        assert contender.solution() == HARD_SOLUTION


def test_a_board_that_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise TooLargeError("no room")

    monkeypatch.setattr(formulas, "require_memory", refuse)
    large = Puzzle(Grid.empty(Geometry(4, 4)))
    with pytest.raises(TooLargeError):
        Contender(large, Engine("minicard"), Budget())
