import csv
import gzip
import json
import lzma
import re
from pathlib import Path

import pytest

from tests.commands import (
    AMBIGUOUS,
    CLASHING,
    EASY,
    EASY_SOLUTION,
    HARD,
    IMPOSSIBLE,
    SMALL,
    SMALL_SOLUTION,
    require_failure,
    run,
)
from tests.each import for_each

ALL = [EASY, AMBIGUOUS, CLASHING, IMPOSSIBLE, EASY[1:]]
VERDICTS = ["unique", "multiple", "none", "none", "unreadable"]
WRONG = "2" + SMALL_SOLUTION[1:]
TABLE = f"""id,quiz,known
7,{SMALL},{SMALL_SOLUTION}
8,{SMALL},{WRONG}
9,{AMBIGUOUS},{SMALL_SOLUTION}
"""


@pytest.fixture
def puzzles(tmp_path: Path) -> Path:
    path = tmp_path / "puzzles.txt"
    path.write_text("\n".join(ALL) + "\n")
    return path


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text(TABLE)
    return path


def test_a_verdict_is_one_word_and_its_evidence(puzzles: Path) -> None:
    result = run("check", puzzles)
    assert result.code == 1
    assert [line.partition(":")[0] for line in result.lines] == VERDICTS
    assert result.lines[1].startswith("multiple: two of them differ in 4 cells (r3c2 is 3 or 1")
    assert result.lines[2] == "none: r1c1 and r1c2 are both 5, in row 1"
    assert "no two givens clash directly" in result.lines[3]


def test_valid_or_invalid_in_words_with_the_reason() -> None:
    assert run("check", EASY) == (0, "unique\n", "")
    assert run("check", CLASHING) == (20, "none: r1c1 and r1c2 are both 5, in row 1\n", "")


def test_many_are_summed_up_in_a_line(puzzles: Path) -> None:
    *talk, summary = run("check", puzzles).stderr.splitlines()
    assert talk == [f"satdoku: {puzzles}:5:81: 80 cells found, expected 81 for 9x9"]
    assert summary.startswith("5 puzzles: 1 unique, 1 multiple, 2 none; 1 unreadable; 0:0")
    assert summary.endswith("/s")


@for_each("puzzle", ALL)
def test_quiet_prints_nothing_and_keeps_the_code(puzzle: str) -> None:
    result = run("check", "-q", puzzle)
    assert result == (run("check", puzzle).code, "", "")


def test_json_shows_the_evidence_and_for_a_single_puzzle_what_it_cost() -> None:
    shown = json.loads(run("check", "--json", AMBIGUOUS).stdout)
    assert shown["verdict"] == "multiple"
    first, second = shown["solution"], shown["second"]
    assert [each["cell"] for each in shown["differences"]] == [
        f"r{cell // 4 + 1}c{cell % 4 + 1}" for cell in range(16) if first[cell] != second[cell]
    ]
    assert {"solver", "encoding", "seconds", "statistics"} <= shown.keys()
    clash = json.loads(run("check", "--json", CLASHING).stdout)["conflicts"]
    assert clash[0]["text"] == "r1c1 and r1c2 are both 5, in row 1"


@pytest.mark.parametrize(
    ("options", "count", "is_shown"),
    [([], 1, True), ([], 2, False), (["--stats"], 2, True), (["--no-stats"], 1, False)],
)
def test_statistics_are_for_one_puzzle_or_when_asked_for(
    options: list[str], count: int, is_shown: bool
) -> None:
    for line in run("check", "--json", *options, *[HARD] * count).lines:
        assert ("statistics" in json.loads(line)) is is_shown


def test_json_of_many_has_line_and_verdict(puzzles: Path) -> None:
    found = [json.loads(line) for line in run("check", "--json", puzzles).lines]
    assert [(each["line"], each["verdict"]) for each in found] == list(enumerate(VERDICTS, 1))


