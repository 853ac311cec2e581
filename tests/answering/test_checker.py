"""What becomes of a record, whatever is written of it."""

import json
import pickle
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from satdoku.answering.checker import Checker
from satdoku.answering.fact_finder import Json
from satdoku.answering.form import Form, Grids, Nothing
from satdoku.answering.many import LEAST_BOARDS, only_solutions
from satdoku.answering.output.ending import Ending
from satdoku.answering.task import Task
from satdoku.batch.row import Row
from satdoku.notation.hints import Hints
from satdoku.notation.plain_lines import PlainBoard
from satdoku.puzzle.grid import Geometry
from satdoku.solving.bulk import Only
from satdoku.solving.limits import Limits, unwatched
from satdoku.solving.solvers import Settings
from tests.answering.samples import (
    ENDINGS,
    FORMS,
    GRID_FORMS,
    LINES,
    WRITING,
    answer,
    answer_all,
    tasks_of,
)
from tests.boards import pigeonhole_puzzle
from tests.commands import AMBIGUOUS, CLASHING, EASY, HARD, SMALL, SMALL_SOLUTION
from tests.crossing import crossed
from tests.each import for_each

forms = for_each("form", FORMS)
writing_forms = for_each("form", WRITING)
grid_forms = for_each("form", GRID_FORMS)


@forms
def test_every_record_is_counted_whatever_is_written(form: Form) -> None:
    rows = answer_all(form)
    assert [row.ending for row in rows] == ENDINGS
    assert all(not row.text or row.text.endswith("\n") for row in rows)


@writing_forms
def test_what_is_not_unique_is_rejected_with_its_number_and_place(form: Form) -> None:
    rows = answer_all(form)
    assert rows[0].reject == ""
    for number, row in enumerate(rows[1:], 2):
        head, place, reason, text = row.reject.split("\t")
        assert (head, place) == (str(number), f"input:{number}")
        assert reason.startswith(f"{ENDINGS[number - 1].value}: ")
        assert text == LINES[number - 1] + "\n"


@grid_forms
def test_where_only_grids_are_written_a_message_says_what_is_missing(form: Form) -> None:
    rows = answer_all(form)
    assert rows[0].message == ""
    assert rows[1].message.startswith("input:2: several solutions: two of them differ in ")
    assert rows[2].message == "input:3: no solution: r1c1 and r1c2 are both 5, in row 1"
    assert rows[3].message.startswith("input:4:81: 80 cells found, expected 81")


@pytest.mark.parametrize(
    "form", [form for form in FORMS if form not in GRID_FORMS], ids=lambda form: form.name
)
def test_where_verdicts_are_written_only_faults_are_told_besides(form: Form) -> None:
    assert [bool(row.message) for row in answer_all(form)] == [False, False, False, True]


class ByTheBulkSolver:
    """Stands in for `only_solutions`: notes for which boards it found one."""

    def __init__(self) -> None:
        self.found: list[bool] = []

    def __call__(self, boards: Sequence[PlainBoard | None]) -> Iterator[Only | None]:
        for only in only_solutions(boards):
            self.found.append(only is not None)
            yield only


