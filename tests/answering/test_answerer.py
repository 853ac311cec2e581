"""What all answerers of single questions do alike."""

import json
import pickle
from typing import Any

import pytest

from satdoku.answering.counter import Counter, Counts
from satdoku.answering.explainer import CandidateFinder, Explainer
from satdoku.answering.fact_finder import FactFinder, Json, Plain, Prose
from satdoku.answering.hinter import HintFinder
from satdoku.answering.output.ending import Ending
from satdoku.answering.rater import Rater
from satdoku.answering.reducer import Reducer
from satdoku.answering.task import Facts
from satdoku.answering.twins import CanonicalFinder, Repeats
from satdoku.batch.row import Row
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Limits, unwatched
from tests.answering.samples import tasks_of
from tests.commands import SMALL
from tests.each import for_each

KINDS: list[type[FactFinder]] = [
    *(CandidateFinder, Explainer, HintFinder, Counter, CanonicalFinder, Rater, Reducer),
]
kinds = for_each("kind", KINDS)
[TASK] = tasks_of([SMALL])


@kinds
def test_it_travels_to_workers_without_its_watcher(kind: type[FactFinder]) -> None:
    answerer = kind(Plain()).watched(print)
    assert answerer.watch is print
    there = pickle.loads(pickle.dumps(answerer))
    assert there == answerer
    assert there.watch is unwatched


@kinds
def test_a_record_that_killed_its_worker_is_undecided(kind: type[FactFinder]) -> None:
    row = kind(Json(False)).give_up(TASK, "out of memory")
    assert row.ending is Ending.UNDECIDED
    assert json.loads(row.text) == {"line": 1, "verdict": "undecided", "reason": "out of memory"}
    assert row.message == "input:1: undecided: out of memory"
    assert row.reject == f"1\tinput:1\tundecided: out of memory\t{SMALL}\n"


@kinds
def test_limits_are_kept_and_told(kind: type[FactFinder]) -> None:
    answerer = kind(Json(False), Limits(timeout=0))
    if isinstance(answerer, Counter):
        return  # its settings have the limits; see the tests of `count`
    [row] = answerer.answers([TASK])
    # A puzzle of 4x4 may be done before anybody looks at the clock.
    assert row.ending in (Ending.UNDECIDED, Ending.UNIQUE, Ending.ANSWERED)
    assert answerer.options()["--timeout"] == 0
    if row.ending is Ending.UNDECIDED:
        assert json.loads(row.text)["reason"] == "not decided within 0 s"


@for_each(
    "form, line, ending",
    [
        (Plain(), "whatever", Ending.ANSWERED),
        (Plain(Ending.UNIQUE), "0 easy", Ending.UNIQUE),
        (Plain(Ending.UNIQUE), "none: r1c1 and r1c2 are both 5", Ending.NONE),
        (Counts(limit=100), "100+", Ending.ANSWERED),
        (Counts(limit=100), "99+", Ending.UNDECIDED),
        (Counts(), "100+", Ending.UNDECIDED),
        (Counts(), "100", Ending.ANSWERED),
        (Counts(), "unreadable: no", Ending.UNREADABLE),
        (Prose(), "1 r1c2=2 (hidden single)", None),
    ],
)
def test_a_line_tells_how_its_record_ended(
    form: Plain | Prose, line: str, ending: Ending | None
) -> None:
    assert form.ending_of(TASK, line + "\n") is ending


def test_repeats_are_left_out_and_what_has_no_key_stays() -> None:
    repeats = Repeats()
    rows = [Row(text, Ending.ANSWERED, result=key) for text, key in (("a", b"1"), ("b", b"1"))]
    refused = [Row("c", Ending.UNREADABLE), Row("c", Ending.UNREADABLE)]
    written = [repeats.leave_out(row) for row in [*rows, *refused]]
    assert [row.text for row in written] == ["a", "", "c", "c"]
    assert written[1].ending is Ending.REPEATED


def test_a_bug_in_one_of_many_minimal_puzzles_costs_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = [SMALL, "1.....2..3.....4", SMALL[::-1], SMALL, "4.....3..2.....1"]
    reducer = Reducer(Plain())
    whole = [row.text for row in reducer.answers(tasks_of(lines))]
    find, faulty = Reducer._facts_of, Puzzle.from_line(lines[2])

    def plant(self: Reducer, original: Puzzle, *found: Any) -> Facts:
        if original == faulty:
            raise KeyError("planted")
        return find(self, original, *found)

    monkeypatch.setattr(Reducer, "_facts_of", plant)
    rows = list(reducer.answers(tasks_of(lines)))
    assert [row.ending for row in rows].count(Ending.FAULT) == 1
    assert rows[2].ending is Ending.FAULT
    assert [row.text for row in rows if row is not rows[2]] == [*whole[:2], *whole[3:]]