def test_an_open_quote_is_refused_and_spoils_no_other_row(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(f'puzzle,note\n{SMALL},"a\n{SMALL},ok\n{SMALL},"b\nc"\n')
    header, *rows = csv.reader(run("check", "--csv", path).lines)
    assert {len(row) for row in rows} == {len(header)}
    verdicts = [dict(zip(header, row, strict=True))["verdict"] for row in rows]
    assert verdicts == ["unreadable", "unique", "unique"]
    assert "this quote is not closed on its line" in rows[0]
    assert rows[2][1] == "b c"


def test_csv_keeps_the_columns_and_adds_ours(table: Path) -> None:
    header, *rows = csv.reader(run("check", "--csv", table).lines)
    assert header == ["id", "quiz", "known", "verdict", "solution", "second", "reason"]
    assert [row[:3] for row in rows] == list(csv.reader(TABLE.splitlines()))[1:]
    assert [row[3] for row in rows] == ["unique", "unique", "multiple"]
    assert rows[0][4:] == [SMALL_SOLUTION, "", ""]


def test_lines_become_a_table_too(puzzles: Path) -> None:
    header, *rows = csv.reader(run("check", "--csv", puzzles).lines)
    assert header == ["puzzle", "verdict", "solution", "second", "reason"]
    assert [row[:2] for row in rows] == [list(each) for each in zip(ALL, VERDICTS, strict=True)]
    assert {len(row) for row in rows} == {5}


@for_each("column", ["quiz", "QUIZ", "2"])
@for_each("known", ["known", "3"])
def test_a_known_solution_is_compared(table: Path, column: str, known: str) -> None:
    result = run("check", table, "--column", column, "--solution-column", known)
    assert result.code == 1
    assert result.lines == [
        "unique",
        "mismatch: the known solution is wrong in 1 cell: r1c1 is 1, not 2",
        "mismatch: there is a known solution, but the puzzle is multiple",
    ]
    assert "3 puzzles: 1 unique, 2 mismatch; 0 unreadable" in result.stderr


def test_an_unreadable_known_solution_is_told_from_an_unreadable_puzzle(tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(f"puzzle,known\n{SMALL},123\n123,{SMALL}\n")
    assert run("check", path, "--solution-column", "known").lines == [
        "mismatch: the known solution: 3 cells found, expected 16 for 4x4",
        "unreadable: 3 cells found, expected 81 for 9x9",
    ]


def test_a_malformed_or_missing_known_solution_leaves_the_puzzle_readable(tmp_path: Path) -> None:
    path, rejects = tmp_path / "graded.csv", tmp_path / "rejects.txt"
    answers = ["abc", EASY_SOLUTION[1:], "I cannot solve this", "", EASY_SOLUTION]
    path.write_text("puzzle,model\n" + "".join(f"{EASY},{each}\n" for each in answers))
    options = ("--solution-column", "model")
    result = run("check", path, *options, "--csv", "--rejects", rejects)
    rows = list(csv.DictReader(result.lines))
    assert {(row["verdict"], row["solution"]) for row in rows} == {("unique", EASY_SOLUTION)}
    assert [row["mismatch"] for row in rows[3:]] == ["no known solution", ""]
    assert all(row["mismatch"].startswith("the known solution: ") for row in rows[:3])
    assert rows[1]["mismatch"] == "the known solution: 80 cells found, expected 81 for 9x9"
    assert "5 puzzles: 2 unique, 3 mismatch; 0 unreadable" in result.stderr
    assert (result.code, len(rejects.read_text().splitlines())) == (1, 3)
    # A record without a solution contradicts nothing: its verdict is how it ended.
    path.write_text(f"puzzle,model\n{EASY},\n")
    for form in ((), ("--json",), ("--csv",)):
        assert run("check", path, *options, *form).code == 0
    assert run("check", path, *options).lines == ["unique"]


@pytest.mark.parametrize("form", ["--json", "--csv"])
def test_a_mismatch_is_in_every_form(table: Path, form: str) -> None:
    lines = run("check", table, form, "--solution-column", "known").lines
    assert sum("the known solution is wrong in 1 cell" in line for line in lines) == 1


@for_each("option", ["--column", "--solution-column"])
@for_each("column", ["nope", "0", "4", "-1"])
def test_a_column_that_is_not_there_is_named_with_those_that_are(
    table: Path, option: str, column: str
) -> None:
    message = f"{table}:1:1: there is no column '{column}', only id, quiz, known"
    require_failure(run("check", table, option, column), message)


def test_tables_with_the_same_columns_become_one(table: Path) -> None:
    twice = run("check", "--csv", table, table)
    once = run("check", "--csv", table)
    assert twice.lines == once.lines + once.lines[1:]


@pytest.mark.parametrize("other", [f"id;quiz\n1;{SMALL}\n", f"quiz,known,id\n{SMALL},,1\n", SMALL])
def test_tables_with_other_columns_are_refused_by_name(
    table: Path, tmp_path: Path, other: str
) -> None:
    path = tmp_path / "other.csv"
    path.write_text(other)
    result = run("check", "--csv", table, path)
    assert result.code == 1
    assert result.lines == run("check", "--csv", table).lines
    assert f"{path} does not have the columns of {table}" in result.stderr
    assert len(run("check", table, path).lines) == 4


def test_rejects_are_what_is_not_unique_with_number_place_reason_and_text(
    puzzles: Path, tmp_path: Path
) -> None:
    path = tmp_path / "rejects.txt"
    assert run("check", puzzles, "--rejects", path, "-q").code == 1
    lines = [line.split("\t") for line in path.read_text().splitlines()]
    assert [line[0] for line in lines] == ["2", "3", "4", "5"]
    assert [line[1] for line in lines] == [f"{puzzles}:{number}" for number in range(2, 6)]
    assert [line[2].partition(":")[0] for line in lines] == VERDICTS[1:]
    assert [line[3] for line in lines] == ALL[1:]
    assert run("check", EASY, "--rejects", path, "--force").code == 0
    assert path.read_text() == ""


def test_rejects_that_exist_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "rejects.txt"
    path.write_text("precious\n")
    require_failure(run("check", EASY, "--rejects", path), f"{path} exists; --force overwrites it")
    assert path.read_text() == "precious\n"


@for_each("form", [[], ["--json"], ["--csv"]])
@for_each("suffix, opener", [("", open), (".gz", gzip.open), (".xz", lzma.open)])
def test_a_file_holds_what_a_pipe_would_get(
    puzzles: Path, tmp_path: Path, form: list[str], suffix: str, opener: object
) -> None:
    assert callable(opener)
    path = tmp_path / f"out{suffix}"
    result = run("check", puzzles, *form, "-o", path)
    assert (result.code, result.stdout) == (1, "")
    with opener(path, "rb") as stream:
        assert stream.read().decode() == run("check", puzzles, *form).stdout
    assert run("check", puzzles, "-o", path).stderr == (
        f"satdoku: {path} exists; --force overwrites it\n"
    )
    assert run("check", EASY, "-o", path, "--force").code == 0


def test_a_file_is_written_even_quietly(puzzles: Path, tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    assert run("check", puzzles, "-q", "-o", path) == (1, "", "")
    assert len(path.read_text().splitlines()) == 5


@pytest.mark.parametrize("options", [["-o"], ["--rejects"]])
def test_the_input_is_never_overwritten(puzzles: Path, options: list[str]) -> None:
    before = puzzles.read_text()
    result = run("check", puzzles, *options, puzzles, "--force")
    require_failure(result, f"{puzzles} is read already; write to another file", code=2)
    assert puzzles.read_text() == before


def test_output_and_rejects_are_two_files(puzzles: Path, tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    result = run("check", puzzles, "-o", path, "--rejects", path)
    require_failure(result, f"{path} is written already", code=2)


@pytest.mark.parametrize("option", ["-o", "--rejects"])
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, option: str) -> None:
    path = tmp_path / "missing" / "file"
    result = run("check", EASY, option, path)
    require_failure(result, f"{path} cannot be written: No such file or directory")
    require_failure(run("check", EASY, option, tmp_path), str(tmp_path))


@pytest.mark.parametrize(
    "options", [["--solver", "cadical153"], ["--encoding", "natural"], ["--portfolio", "glucose4"]]
)
def test_every_way_to_ask_gives_the_same_verdicts(puzzles: Path, options: list[str]) -> None:
    lines = run("check", puzzles, *options).lines
    assert [line.partition(":")[0] for line in lines] == VERDICTS


def test_a_name_goes_before_the_message() -> None:
    euler = "Grid 07\n" + "\n".join(CLASHING[n : n + 9] for n in range(0, 81, 9)) + "\n"
    assert "stdin:2: Grid 07: no solution: r1c1" in run("solve", stdin=euler).stderr
    assert json.loads(run("check", "--json", stdin=euler).stdout)["name"] == "Grid 07"
    assert EASY_SOLUTION in run("check", "--json", EASY).stdout


def test_a_portfolio_without_names_stands_behind_the_puzzle() -> None:
    result = run("check", EASY, "--portfolio")
    assert (result.code, result.stdout) == (0, "unique\n")


def test_a_seed_is_taken() -> None:
    assert run("check", EASY, "--seed", "7").code == 0
    assert run("check", EASY, "--seed", "-1").code == 2


def test_verbose_tells_on_stderr_what_decided_each_puzzle(puzzles: Path) -> None:
    result = run("check", "-v", puzzles)
    assert result.stdout == run("check", puzzles).stdout
    talk = [line for line in result.stderr.splitlines() if " after " in line]
    assert [line.split(" after ")[0] for line in talk] == [
        f"{puzzles}:{number}: decided" for number in (1, 2, 3, 4)
    ]
    single = run("check", "-v", "--solver", "glucose4", EASY).stderr
    assert re.fullmatch(r"argument:1: decided after \d+\.\d\d s by glucose4( \(.*\))?\n", single)


def test_verbose_says_that_nothing_had_to_be_compared(puzzles: Path) -> None:
    """Each puzzle is a solver's then; without it the compiled library may answer most of them."""
    words = "a solver answered each, none compared"
    assert run("check", "-v", puzzles).stderr.endswith(f"{words}\n")
    assert words not in run("check", "--json", puzzles).stderr


def test_verbose_and_quiet_exclude_each_other() -> None:
    require_failure(run("check", "-v", "-q", EASY), "-v and -q exclude each other", code=2)
