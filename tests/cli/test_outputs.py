"""What is read is never written, whatever it is called."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.commands import (
    CLASHING,
    EASY,
    SMALL,
    Result,
    require_failure,
    run,
    run_process,
    start,
)
from tests.each import for_each

TEXT = f"{SMALL}\n{SMALL}\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "puzzles.txt"
    path.write_text(TEXT)
    return path


@pytest.mark.parametrize("link", [os.link, os.symlink])
@pytest.mark.parametrize("option", ["-o", "--rejects"])
def test_another_name_of_the_input_is_no_output(
    source: Path, tmp_path: Path, link: Callable[[Path, Path], None], option: str
) -> None:
    other = tmp_path / "other.txt"
    link(source, other)
    result = run("check", source, option, other, "--force")
    require_failure(result, f"{other} is read already; write to another file", code=2)
    assert source.read_text() == TEXT


@pytest.mark.parametrize(
    "arguments",
    [["solve", "-o"], ["check", "--csv", "-", "-o"], ["check", "--rejects"], ["export", "-o"]],
    ids=" ".join,
)
def test_standard_input_is_no_output(source: Path, arguments: list[str]) -> None:
    with source.open("rb") as stream:
        process = start(*arguments, source, "--force", stdin=stream, stderr=subprocess.PIPE)
    said = process.communicate()[1]
    assert process.returncode == 2
    assert b"is read already; write to another file" in said
    assert source.read_text() == TEXT


@pytest.mark.parametrize("command", ["solve", "solve --all", "check", "convert"])
def test_an_input_that_standard_output_goes_to_is_refused(source: Path, command: str) -> None:
    """It would never end: each answer is a further puzzle."""
    with source.open("ab") as stream:
        process = start(*command.split(), source, stdout=stream, stderr=subprocess.PIPE)
    said = process.communicate(timeout=20)[1]
    assert process.returncode == 2
    assert b"the file that the output goes to is read already" in said
    assert source.read_text() == TEXT


def test_pipes_and_devices_are_read_and_written_at_once() -> None:
    assert run_process("convert", "-", "--to", "line", stdin=TEXT) == Result(0, TEXT, "")
    assert (
        run("check", "/dev/null", "-o", "/dev/null").stderr
        == "satdoku: /dev/null: no puzzle found (a puzzle has a character for every cell)\n"
    )


def test_a_formula_does_not_replace_its_puzzle(tmp_path: Path) -> None:
    path = tmp_path / "puzzle.txt"
    path.write_text(EASY)
    require_failure(run("export", path, "-o", path, "--force"), "is read already", code=2)
    assert path.read_text() == EASY


def test_rejects_go_to_stdout_where_a_dash_is_given(tmp_path: Path) -> None:
    """As of --output; what stdout is redirected to keeps what it has."""
    arguments = ["check", "-o", "answers.txt", "--rejects", "-"]
    process = run_process(*arguments, stdin=f"{CLASHING}\n{EASY}\nbad\n", cwd=tmp_path)
    assert [line.split("\t")[0] for line in process.stdout.splitlines()] == ["1", "3"]
    assert len((tmp_path / "answers.txt").read_text().splitlines()) == 3
    assert not (tmp_path / "-").exists()


@for_each("arguments", [["check"], ["count"], ["generate", "--seed", "1", "--box=2x2"]])
def test_an_output_that_ends_in_csv_gets_a_table(arguments: list[str]) -> None:
    puzzles = [] if arguments[0] == "generate" else [SMALL]
    with TemporaryDirectory() as folder:
        named, asked = Path(folder) / "named.csv", Path(folder) / "asked.txt"
        run(*arguments, *puzzles, "-o", named)
        run(*arguments, *puzzles, "-o", asked, "--csv")
        assert named.read_text() == asked.read_text()


@for_each("arguments", [["count", "--json"], ["solve", "--to", "rows"], ["solve"], ["convert"]])
def test_an_output_that_ends_in_csv_keeps_the_form_that_is_asked_for(arguments: list[str]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "named.csv"
        run(*arguments, SMALL, "-o", path)
        assert path.read_text() == run(*arguments, SMALL).stdout


def test_puzzles_that_are_picked_stay_as_they_came(tmp_path: Path) -> None:
    bank = tmp_path / "bank.txt"
    bank.write_text(f"{SMALL} name\n{SMALL}\n")
    run("canonical", "--unique", bank, "-o", tmp_path / "picked.csv")
    assert (tmp_path / "picked.csv").read_text() == f"{SMALL} name\n"
