"""Searches: steps of a solver where stories would be too many or too long."""

from functools import cache
from random import Random

import pytest

from satdoku.explaining.board import Truth, build_board
from satdoku.explaining.explain import Explanation, explain
from satdoku.explaining.objects import way_object
from satdoku.explaining.step import Deduction, Level, Technique, Way
from satdoku.explaining.techniques import cores as core_solver
from satdoku.explaining.techniques.cores import Effort
from satdoku.explaining.trace import digits_after, left_after
from satdoku.explaining.true_candidates import find_true_candidates
from satdoku.explaining.way import find_way
from satdoku.explaining.words.explanation import describe
from satdoku.puzzle.grid import EMPTY
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget
from satdoku.solving.questions import check
from tests.boards import HARD, HARD_SOLUTION
from tests.variants import Variant, ours


@pytest.fixture(scope="module")
def sparse() -> Variant:
    """A puzzle of ten givens, which nobody can explain without a search."""
    variant = next(variant for variant in ours() if "non-consecutive" in variant.name)
    grid, solution = variant.puzzle.grid, variant.solution
    blanks = [cell for cell, digit in enumerate(grid.digits) if digit == EMPTY]
    more = {cell: solution.digits[cell] for cell in Random(1).sample(blanks, 2)}
    return variant._replace(puzzle=variant.puzzle.with_grid(grid.with_digits(more)))


NO_STORIES = Effort(conflicts=-1)


def searches(way: Way) -> list[Deduction]:
    return [step for step in way.steps if step.technique is Technique.SEARCH]


@cache
def hard_way(effort: Effort) -> Way:
    return find_way(build_board(HARD), Level.ALL, Budget(), effort=effort)


@pytest.fixture(scope="module")
def explanation(sparse: Variant) -> Explanation:
    return explain(sparse.puzzle)


def test_a_puzzle_with_few_givens_is_explained_to_its_end(
    sparse: Variant, explanation: Explanation
) -> None:
    way = explanation.way
    assert way.is_full
    assert explanation.solution == sparse.solution
    assert 1 <= len(searches(way)) <= 10
    text = "\n".join(describe(explanation))
    assert "Search: a solver has tried all that could follow from " in text


def test_no_story_is_told_on_a_crowded_board(explanation: Explanation) -> None:
    """The first cases would exclude one of five hundred candidates each."""
    way = explanation.way
    harder = [s for s in way.steps if s.technique in (Technique.CASES, Technique.SEARCH)]
    assert harder[0].technique is Technique.SEARCH


def test_searches_lead_to_the_solution_where_stories_cost_too_much() -> None:
    way = hard_way(NO_STORIES)
    assert digits_after(way, len(way.steps)) == list(HARD_SOLUTION.digits)
    assert searches(way)
    assert all(step.technique is not Technique.CASES for step in way.steps)


@pytest.mark.slow
def test_a_question_that_takes_too_long_ends_in_a_search() -> None:
    way = hard_way(Effort(patience=1))
    assert searches(way)
    assert digits_after(way, len(way.steps)) == list(HARD_SOLUTION.digits)


def test_cases_that_would_stand_too_deep_end_in_a_search() -> None:
    way = hard_way(Effort(longest=1))
    assert searches(way)
    assert way.is_full


def test_searches_exclude_all_that_no_solution_has() -> None:
    puzzle = HARD.with_grid(HARD.grid.with_digits(dict.fromkeys(list(HARD.givens)[:2], EMPTY)))
    way = find_way(build_board(puzzle), Level.ALL, Budget(), effort=NO_STORIES)
    left = left_after(way, len(way.steps))
    kept = {place for n, place in enumerate(way.board.placements) if left >> n & 1}
    true = find_true_candidates(puzzle, Budget())
    assert kept == {place for place in true.witness if place.cell not in puzzle.givens}


def test_a_search_names_the_truths_that_it_rests_on_and_has_no_story() -> None:
    way = hard_way(NO_STORIES)
    number = searches(way)[0].number
    found = way_object(way)["steps"][number - 1]
    assert found["story"] is None
    assert len(found["because"]) == found["size"] > 10


@pytest.mark.slow
def test_the_same_puzzle_always_gets_the_same_searches() -> None:
    assert hard_way(NO_STORIES).steps == hard_way.__wrapped__(NO_STORIES).steps


def test_a_board_without_solution_is_led_to_its_contradiction() -> None:
    cell = next(iter(HARD.givens))
    changed = [HARD.with_grid(HARD.grid.with_digits({cell: digit})) for digit in range(1, 10)]
    broken = [puzzle for puzzle in changed if check(puzzle).verdict is Verdict.NONE]
    assert broken
    for puzzle in broken:
        assert (
            find_way(build_board(puzzle), Level.ALL, Budget(), effort=NO_STORIES).dead_end
            is not None
        )


def test_nobody_tries_to_exclude_what_is_known_to_be_possible(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []
    ask = core_solver.CoreSolver.search

    def noted(
        solver: core_solver.CoreSolver, candidate: int, truths: list[Truth]
    ) -> list[Truth] | None:
        asked.append(candidate)
        return ask(solver, candidate, truths)

    monkeypatch.setattr(core_solver.CoreSolver, "search", noted)
    board = build_board(HARD)
    possible = find_true_candidates(HARD, Budget()).mask_on(board)
    way = find_way(board, Level.ALL, Budget(), possible=possible, effort=NO_STORIES)
    assert left_after(way, len(way.steps)) == possible
    assert asked
    assert not any(possible >> candidate & 1 for candidate in asked)
