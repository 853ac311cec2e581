"""Parquet files, where CSV is: read and written by the commands."""

import csv
import datetime
import io
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from satdoku.notation import parquet_file
from tests.commands import (
    AMBIGUOUS,
    CLASHING,
    EASY,
    EASY_SOLUTION,
    SMALL,
    require_failure,
    run,
)
from tests.each import for_each

pyarrow: Any = pytest.importorskip("pyarrow")
parquet: Any = pytest.importorskip("pyarrow.parquet")

PUZZLES = [EASY, AMBIGUOUS, CLASHING, EASY.replace("6", "q", 1), None]


def hugging_face(count: int = 1) -> Any:
    """A table as they come from there, with types that no text has."""
    rows = len(PUZZLES) * count
    moments = pyarrow.array([datetime.datetime(2026, 1, 2)] * rows, pyarrow.timestamp("us"))
    return pyarrow.table(
        {
            "source": pyarrow.array(["a, b"] * rows).dictionary_encode(),
            "question": PUZZLES * count,
            "answer": [EASY_SOLUTION] * rows,
            "rating": pyarrow.array(range(rows), pyarrow.int16()),
            "when": moments,
            "steps": [[1, None]] * rows,
        }
    ).replace_schema_metadata({"huggingface": "{}", "kept": "yes"})


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    path = tmp_path / "bank.parquet"
    parquet.write_table(hugging_face(), path)
    return path


def table_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("options", [[], ["--solution-column", "answer"]])
def test_columns_and_types_stay_and_ours_are_those_of_csv(bank: Path, options: list[str]) -> None:
    out = bank.with_name("out.parquet")
    code = run("check", bank, "-o", out, *options).code
    as_csv = run("check", bank, "--csv", *options)
    assert code == as_csv.code == 1
    found, before = parquet.read_table(out), hugging_face()
    assert found.select(before.column_names).equals(before)
    assert found.schema.metadata == {b"kept": b"yes"}
    ours = found.column_names[len(before.column_names) :]
    assert ours == ["verdict", "solution", "second", "reason", *(["mismatch"] if options else [])]
    assert [{name: row[name] or "" for name in ours} for row in found.to_pylist()] == [
        {name: row[name] for name in ours} for row in table_of(as_csv.stdout)
    ]


def test_every_form_of_output_takes_it(bank: Path) -> None:
    assert run("check", bank).lines[0] == "unique"
    first = run("check", bank, "--json").lines[0]
    assert '"steps": [1, null]' in first
    assert '"verdict": "unique"' in first
    [head, row, *_] = run("solve", bank).lines
    assert head.endswith(",steps,solution")
    assert row.endswith(EASY_SOLUTION)
    assert run("convert", bank, "--to", "line").lines[0] == EASY


def test_several_files_and_several_processes_keep_the_order(tmp_path: Path) -> None:
    """Groups that are written end elsewhere than those that were read."""
    paths = [tmp_path / f"{name}.parquet" for name in "ab"]
    parquet.write_table(hugging_face(100), paths[0], row_group_size=300)
    other = hugging_face(10)
    place = other.schema.get_field_index("rating")
    other = other.set_column(place, "rating", other["rating"].cast(pyarrow.int32()))
    parquet.write_table(other, paths[1])
    out = tmp_path / "out.parquet"
    run("check", *paths, "-o", out, "--jobs", "2", "-q")
    found = parquet.read_table(out)
    assert found["rating"].to_pylist() == [*range(500), *range(50)]
    assert found.schema.field("rating").type == pyarrow.int16()
    verdicts = ["unique", "multiple", "none", "unreadable", "unreadable"]
    assert found["verdict"].to_pylist() == verdicts * 110


