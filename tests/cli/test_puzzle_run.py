"""What all commands do that ask one question about each puzzle: jobs, tables, resume, rejects."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from satdoku.errors import SolverError
from satdoku.making.generator import Generator
from satdoku.puzzle.puzzle import Puzzle
from tests.cli.interrupting import interrupt_after
from tests.commands import AMBIGUOUS, CLASHING, EASY, SMALL, SMALL_SOLUTION, require_failure, run
from tests.compiled import needs_library
from tests.crossing import crossed
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
FORMS: list[tuple[str, ...]] = [(), ("--json",), ("--csv",)]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("questions") / "table.csv"
    rows = [f"{number},{line},kept" for number, line in enumerate(LINES)]
    path.write_text("\n".join(["id,puzzle,reason", *rows]) + "\n")
    return path


@crossed(3, command=COMMANDS, form=FORMS)
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


FAULTY = SMALL[::-1]
"""The puzzle over which `plant` has answerers stumble."""


def plant(patch: pytest.MonkeyPatch, name: str, error: Exception) -> None:
    """Plant a bug: the function of this name raises an error when it gets that puzzle."""
    whole = import_module(name.rpartition(".")[0]).__dict__[name.rpartition(".")[2]]

    def faulty(puzzle: Puzzle, *further: object, **named: object) -> object:
        if puzzle == Puzzle.from_line(FAULTY):
            raise error
        return whole(puzzle, *further, **named)

    patch.setattr(name, faulty)


BUG = "this is a bug of satdoku, please report it with the puzzle (KeyError: 'planted')"
ANSWERERS = [
    (("check",), "satdoku.answering.checker.check"),
    (("solve", "--any"), "satdoku.answering.checker.find_solutions"),
    (("explain", "--brief"), "satdoku.answering.explainer.explain"),
    (("candidates", "--flat"), "satdoku.answering.explainer.board_of"),
    (("narrow",), "satdoku.answering.counter.find_further_clues"),
    (("draw", "--solution", "--text"), "satdoku.answering.sketcher.check"),
]


@crossed(2, jobs=[1, 2], answerer=ANSWERERS)
def test_a_bug_costs_the_puzzle_that_it_is_about_and_no_other(
    answerer: tuple[tuple[str, ...], str], jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    command, name = answerer
    lines = [AMBIGUOUS, FAULTY, AMBIGUOUS[::-1], FAULTY, SMALL]
    others = [run(*command, "-", "--jobs", jobs, stdin=line).stdout for line in lines]
    plant(monkeypatch, name, KeyError("planted"))
    result = run(*command, "-", "--jobs", jobs, stdin="\n".join(lines))
    assert result.code == 1
    for line in (2, 4):
        assert f"satdoku: stdin:{line}: fault: {BUG}\nTraceback (most recent" in result.stderr
    if command[0] not in ("solve", "draw"):
        others[1] = others[3] = f"fault: {BUG}\n"
        assert result.stdout == "".join(others)


def test_a_bug_is_told_in_every_form_and_counted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lines = [SMALL, FAULTY]
    path, rejects = tmp_path / "puzzles.txt", tmp_path / "rejects"
    path.write_text("\n".join(lines))
    plant(monkeypatch, "satdoku.answering.checker.check", KeyError("planted"))
    told = run("check", path, "--json", "--rejects", rejects)
    assert json.loads(told.lines[1]) == {"line": 2, "verdict": "fault", "reason": BUG}
    assert "2 puzzles: 1 unique, 1 fault; 0 unreadable" in told.stderr
    assert rejects.read_text() == f"2\t{path}:2\tfault: {BUG}\t{FAULTY}\n"
    assert run("check", path, "--csv").lines[2] == f'{FAULTY},fault,,,"{BUG}"'
    assert run("solve", path, "--to", "line").lines == [SMALL_SOLUTION, ""]
    assert run("check", path, "-q").stderr == ""
    certified = run("certify", path, "-d", tmp_path / "certificates")
    assert certified.code == 0
    plant(monkeypatch, "satdoku.answering.certifier.certify", KeyError("planted"))
    certified = run("certify", path, "-d", tmp_path / "others")
    assert (certified.code, f"{path}:2: fault: {BUG}" in certified.stderr) == (1, True)


TOGETHER = [
    (("check",), "satdoku.answering.checker.solve_blocks"),
    (("solve",), "satdoku.answering.checker.solve_blocks"),
    (("rate",), "satdoku.answering.rater.ratings_of"),
    (("canonical",), "satdoku.answering.twins.canonical_forms"),
    (("minimize",), "satdoku.answering.reducer.only_solutions"),
]


@needs_library
@for_each("command, name", TOGETHER)
def test_a_bug_in_what_is_found_together_costs_no_puzzle(
    command: tuple[str, ...], name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{EASY}\n" * 200)
    expected = run(*command, path, "--jobs", 1).stdout
    called = []

    def fail(*arguments: object, **named: object) -> Any:
        called.append(arguments)
        raise KeyError("planted")

    monkeypatch.setattr(name, fail)
    result = run(*command, path, "--jobs", 1)
    assert (result.code, result.stdout) == (0, expected)
    assert called


def test_a_bug_in_the_making_of_a_puzzle_costs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    command = ["generate", "-n", 5, "--seed", "a", "--json", "--jobs", 1]
    for more in ([], ["--timeout", 1000], ["--distinct", "exact"]):
        whole = run(*command, *more).lines
        with monkeypatch.context() as patch:
            finish = Generator._generated

            def fail(self: Generator, puzzle: Any, draft: Any, index: int) -> Any:
                if index == 2:
                    raise KeyError("planted")
                return finish(self, puzzle, draft, index)  # noqa: B023

            patch.setattr(Generator, "_generated", fail)
            found = run(*command, *more)
        assert found.code == 1
        assert "puzzle 3: fault: this is a bug of satdoku" in found.stderr
        if "--distinct" in more:
            # Another one is made in its place, as for any that was not found.
            assert [*found.lines[:2], *found.lines[2:4]] == [*whole[:2], *whole[3:]]
            assert json.loads(found.lines[4])["index"] == 5
            continue
        assert [*found.lines[:2], *found.lines[3:]] == [*whole[:2], *whole[3:]]
        told = json.loads(found.lines[2])
        assert (told["index"], told["puzzle"]) == (2, None)


def test_a_resumed_run_knows_of_a_bug(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path, output = tmp_path / "puzzles.txt", tmp_path / "answers.jsonl"
    path.write_text("\n".join([FAULTY, SMALL, SMALL]))
    plant(monkeypatch, "satdoku.answering.checker.check", KeyError("planted"))
    with monkeypatch.context() as patch:
        patch.setattr("satdoku.answering.output.ending.Tally.add", interrupt_after(2))
        assert run("check", "--json", path, "-o", output, "--jobs", 1).code == 130
    assert run("check", "--json", path, "-o", output, "--resume").code == 1


@for_each("error", [SolverError("refused"), OSError("no room")])
def test_an_error_that_is_no_bug_ends_the_run_as_before(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch, "satdoku.answering.checker.check", error)
    result = run("check", "-", stdin="\n".join([SMALL, FAULTY, SMALL]))
    assert (result.code, result.stdout) == (1, "unique\n")
    assert result.stderr == f"satdoku: {error}\n"
