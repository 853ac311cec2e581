"""Frames come back with answers beside their rows."""

import csv
import io
import threading
from pathlib import Path
from typing import Any

import pytest

import satdoku
from satdoku import Limits, Outcome, SatdokuError, Settings
from tests.commands import AMBIGUOUS, CLASHING, EASY, EASY_SOLUTION, SMALL, run
from tests.crossing import sampled
from tests.each import for_each

PUZZLES = [EASY, AMBIGUOUS, CLASHING, EASY.replace("6", "w", 1), None]
ANSWERS = [EASY_SOLUTION, None, EASY_SOLUTION, None, None]
LIBRARIES = ["pandas", "polars", "pyarrow"]


def make_frame(library: str, columns: dict[str, list[Any]]) -> Any:
    module = pytest.importorskip(library)
    return module.table(columns) if library == "pyarrow" else module.DataFrame(columns)


def rows_of(frame: Any) -> list[dict[str, Any]]:
    """The rows, with an empty text where there is nothing."""
    if type(frame).__module__.startswith("pandas"):
        found = frame.to_dict("records")
    else:
        found = frame.to_dicts() if hasattr(frame, "to_dicts") else frame.to_pylist()
    return [{key: "" if v is None or v != v else v for key, v in row.items()} for row in found]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("solution_column", [None, "answer"])
def test_it_adds_what_check_csv_adds(
    library: str, solution_column: str | None, tmp_path: Path
) -> None:
    frame = make_frame(library, {"question": PUZZLES, "rating": [1, 2, 3, 4, 5], "answer": ANSWERS})
    found = satdoku.check_frame(frame, solution_column=solution_column)
    assert type(found) is type(frame)
    path = tmp_path / "puzzles.csv"
    with path.open("w") as stream:
        writer = csv.writer(stream)
        writer.writerow(["question", "rating", "answer"])
        writer.writerows(zip(PUZZLES, range(1, 6), ANSWERS, strict=True))
    options = ["--solution-column", solution_column] if solution_column else []
    expected = list(csv.DictReader(io.StringIO(run("check", path, "--csv", *options).stdout)))
    rows = rows_of(found)
    assert [list(row) for row in rows] == [list(row) for row in expected]
    for ours, theirs in zip(rows[:4], expected[:4], strict=True):
        assert {key: str(value) for key, value in ours.items()} == theirs
    assert rows[4]["verdict"] == expected[4]["verdict"] == "unreadable"


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_column_is_found_or_named(library: str) -> None:
    columns = {"id": ["a", "b"], "what": [SMALL, SMALL], "other": [EASY, EASY]}
    frame = make_frame(library, columns)
    assert rows_of(satdoku.check_frame(frame))[0]["solution"].startswith("1234")
    assert rows_of(satdoku.check_frame(frame, "OTHER"))[0]["solution"] == EASY_SOLUTION
    with pytest.raises(SatdokuError, match="no column 'x', only id, what, other"):
        satdoku.check_frame(frame, "x")
    with pytest.raises(SatdokuError, match="no column holds puzzles"):
        satdoku.check_frame(make_frame(library, {"id": ["a"]}))


@pytest.mark.parametrize("library", LIBRARIES)
def test_names_that_are_taken_get_an_ending_and_types_stay(library: str) -> None:
    frame = make_frame(library, {"puzzle": [SMALL], "solution": [1.5], "verdict": [True]})
    [row] = rows_of(satdoku.check_frame(frame))
    assert row["solution"] == 1.5
    assert row["verdict"] is True
    assert row["verdict_found"] == "unique"
    assert row["solution_found"].startswith("1234")


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_frame_without_rows_gets_its_columns(library: str) -> None:
    pandas = pytest.importorskip(library)
    frame = make_frame(library, {"puzzle": [SMALL]})[:0]
    found = satdoku.check_frame(frame)
    assert rows_of(found) == []
    assert "verdict" in [str(name) for name in getattr(found, "column_names", found.columns)]
    del pandas


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_stopped_call_has_a_row_for_each_puzzle(library: str) -> None:
    stop = threading.Event()
    stop.set()
    frame = make_frame(library, {"puzzle": [EASY] * 3})
    rows = rows_of(satdoku.check_frame(frame, settings=Settings(limits=Limits(stop=stop))))
    assert [(row["verdict"], row["reason"]) for row in rows] == [
        ("undecided", "stopped on request")
    ] * 3


