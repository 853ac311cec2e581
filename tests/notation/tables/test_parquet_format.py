import json

import pytest

from satdoku.errors import FormatError
from satdoku.notation.hints import Hints
from satdoku.notation.record import Record
from satdoku.notation.tables.parquet_format import ParquetFormat
from tests.commands import SMALL, SMALL_SOLUTION

FORMAT = ParquetFormat(("id", "quiz", "solution", "parts"), "quiz", "solution")


def record_of(**row: object) -> Record:
    return Record(7, json.dumps(row))


def test_a_row_is_read_by_its_columns() -> None:
    record = record_of(id=3, quiz=SMALL, solution=SMALL_SOLUTION, name="x", parts=None)
    puzzle = FORMAT.parse(record, Hints(), "a.parquet")
    assert (len(puzzle.givens), puzzle.name) == (6, "x")
    known = FORMAT.parse_solution(record, Hints(), "a.parquet")
    assert known is not None
    assert "".join(map(str, known.digits)) == SMALL_SOLUTION


def test_lists_and_rules_are_read_too() -> None:
    rows = [[0, 0, 3, 0], [0, 4, 0, 2], [4, 0, 0, 3], [0, 0, 4, 0]]
    puzzle = FORMAT.parse(record_of(quiz=rows, rules=["anti-king"], solution=None), Hints(), "")
    assert puzzle.grid.rows == [tuple(row) for row in rows]
    assert [rule.name for rule in puzzle.further_rules] == ["anti-king"]


@pytest.mark.parametrize("quiz", [SMALL.replace("3", "9", 1), None, "", 5, [[1]], SMALL + "1"])
def test_a_fault_is_told_with_its_row(quiz: object) -> None:
    with pytest.raises(FormatError) as caught:
        FORMAT.parse(record_of(quiz=quiz, solution=""), Hints(), "a.parquet")
    assert (caught.value.source, caught.value.line, caught.value.column) == ("a.parquet", 7, 0)


def test_as_text_it_is_a_table() -> None:
    record = record_of(id=3, quiz=SMALL, solution=None, parts=["a", 1])
    assert FORMAT.header_with(["solution"]) == "id,quiz,solution,parts,solution_found\n"
    assert FORMAT.row_with(record, ["x"]) == f'3,{SMALL},,"[""a"", 1]",x\n'
    assert FORMAT.missing_answer(record).endswith(",\n")


@pytest.mark.parametrize(
    ("box", "shape"), [("3x2", "3x2"), (None, "2x3"), (3, "2x3"), ("a", "2x3")]
)
def test_a_column_called_box_tells_the_box_or_something_else(box: object, shape: str) -> None:
    record = record_of(quiz="." * 36, solution="." * 36, box=box)
    assert str(FORMAT.parse(record, Hints(), "").geometry) == shape
    known = FORMAT.parse_solution(record, Hints(), "")
    assert known is not None
    assert str(known.geometry) == shape
