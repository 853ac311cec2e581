"""Cases on large boards, where not every candidate is asked about at every step."""

from random import Random

import pytest

from satdoku.explaining.board import Truth, build_board, candidates_of
from satdoku.explaining.position import Position
from satdoku.explaining.prover import Prover
from satdoku.explaining.step import Placed, Story, Technique
from satdoku.explaining.techniques.cores import USUAL, CoreFinder, CoreSolver, Effort, _Shortest
from satdoku.explaining.techniques.nets import Telling
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget
from tests.boards import HARD, full_grid, thin_out


def large_position() -> Position:
    rng = Random(1)
    position = Position(build_board(Puzzle(thin_out(rng, full_grid(rng, Geometry(4, 4)), 145))))
    position.sort_out()
    return position


def asked_for_each(
    count: int, monkeypatch: pytest.MonkeyPatch, effort: Effort = USUAL
) -> list[int]:
    """About how many candidates so many cases ask, one after the other, each proved."""
    asked: set[int] = set()
    ask = CoreSolver.core

    def counted(solver: CoreSolver, candidate: int, truths: list[Truth]) -> list[Truth] | None:
        asked.add(candidate)
        return ask(solver, candidate, truths)

    monkeypatch.setattr(CoreSolver, "core", counted)
    position = large_position()
    finder, prover = CoreFinder(position, Budget(), effort=effort), Prover(position.board, Budget())
    numbers = []
    for _ in range(count):
        finding = finder.find()
        assert finding is not None
        assert finding.technique is Technique.CASES
        prover.require(position.apply(finding))
        numbers.append(len(asked))
        asked.clear()
    finder.close()
    prover.close()
    return numbers


def test_what_a_model_shows_is_what_a_solver_answers_when_it_is_asked() -> None:
    position = Position(build_board(HARD))
    solver, other = CoreSolver(position, Budget()), CoreSolver(position, Budget())
    every = solver.by_width(position.open_truths)
    shown = 0
    for candidate in candidates_of(position.left)[::20]:
        core = solver.core(candidate, every) or []
        for truth in core:
            rest = [each for each in core if each is not truth]
            if solver.core(candidate, rest) is None:
                possible = position.left & ~solver.excluded_by_model(rest)
                needed = solver.needed_by_model(candidate, truth, rest)
                shown += len(needed) - 1
                for number in needed:
                    others = [each for each in core if each.number != number]
                    assert other.core(candidate, others) is None
                for each in candidates_of(possible)[::5]:
                    assert other.core(each, rest) is None
                break
    solver.close()
    other.close()
    assert shown > 0


def test_most_candidates_are_asked_about_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first, *others = asked_for_each(4, monkeypatch)
    assert all(number < first / 3 for number in others)


def test_where_the_known_cores_have_no_story_all_are_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(CoreFinder, "_known_story", lambda finder: None)
    first, *others = asked_for_each(2, monkeypatch)
    assert all(number > first / 2 for number in others)


def test_small_boards_are_asked_about_all_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    first, *others = asked_for_each(2, monkeypatch, Effort(asked_all=16))
    assert all(number > first / 2 for number in others)


def test_a_core_without_a_story_is_not_told_again_at_the_next_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[tuple[int, int]] = []

    def fails(telling: Telling, suppose: int, longest: int, deepest: int) -> None:
        told.append((suppose, len(telling._truths)))

    monkeypatch.setattr(Telling, "tell", fails)
    finder = CoreFinder(large_position(), Budget())
    assert finder._known_story() is None
    first = set(told)
    told.clear()
    assert finder._known_story() is None
    assert first
    assert not first & set(told)
    finder.close()


@pytest.mark.parametrize(("others", "wins"), [(13, True), (14, False)])
def test_a_longer_story_that_places_a_digit_comes_first(others: int, wins: bool) -> None:
    truth = large_position().board.truths[0]
    items = [Placed(1, truth)]
    shorter, longer = Story(1, tuple(items * 9), truth), Story(2, tuple(items * others), truth)
    found = _Shortest(longest=100)
    found.note(shorter, 1.5)
    found.note(longer, 1.0)
    assert (found.story == longer) == wins
