"""Tables are answered by the block, and nobody can see that in the output."""

import gc
import json
import re
from collections.abc import Iterable, Sequence
from io import FileIO
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from satdoku.answering.output.ending import Tally
from satdoku.answering.task import Task
from satdoku.cli.inputs import Tasks
from satdoku.cli.running import PuzzleRun
from satdoku.errors import UnlikeLinesError, UnseenFileError
from satdoku.notation import parquet_file, plain_lines, reading, stated_rules
from satdoku.notation.hints import Hints
from satdoku.notation.parquet_file import TableLines
from tests.cli.test_blocks import interrupting_add
from tests.commands import AMBIGUOUS, CLASHING, EASY, HARD, SMALL, run
from tests.crossing import few_or_many, sampled

BOARD, SOLUTION = "1.....2..3.....4", "1243342143122134"
TWO, WRONG, CLASH = "1" + "." * 15, "1..x..2..3.....4", "11.............."
COLUMNS = ("id", "name", "Name", "comment", "source", "box", "rules", "type", "solution", "rating")
USUAL: dict[str, tuple[Any, ...]] = {
    "box": ("2x2", "", None),
    "rules": ("", None),
    "type": ("easy", "hard", ""),
    "solution": (SOLUTION,),
    "rating": (1.5, 7, 0.00002, 1e22, None, True),
    "source": (
        "a book",
        "a, b",
        'said "so"',
        " x ",
        "Größe",
        "50%",
        "{x}",
        "\u2028",
        "\x0c",
        "x\\y",
    ),
}
ODD = {
    "box": ("1x4", "3"),
    "rules": ("anti-king", "odd:r1c1", "no words"),
    "type": ("diagonals", "killer"),
    "solution": ("", SOLUTION[::-1], "abc", None),
    "puzzle": (TWO, WRONG, CLASH, "", f" {BOARD}", BOARD[1:], BOARD.replace(".", "0"), None),
}


# A text of up to 600 lines is read whole before its first puzzle, and is not read by the block.


def rows_of(random: Random, columns: list[str], count: int) -> list[dict[str, Any]]:
    """Return rows, most of which look alike; here and there one is odd in one column."""
    usual = {name: random.choice(values) for name, values in USUAL.items()}
    rows = []
    for number in range(count):
        row = {name: f"{name} {number}" if name not in USUAL else usual[name] for name in columns}
        row |= {"puzzle": BOARD}
        if "source" in row and random.random() < 0.02:
            row["source"] = random.choice(USUAL["source"])
        if "type" in row:
            row["type"] = random.choice(USUAL["type"])
        if random.random() < 0.01:
            name = random.choice([name for name in columns if name in ODD])
            row[name] = random.choice(ODD[name])
        rows.append({name: row[name] for name in columns})
    return rows


def csv_of(random: Random, rows: list[dict[str, Any]]) -> bytes:
    delimiter, end = random.choice(",;\t"), random.choice(["\n", "\r\n"])
    has_quotes, has_header = random.random() < 0.4, random.random() < 0.8

    def field(value: Any) -> str:
        text = "" if value is None else str(value)
        is_quoted = has_quotes or any(sign in text for sign in f'"{delimiter}')
        return f'"{text.replace(chr(34), chr(34) * 2)}"' if is_quoted else text

    lines = [delimiter.join(map(field, row.values())) for row in rows]
    if has_header:
        lines.insert(0, delimiter.join(rows[0]))
    return b"\xef\xbb\xbf" * (random.random() < 0.2) + with_damage(random, lines, end)


def json_of(random: Random, rows: list[dict[str, Any]]) -> bytes:
    separators = random.choice([(", ", ": "), (",", ":")])
    is_ascii = random.random() < 0.5
    lines = [json.dumps(row, separators=separators, ensure_ascii=is_ascii) for row in rows]
    return with_damage(random, lines, random.choice(["\n", "\r\n"]))