def test_the_index_of_a_frame_stays() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"puzzle": [SMALL, CLASHING]}, index=["x", "y"])
    assert list(satdoku.check_frame(frame).loc["y", ["verdict"]]) == ["none"]


def test_a_lazy_frame_is_collected_and_answered_by_one() -> None:
    polars = pytest.importorskip("polars")
    lazy = polars.LazyFrame({"puzzle": [SMALL, "." * 16]})
    found = satdoku.check_frame(lazy)
    assert isinstance(found, polars.LazyFrame)
    assert found.collect()["verdict"].to_list() == ["unique", "multiple"]
    outcomes = [each for each in satdoku.check_many(lazy) if isinstance(each, satdoku.Outcome)]
    assert [outcome.verdict.value for outcome in outcomes] == ["unique", "multiple"]


class OfStream:
    """Gives its rows to whatever reads streams of Arrow, as a relation of DuckDB does."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)


def test_what_streams_its_rows_comes_back_as_a_table() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"puzzle": [SMALL, "." * 16], "id": [1, 2]})
    checked: Any = satdoku.check_frame(OfStream(table))
    assert checked.column_names[:3] == ["puzzle", "id", "verdict"]
    assert checked["verdict"].to_pylist() == ["unique", "multiple"]
    with pytest.raises(satdoku.SatdokuError, match="OfStream is no table"):
        satdoku.check_frame(OfStream(pyarrow.chunked_array([[SMALL]])))


def test_what_is_no_frame_is_refused() -> None:
    with pytest.raises(SatdokuError, match="takes a frame"):
        satdoku.check_frame([SMALL])


@pytest.mark.parametrize("library", LIBRARIES)
def test_regions_in_a_column_tell_the_size(library: str) -> None:
    """Boards of 7x7 have no boxes, so that they are only read with regions."""
    regions = "AAAABBBACBBBDDACBCDDDACCCCDDEEEEEEFEFFFFFFGGGGGGG"
    [answer] = satdoku.check_many(
        make_frame(library, {"puzzle": ["." * 49], "rules": [f"regions:{regions}"]})
    )
    assert isinstance(answer, Outcome)
    assert answer.puzzle.geometry.size == 7


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_box_in_a_column_is_obeyed(library: str) -> None:
    frame = make_frame(library, {"puzzle": ["." * 36] * 2, "box": ["3x2", None]})
    answers = [answer for answer in satdoku.check_many(frame) if isinstance(answer, Outcome)]
    assert [str(answer.puzzle.geometry) for answer in answers] == ["3x2", "2x3"]
    [wrong, _] = satdoku.check_many(frame, box=satdoku.Geometry(2, 3))
    assert str(wrong) == "puzzle[0]:1:1: the text shows boxes of 3x2, but --box says 2x3"


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_series_are_read(library: str) -> None:
    series = pytest.importorskip(library).Series([SMALL, None, CLASHING])
    first, second, third = satdoku.check_many(series)
    assert isinstance(first, Outcome)
    assert isinstance(second, SatdokuError)
    assert isinstance(third, Outcome)
    assert third.clashes


@pytest.mark.parametrize("library", LIBRARIES)
def test_rules_in_a_column_are_obeyed(library: str) -> None:
    """No row is answered as if its puzzle were classic."""
    rules = ["diagonals", None, "diagnals"]
    frame = make_frame(library, {"puzzle": ["." * 16] * 3, "Rules": rules})
    obeyed, classic, wrong = satdoku.check_many(frame)
    assert isinstance(obeyed, Outcome)
    assert [rule.name for rule in obeyed.puzzle.further_rules] == ["diagonals"]
    assert isinstance(classic, Outcome)
    assert classic.puzzle.is_classic
    assert str(wrong) == "puzzle[2]:1:1: there is no rule 'diagnals'; did you mean diagonals?"
    reasons = [row["reason"] for row in rows_of(satdoku.check_frame(frame))]
    assert reasons[2] == "there is no rule 'diagnals'; did you mean diagonals?"


@for_each("library", LIBRARIES)
def test_rules_in_columns_of_other_names_are_not_passed_over(library: str) -> None:
    """As in tables of text: a rule, a layout of regions, and what nobody reads."""
    layout = "AAABCABBCCDBCDDD"
    columns = {"Rule": "even:r1c1", "Layout": layout, "killer": "5=r1c1-2", "lines": None}
    texts: dict[str, object] = {}
    for name, value in columns.items():
        [answer] = satdoku.check_many(make_frame(library, {"puzzle": ["." * 16], name: [value]}))
        texts[name] = answer.puzzle.rule_texts if isinstance(answer, Outcome) else str(answer)
    assert texts == {
        "Rule": ["even:r1c1"],
        "Layout": ["regions:AAAB/CABB/CCDB/CDDD"],
        "killer": "puzzle[0]:1:1: this puzzle has 'killer' beside its board, which satdoku does "
        "not read: rules stand in 'rules'",
        "lines": [],
    }


def test_known_solutions_that_are_malformed_or_missing_are_told_beside_the_verdict() -> None:
    answers = [EASY_SOLUTION, "abc", EASY_SOLUTION[1:], "I cannot solve this", None, ""]
    frame = make_frame("pandas", {"puzzle": [EASY] * 6, "model": answers})
    found = satdoku.check_frame(frame, solution_column="model")
    assert list(found["verdict"]) == ["unique"] * 6
    assert list(found["solution"]) == [EASY_SOLUTION] * 6
    assert list(found["mismatch"].isna()) == [True] + [False] * 5
    assert found["mismatch"][2] == "the known solution: 80 cells found, expected 81 for 9x9"
    assert list(found["mismatch"][4:]) == ["no known solution"] * 2


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_column_of_rules_is_named_or_left_alone(library: str) -> None:
    columns = {"puzzle": [SMALL], "Rules": ["Normal sudoku rules apply."], "how": ["anti-king"]}
    frame = make_frame(library, columns)
    assert "--rules-column" in rows_of(satdoku.check_frame(frame))[0]["reason"]
    assert rows_of(satdoku.check_frame(frame, rules_column="none"))[0]["verdict"] == "unique"
    [outcome] = satdoku.check_many(frame, rules_column="HOW")
    assert isinstance(outcome, Outcome)
    assert outcome.puzzle.rule_texts == ["anti-king"]
    with pytest.raises(SatdokuError, match="rules_column='how' is for frames"):
        list(satdoku.check_many([SMALL], rules_column="how"))


@sampled(2, "jobs", [2, 1])
def test_many_rows_are_answered_as_each_alone(jobs: int) -> None:
    """Small boards go by the block, and what is no plain line stands between them."""
    some = [EASY, SMALL, AMBIGUOUS, CLASHING, "x", f"{EASY} # a name", None]
    puzzles = [EASY] * 70 + some + [EASY] * 3 + some
    answers = [EASY_SOLUTION, SMALL, "", CLASHING, "x", None, EASY_SOLUTION[::-1]]
    known = [EASY_SOLUTION] * 68 + [EASY_SOLUTION[::-1], "x", *answers] + [None] * 3 + answers
    frame = make_frame("pandas", {"puzzle": puzzles, "known": known})
    rows = rows_of(satdoku.check_frame(frame, solution_column="known", jobs=jobs))
    alone = []
    for number in range(len(puzzles)):
        one = make_frame("pandas", {"puzzle": puzzles, "known": known})[number : number + 1]
        alone += rows_of(satdoku.check_frame(one, "puzzle", "known", jobs=1))
    assert rows == alone
