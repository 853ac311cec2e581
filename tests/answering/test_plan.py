"""What a run needs follows from what was asked for and from the first records."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from satdoku.answering.checker import Checker
from satdoku.answering.fact_finder import Csv, Json
from satdoku.answering.form import Boards, Form, Grids, Nothing, Verdicts
from satdoku.answering.plan import Conditions, Plan, make_plan, records_to_see, refuse_other_tables
from satdoku.answering.task import Task
from satdoku.errors import SatdokuError
from satdoku.picture import Screen
from satdoku.solving.limits import Limits
from satdoku.solving.solvers import Settings
from tests.answering.samples import tasks_of
from tests.commands import SMALL
from tests.each import for_each

NUMBERED: list[Form] = [Json(), Verdicts(Screen()), Boards()]
LINES = tasks_of([SMALL, SMALL])
ROWS = tasks_of([SMALL[at : at + 4] for at in range(0, 16, 4)])
TABLE = tasks_of(["id,puzzle", f"7,{SMALL}"])
FILE = Conditions(is_to_file=True, file_count=1, reading={"--from": None})


def plan_of(
    form: Form, first: Sequence[Task] = LINES[:1], conditions: Conditions = FILE, **options: Any
) -> Plan:
    return make_plan(Checker(form, **options), first, conditions)


def identity_of(*args: Any, **options: Any) -> Mapping[str, Any] | None:
    return plan_of(*args, **options).identity


@pytest.mark.parametrize("form", NUMBERED, ids=lambda form: form.name)
def test_a_second_record_is_waited_for_where_it_matters(form: Form) -> None:
    assert records_to_see(form, Conditions()) == 2
    assert records_to_see(form, Conditions(is_to_file=True)) == 1
    assert records_to_see(form, Conditions(are_typed=True)) == 1


OTHERS = [Grids(), Verdicts(), Csv(), Nothing(), Json(True), Json(False)]


@for_each("form", OTHERS)
def test_elsewhere_nobody_waits(form: Form) -> None:
    assert records_to_see(form, Conditions()) == 1


@pytest.mark.parametrize("form", NUMBERED, ids=lambda form: form.name)
def test_the_form_is_that_for_the_number_of_records(form: Form) -> None:
    assert plan_of(form, LINES[:1], Conditions()).answerer.form == form.of_number(is_single=True)
    assert plan_of(form, LINES[:2], Conditions()).answerer.form == form.of_number(is_single=False)
    assert plan_of(form, [], Conditions()).answerer.form == form.of_number(is_single=False)


@pytest.mark.parametrize("form", NUMBERED, ids=lambda form: form.name)
def test_a_file_has_the_form_for_many_whatever_is_in_it(form: Form) -> None:
    assert plan_of(form, LINES[:1], FILE).answerer.form == form.of_number(is_single=False)


def test_what_the_answerer_does_is_not_changed() -> None:
    settings = Settings(limits=Limits(timeout=3))
    answerer = plan_of(Json(), settings=settings, is_any=True).answerer
    assert answerer == Checker(Json(False), settings, is_any=True)


@for_each(
    "form, first, opening",
    [
        (Csv(), LINES, "puzzle,verdict,solution,second,reason\n"),
        (Csv(), TABLE, "id,puzzle,verdict,solution,second,reason\n"),
        (Grids(), TABLE, "id,puzzle,solution\n"),
        (Grids("csv"), LINES, "puzzle,name,comment\n"),
        (Grids(), LINES, ""),
        (Verdicts(), TABLE, ""),
        (Json(), TABLE, ""),
        (Boards(), TABLE, ""),
        (Nothing(), TABLE, ""),
        (Csv(), [], ""),
    ],
)
def test_the_opening_stands_before_the_first_answer(
    form: Form, first: Sequence[Task], opening: str
) -> None:
    assert plan_of(form, first).opening == opening


@pytest.mark.parametrize("form", [Grids(), Verdicts(), Json(), Csv()], ids=lambda form: form.name)
def test_lines_for_records_of_files_can_be_resumed(form: Form) -> None:
    assert identity_of(form) is not None
    assert identity_of(form, LINES[:1], Conditions(is_to_file=True)) is None
    assert identity_of(form, []) is None


def test_what_has_no_line_for_each_record_cannot_be_resumed() -> None:
    assert identity_of(Boards()) is None
    assert identity_of(Nothing()) is None
    assert identity_of(Grids("rows")) is None
    assert identity_of(Grids(), ROWS) is None
    assert identity_of(Grids("line"), ROWS) is not None


def test_of_several_files_only_one_format_of_answers_can_be_resumed() -> None:
    several = FILE._replace(file_count=2)
    assert identity_of(Grids(), LINES, several) is None
    assert identity_of(Grids("line"), LINES, several) is not None
    assert identity_of(Csv(), LINES, several) is not None


def test_the_identity_holds_whatever_changes_the_answers() -> None:
    plain = identity_of(Grids("line"))
    others = [
        identity_of(Verdicts()),
        identity_of(Grids("sdm")),
        identity_of(Grids("line"), is_any=True),
        identity_of(Grids("line"), settings=Settings(limits=Limits(timeout=1))),
        identity_of(Grids("line"), conditions=FILE._replace(reading={"--from": "csv"})),
    ]
    for identity in (plain, *others):
        assert [plain, *others].count(identity) == 1
    assert identity_of(Grids("line"), conditions=FILE._replace(is_to_file=False)) == plain


def test_sources_with_other_columns_are_refused_by_name_and_the_others_kept() -> None:
    others = [
        tasks_of(["id;puzzle", f"1;{SMALL}"]),
        tasks_of(["puzzle,id", f"{SMALL},1"]),
        tasks_of([SMALL]),
    ]
    alike = tasks_of(["id,puzzle", f"8,{SMALL}"])
    refused: list[SatdokuError] = []
    tasks = [task for source in (TABLE, *others, alike) for task in source]
    assert list(refuse_other_tables(tasks, refused.append)) == [*TABLE, *alike]
    assert [str(error) for error in refused] == ["input does not have the columns of input"] * 3


def test_sources_without_columns_are_alike() -> None:
    refused: list[SatdokuError] = []
    assert list(refuse_other_tables([*LINES, *ROWS], refused.append)) == [*LINES, *ROWS]
    assert refused == []
