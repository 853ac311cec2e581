import csv
import json
import pickle
from collections.abc import Iterable

import pytest

from satdoku.batch.row import Row
from satdoku.notation.reading import PuzzleReader
from satdoku.notation.record import Hints
from satdoku.reporting.answerer import Answerer
from satdoku.reporting.table import columns_of, csv_opening
from satdoku.reporting.task import Form, Screen, Task
from satdoku.solving.limits import Limits
from satdoku.solving.settings import Settings
from tests.commands import AMBIGUOUS, CLASHING, EASY, EASY_SOLUTION, HARD, SMALL, SMALL_SOLUTION

LINES = [EASY, AMBIGUOUS, CLASHING, EASY[1:]]
TALLIES = ["unique", "multiple", "none", "unreadable"]
FORMS = [form for form in Form if form is not Form.NOTHING]


def tasks_of(lines: Iterable[str], hints: Hints | None = None) -> list[Task]:
    reader = PuzzleReader(lines, "input", None, hints)
    return [Task(reader.parser, record, number) for number, record in enumerate(reader, 1)]


def answer(line: str, answerer: Answerer) -> Row:
    [task] = tasks_of([line])
    return answerer.answer(task)


@pytest.mark.parametrize("form", Form)
def test_every_record_is_counted_whatever_is_written(form: Form) -> None:
    rows = [Answerer(form).answer(task) for task in tasks_of(LINES)]
    assert [row.tally for row in rows] == TALLIES
    assert all(not row.text or row.text.endswith("\n") for row in rows)


@pytest.mark.parametrize("form", FORMS)
def test_what_is_not_unique_is_rejected_with_its_number_and_place(form: Form) -> None:
    rows = [Answerer(form).answer(task) for task in tasks_of(LINES)]
    assert rows[0].reject == ""
    for number, row in enumerate(rows[1:], 2):
        head, place, reason, text = row.reject.split("\t")
        assert (head, place) == (str(number), f"input:{number}")
        assert reason.startswith(TALLIES[number - 1] + ": ")
        assert text == LINES[number - 1] + "\n"


@pytest.mark.parametrize("form", [Form.GRIDS, Form.SCREEN])
def test_where_only_grids_are_written_a_message_says_what_is_missing(form: Form) -> None:
    rows = [Answerer(form).answer(task) for task in tasks_of(LINES)]
    assert rows[0].message == ""
    assert rows[1].message.startswith("input:2: several solutions: two of them differ in ")
    assert rows[2].message == "input:3: no solution: r1c1 and r1c2 are both 5, in row 1"
    assert rows[3].message.startswith("input:4:81: 80 cells found, expected 81")


@pytest.mark.parametrize("form", [Form.VERDICTS, Form.JSON, Form.CSV, Form.NOTHING])
def test_where_verdicts_are_written_only_faults_are_told_besides(form: Form) -> None:
    rows = [Answerer(form).answer(task) for task in tasks_of(LINES)]
    assert [bool(row.message) for row in rows] == [False, False, False, True]


def test_grids_keep_the_place_of_what_is_missing() -> None:
    rows = [Answerer(Form.GRIDS).answer(task) for task in tasks_of(LINES)]
    assert [row.text for row in rows] == [EASY_SOLUTION + "\n", "\n", "\n", "\n"]
    rows = [Answerer(Form.GRIDS, to="json").answer(task) for task in tasks_of(LINES)]
    assert [json.loads(row.text) is None for row in rows] == [False, True, True, True]
    rows = [Answerer(Form.GRIDS, to="rows").answer(task) for task in tasks_of(LINES)]
    assert [row.text.count("\n") for row in rows] == [9, 0, 0, 0]


def test_verdicts_are_a_line_each() -> None:
    rows = [Answerer(Form.VERDICTS).answer(task) for task in tasks_of(LINES)]
    assert [row.text.partition(":")[0].strip() for row in rows] == TALLIES
    assert all(row.text.count("\n") == 1 for row in rows)


def test_json_has_line_and_verdict_always() -> None:
    rows = [Answerer(Form.JSON).answer(task) for task in tasks_of(LINES)]
    found = [json.loads(row.text) for row in rows]
    assert [(each["line"], each["verdict"]) for each in found] == list(enumerate(TALLIES, 1))


def test_csv_has_as_many_columns_in_each_row() -> None:
    tasks = tasks_of(LINES)
    text = csv_opening(tasks[0].parser) + "".join(Answerer(Form.CSV).answer(t).text for t in tasks)
    header, *rows = csv.reader(text.splitlines())
    assert header == ["puzzle", "verdict", "solution", "second", "reason"]
    assert [row[:2] for row in rows] == [list(pair) for pair in zip(LINES, TALLIES, strict=True)]
    assert {len(row) for row in rows} == {len(header)}


def test_nothing_is_nothing() -> None:
    assert [Answerer(Form.NOTHING).answer(task).text for task in tasks_of(LINES)] == [""] * 4


