"""The same puzzles have the same answers whichever way they come in, and however they go out."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

import satdoku
from satdoku import VerdictCode
from satdoku.notation import parquet_file
from tests.commands import run
from tests.crossing import few_or_many, shared_out

FILE = Path(__file__).parents[2] / "benchmarks" / "puzzles" / "easy.txt"
STRETCH = 100  # neighbouring rows
KEYS = ("verdict", "solution", "second", "reason")

Answer = tuple[str, ...]


def puzzles_of(count: int) -> list[str]:
    """Return boards with one solution, several and none, and a few that are no boards.

    Only every tenth stretch has odd ones, as text in which they are everywhere comes line by line.
    """
    random = Random(count)
    lines = FILE.read_text("ascii").split()
    made = []
    for number in range(count):
        digits = "".join(random.sample("123456789", 9))
        board = lines[number % len(lines)].translate(str.maketrans("123456789", digits))
        is_odd = number % (10 * STRETCH) < STRETCH and random.random() < 0.3
        made.append(odd_one(board, random) if is_odd else board)
    return made


def odd_one(board: str, random: Random) -> str:
    """Return a board in which a few cells are changed, or what is no board."""
    if random.random() < 0.2:
        return random.choice(("", board[1:], board + " ", "!" + board[1:]))
    cells = list(board)
    for _ in range(random.choice((1, 4))):
        cells[random.randrange(81)] = random.choice((".", ".", "1"))
    return "".join(cells)


def of_values(values: Any) -> Answer:
    """Return an answer; each format has its own words for what is no board."""
    *found, reason = (values.get(key) or "" for key in KEYS)
    return (*found, "" if found[0] == "unreadable" else reason)


def from_csv(text: str) -> list[Answer]:
    return [of_values(row) for row in csv.DictReader(io.StringIO(text))]


def from_json(text: str) -> list[Answer]:
    return list(map(of_values, map(json.loads, text.splitlines())))


def files_of(folder: Path, puzzles: Sequence[str]) -> dict[str, Path]:
    """Write the puzzles in each format, as Parquet with few and with many row groups."""
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    files = {name: folder / f"bank.{name}" for name in ("csv", "jsonl")}
    rows = [{"id": n, "puzzle": puzzle, "source": "a, b"} for n, puzzle in enumerate(puzzles)]
    with files["csv"].open("w") as stream:
        writer = csv.DictWriter(stream, ["id", "puzzle", "source"])
        writer.writeheader()
        writer.writerows(rows)
    files["jsonl"].write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    for rows_a_group in (len(rows), 1 + len(rows) // 7):
        files[f"{rows_a_group}.parquet"] = path = folder / f"{rows_a_group}.parquet"
        parquet.write_table(pyarrow.Table.from_pylist(rows), path, row_group_size=rows_a_group)
    return files


def by_command(files: dict[str, Path], jobs: int, step: int) -> Iterator[tuple[str, Any]]:
    """Yield the answers by each format of input and of output, or by every `step`-th pair."""
    parquet = pytest.importorskip("pyarrow.parquet")
    options = ["--jobs", jobs, "-q"]

    def answers(path: Path, to: str) -> list[Answer]:
        if to != "parquet":
            text = run("check", path, f"--{to}", *options).stdout
            return from_csv(text) if to == "csv" else from_json(text)
        out = path.with_name("out.parquet")
        run("check", path, "-o", out, "--force", *options)
        return list(map(of_values, parquet.read_table(out).to_pylist()))

    for name, to in shared_out(step, files, ("csv", "json", "parquet"))[0]:
        yield f"{name} to {to}", answers(files[str(name)], str(to))


def by_call(puzzles: Sequence[str], jobs: int) -> Iterator[tuple[str, Any]]:
    """Yield the answers by each library of frames."""
    pandas, polars, pyarrow = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    frames: dict[str, Any] = {
        "pandas": pandas.DataFrame({"puzzle": puzzles}),
        "polars": polars.DataFrame({"puzzle": puzzles}),
        "pyarrow": pyarrow.table({"puzzle": puzzles}),
    }
    for name, frame in frames.items():
        found: Any = satdoku.check_frame(frame, jobs=jobs)
        if name == "pyarrow":
            found = found.to_pydict()
        # A missing text of pandas is a number that is not equal to itself.
        columns = [[each if each == each else None for each in found[key]] for key in KEYS]
        rows = (dict(zip(KEYS, row, strict=True)) for row in zip(*columns, strict=True))
        yield name, list(map(of_values, rows))


def by_array(boards: Any, jobs: int) -> list[Answer]:
    """Return verdicts and solutions; an array has no more."""
    checked = satdoku.check_array(boards, jobs=jobs)
    return [
        (VerdictCode(code).name.lower(), "".join(map(str, cells)) if any(cells) else "")
        for code, cells in zip(checked.verdict, checked.solution.reshape(-1, 81), strict=True)
    ]


@pytest.fixture
def several_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even the few rows of the usual run are several blocks of a Parquet file."""
    monkeypatch.setattr(parquet_file, "_ROWS_AT_ONCE", 40)
    monkeypatch.setattr(parquet_file, "_ROWS_OF_BLOCK", 30)


@pytest.mark.parametrize("jobs", [1, 2])
@few_or_many("count", 150, 20_000)
@pytest.mark.usefixtures("several_blocks")
def test_answers_are_the_same_by_every_way(count: int, jobs: int, tmp_path: Path) -> None:
    check_every_way(count, jobs, tmp_path)


@few_or_many("count", 150, 3000)
@pytest.mark.usefixtures("several_blocks")
def test_answers_are_the_same_without_the_library(
    count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = 1 if count == 150 else 2
    check_every_way(count, jobs, tmp_path, lambda: monkeypatch.setenv("SATDOKU_LANES", "0"))


def check_every_way(
    count: int, jobs: int, folder: Path, change: Callable[[], object] = lambda: None
) -> None:
    """Compare all ways with that of CSV row by row, which is taken before a `change`."""
    numpy = pytest.importorskip("numpy")
    puzzles = puzzles_of(count)
    files = files_of(folder, puzzles)
    # A block takes too long for such a timeout, so each row is answered by itself.
    expected = from_csv(run("check", files["csv"], "--csv", "--timeout", "59", "-q").stdout)
    assert {answer[0] for answer in expected} == {"unique", "multiple", "none", "unreadable"}
    change()
    # With few rows it is the start of workers that takes time.
    step = 3 if count == 150 and jobs > 1 else 1
    for way, found in (*by_command(files, jobs, step), *by_call(puzzles, jobs)):
        assert found == expected, way
    pairs = zip(puzzles, expected, strict=True)
    texts, known = zip(*[pair for pair in pairs if pair[1][0] != "unreadable"], strict=True)
    lines = folder / "bank.txt"
    lines.write_text("".join(f"{text}\n" for text in texts))
    assert from_csv(run("check", lines, "--csv", "--jobs", jobs, "-q").stdout) == list(known)
    cells = [each.strip().replace(".", "0") for each in texts]
    numbers = numpy.array([list(map(int, each)) for each in cells])
    # An array has no solution of several.
    short = [(verdict, one if verdict == "unique" else "") for verdict, one, *_ in known]
    assert by_array(cells, jobs) == by_array(numbers, jobs) == short
