"""Lines without an end, and comments without an end before a formula, are refused and not kept."""

import gzip
from pathlib import Path

import pytest

from satdoku.cli.commands.checking import lines_of, until_content
from satdoku.encoding.files.dimacs import LONGEST_LINE
from satdoku.errors import SatdokuError
from satdoku.solving.limits import Budget
from tests.commands import SMALL, require_failure, run


def test_an_endless_line_ends_with_a_sentence(tmp_path: Path) -> None:
    zeros = tmp_path / "zeros.gz"
    zeros.write_bytes(gzip.compress(bytes(5 << 20), 1))
    with pytest.raises(SatdokuError, match=r"zeros\.gz:1: this line is longer than 4 MB"):
        list(lines_of(str(zeros), Budget(), 4 << 20))


@pytest.mark.slow
def test_so_does_one_for_the_command(tmp_path: Path) -> None:
    zeros, formula = tmp_path / "zeros.gz", tmp_path / "p.cnf"
    zeros.write_bytes(gzip.compress(bytes(LONGEST_LINE + 1), 1))
    run("export", SMALL, "-o", formula)
    for arguments in ([formula, zeros], [zeros]):
        require_failure(run("decode", *arguments), "zeros.gz:1: this line is longer than 128 MB")


def test_short_comments_without_end_count_for_the_memory_that_they_take() -> None:
    """A thousand of them are 2,000 characters, but in memory more than 10,000 bytes."""
    begin = list(until_content(["c"] * 1_000 + ["p cnf 64 0"], most=10_000))
    assert begin == ["c"] * len(begin)
    assert len(begin) < 1_000
    few = ["c"] * 50 + ["p cnf 64 0"]
    assert list(until_content([*few, "1 2 0"], most=10_000)) == few
