from collections.abc import Sequence
from random import Random

import pytest

from satdoku.encoding.choices import Status
from satdoku.errors import WrongSolutionError
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.large import ladder as rungs_module
from satdoku.solving.large.ladder import (
    METHODS,
    ContenderQuestion,
    Ladder,
    Reply,
    Rung,
    Rungs,
    TurnLengths,
)
from satdoku.solving.limits import Budget, LimitReachedError, Limits, unwatched
from satdoku.solving.questions import count, find_solutions
from satdoku.solving.solvers import Settings
from tests.boards import HARD, HARD_SOLUTION, clashing_puzzle, pigeonhole_puzzle, stuck_puzzle
from tests.compiled import needs_library
from tests.deducing.boards import jigsaw, small_puzzles
from tests.each import for_each
from tests.solving.large.boards import SHORT, thinned

every_name = for_each("name", METHODS)
ENDLESS = TurnLengths(first_solver=1, moves=1, stable=1, prover=1)
# Nobody decides it at such a pace, and pruning does not either.
UNDECIDED = thinned(Geometry(6, 6), 0.5)


def climb_rightly(
    puzzle: Puzzle, name: str = "auto", pace: TurnLengths = SHORT, most: int = 3, seed: int = 0
) -> tuple[list[str], Ladder]:
    """Fails unless the solutions, up to `most`, are right and all there are; gives the rungs' names
    in the order of their turns, and the ladder.
    """
    turns: list[str] = []
    settings = Settings(solver=name, seed=seed)
    with Ladder(puzzle, settings, Budget(), turns.append, pace) as ladder:
        found = [solution for _, solution in zip(range(most), ladder, strict=False)]
        for solution in found:
            assert not find_fault(solution, puzzle)
        assert len(set(found)) == len(found)
        assert len(found) == count(puzzle, most).number
    return turns, ladder


@every_name
def test_solutions_of_small_boards_with_any_rules_are_counted_right(name: str) -> None:
    rng = Random(name)
    for puzzle, solutions in small_puzzles(rng, 8):
        with Ladder(puzzle, Settings(solver=name), Budget(), unwatched, SHORT) as ladder:
            assert sorted(grid.digits for grid in ladder) == sorted(g.digits for g in solutions)


@every_name
@pytest.mark.parametrize("first", [0, 1, 10_000])
def test_jigsaws_are_decided_whoever_decides_them(name: str, first: int) -> None:
    rng = Random(8)
    for _ in range(6):
        puzzle = jigsaw(rng, Geometry(2, 3), rng.randint(12, 20))
        turns, ladder = climb_rightly(puzzle, name, SHORT._replace(first_solver=first))
        # Those who decided are among those who had a turn.
        assert set(ladder.method.split(", ")) <= set(turns)


@every_name
def test_a_board_with_one_solution_is_unique(name: str) -> None:
    turns, _ = climb_rightly(HARD, name)
    assert turns[:2] == ["minicard", "pruning"]


@every_name
def test_boards_without_solution_have_none(name: str) -> None:
    for puzzle in (clashing_puzzle(Geometry(4, 5)), stuck_puzzle(Geometry(4, 5))):
        climb_rightly(puzzle, name)
        with Ladder(puzzle, Settings(solver=name), Budget(), unwatched, SHORT) as ladder:
            assert ladder.next_solution() is None


def test_what_pruning_settles_needs_no_other_rung() -> None:
    turns, ladder = climb_rightly(pigeonhole_puzzle(12, 26))
    assert turns == ["minicard", "pruning"]
    assert ladder.method == "pruning"


def test_pruning_that_settles_every_cell_says_unique() -> None:
    puzzle = thinned(Geometry(5, 6), 0.2, 3)
    turns, ladder = climb_rightly(puzzle, pace=SHORT._replace(first_solver=0))
    assert turns == ["minicard", "pruning", "pruning"]
    assert ladder.method == "pruning"


def test_local_search_finds_a_solution_where_the_first_solver_has_no_patience() -> None:
    puzzle = thinned(Geometry(4, 4), 0.85)
    with Ladder(puzzle, Settings(), Budget(), unwatched, SHORT._replace(first_solver=0)) as ladder:
        assert ladder.next_solution() is not None
        assert ladder.method == "local search"
        assert 0 < ladder.counters()["moves"] <= SHORT.moves


def test_near_a_solution_of_another_method_the_first_solver_finds_the_next_at_once() -> None:
    rungs = Rungs(thinned(Geometry(4, 4), 0.85), Budget(), 0, SHORT._replace(first_solver=2))
    rungs.prune(())
    found = rungs.take_turn(Rung.LOCAL_SEARCH, (), 0).solution
    assert found is not None
    second = rungs.ask_first_solver([found]).solution
    assert second is not None
    # Far from here the solutions have not half of the cells in common.
    assert len(found.differences(second)) < found.geometry.cell_count / 2
    assert rungs.ask_first_solver([found, second]).solution not in (None, found, second)
    assert rungs.counters()["conflicts"] < 6
    rungs.close()