@for_each("jobs", [1, 2])
def test_columns_stay_beside_their_puzzle_where_a_file_is_refused(
    jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One cannot be read, and one has values that are too large from some row on."""
    monkeypatch.setattr(parquet_file, "_LEAST_UNPACKED", 1 << 20)
    monkeypatch.setattr(parquet_file, "_MOST_TIMES", 1)
    monkeypatch.setattr(parquet_file, "_ROWS_AT_ONCE", 300)
    cut, large, small = (tmp_path / f"{name}.parquet" for name in ("cut", "large", "small"))
    cut.write_bytes(b"PAR1 and no more")
    for path, note, count in ((large, "x" * 1000, 3000), (small, "y", 30)):
        puzzles = [SMALL, AMBIGUOUS] * (count // 2)
        note = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * count), [note])
        file = [f"{path.name}:{number}" for number in range(1, count + 1)]
        parquet.write_table(pyarrow.table({"puzzle": puzzles, "file": file, "note": note}), path)
    out = tmp_path / "out.parquet"
    done = run("check", cut, small, large, small, "-o", out, "--jobs", jobs)
    assert done.code == 1
    refused = re.search(r"large.parquet: rows after ([\d,]+) are not read", done.stderr)
    assert refused
    count = int(refused[1].replace(",", ""))
    assert 0 < count < 3000
    files = parquet.read_table(out)["file"].to_pylist()
    of_large = [f"large.parquet:{number}" for number in range(1, count + 1)]
    of_small = [f"small.parquet:{number}" for number in range(1, 31)]
    assert files == [*of_small, *of_large, *of_small]
    verdicts = parquet.read_table(out)["verdict"].to_pylist()
    assert verdicts == ["unique", "multiple"] * (len(files) // 2)


def test_beside_a_table_of_text_the_columns_are_text(tmp_path: Path) -> None:
    text, table, out = (tmp_path / name for name in ("a.csv", "b.parquet", "out.parquet"))
    text.write_text(f"id,puzzle\n7,{EASY}\n")
    parquet.write_table(pyarrow.table({"id": [1, 2], "puzzle": [EASY, AMBIGUOUS]}), table)
    for inputs in ((text, table), (table, text)):
        run("check", *inputs, "-o", out, "--force")
        found = [(row["id"], row["verdict"]) for row in parquet.read_table(out).to_pylist()]
        assert sorted(found) == [("1", "unique"), ("2", "multiple"), ("7", "unique")]


def test_text_becomes_a_table_too(tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    assert run("check", EASY, "-o", out).code == 0
    assert parquet.read_table(out).to_pylist()[0]["puzzle"] == EASY
    table = tmp_path / "table.csv"
    table.write_text(f'puzzle;note;rating\n{EASY};"a;b";7\n')
    assert run("check", table, "-o", out, "--force").code == 0
    [row] = parquet.read_table(out).to_pylist()
    assert (row["note"], row["rating"], row["verdict"]) == ("a;b", "7", "unique")


def test_generated_puzzles_have_numbers_and_their_rules(tmp_path: Path) -> None:
    out = tmp_path / "made.parquet"
    options = ["--box", "2x2", "--rule", "diagonals", "-n", "3", "--seed", "1"]
    assert run("generate", *options, "-o", out).code == 0
    rows = parquet.read_table(out).to_pylist()
    assert [row["index"] for row in rows] == [0, 1, 2]
    assert {type(rows[0][name]) for name in ("givens", "rating")} == {int}
    assert rows[0]["minimal"] is True
    assert rows[0]["rules"] == ["diagonals"]
    assert run("check", out).lines == ["unique"] * 3


def test_convert_writes_a_table(bank: Path) -> None:
    out = bank.with_name("out.parquet")
    assert run("convert", bank, "--to", "csv", "-o", out).code == 1
    assert parquet.read_table(out)["puzzle"].to_pylist()[0] == EASY


@for_each(
    "options, words",
    [
        (["check", "--resume"], ["--resume continues text"]),
        (["check", "--json"], ["gets the table of --csv", "--json"]),
        (["solve", "--to", "line"], ["exclude each other", ".parquet"]),
        (["solve", "--all"], ["exclude each other"]),
        (["convert"], ["would be a table"]),
        (["export"], ["formulas are written as .cnf"]),
    ],
)
def test_what_is_no_table_is_refused(options: list[str], words: list[str], bank: Path) -> None:
    out = bank.with_name("out.parquet")
    code = 1 if options == ["export"] else 2
    require_failure(run(*options, EASY, "-o", out), *words, code=code)
    assert not out.exists()


def test_what_exists_is_not_overwritten(bank: Path) -> None:
    before = bank.read_bytes()
    require_failure(run("check", EASY, "-o", bank), "--force overwrites it")
    require_failure(run("generate", "-o", bank, "-q"), "--force overwrites it")
    require_failure(run("check", bank, "-o", bank, "--force"), "is read already", code=2)
    assert bank.read_bytes() == before


def test_a_table_without_names_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text(f"{EASY},{EASY_SOLUTION}\n")
    result = run("check", table, "-o", tmp_path / "out.parquet")
    require_failure(result, "no header was read")
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]


def test_standard_input_is_refused_with_what_to_do(bank: Path) -> None:
    result = run("check", stdin=bank.read_bytes())
    require_failure(result, "this is a Parquet file; name a file that ends in .parquet")


def test_a_format_of_text_is_refused(bank: Path) -> None:
    require_failure(run("check", bank, "--from", "csv"), "--from is for text")


def test_an_interruption_leaves_a_whole_file(bank: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from satdoku.answering.output.parquet import ParquetSink

    write = ParquetSink.write

    def interrupted(sink: ParquetSink, text: str, rows: int = 1) -> None:
        write(sink, text, rows)
        if "multiple" in text:
            raise KeyboardInterrupt

    monkeypatch.setattr(ParquetSink, "write", interrupted)
    out = bank.with_name("out.parquet")
    assert run("check", bank, "-o", out).code == 130
    assert parquet.read_table(out)["verdict"].to_pylist() == ["unique", "multiple"]
    assert sorted(path.name for path in bank.parent.iterdir()) == ["bank.parquet", "out.parquet"]


@pytest.mark.parametrize(
    "arguments", [["check", "bank.parquet"], ["check", EASY, "-o", "out.parquet"]]
)
def test_without_pyarrow_a_sentence_names_the_extra(
    arguments: list[str], bank: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(bank.parent)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    require_failure(run(*arguments), "pip install 'satdoku[parquet]'")


@pytest.mark.parametrize(
    "header",
    [
        "question,answer,rating,source",
        "source,question,answer,rating",
        "puzzle,solution",
        "quizzes,solutions",
    ],
)
def test_headers_of_data_sets_are_known_in_csv_and_json(header: str, tmp_path: Path) -> None:
    value_of = {"rating": "3", "source": "puzzles0_kaggle"}
    names = header.split(",")
    first = ("puzzle", "quizzes", "question")
    row = [value_of.get(n, EASY.replace(".", "0") if n in first else EASY_SOLUTION) for n in names]
    table, lines = tmp_path / "a.csv", tmp_path / "a.jsonl"
    table.write_text(f"{header}\n{','.join(row)}\n")
    pairs = ", ".join(f'"{name}": "{text}"' for name, text in zip(names, row, strict=True))
    lines.write_text("{" + pairs + "}\n")
    for path in (table, lines):
        result = run("check", path, "--csv")
        assert result.code == 0, result.stderr
        assert ",unique," in result.lines[1]


def test_rows_that_stay_are_written_as_they_came(tmp_path: Path) -> None:
    twin = "".join(EASY[9 * row : 9 * row + 9] for row in (1, 0, 2, *range(3, 9)))
    table = pyarrow.table(
        {
            "puzzle": [EASY, twin, SMALL],
            "steps": [[1, None], [], None],
            "n": pyarrow.array([3, 4, 5], pyarrow.int8()),
        }
    )
    path, out = tmp_path / "bank.parquet", tmp_path / "out.parquet"
    parquet.write_table(table, path)
    assert run("canonical", "--unique", path, "-o", out, "-q").code == 0
    assert parquet.read_table(out).equals(table.take([0, 2]))
    expected = {
        "out.csv": f'puzzle,steps,n\n{EASY},"[1, null]",3\n{SMALL},,5\n',
        "out.jsonl": f'{{"puzzle": "{EASY}", "steps": [1, null], "n": 3}}\n'
        f'{{"puzzle": "{SMALL}", "steps": null, "n": 5}}\n',
    }
    for name, text in expected.items():
        assert run("canonical", "--unique", path, "-o", tmp_path / name, "-q").code == 0
        assert (tmp_path / name).read_text() == text
    assert run("canonical", "--unique", path, "-q").stdout == expected["out.csv"]
    parts = [tmp_path / "train.parquet", tmp_path / "test.parquet"]
    arguments = ["--test", "0.5", "--seed", "2", "-o", parts[0], "--test-output", parts[1]]
    assert run("split", path, *arguments).code == 0
    found = [parquet.read_table(part) for part in parts]
    assert found[0].schema == found[1].schema == table.schema
    rows = sorted(row["n"] for part in found for row in part.to_pylist())
    assert rows == [3, 4, 5]


def test_parts_of_a_table_have_one_form(bank: Path) -> None:
    arguments = ["split", bank, "-o", bank.with_name("a.csv"), "--test-output"]
    require_failure(run(*arguments, bank.with_name("b.parquet")), "different forms", code=2)
    both = run("canonical", "--unique", bank, bank, "-o", bank.with_name("b.parquet"))
    require_failure(both, "name one file", code=2)


def test_an_empty_table_has_one_fault(tmp_path: Path) -> None:
    path = tmp_path / "empty.parquet"
    parquet.write_table(pyarrow.table({"puzzle": pyarrow.array([], pyarrow.string())}), path)
    for more in ([], ["-o", tmp_path / "out.parquet"]):
        found = run("check", path, *more)
        assert (found.code, found.stderr) == (1, f"satdoku: {path}: no puzzle found\n")


def test_a_null_is_no_puzzle(bank: Path) -> None:
    assert run("check", bank).lines[-1] == "unreadable: no puzzle in 'question'"
    text = f'{{"puzzle": null}}\n{{"puzzle": "{EASY}"}}\n{{"puzzle": " "}}\n'
    lines = run("check", stdin=text).lines
    assert lines == [
        "unreadable: no puzzle in 'puzzle'",
        "unique",
        "unreadable: no puzzle in 'puzzle'",
    ]


@pytest.mark.parametrize("times", [1, 3, 300, pytest.param(2000, marks=pytest.mark.slow)])
def test_twins_stand_beside_the_columns_of_their_puzzle(times: int, tmp_path: Path) -> None:
    path, out = tmp_path / "bank.parquet", tmp_path / "out.parquet"
    table = pyarrow.table({"n": pyarrow.array([7, 8, 9], pyarrow.int8()), "puzzle": [SMALL] * 3})
    parquet.write_table(table, path, row_group_size=2)
    assert run("augment", path, "--times", times, "-o", out, "-q").code == 0
    found = parquet.read_table(out)
    assert found["n"].to_pylist() == [n for n in (7, 8, 9) for _ in range(times)]
    as_csv = table_of(run("augment", path, "--times", times, "--csv", "-q").stdout)
    assert found["twin"].to_pylist() == [row["twin"] for row in as_csv]


def test_answers_to_grade_may_be_a_table(tmp_path: Path) -> None:
    path = tmp_path / "bank.parquet"
    answers = [EASY_SOLUTION, None, EASY_SOLUTION[::-1], "I do not know"]
    table = pyarrow.table({"puzzle": [EASY] * 4, "response": answers, "note": ["x"] * 4})
    parquet.write_table(table, path, row_group_size=3)
    grades = [line.partition(":")[0] for line in run("grade", path, path).lines]
    assert grades == ["right", "missing", "wrong", "malformed"]
    other = run("grade", path, path, "--answer-column", "nothing")
    require_failure(other, "there is no column 'nothing' for the answers, only puzzle, response, n")
    parquet.write_table(pyarrow.table({"n": [1]}), tmp_path / "none.parquet")
    other = run("grade", path, tmp_path / "none.parquet")
    require_failure(other, "there is no column with a usual name such as 'answer' for the answers")
