"""Tables are answered by the block, and nobody can see that in the output."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from satdoku.cli.inputs import Tasks
from satdoku.notation import plain_lines
from satdoku.notation.hints import Hints
from tests.commands import EASY, run
from tests.crossing import few_or_many

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


def parquet_of(path: Path, rows: list[dict[str, Any]]) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    columns.pop("rating", None)
    parquet.write_table(pyarrow.table(columns), path)


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
    rows = [f"{number},{EASY},x" for number in range(1000)]
    rows[800] = f"800,{EASY},{odd}" if odd is not None else ""
    path = tmp_path / "table.csv"
    path.write_text("\n".join(["id,puzzle,source", *rows, "1000,.,x", ""]))
    hints = Hints()
    tasks = Tasks([str(path)], None, hints, print, by_block=True, by_row=True, is_trusted=True)
    assert any(isinstance(task.rows, plain_lines.FileLines) for task in tasks)
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