@crossed(5, form=FORMS, hints=[None, Hints(column="puzzle")])
def test_the_quick_way_for_many_gives_the_same_rows_as_the_careful_one(
    form: Form, hints: Hints | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    enough = LEAST_BOARDS // 2
    lines = [*LINES, HARD, EASY + " name", SMALL] * enough
    if hints is not None:
        lines = ["puzzle,more", *(f"{line},more" for line in lines)]
    tasks = tasks_of(lines, hints)
    quick = ByTheBulkSolver()
    monkeypatch.setattr("satdoku.answering.checker.only_solutions", quick)
    together = list(Checker(form).answers(tasks))
    one_by_one = [row for task in tasks for row in Checker(form).answers([task])]
    assert together == one_by_one
    # Of the seven kinds of lines the first and the last three have one solution.
    assert quick.found == [True, False, False, False, True, True, True] * enough


@pytest.mark.parametrize(
    "checker",
    [
        Checker(Json(has_statistics=True)),
        Checker(Nothing(), is_any=True),
        Checker(Nothing(), Settings(limits=Limits(conflicts=10**6))),
        Checker(Nothing(), Settings(limits=Limits(timeout=0.5))),
        Checker(Nothing(), Settings(solver="glucose4")),
        Checker(Nothing(), Settings(portfolio=("glucose4", "minicard"))),
    ],
    ids=lambda checker: str(checker.options()),
)
def test_the_bulk_solver_stands_in_only_for_what_it_can_do(
    checker: Checker, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = ByTheBulkSolver()
    monkeypatch.setattr("satdoku.answering.checker.only_solutions", quick)
    monkeypatch.setattr("satdoku.answering.checker.LEAST_BOARDS", 4)
    rows = list(checker.answers(tasks_of([SMALL] * 4)))
    assert {row.ending for row in rows} <= {Ending.UNIQUE, Ending.SOLVED}
    assert quick.found == []


def test_any_takes_the_first_solution_and_says_so_where_there_is_room() -> None:
    row = answer(SMALL, Checker(Grids(), is_any=True))
    assert row == Row(SMALL_SOLUTION + "\n", Ending.SOLVED)
    row = answer(AMBIGUOUS, Checker(Json(has_statistics=True), is_any=True))
    shown = json.loads(row.text)
    assert row.ending is Ending.SOLVED
    assert (shown["verdict"], shown["second"]) == ("undecided", None)
    assert shown["solution"].startswith("1")
    assert "solver" not in shown
    assert answer(CLASHING, Checker(Grids(), is_any=True)).ending is Ending.NONE


@pytest.mark.parametrize("is_any", [False, True])
def test_a_limit_leaves_a_puzzle_undecided(is_any: bool) -> None:
    settings = Settings(limits=Limits(conflicts=1))
    row = answer(HARD, Checker(Grids(), settings, is_any))
    assert (row.text, row.ending) == ("\n", Ending.UNDECIDED)
    assert row.message.startswith("input:1: undecided: ")


@forms
def test_given_up_records_have_a_row(form: Form) -> None:
    good, bad = tasks_of([EASY, EASY[1:]])
    row = Checker(form).give_up(good, "its process was killed")
    assert row.ending is Ending.UNDECIDED
    assert "undecided: its process was killed" in row.reject
    assert Checker(form).give_up(bad, "its process was killed").ending is Ending.UNREADABLE


@pytest.mark.parametrize("count", [1, LEAST_BOARDS], ids=["one", "many"])
@writing_forms
def test_a_known_solution_that_is_wrong_is_a_mismatch_in_every_form(form: Form, count: int) -> None:
    wrong = "2" + SMALL_SOLUTION[1:]
    table = ["puzzle,known", *[f"{SMALL},{wrong}"] * count]
    for row in answer_all(form, table, Hints(solution_column="known")):
        assert row.ending is Ending.MISMATCH
        assert "the known solution is wrong in 1 cell: r1c1 is 1, not 2" in row.reject
        assert form.needs_message or "the known solution is wrong" in row.text


def test_answers_come_one_by_one_as_they_are_asked_for() -> None:
    """A puzzle too many for this machine must not keep those before it from being answered."""
    tasks = iter(tasks_of([SMALL] * 3))

    class Watched(Sequence[Task]):
        def __init__(self) -> None:
            self.taken = 0

        def __len__(self) -> int:
            return 3

        def __getitem__(self, index: object) -> Task:  # type: ignore[override]
            self.taken += 1
            return next(tasks)

    watched = Watched()
    rows = Checker(Grids()).answers(watched)
    for number in (1, 2, 3):
        assert next(rows).ending is Ending.UNIQUE
        assert watched.taken == number


def test_options_tell_what_changes_the_answers() -> None:
    plain = Checker(Grids())
    for other in (
        replace(plain, is_any=True),
        replace(plain, settings=Settings(solver="glucose4")),
        replace(plain, settings=Settings(encoding="minimal")),
        replace(plain, settings=Settings(at_most_one="ladder")),
        replace(plain, settings=Settings(limits=Limits(timeout=1))),
        replace(plain, settings=Settings(limits=Limits(conflicts=1))),
        replace(plain, settings=Settings(seed=1)),
    ):
        assert plain.options().keys() == other.options().keys()
        assert sum(plain.options()[name] != other.options()[name] for name in plain.options()) == 1


def test_tasks_and_answerers_travel_to_workers() -> None:
    [task] = tasks_of([SMALL])
    checker = Checker(Json(has_statistics=False), Settings(limits=Limits(timeout=5)))
    again, there = pickle.loads(pickle.dumps((checker, task)))
    assert list(again.answers([there])) == list(checker.answers([task]))
    assert again.timeout == 5


def test_who_watches_hears_of_each_method_on_a_large_board_but_stays_behind() -> None:
    turns: list[str] = []
    checker = Checker(Nothing(), watch=turns.append)
    assert pickle.loads(pickle.dumps(checker)) == checker
    assert pickle.loads(pickle.dumps(checker)).watch is unwatched
    text = " ".join(str(digit or ".") for digit in pigeonhole_puzzle(12, 26).grid.digits)
    [row] = checker.answers(tasks_of([text], Hints(Geometry(1, 26))))
    assert row.ending is Ending.NONE
    assert turns == ["minicard is at work", "pruning is at work"]


def test_a_verbose_checker_tells_of_every_verdict_what_it_took() -> None:
    tasks = tasks_of([SMALL, AMBIGUOUS, *[SMALL] * LEAST_BOARDS])
    quiet, verbose = (
        list(Checker(Grids(), is_verbose=is_verbose).answers(tasks)) for is_verbose in (False, True)
    )
    assert [row.text for row in quiet] == [row.text for row in verbose]
    assert not quiet[0].message
    assert all(
        re.search(r": decided after \d+\.\d\d s by auto", row.message) for row in verbose[::2]
    )
    assert re.search(r": several solutions: .*; decided after \d", verbose[1].message)
