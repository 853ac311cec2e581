"""Runs of `generate` that Ctrl-C or a time limit cuts short, and files that go on."""

import json
import os
import subprocess
import time
from functools import partial
from pathlib import Path

import pytest

from satdoku.cli.terminal import ProgressLine
from tests.cli.interrupting import interrupt_after
from tests.commands import SATDOKU, Result, run
from tests.crossing import few_or_many, sampled

WANTED = ["-n", 12, "--seed", "part", "--box", "2x2", "--jobs", 1]
FORMS = [["--to", "line"], ["--json"], ["--csv"], ["--json", "--distinct", "isomorphic"]]


def interrupted(path: Path, *options: object, after: int = 4) -> Result:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("satdoku.answering.output.ending.Tally.add", interrupt_after(after))
        return run("generate", *options, "-o", path)


@sampled(3, "form", [*FORMS, ["--distinct", "isomorphic"], ["--distinct", "exact"]])
def test_an_interrupted_file_goes_on_to_the_same_bytes(tmp_path: Path, form: list[str]) -> None:
    path = tmp_path / "puzzles"
    first = interrupted(path, *WANTED, *form)
    assert first.code == 130
    assert "puzzles are made; --resume goes on with" in first.stderr
    assert 0 < len(path.read_text().splitlines()) < 12
    # Without --seed: the file beside the output knows it.
    again = run("generate", *WANTED[:2], *WANTED[4:], *form, "-o", path, "--resume")
    assert again.code == 0
    assert path.read_text() == run("generate", *WANTED, *form).stdout
    assert not path.with_name("puzzles.resume").exists()
    complete = run("generate", *WANTED, *form, "-o", path, "--resume")
    assert complete == (0, "", f"{path} is already complete\n")


def test_a_compressed_file_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    cut, whole = tmp_path / "cut.txt.gz", tmp_path / "whole.txt.gz"
    interrupted(cut, *WANTED)
    run("generate", *WANTED, "-o", cut, "--resume")
    run("generate", *WANTED, "-o", whole)
    assert cut.read_bytes() == whole.read_bytes()


def test_an_interruption_tells_the_seed_and_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.txt"
    result = interrupted(path, "-n", 9, "--box", "2x2", "--jobs", 1)
    seed, kept, end = [line for line in result.stderr.splitlines() if line]
    assert seed.startswith("seed ")
    assert kept == f"4 of 9 puzzles are made; --resume goes on with {path}"
    assert end == "satdoku: interrupted"


def test_what_is_drawn_over_several_lines_is_kept_but_not_resumed(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.txt"
    result = interrupted(path, *WANTED, "--to", "ss")
    assert f"puzzles are made; {path} has these alone" in result.stderr
    refused = run("generate", *WANTED, "--to", "ss", "-o", path, "--resume")
    assert refused.code == 2
    assert "--resume needs a file" in refused.stderr


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (["--symmetry", "full"], "--symmetry was none, now it is full"),
        (["--seed", "other"], "--seed was part, now it is other"),
        (["--json"], "the form of the output was line, now it is facts in JSON"),
        (["-k", "7"], "--givens was not given, now it is [7, 7]"),
    ],
)
def test_the_file_of_another_run_is_not_resumed(
    tmp_path: Path, change: list[str], reason: str
) -> None:
    path = tmp_path / "puzzles.txt"
    interrupted(path, *WANTED)
    before = path.read_text()
    result = run("generate", *WANTED, *change, "-o", path, "--resume")
    assert result.code == 1
    assert reason in result.stderr
    assert path.read_text() == before


def test_a_file_with_more_than_is_wanted_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.txt"
    interrupted(path, *WANTED)
    before = path.read_text()
    result = run("generate", "-n", 2, *WANTED[2:], "-o", path, "--resume")
    assert result.code == 1
    assert "puzzles already, more than the 2 that are wanted" in result.stderr
    assert path.read_text() == before


def test_a_file_that_exists_is_not_overwritten_unasked(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.txt"
    path.write_text("mine\n")
    assert run("generate", *WANTED, "-o", path).code == 1
    assert path.read_text() == "mine\n"
    assert run("generate", *WANTED, "-o", path, "--force").code == 0
    assert len(path.read_text().splitlines()) == 12


def test_the_time_limit_is_for_all_and_what_was_made_is_written() -> None:
    """The first puzzle of 17 givens would take hours; those on 4x4 take no time at all."""
    begin = time.monotonic()
    result = run("generate", "-n", 2, "-k", 17, "--seed", 1, "--time-limit", 0.1)
    assert result.code == 124
    assert result.stdout == ""
    assert "the time limit was reached: 0 of 2 puzzles are made" in result.stderr
    assert "puzzle 1" not in result.stderr
    assert time.monotonic() - begin < 60
    endless = run("generate", "-n", 10**7, "--box", "2x2", "--time-limit", 0.2, "--jobs", 1)
    assert endless.code == 124
    assert endless.lines
    assert f"the time limit was reached: {len(endless.lines):,} of 10,000,000" in endless.stderr


def test_the_limit_of_a_puzzle_is_not_taken_for_that_of_all() -> None:
    options = ["-n", 2, "-k", 17, "--seed", 1, "--json", "--jobs", 1, "--time-limit", 1000]
    result = run("generate", *options, "--conflicts", 100)
    assert result.code == 124
    assert [json.loads(line)["puzzle"] for line in result.lines] == [None, None]
    assert "time limit" not in result.stderr


@few_or_many("count", 200, 500)
def test_a_run_that_ran_out_of_time_goes_on(count: int, tmp_path: Path) -> None:
    path = tmp_path / "puzzles.txt"
    options = ["-n", count, "--seed", 1, "--box", "2x2", "--jobs", 2, "-o", path]
    result = run("generate", *options, "--time-limit", 0.1)
    if result.code == 124:  # on a very fast machine it is complete by then
        assert f"--resume goes on with {path}" in result.stderr
        assert run("generate", *options, "--resume").code == 0
    assert path.read_text() == run("generate", *options[:-2]).stdout


def test_progress_is_shown_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    # However fast the machine is: the run may be over before the first line is due.
    monkeypatch.setattr(
        "satdoku.cli.running.ProgressLine",
        partial(ProgressLine, seconds_before=0, seconds_between=0),
    )
    result = run("generate", "-n", 100, "--box", "2x2", "--seed", 1, "--progress", "--jobs", 1)
    assert "/100" in result.stderr
    assert result.code == 0


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_puzzles(tmp_path: Path) -> None:
    most = []
    for number in (1000, 20000):
        output = str(tmp_path / str(number))
        options = ["-n", str(number), "--box", "2x2", "--jobs", "1", "--seed", "1", "-o", output]
        process = subprocess.Popen([*SATDOKU, "generate", *options])
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        most.append(usage.ru_maxrss)
    # Remembering 19,000 more puzzles would take 2 MB even as hashes; 0.3 MB were measured.
    assert most[1] < most[0] + 1500


def test_a_drawing_does_not_take_the_place_of_the_puzzles(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    refused = run("generate", *WANTED, "-o", path, "--draw", path)
    assert refused.code == 2
    assert f"{path} is written already" in refused.stderr
    assert not path.exists()