def test_every_rung_has_its_turn_and_then_again(monkeypatch: pytest.MonkeyPatch) -> None:
    turns: list[str] = []

    def watch(name: str) -> None:
        turns.append(name)
        if len(turns) == 8:
            raise KeyboardInterrupt

    monkeypatch.setattr(Rungs, "take_turn", lambda *_: rungs_module.UNKNOWN)
    monkeypatch.setattr(Rungs, "work_ahead", lambda *_: None)
    with (
        Ladder(HARD, Settings(), Budget(), watch, ENDLESS) as ladder,
        pytest.raises(KeyboardInterrupt),
    ):
        ladder.next_solution()
    methods = [rung.value for rung in METHODS["auto"]]
    assert turns == ["minicard", "pruning", *methods, *methods]


def test_turns_become_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    patiences = []

    def ask(question: ContenderQuestion, budget: Budget) -> Reply:
        patiences.append((question.patience, question.engine.parameters["seed"]))
        return rungs_module.UNKNOWN

    monkeypatch.setattr(rungs_module, "ask_apart", ask)
    rungs = Rungs(HARD, Budget(), 5, TurnLengths(stable=100))
    for turn in (0, 1, 2, 3, 40):
        assert rungs.take_turn(Rung.STABLE_CADICAL, (), turn).status is Status.UNKNOWN
    assert patiences == [(100, 5), (200, 6), (400, 7), (800, 8), (102_400, 45)]


@every_name
def test_the_same_seed_gives_the_same_solutions(name: str) -> None:
    puzzle = thinned(Geometry(4, 4), 0.85)
    pace = SHORT._replace(first_solver=0)

    def first_solution(seed: int) -> Sequence[int]:
        with Ladder(puzzle, Settings(solver=name, seed=seed), Budget(), unwatched, pace) as ladder:
            solution = ladder.next_solution()
            assert solution is not None
            return solution.digits

    assert first_solution(1) == first_solution(1)
    if name != "stable-cadical":
        assert first_solution(1) != first_solution(2)


@every_name
@pytest.mark.parametrize("rung", list(Rung))
def test_a_time_limit_ends_the_turn_of_any_rung(name: str, rung: Rung) -> None:
    """Time runs out when the turn of one rung begins, which must see it by itself."""
    budget = Budget(Limits(timeout=3600))

    def watch(turn: str) -> None:
        if turn == rung.value:
            budget.started -= 3601

    with Ladder(UNDECIDED, Settings(solver=name), budget, watch, ENDLESS) as ladder:
        if rung in (Rung.FIRST_SOLVER, Rung.PRUNING, *METHODS[name]):
            with pytest.raises(LimitReachedError):
                ladder.next_solution()


def test_conflicts_are_counted_by_the_first_solver_alone() -> None:
    turns: list[str] = []
    limits = Limits(conflicts=40)
    with (
        Ladder(HARD, Settings(limits=limits), Budget(limits), turns.append, SHORT) as ladder,
        pytest.raises(LimitReachedError, match="not decided within 40 conflicts"),
    ):
        list(ladder)
    assert set(turns) <= {"minicard", "pruning", "local search"}
    assert ladder.counters()["conflicts"] <= 41


def test_a_wrong_grid_of_any_rung_is_a_loud_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    def lie(self: Rungs, rung: Rung, known: object, turn: int) -> Reply:
        wrong = HARD_SOLUTION.with_digits({1: HARD_SOLUTION.digits[2], 2: HARD_SOLUTION.digits[1]})
        return Reply(Status.SATISFIABLE, wrong)

    monkeypatch.setattr(Rungs, "take_turn", lie)
    with (
        Ladder(HARD, Settings(), Budget(), unwatched, ENDLESS) as ladder,
        pytest.raises(WrongSolutionError, match="this is a bug"),
    ):
        ladder.next_solution()


def test_a_full_grid_is_its_only_solution() -> None:
    puzzle = Puzzle(thinned(Geometry(5, 6), 0).grid)
    assert list(find_solutions(puzzle)) == [puzzle.grid]


@needs_library
def test_a_walk_goes_on_for_some_turns_before_another_begins() -> None:
    rungs = Rungs(UNDECIDED, Budget(), 0, TurnLengths(moves=2))
    rungs.prune(())
    walks = []
    for turn in range(4):
        assert rungs.take_turn(Rung.LOCAL_SEARCH, (), turn).status is Status.UNKNOWN
        walks.append(rungs._search)
    assert walks[0] is walks[1] is walks[2] is not walks[3]
    # Where moves are machine code, a turn has sixteen for each plain one.
    assert rungs.counters()["moves"] == 16 * (2 + 4 + 8 + 16)


def test_turns_of_plain_moves_are_shorter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SATDOKU_LANES", "0")
    rungs = Rungs(UNDECIDED, Budget(), 0, TurnLengths(moves=50))
    rungs.prune(())
    assert rungs.take_turn(Rung.LOCAL_SEARCH, (), 0).status is Status.UNKNOWN
    assert rungs.counters()["moves"] == 50