def with_damage(random: Random, lines: list[str], end: str) -> bytes:
    """Return the text of these lines, a few of which are cut, doubled, or not text at all."""
    data = []
    for number, line in enumerate(lines):
        raw = line.encode()
        if number > 1 and random.random() < 0.005:
            odd = (
                b"",
                b"# " + raw,
                raw[: len(raw) // 2],
                raw + b",more",
                raw + b"\xff",
                b" " + raw,
            )
            raw = random.choice((*odd, raw + raw, raw.replace(b"1", b"\x1a", 1)))
        data.append(raw + end.encode())
    return b"".join(data).removesuffix(b"\n" if random.random() < 0.3 else b"?")


def parquet_of(path: Path, rows: list[dict[str, Any]], rows_a_group: int = 300) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    columns.pop("rating", None)
    parquet.write_table(pyarrow.table(columns), path, row_group_size=rows_a_group)


def count_in_blocks(path: Path, hints: Hints) -> int:
    tasks = Tasks([str(path)], None, hints, lambda error: None, by_block=True, by_row=True)
    return sum(task.puzzles for task in tasks if task.puzzles > 1)


def require_equal(folder: Path, path: Path, arguments: list[str]) -> None:
    """Compare the answers by the block with those of a run whose timeout is too short for that."""
    answers = []
    for limit in ([], ["--timeout", "59"]):
        rejects = folder / "rejects.txt"
        found = run(*arguments, path, *limit, "--rejects", rejects, "--force", "--jobs", "1")
        said = found.stderr.partition(" unreadable; 0:")[0]
        answers.append((found.code, found.stdout, said, rejects.read_text()))
        rejects.unlink()
    by_block, one_by_one = answers
    assert by_block == one_by_one


SIZES = (100, 700, 1000)
COMMANDS = (
    ["check", "--csv"],
    ["check", "--json", "--no-stats"],
    ["solve"],
    ["check"],
    ["solve", "--csv"],
)


def check_table(folder: Path, seed: int, sizes: Sequence[int] = SIZES) -> int:
    """Answer a random table in two ways; return how many of its rows came by the block."""
    random = Random(seed)
    columns = [*random.sample(COLUMNS, random.randint(0, 6)), "puzzle"]
    random.shuffle(columns)
    rows = rows_of(random, columns, random.choice(sizes))
    kind = random.choice(["csv", "json", "parquet"])
    path = folder / f"table.{kind}"
    if kind == "parquet":
        parquet_of(path, rows)
    else:
        path.write_bytes((csv_of if kind == "csv" else json_of)(random, rows))
    command = random.choice(COMMANDS)
    hints = Hints()
    if "solution" in columns and random.random() < 0.6 and command[0] == "check":
        command = [*command, "--solution-column", "solution"]
    if "rules" in columns and random.random() < 0.2:
        command = [*command, "--rules-column", "none"]
        hints = Hints(rules_column="none")
    require_equal(folder, path, command)
    return count_in_blocks(path, hints)


@few_or_many("sizes", (100, 300, 500), SIZES)
def test_odd_tables_are_answered_as_row_by_row(sizes: tuple[int, ...], tmp_path: Path) -> None:
    # A table in each format, with quotes, damaged rows and known solutions among them.
    assert sum(check_table(tmp_path, seed, sizes) for seed in (0, 1, 10)) > max(sizes) // 2


@pytest.mark.slow
def test_many_odd_tables_are_answered_as_row_by_row(tmp_path: Path) -> None:
    assert sum(check_table(tmp_path, seed) for seed in range(14, 150)) > 20_000


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows come by their place in the file after some dozen rows."""
    for name, count in {"_FIRST_LINES": 16, "_MOST_LINES": 32, "_MOST_OF_TABLE": 24}.items():
        monkeypatch.setattr(plain_lines, name, count)
    for name, count in {"_ROWS_AT_ONCE": 40, "_ROWS_OF_BLOCK": 24}.items():
        monkeypatch.setattr(parquet_file, name, count)
    # A text of so many lines is read whole, as it may have one puzzle.
    for module in (reading, stated_rules):
        monkeypatch.setattr(module, "MOST_LINES", 60)


@pytest.mark.usefixtures("small_blocks")
def test_a_table_that_is_read_again_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "bank.csv"
    # An odd row that nobody looked at, and much behind it that is not read at once.
    rows = [EASY if n != 600 else f"!{EASY[1:]}" for n in range(9_000)]
    path.write_text("id,puzzle\n" + "".join(f"{n},{row}\n" for n, row in enumerate(rows)))
    gc.collect()
    gc.disable()  # cycles would be closed by it
    try:
        assert len(run("check", path, "--csv", "--jobs", 1, "-q").lines) == 9_001
        files = [each for each in gc.get_objects() if isinstance(each, FileIO)]
        assert [each for each in files if not each.closed and each.name == str(path)] == []
    finally:
        gc.enable()


@pytest.mark.usefixtures("small_blocks")
@few_or_many("seeds", range(1, 2), range(14, 50))
def test_odd_rows_that_nobody_looked_at(seeds: range, tmp_path: Path) -> None:
    for seed in seeds:
        check_table(tmp_path, seed, [700])


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize(
    ("odd", "command"),
    [('"a,b"', COMMANDS[0]), ('"two\nlines"', COMMANDS[1]), (None, COMMANDS[2])],
)
def test_an_odd_row_where_nobody_looked(
    odd: str | None, command: list[str], tmp_path: Path
) -> None:
    rows = [f"{number},{EASY},x" for number in range(400)]
    rows[300] = f"300,{EASY},{odd}" if odd is not None else ""
    path = tmp_path / "table.csv"
    path.write_text("\n".join(["id,puzzle,source", *rows, "400,.,x", ""]))
    hints = Hints()
    tasks = Tasks([str(path)], None, hints, print, by_block=True, by_row=True, is_trusted=True)
    assert any(isinstance(task.rows, plain_lines.FileLines) for task in tasks)
    require_equal(tmp_path, path, command)


QUESTIONS = (
    ["rate"],
    ["rate", "--csv"],
    ["rate", "--json", "--estimate"],
    ["canonical"],
    ["canonical", "--csv"],
    ["canonical", "--json", "--of", "solution"],
    ["canonical", "--unique"],
)


@pytest.mark.usefixtures("small_blocks")
@sampled(3, "kind, command", list(product(("csv", "json", "parquet"), QUESTIONS)))
def test_other_questions_take_rows_of_tables_by_the_block(
    kind: str, command: list[str], tmp_path: Path
) -> None:
    random = Random(kind)
    path = tmp_path / f"table.{kind}"
    columns = ["id", "puzzle", *random.sample(COLUMNS[1:], 5)]
    rows = rows_of(random, columns, 220)
    for number, row in enumerate(rows):
        if row["puzzle"] == BOARD:
            row["puzzle"] = HARD if number % 50 == 49 else EASY
        row["box"] = "3x3" if "box" in row else None
        if number > 120 and random.random() < 0.06:
            row["puzzle"] = random.choice((CLASHING, SMALL, EASY[1:], f" {EASY}", AMBIGUOUS, None))
    if kind == "parquet":
        parquet_of(path, rows)
    else:
        path.write_bytes((csv_of if kind == "csv" else json_of)(random, rows))
    assert count_in_blocks(path, Hints()) > 40
    require_equal(tmp_path, path, command)


def test_rows_of_any_length_and_with_line_breaks_keep_their_columns(tmp_path: Path) -> None:
    rows = [f"{number},{BOARD},a" for number in range(760)]
    rows[620] = f"620,{BOARD}"
    rows[660] = f"660,{BOARD},a,more"
    rows[700] = f'700,{BOARD},"a\n1,2\n"'
    path = tmp_path / "table.csv"
    path.write_text("\n".join(["id,puzzle,note", *rows, ""]))
    assert count_in_blocks(path, Hints()) > 10
    found = run("check", "--csv", path)
    by_id = {line.partition(",")[0]: line.split(",") for line in found.lines[1:]}
    assert len(by_id) == len(rows)
    assert {tuple(fields[2:4]) for name, fields in by_id.items() if name not in ("660", "700")} == {
        ("a", "unique"),
        ("", "unique"),
    }
    assert by_id["660"][2:4] == ["a", "unreadable"]
    assert f'700,{BOARD},"a 1,2 ",unique' in found.stdout


# Rows of Parquet by their place.
BANK = 400


def bank_of(path: Path, rows_a_group: int, odd: dict[int, object] | None = None) -> Path:
    """Write some hundred rows, of which some hold something odd in place of a puzzle."""
    puzzles: list[Any] = [EASY] * BANK
    for number, text in (odd or {}).items():
        puzzles[number] = text
    rows = [
        {"id": number, "puzzle": text, "source": "a, b" if number % 7 else None}
        for number, text in enumerate(puzzles)
    ]
    parquet_of(path, rows, rows_a_group)
    return path


def placed_tasks(path: Path) -> list[Task]:
    """Return the tasks of a file, most of which name the place of their rows."""
    tasks = Tasks([str(path)], None, Hints(), print, by_block=True, by_row=True, is_trusted=True)
    read = list(tasks)
    assert sum(task.puzzles for task in read if isinstance(task.rows, TableLines)) > BANK - 100
    return read


def flat(tasks: Iterable[Task]) -> list[tuple[int, int, str]]:
    lines = (task.lines() if task.puzzles > 1 else [task] for task in tasks)
    return [(one.number, one.record.line, one.record.text) for some in lines for one in some]


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("rows_a_group", [7, 64, BANK - 1, BANK])
def test_rows_of_parquet_are_read_from_any_place(rows_a_group: int, tmp_path: Path) -> None:
    path = bank_of(tmp_path / "bank.parquet", rows_a_group)
    tasks = placed_tasks(path)
    expected = flat(Tasks([str(path)], None, Hints(), print))
    assert flat(tasks) == expected
    assert flat(reversed(tasks)) == [row for task in reversed(tasks) for row in flat([task])]
    shuffled = Random(1).sample(tasks, len(tasks))
    assert sorted(flat(shuffled)) == expected
    named = [task for task in tasks if isinstance(task.rows, TableLines)]
    assert flat(task.with_text() for task in named) == flat(named)


@pytest.mark.usefixtures("small_blocks")
@few_or_many("commands", 1, 3)
@pytest.mark.parametrize(
    ("odd", "is_read_again", "first"),
    [
        (
            {
                **dict.fromkeys(range(180, 230)),
                231: "",
                232: " ",
                300: EASY[1:],
                361: "nothing",
                BANK - 1: None,
            },
            False,
            0,
        ),
        ({180: f" {EASY}", 260: None}, True, 1),
        ({200: SMALL}, True, 2),
    ],
)
def test_odd_rows_of_parquet_where_nobody_looked(
    odd: dict[int, object],
    is_read_again: bool,
    first: int,
    commands: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    bank_of(Path("bank.parquet"), 150, odd)
    again = PuzzleRun.again
    called: list[int] = []
    asked = ["check", "--csv"], ["check", "--json"], ["solve"]
    # In several processes each of the odd tables is answered by another of them.
    some = [asked[(first + number) % 3] for number in range(commands)]

    def noting(self: PuzzleRun, answered: int, talk: Any) -> Any:
        called.append(answered)
        return again(self, answered, talk)

    def answer(command: list[str], jobs: int, is_trusted: bool) -> tuple[int, str, str, str]:
        monkeypatch.setattr(PuzzleRun, "trusts_files", is_trusted)
        more = ["--jobs", jobs, "--rejects", "rejects", "--force"]
        found = run(*command, "bank.parquet", *more)
        said = re.sub("; 0:.*", "", found.stderr)
        return found.code, found.stdout, said, Path("rejects").read_text()

    monkeypatch.setattr(PuzzleRun, "again", noting)
    expected = [answer(command, 1, False) for command in asked]
    assert not called
    for jobs, each in ((1, asked), (2, some)):
        called.clear()
        for command in each:
            assert answer(command, jobs, True) == expected[asked.index(command)]
        assert bool(called) is is_read_again


ROW_BY_ROW = (
    ["count"],
    ["minimize", "--json"],
    ["explain", "--json"],
    ["augment", "--times", 2, "--csv"],
    ["canonical", "--unique"],
    ["canonical", "--against", "other.txt"],
    ["check", "--timeout", 59, "--csv"],
)


def rows_of_all_kinds(path: Path, count: int = 90) -> None:
    """Write small boards, some of them with rules or what is no board."""
    random = Random(count)
    texts = (SMALL, BOARD, SMALL[::-1], TWO, CLASH, WRONG, "", None)
    rows = [
        {
            "id": number,
            "rules": "diagonals" if random.random() < 0.1 else None,
            "puzzle": random.choice(texts if random.random() < 0.2 else texts[:2]),
        }
        for number in range(count)
    ]
    parquet_of(path, rows, 50)


@pytest.mark.usefixtures("small_blocks")
@sampled(2, "jobs, command", list(product((1, 2), ROW_BY_ROW)))
def test_single_rows_of_parquet_are_read_by_their_place(
    jobs: int, command: list[object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows_of_all_kinds(Path("bank.parquet"))
    Path("other.txt").write_text(f"{BOARD}\n")
    tasks = list(Tasks(["bank.parquet"], None, Hints(), print, is_trusted=True))
    assert [task.puzzles for task in tasks] == [1] * 90
    assert sum(isinstance(task.rows, TableLines) for task in tasks) == 50
    answers = []
    for is_trusted in (True, False):
        monkeypatch.setattr(PuzzleRun, "trusts_files", is_trusted)
        more = ["--jobs", jobs] if is_trusted else ["--jobs", 1]
        found = run(*command, "bank.parquet", *more)
        answers.append((found.code, found.stdout, re.sub("; 0:.*", "", found.stderr)))
    assert answers[0] == answers[1]


@pytest.mark.usefixtures("small_blocks")
def test_a_run_over_single_rows_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows_of_all_kinds(path := tmp_path / "bank.parquet")
    whole, torn = tmp_path / "whole", tmp_path / "torn"
    for command in (["minimize", "--json"], ["count", "--csv"]):
        run(*command, path, "-o", whole, "--force")
        with monkeypatch.context() as patched:
            patched.setattr(Tally, "add", interrupting_add(60))
            assert run(*command, path, "-o", torn, "--force").code == 130
        run(*command, path, "-o", torn, "--resume")
        assert torn.read_text() == whole.read_text()


@pytest.mark.usefixtures("small_blocks")
def test_a_parquet_file_that_has_changed_is_not_read_on(tmp_path: Path) -> None:
    path = bank_of(tmp_path / "bank.parquet", 150)
    [*_, before, last] = placed_tasks(path)
    assert before.lines()
    bank_of(path, 149)
    with pytest.raises(UnseenFileError, match=r"bank.parquet has changed while it was read"):
        last.lines()
    path.unlink()
    with pytest.raises(UnseenFileError, match=r"bank.parquet cannot be read: No such file"):
        last.lines()


@pytest.mark.usefixtures("small_blocks")
def test_rows_of_parquet_much_longer_than_those_before_are_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "bank.parquet"
    rows = [{"puzzle": EASY, "note": "x" * (10_000 if n > 990 else 9)} for n in range(1000)]
    parquet_of(path, rows)
    with pytest.raises(UnlikeLinesError, match="longer rows"):
        placed_tasks(path)[-1].lines()
    assert run("check", path).lines == ["unique"] * 1000


@pytest.mark.usefixtures("small_blocks")
def test_a_damaged_row_group_costs_only_its_own_rows(tmp_path: Path) -> None:
    path, out = bank_of(tmp_path / "bank.parquet", 100), tmp_path / "out.parquet"
    parquet = pytest.importorskip("pyarrow.parquet")
    with parquet.ParquetFile(path) as file:
        place = file.metadata.row_group(2).column(1).data_page_offset
    data = bytearray(path.read_bytes())
    data[place : place + 40] = b"\xff" * 40
    path.write_bytes(data)
    rows = set()
    for command in ("check", "rate"):
        for options in (["--jobs", 1], ["--jobs", 2], ["--jobs", 1, "--timeout", 59]):
            found = run(command, path, "-o", out, "--force", *options)
            assert found.code == 1
            first, others, summary = found.stderr.splitlines()
            assert "damaged data" in first
            assert "99 more" in others
            assert "100 unreadable" in summary
            table = parquet.read_table(out).to_pylist()
            rows.add(tuple((row["id"], row["puzzle"], row["verdict"]) for row in table))
    [answers] = rows
    lost = [number for number, row in enumerate(answers) if row == (None, None, "unreadable")]
    assert 0 < len(lost) <= 100
    assert lost == list(range(lost[0], 300))
    assert all(
        row == (number, EASY, "unique") for number, row in enumerate(answers) if number not in lost
    )


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("answered", [30, 250])
def test_a_run_over_parquet_is_resumed(
    answered: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = bank_of(tmp_path / "bank.parquet", 150, {180: None})
    whole, torn = tmp_path / "whole.csv", tmp_path / "torn.csv"
    options = ["--csv", "--jobs", 2]
    assert run("check", path, "-o", whole, *options).code == 1
    with monkeypatch.context() as patched:
        patched.setattr(Tally, "add", interrupting_add(answered))
        assert run("check", path, "-o", torn, *options).code == 130
    assert answered <= len(torn.read_text().splitlines()) < BANK
    assert run("check", path, "-o", torn, *options, "--resume").code == 1
    assert torn.read_text() == whole.read_text()
