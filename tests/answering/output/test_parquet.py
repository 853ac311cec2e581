import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from satdoku.answering.maker import CsvFacts
from satdoku.answering.output.parquet import InputColumns, ParquetSink, PickedRows, new_table
from satdoku.answering.plan import SourceRows
from satdoku.errors import SatdokuError

pytestmark = pytest.mark.usefixtures("parquet")

KINDS = CsvFacts().kinds


@pytest.fixture
def parquet() -> Any:
    """The module, which only workers import that run these tests."""
    return pytest.importorskip("pyarrow.parquet")


def test_ours_have_types_and_theirs_are_texts(parquet: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    sink = ParquetSink(path, "rating,note,rating_found,minimal\n", known=2, kinds=KINDS)
    sink.write('7,"a, ""b""",12,True\n')
    sink.write(",,,\n")
    assert not path.exists()
    sink.finish()
    sink.close()
    assert [tuple(row.values()) for row in parquet.read_table(path).to_pylist()] == [
        ("7", 'a, "b"', 12, True),
        (None, None, None, None),
    ]


def test_groups_that_are_written_end_elsewhere_than_those_that_were_read(
    parquet: Any, tmp_path: Path
) -> None:
    from pyarrow import table

    bank, path = tmp_path / "bank.parquet", tmp_path / "a.parquet"
    parquet.write_table(table({"number": range(500)}), bank, row_group_size=300)
    sink = ParquetSink(
        path, "number,givens\n", 1, InputColumns([SourceRows(str(bank), 10_000)]), KINDS, 130
    )
    for number in range(500):
        sink.write(f"{number % 81}\n")
    sink.finish()
    assert parquet.ParquetFile(path).num_row_groups == 4
    found = parquet.read_table(path)
    assert found["number"].to_pylist() == list(range(500))
    assert [int(givens) for givens in found["givens"].to_pylist()] == [n % 81 for n in range(500)]


def test_a_row_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    sink = ParquetSink(tmp_path / "a.parquet", "a,b\n")
    with pytest.raises(SatdokuError, match="a row of 3 fields, where the header has 2"):
        sink.write("1,2,3\n")
    sink.close()
    assert list(tmp_path.iterdir()) == []


def test_a_table_appears_when_it_is_whole(parquet: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    with pytest.raises(SatdokuError), new_table(path) as table:
        table.write("a\n1\n1,2\n")
    assert list(tmp_path.iterdir()) == []
    with new_table(path) as table:
        table.write("a\n1\n")
        table.write("2\n")
    assert parquet.read_table(path)["a"].to_pylist() == ["1", "2"]


def test_a_table_that_nobody_holds_yet_leaves_no_file(tmp_path: Path) -> None:
    """A signal may come between its making and its closing."""
    sink = ParquetSink(tmp_path / "a.parquet", "puzzle,verdict")
    assert list(tmp_path.iterdir()) == []
    sink.write("1,unique")
    sink.finish()
    sink.close()
    assert [file.name for file in tmp_path.iterdir()] == ["a.parquet"]


def test_rows_that_are_far_apart_are_passed_in_parts(
    parquet: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with new_table(tmp_path / "in.parquet") as table:
        table.write("a\n")
        for row in range(1, 101):
            table.write(f"{row}\n")
    monkeypatch.setattr("satdoku.answering.output.parquet._MOST_PASSED", 10)
    taken = []
    take = InputColumns.take

    def counted(columns: InputColumns, count: int) -> Any:
        taken.append(count)
        return take(columns, count)

    monkeypatch.setattr(InputColumns, "take", counted)
    sink = PickedRows(tmp_path / "out.parquet", tmp_path / "in.parquet")
    sink.write("2\n10\n11\n75\n100\n")
    sink.finish()
    sink.close()
    picked = parquet.read_table(tmp_path / "out.parquet")["a"].to_pylist()
    assert picked == ["2", "10", "11", "75", "100"]
    assert max(taken) <= 10


def test_nothing_of_pandas_is_imported_for_it(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; "
        "from satdoku.answering.maker import CsvFacts; "
        "from satdoku.answering.output.parquet import ParquetSink, PickedRows; "
        "bank, part = map(Path, sys.argv[1:]); "
        "sink = ParquetSink(bank, 'note,rating,minimal', 1, kinds=CsvFacts().kinds); "
        "sink.write('a,12,True'); sink.write('b,,'); sink.finish(); "
        "picked = PickedRows(part, bank); picked.write('2'); picked.finish(); "
        "assert 'pandas' not in sys.modules"
    )
    paths = [str(tmp_path / name) for name in ("bank.parquet", "part.parquet")]
    done = subprocess.run([sys.executable, "-c", program, *paths], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
