"""What each form writes."""

import csv
import json
import pickle

import pytest

from satdoku.answering.checker import Checker
from satdoku.answering.fact_finder import Csv, Json
from satdoku.answering.form import Boards, Form, Grids, Nothing, Verdicts
from satdoku.notation.spelling import Alphabet, Spelling
from satdoku.picture import Screen
from tests.answering.samples import ENDINGS, FORMS, LINES, answer, answer_all, tasks_of
from tests.commands import AMBIGUOUS, EASY_SOLUTION, SMALL, SMALL_SOLUTION
from tests.each import for_each

WORDS = [ending.value for ending in ENDINGS]
forms = for_each("form", FORMS)
LINE = tasks_of([SMALL])[0].parser
ROWS = tasks_of([SMALL[at : at + 4] for at in range(0, 16, 4)])[0].parser


def test_grids_keep_the_place_of_what_is_missing() -> None:
    assert [row.text for row in answer_all(Grids())] == [EASY_SOLUTION + "\n", "\n", "\n", "\n"]
    rows = answer_all(Grids("json"))
    assert [json.loads(row.text) is None for row in rows] == [False, True, True, True]
    assert [row.text.count("\n") for row in answer_all(Grids("rows"))] == [9, 0, 0, 0]
    table = ["id,puzzle", *(f"{number},{line}" for number, line in enumerate(LINES))]
    assert [row.text.rpartition(",")[2] for row in answer_all(Grids(), table)[1:]] == ["\n"] * 3


def test_boards_of_several_puzzles_have_their_place_and_name_above_them() -> None:
    lines = [f"{SMALL} easy", SMALL]
    titled = Boards().of_number(is_single=False)
    board = answer(SMALL, Checker(Boards())).text
    rows = [row.text for row in answer_all(titled, lines)]
    assert rows == [f"input:1: easy\n{board}\n", f"input:2\n{board}\n"]
    assert titled.of_number(is_single=True) == Boards()
    assert Boards().of_typed() == titled


def test_verdicts_of_several_inputs_begin_with_their_place() -> None:
    plain, placed = (answer_all(Verdicts(has_places=has_places)) for has_places in (False, True))
    for number, (row, other) in enumerate(zip(placed, plain, strict=True), 1):
        assert row.text == f"input:{number}: {other.text}"


def test_a_terminal_shows_nothing_in_the_place_of_what_is_missing() -> None:
    for lines in (LINES, ["id,puzzle", f"7,{AMBIGUOUS}"], [json.dumps(AMBIGUOUS)]):
        assert answer_all(Boards(), lines)[-1].text == ""


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
    [row] = answer_all(Grids(), text)
    if answers is not None:
        assert row.text == answers
    else:
        assert json.loads(row.text) == {"puzzle": SMALL, "id": 7, "solution": SMALL_SOLUTION}


def test_grids_are_written_in_the_alphabet_that_is_asked_for() -> None:
    letters = Grids(spelling=Spelling(Alphabet("A")))
    expected = SMALL_SOLUTION.translate(str.maketrans("1234", "ABCD"))
    assert answer(SMALL, Checker(letters)).text == expected + "\n"


def test_verdicts_are_a_line_each() -> None:
    rows = answer_all(Verdicts())
    assert [row.text.partition(":")[0].strip() for row in rows] == WORDS
    assert all(row.text.count("\n") == 1 for row in rows)


def test_json_has_line_and_verdict_always() -> None:
    found = [json.loads(row.text) for row in answer_all(Json())]
    assert [(each["line"], each["verdict"]) for each in found] == list(enumerate(WORDS, 1))


def test_csv_has_as_many_columns_in_each_row() -> None:
    opening = Csv().opening(tasks_of(LINES)[0].parser)
    text = opening + "".join(row.text for row in answer_all(Csv()))
    header, *rows = csv.reader(text.splitlines())
    assert header == ["puzzle", "verdict", "solution", "second", "reason"]
    assert [row[:2] for row in rows] == [list(pair) for pair in zip(LINES, WORDS, strict=True)]
    assert {len(row) for row in rows} == {len(header)}


def test_columns_of_ours_that_are_taken_get_another_name() -> None:
    table = tasks_of(["solution,puzzle", f"{SMALL_SOLUTION},{SMALL}"])[0].parser
    assert Csv().opening(table) == "solution,puzzle,verdict,solution_found,second,reason\n"


def test_nothing_is_nothing() -> None:
    assert [row.text for row in answer_all(Nothing())] == [""] * 4


def test_a_terminal_shows_boards() -> None:
    plain = answer(SMALL, Checker(Boards())).text
    coloured = answer(SMALL, Checker(Boards(Screen(has_colour=True)))).text
    assert "| 1 2 | 3 4 |" in plain
    assert "\033[" in coloured
    two = answer(AMBIGUOUS, Checker(Verdicts(Screen(width=80)))).text
    assert two.startswith("multiple: ")
    assert two.count("*") == 2 * 4


@for_each("form", [form for form in FORMS if form != Boards()])
def test_a_bare_line_is_answered_as_the_parsed_puzzle_is(form: Form) -> None:
    write_line = form.line_writer()
    if write_line is not None:
        task = tasks_of([SMALL])[0]
        assert write_line(task, SMALL_SOLUTION) == answer(SMALL, Checker(form)).text


def test_only_forms_that_need_nothing_but_the_solution_write_bare_lines() -> None:
    with_writer = [form for form in FORMS if form.line_writer() is not None]
    assert with_writer == [Grids(), Verdicts(), Nothing()]
    assert Grids(to="line").line_writer() is not None
    assert Grids(to="grid").line_writer() is None
    assert Grids(to="line", spelling=Spelling(is_spaced=True)).line_writer() is None


@forms
def test_a_form_says_truly_whether_each_answer_is_a_line(form: Form) -> None:
    are_lines = {row.text.count("\n") == 1 for row in answer_all(form)}
    assert form.is_linewise(LINE) is (are_lines == {True})


def test_grids_are_lines_where_their_format_has_lines() -> None:
    assert [Grids(to).is_linewise(LINE) for to in ("", "line", "rows")] == [True, True, False]
    assert [Grids(to).is_linewise(ROWS) for to in ("", "line", "rows")] == [False, True, False]


def test_an_only_puzzle_gets_its_statistics_unless_the_user_decided() -> None:
    assert [Json(None).of_number(single) for single in (True, False)] == [Json(True), Json(False)]
    for decided in (True, False):
        assert Json(decided).of_number(not decided) == Json(decided)
    assert [Json(has).depends_on_number for has in (None, True, False)] == [True, False, False]


def test_two_solutions_are_drawn_of_an_only_puzzle() -> None:
    drawing = Verdicts(Screen())
    assert drawing.of_number(True) == drawing
    assert drawing.of_number(False) == Verdicts()
    assert (drawing.depends_on_number, Verdicts().depends_on_number) == (True, False)


def test_other_forms_do_not_depend_on_the_number_of_puzzles() -> None:
    for form in (Grids(), Csv(), Nothing()):
        assert not form.depends_on_number
        assert form.of_number(True) is form.of_number(False) is form


def test_options_tell_forms_of_a_name_apart() -> None:
    assert Grids("line").options() != Grids("sdm").options() != Grids().options()
    assert Json(True).options() != Json(False).options()
    assert len({form.name for form in FORMS}) == len(FORMS)


@forms
def test_forms_travel_to_workers(form: Form) -> None:
    assert pickle.loads(pickle.dumps(form)) == form