@pytest.mark.parametrize("form", Form)
def test_the_quick_way_for_many_gives_the_same_rows_as_the_careful_one(
    form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = tasks_of([line for line in [*LINES, HARD, EASY + " name", SMALL] for _ in range(50)])
    answerer = Answerer(form, has_statistics=False)
    prepared = answerer.prepare(tasks)
    unreadable = {task.text for task in prepared if task.sifted is None}
    assert unreadable == {LINES[TALLIES.index("unreadable")]}
    quick = [answerer.answer(task) for task in prepared]
    monkeypatch.setattr("satdoku.reporting.answerer.is_quick", lambda settings: False)
    assert answerer.prepare(tasks) == tasks
    assert quick == [answerer.answer(task) for task in tasks]


def test_any_takes_the_first_solution_and_says_so_where_there_is_room() -> None:
    assert answer(SMALL, Answerer(Form.GRIDS, is_any=True)) == Row(SMALL_SOLUTION + "\n", "solved")
    row = answer(AMBIGUOUS, Answerer(Form.JSON, is_any=True, has_statistics=True))
    shown = json.loads(row.text)
    assert (row.tally, shown["verdict"], shown["second"]) == ("solved", "undecided", None)
    assert shown["solution"].startswith("1")
    assert "solver" not in shown
    assert answer(CLASHING, Answerer(Form.GRIDS, is_any=True)).tally == "none"


@pytest.mark.parametrize("is_any", [False, True])
def test_a_limit_leaves_a_puzzle_undecided(is_any: bool) -> None:
    settings = Settings(limits=Limits(conflicts=1))
    row = answer(HARD, Answerer(Form.GRIDS, settings, is_any=is_any))
    assert (row.text, row.tally) == ("\n", "undecided")
    assert row.message.startswith("input:1: undecided: ")


@pytest.mark.parametrize("form", Form)
def test_given_up_records_have_a_row(form: Form) -> None:
    good, bad = tasks_of([EASY, EASY[1:]])
    row = Answerer(form).give_up(good, "its process was killed")
    assert row.tally == "undecided"
    assert "undecided: its process was killed" in row.reject
    assert Answerer(form).give_up(bad, "its process was killed").tally == "unreadable"


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ([SMALL], SMALL_SOLUTION + "\n"),
        (["..3.", ".4.2", "4..3", "..4."], "1234\n3412\n4123\n2341\n"),
        ([f'{{"puzzle": "{SMALL}", "id": 7}}'], None),
        (["id,puzzle", f"7,{SMALL}"], f"7,{SMALL},{SMALL_SOLUTION}\n"),
    ],
)
def test_a_solution_has_the_shape_of_its_puzzle(text: list[str], answers: str | None) -> None:
    [task] = tasks_of(text)
    row = Answerer(Form.GRIDS).answer(task)
    if answers is not None:
        assert row.text == answers
    else:
        assert json.loads(row.text) == {"puzzle": SMALL, "id": 7, "solution": SMALL_SOLUTION}


def test_a_known_solution_that_is_wrong_is_a_mismatch_in_every_form() -> None:
    wrong = "2" + SMALL_SOLUTION[1:]
    for form in FORMS:
        [task] = tasks_of(["puzzle,known", f"{SMALL},{wrong}"], Hints(solution_column="known"))
        row = Answerer(form).answer(task)
        assert row.tally == "mismatch"
        assert "the known solution is wrong in 1 cell: r1c1 is 1, not 2" in row.reject
        if form not in (Form.GRIDS, Form.SCREEN):
            assert "the known solution is wrong" in row.text


def test_a_terminal_shows_boards() -> None:
    plain = answer(SMALL, Answerer(Form.SCREEN, screen=Screen())).text
    coloured = answer(SMALL, Answerer(Form.SCREEN, screen=Screen(has_colour=True))).text
    assert "| 1 2 | 3 4 |" in plain
    assert "\033[" in coloured
    two = answer(AMBIGUOUS, Answerer(Form.VERDICTS, screen=Screen(width=80))).text
    assert two.startswith("multiple: ")
    assert two.count("*") == 2 * 4


def test_columns_tell_tables_apart() -> None:
    comma = tasks_of(["id,puzzle", f"1,{SMALL}"])[0].parser
    semicolon = tasks_of(["id;puzzle", f"1;{SMALL}"])[0].parser
    lines = tasks_of([SMALL])[0].parser
    assert len({columns_of(parser) for parser in (comma, semicolon, lines)}) == 3
    assert columns_of(comma) == columns_of(tasks_of(["id,puzzle", f"2,{SMALL}"])[0].parser)


def test_columns_of_ours_that_are_taken_get_another_name() -> None:
    table = tasks_of(["solution,puzzle", f"{SMALL_SOLUTION},{SMALL}"])[0].parser
    assert csv_opening(table) == "solution,puzzle,verdict,solution_found,second,reason\n"


def test_tasks_and_answerers_travel_to_workers() -> None:
    [task] = tasks_of([SMALL])
    answerer = Answerer(Form.JSON, Settings(limits=Limits(timeout=5)))
    again, there = pickle.loads(pickle.dumps((answerer, task)))
    assert again.answer(there) == answerer.answer(task)
    assert again.timeout == 5
