"""Benchmarks run now and then only; here each that takes files answers a puzzle."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.__main__ import benchmarks
from tests.commands import EASY


@pytest.mark.parametrize(
    "words",
    [
        ["certificates"],
        ["explaining", "--seconds", "1"],
        ["speed", "--rounds", "1"],
        ["lanes", "--lines", "100", "--tdoku", "/nowhere/run_benchmark"],
        pytest.param(["solvers"], marks=pytest.mark.slow),
        ["big", "--alone", "--limit", "60"],
    ],
    ids=lambda words: words[0],
)
def test_a_benchmark_has_a_row_for_a_file(words: list[str], tmp_path: Path) -> None:
    path = tmp_path / "one.txt"
    path.write_text(EASY + "\n")
    result = CliRunner().invoke(benchmarks, [*words, str(path)])
    assert (result.exit_code, result.exception) == (0, None)
    assert "one" in result.output


@pytest.mark.skipif(sys.platform == "win32", reason="of POSIX")
def test_numbers_of_jobs_are_compared(tmp_path: Path) -> None:
    path = tmp_path / "one.txt"
    path.write_text(EASY + "\n")
    result = CliRunner().invoke(benchmarks, ["jobs", "--puzzles", "50", "--runs", "1", str(path)])
    assert (result.exit_code, result.exception) == (0, None)
    assert [line.split()[1] for line in result.output.splitlines()[2:]] == ["1", "2"]
