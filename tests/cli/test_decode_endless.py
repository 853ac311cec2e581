"""What never comes to a formula is not kept whole."""

from pathlib import Path

import pytest

from satdoku.cli import decode
from tests.commands import require_failure, run


def test_short_comments_without_end_count_for_the_memory_that_they_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decode, "LONGEST_LINE", 10_000)
    formula, answer = tmp_path / "formula", tmp_path / "answer"
    formula.write_text("c\n" * 1_000 + "p cnf 64 0\n")
    answer.write_text("s UNSATISFIABLE\n")
    # 2,000 characters, but in memory more than 10,000 bytes: what follows is not looked at, and the
    # file is read as one of puzzles.
    require_failure(run("decode", str(formula), str(answer)), str(formula), "1x1")
    formula.write_text("c\n" * 50 + "p cnf 64 0\n")
    assert run("decode", str(formula), str(answer)).code == 20
