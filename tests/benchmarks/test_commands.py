"""Benchmarks run now and then only; here each that takes files answers a puzzle."""

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
