"""What an answerer finds, asked for without a record, within a budget, and by several at once."""

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from satdoku.answering.checker import Checker
from satdoku.answering.counter import Counter, Narrower
from satdoku.answering.explainer import CandidateFinder, Explainer
from satdoku.answering.fact_finder import FactFinder, Json
from satdoku.answering.output.ending import Ending
from satdoku.answering.rater import Rater
from satdoku.answering.reducer import Reducer
from satdoku.answering.twins import CanonicalFinder
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget, Limits
from tests.answering.samples import tasks_of
from tests.commands import EASY, SMALL
from tests.crossing import few_or_many
from tests.each import for_each

FORM = Json(has_statistics=False)
FINDERS: list[FactFinder] = [
    *(CandidateFinder(FORM), Explainer(FORM), Counter(FORM), CanonicalFinder(FORM), Rater(FORM)),
    *(Rater(FORM, has_steps=True), CanonicalFinder(FORM, of="solution")),
    *(Reducer(FORM), Reducer(FORM, finds_all=True), Reducer(FORM, finds_fewest=True)),
    *(Reducer(FORM, only_redundant=True), Narrower(FORM)),
]
ANSWERERS = [*FINDERS, Checker(FORM)]
answerers = for_each("answerer", ANSWERERS)
SOLVED = "1234341221434321"


class Asked:
    """A stop that is set after somebody has looked so often."""

    def __init__(self, times: int = 0) -> None:
        self.times = times

    def is_set(self) -> bool:
        self.times -= 1
        return self.times < 0


@answerers
@for_each("line", [SMALL, "1" + "." * 15, "11" + "." * 14])
def test_the_facts_are_those_of_the_row(answerer: FactFinder | Checker, line: str) -> None:
    [task] = tasks_of([line])
    facts = answerer.facts(task.parse())
    [row] = answerer.answers([task])
    assert facts.ending is row.ending
    assert json.loads(row.text) == json.loads(json.dumps({"line": 1, **facts.values}))


@answerers
def test_what_is_over_is_undecided(answerer: FactFinder | Checker) -> None:
    budget = Budget(Limits(stop=Asked()))
    facts = answerer.facts(Puzzle.from_line(EASY), budget)
    assert facts.ending is Ending.UNDECIDED
    assert "stopped on request" in json.dumps(dict(facts.values)), facts


@answerers
def test_a_budget_that_is_nearly_used_up_names_the_limits_as_they_were_set(
    answerer: FactFinder | Checker,
) -> None:
    budget = Budget(Limits(timeout=1e-3))
    while not budget.why_over():
        time.sleep(1e-3)
    facts = answerer.facts(Puzzle.from_line(EASY), budget)
    assert "not decided within 0.001 s" in json.dumps(dict(facts.values)), facts


@few_or_many("times", 1, 8)
@answerers
def test_two_threads_may_ask_one_answerer(answerer: FactFinder | Checker, times: int) -> None:
    puzzles = [Puzzle.from_line(line) for line in (SMALL, "1" + "." * 15, SOLVED)]
    usual = [answerer.facts(puzzle) for puzzle in puzzles]
    start = threading.Barrier(2)

    def ask(order: int) -> list[object]:
        start.wait()
        found = [answerer.facts(puzzle) for puzzle in puzzles[::order] * times]
        return [facts.values for facts in found[: len(puzzles)][::order]]

    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(ask, (1, -1)))
    expected = [facts.values for facts in usual]
    assert both == [expected, expected]


def test_a_minimizer_is_one_callers_as_long_as_he_asks() -> None:
    finder = Reducer(FORM)
    puzzle = Puzzle.from_line(SMALL)
    with finder.minimizers.lend(Budget()) as first:
        with finder.minimizers.lend(Budget(Limits(stop=Asked(100)))) as second:
            assert first is not second
        assert first.limits == Limits()
        assert finder.facts(puzzle).ending is Ending.UNIQUE
    with finder.minimizers.lend(Budget()) as again:
        assert again is first


@pytest.mark.slow
def test_shares_of_a_count_end_when_somebody_asks_to_stop() -> None:
    empty = Puzzle(Grid.empty(Geometry()))
    facts = Counter(FORM, limit=0, jobs=2).facts(empty, Budget(Limits(stop=Asked(20))))
    assert facts.ending is Ending.UNDECIDED
    assert facts.values["reason"] == "stopped on request"


def test_a_place_stands_before_what_is_said_of_a_record_only() -> None:
    finder = Reducer(FORM, finds_all=True, limit=1)
    [task] = tasks_of([SOLVED])
    [row] = finder.answers([task])
    assert finder.facts(task.parse()).message == "there are more than 1"
    assert row.message == "input:1: there are more than 1"
