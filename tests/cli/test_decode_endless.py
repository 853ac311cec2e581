"""Lines without an end, and comments without an end before a formula, are refused and not kept."""

import gzip
from pathlib import Path

import pytest

from satdoku.encoding.files.read import LONGEST_LINE
from tests.commands import SMALL, require_failure, run


def test_an_endless_line_ends_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert LONGEST_LINE == 128 << 20
    monkeypatch.setattr("satdoku.cli.decode.LONGEST_LINE", 4 << 20)
    zeros, formula = tmp_path / "zeros.gz", tmp_path / "p.cnf"
    zeros.write_bytes(gzip.compress(bytes(5 << 20), 1))
    run("export", SMALL, "-o", formula)
    require_failure(run("decode", formula, zeros), "zeros.gz:1: this line is longer than 4 MB")
    require_failure(run("decode", zeros), "zeros.gz:1: this line is longer than 4 MB")


def test_short_comments_without_end_count_for_the_memory_that_they_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("satdoku.cli.decode.LONGEST_LINE", 10_000)
    formula, answer = tmp_path / "formula", tmp_path / "answer"
    formula.write_text("c\n" * 1_000 + "p cnf 64 0\n")
    answer.write_text("s UNSATISFIABLE\n")
    # 2,000 characters, but in memory more than 10,000 bytes: what follows is not looked at, and the
    # file is read as one of puzzles.
    require_failure(run("decode", formula, answer), str(formula), "1x1")
    formula.write_text("c\n" * 50 + "p cnf 64 0\n")
    assert run("decode", formula, answer).code == 20
