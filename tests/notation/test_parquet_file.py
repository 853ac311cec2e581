"""Puzzles in Parquet files, and their answers as rows of text."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from satdoku.errors import FormatError, SatdokuError
from satdoku.notation import parquet_file
from satdoku.notation.hints import Hints
from satdoku.notation.parquet_file import (
    ParquetFormat,
    ParquetReader,
    import_pyarrow,
    read_batches,
    rows_of,
)
from satdoku.notation.record import Record
from tests.commands import EASY, SMALL, SMALL_SOLUTION
from tests.each import for_each

pyarrow: Any = pytest.importorskip("pyarrow")
parquet: Any = pytest.importorskip("pyarrow.parquet")


def write(path: Path, **columns: list[Any]) -> Path:
    parquet.write_table(pyarrow.table(columns), path, row_group_size=1500)
    return path


def test_each_row_is_a_record(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.parquet", question=[SMALL, None, EASY], rating=[1, None, float("inf")]
    )
    shares: list[float] = []
    reader = ParquetReader(path, Hints(), shares.append)
    records = list(reader)
    assert [record.line for record in records] == [1, 2, 3]
    assert reader.parser(records[2]).geometry.size == 9
    assert reader.parser.format.fields_of(records[2]) == {"question": EASY, "rating": None}
    with pytest.raises(FormatError, match=":2: "):
        reader.parser(records[1])
    assert shares == [1.0]


def test_what_json_has_no_word_for_becomes_text(tmp_path: Path) -> None:
    from datetime import date

    path = write(tmp_path / "a.parquet", puzzle=[SMALL], day=[date(2026, 1, 2)], raw=[b"\xff a"])
    [record] = ParquetReader(path, Hints())
    assert '"2026-01-02"' in record.text
    assert "\\ufffd a" in record.text


@for_each(
    "names, hints, expected",
    [
        (["source", "question", "answer", "rating"], Hints(), "question"),
        (["quizzes", "solutions"], Hints(), "quizzes"),
        (["puzzle", "solution"], Hints(), "puzzle"),
        (["id", "Board"], Hints(), "Board"),
        (["id", "x"], Hints(column="2"), "x"),
        (["id", "x"], Hints(column="ID"), "id"),
        (["Board", "board"], Hints(column="board"), "board"),
        (["", "Puzzle "], Hints(), "Puzzle "),
        (["", " x", "a.b"], Hints(column="x "), " x"),
        (["x", "a.b"], Hints(column="a.b"), "a.b"),
    ],
)
def test_the_column_is_found(names: list[str], hints: Hints, expected: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", **{name: [SMALL] for name in names})
    reader = ParquetReader(path, hints)
    found: Any = reader.parser.format
    assert found.column == expected
    [record] = reader
    assert reader.parser(record).geometry.size == 4


def test_a_column_without_a_usual_name_is_told_by_its_boards(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", id=[1, 2], what=["a", "b"], them=[None, SMALL])
    found: Any = ParquetReader(path, Hints()).parser.format
    assert found.column == "them"
    empty = write(tmp_path / "b.parquet", id=[1], what=["a"])
    with pytest.raises(FormatError, match="no column holds puzzles; --column names it, of id, wh"):
        _ = ParquetReader(empty, Hints()).parser


@pytest.mark.parametrize("column", ["y", "0", "3"])
def test_a_column_that_is_not_there_is_told(column: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", id=[1], puzzle=[SMALL])
    with pytest.raises(FormatError, match=f"no column '{column}', only id, puzzle"):
        _ = ParquetReader(path, Hints(column=column)).parser


@for_each(
    "size, fault",
    [
        (0, "this is no Parquet file"),
        (3, "this is no Parquet file"),
        (100, "its end is missing, so no row can be read; perhaps it was not copied whole"),
        (-40, "its end is missing, so no row can be read; perhaps it was not copied whole"),
    ],
)
def test_a_cut_file_is_told_by_its_name(size: int, fault: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", puzzle=[SMALL] * 4000)
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(SatdokuError) as caught:
        list(ParquetReader(path, Hints()))
    assert str(caught.value) == f"{path}: {fault}"


def damaged(path: Path) -> Path:
    """Write 6000 rows in groups of 1500, and damage in the second group."""
    write(path, puzzle=[f"{EASY} {n}" for n in range(6000)])
    with parquet.ParquetFile(path) as file:
        place = file.metadata.row_group(1).column(0).data_page_offset
    data = bytearray(path.read_bytes())
    data[place : place + 200] = b"\xff" * 200
    path.write_bytes(data)
    return path


def test_damage_costs_the_rest_of_its_row_group_alone(tmp_path: Path) -> None:
    path = damaged(tmp_path / "a.parquet")
    reader = ParquetReader(path, Hints())
    records = list(reader)
    fields = [reader.parser.format.fields_of(record) for record in records]
    lost = [n for n, row in enumerate(fields) if row == {"puzzle": None}]
    assert lost == list(range(1500, 3000))
    assert [row["puzzle"] for row in fields[3000:]] == [f"{EASY} {n}" for n in range(3000, 6000)]
    with pytest.raises(FormatError, match=r"a.parquet:1501: damaged data \("):
        reader.parser(records[1500])
    assert len({record.name for record in records}) == 2


def test_where_single_values_count_damage_is_told(tmp_path: Path) -> None:
    path = damaged(tmp_path / "a.parquet")
    with pytest.raises(FormatError, match=r"\), so rows after 1,500 are not read"):
        list(read_batches(path))


def repeated(path: Path, value: str, count: int) -> Path:
    """Write one value so many times, which takes a few kilobytes."""
    column = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * count), [value])
    return write(path, puzzle=column)


def test_rows_that_are_far_larger_than_their_file_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_file, "_LEAST_UNPACKED", 1 << 20)
    reader = ParquetReader(repeated(tmp_path / "a.parquet", "1" * 100_000, 3000), Hints())
    with pytest.raises(FormatError, match=r"rows after \d+ are not read, as the values take"):
        list(reader)
    few = ParquetReader(repeated(tmp_path / "b.parquet", SMALL, 3000), Hints())
    assert sum(1 for _ in few) == 3000


def test_long_rows_are_read_a_few_at_a_time(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", puzzle=["1" * 100_000] * 500)
    assert max(batch.num_rows for batch in read_batches(path)) < 200
    shared = next(rows_of(next(read_batches(repeated(tmp_path / "b.parquet", SMALL, 9)))))
    assert shared == {"puzzle": SMALL}


def test_without_the_library_a_sentence_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(SatdokuError, match=r"pip install 'satdoku\[parquet\]'"):
        import_pyarrow()


def _invalid_text() -> Any:
    ends = pyarrow.array([0, 2], pyarrow.int32()).buffers()[1]
    return pyarrow.StringArray.from_buffers(1, ends, pyarrow.py_buffer(b"\xff\xfe"))


@for_each(
    "make, value",
    [
        (lambda: pyarrow.array([2**62], pyarrow.timestamp("us")), 2**62),
        (lambda: pyarrow.array([7], pyarrow.timestamp("us", tz="Nowhere/Xx")), 7),
        (lambda: pyarrow.array([2**31 - 1], pyarrow.date32()), 2**31 - 1),
        (lambda: pyarrow.array([2**62], pyarrow.time64("us")), 2**62),
        (lambda: pyarrow.array([2**62], pyarrow.duration("s")), 2**62),
        (_invalid_text, "\ufffd\ufffd"),
    ],
)
def test_a_column_that_python_cannot_hold_hinders_no_puzzle(
    make: Any, value: object, tmp_path: Path
) -> None:
    path = tmp_path / "a.parquet"
    parquet.write_table(pyarrow.table({"puzzle": [SMALL], "other": make()}), path)
    reader = ParquetReader(path, Hints())
    [record] = reader
    assert reader.parser(record).geometry.size == 4
    assert reader.parser.format.fields_of(record)["other"] == value


@pytest.mark.parametrize("step", [16, pytest.param(1, marks=pytest.mark.slow)])
def test_damage_anywhere_is_a_sentence(step: int, tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", puzzle=[SMALL, SMALL], text=["one", "\u00e9"], n=[1, 2])
    data = path.read_bytes()
    told = set()
    for place in range(0, len(data), step):
        path.write_bytes(data[:place] + bytes([data[place] ^ 0x5A]) + data[place + 1 :])
        try:
            reader = ParquetReader(path, Hints())
            for record in reader:
                reader.parser(record)
        except SatdokuError as error:
            told.add(str(error))
    assert told
    assert not any("\n" in sentence for sentence in told)


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


@for_each("quiz", [SMALL.replace("3", "9", 1), None, "", 5, [[1]], SMALL + "1"])
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
