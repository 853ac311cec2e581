"""What all commands do that ask one question about each puzzle: jobs, tables, resume, rejects."""

import json
from pathlib import Path

import pytest

from tests.cli.interrupting import interrupt_after
from tests.commands import AMBIGUOUS, CLASHING, SMALL, SMALL_SOLUTION, require_failure, run
from tests.each import for_each

LINES = [SMALL, AMBIGUOUS, SMALL_SOLUTION, CLASHING, SMALL[1:], SMALL]
COMMANDS: list[tuple[str, ...]] = [
    ("count", "--limit", "9"),
    ("rate",),
    ("canonical",),
    ("canonical", "--of", "solution"),
    ("minimize",),
    ("minimize", "--redundant"),
    ("minimize", "--fewest"),
]
commands = for_each("command", COMMANDS)
forms = for_each("form", [(), ("--json",), ("--csv",)])


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("questions") / "table.csv"
    rows = [f"{number},{line},kept" for number, line in enumerate(LINES)]
    path.write_text("\n".join(["id,puzzle,reason", *rows]) + "\n")
    return path


@commands
@forms
def test_an_interrupted_run_goes_on_to_the_same_bytes_and_code(
    command: tuple[str, ...], form: tuple[str, ...], table: Path, tmp_path: Path
) -> None:
    whole, torn = tmp_path / "whole", tmp_path / "torn"
    code = run(*command, *form, table, "-o", whole, "--jobs", 1).code
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("satdoku.answering.output.ending.Tally.add", interrupt_after(3))
        assert run(*command, *form, table, "-o", torn, "--jobs", 1).code == 130
    assert 0 < torn.read_text().count("\n") < whole.read_text().count("\n")
    assert run(*command, *form, table, "-o", torn, "--resume").code == code
    assert torn.read_bytes() == whole.read_bytes()


@commands
def test_the_columns_of_a_table_stay(command: tuple[str, ...], table: Path) -> None:
    header, *rows = run(*command, "--csv", table).lines
    assert header.startswith("id,puzzle,reason,verdict,")
    assert header.endswith(",reason_found")
    starts = [f"{number},{line},kept," for number, line in enumerate(LINES)]
    assert [row[: len(start)] for row, start in zip(rows, starts, strict=True)] == starts
    for text, line in zip(run(*command, "--json", table).lines, LINES, strict=True):
        found = json.loads(text)
        assert (found["puzzle"], found["reason"]) == (line, "kept")
        assert {"verdict", "reason_found"} <= found.keys()


@commands
def test_rejects_are_what_got_no_answer(
    command: tuple[str, ...], table: Path, tmp_path: Path
) -> None:
    rejects = tmp_path / "rejects"
    run(*command, table, "--rejects", rejects)
    numbers = [int(line.split("\t")[0]) for line in rejects.read_text().splitlines()]
    needs_one = command[0] in ("rate", "minimize") or "solution" in command
    # What clashes has no canonical form.
    others = [4, 5] if command[0] == "canonical" else [5]
    assert numbers == ([2, 4, 5] if needs_one else others)


def test_two_processes_write_the_same(table: Path) -> None:
    for command in (("minimize", "--fewest"), ("canonical",)):
        one, two = (run(*command, "--csv", table, "--jobs", jobs) for jobs in (1, 2))
        assert (one.code, one.stdout) == (two.code, two.stdout)


def test_another_command_does_not_go_on_with_an_output(table: Path, tmp_path: Path) -> None:
    path = tmp_path / "torn"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("satdoku.answering.output.ending.Tally.add", interrupt_after(3))
        run("rate", table, "--json", "-o", path, "--jobs", 1)
    result = run("canonical", table, "--json", "-o", path, "--resume")
    require_failure(result, "the command was rate, now it is canonical")
