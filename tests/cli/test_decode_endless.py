"""A line without an end, as a small file unpacks to one, is refused and not kept."""

import gzip
from pathlib import Path

import pytest

from satdoku.dimacs.text import LONGEST_LINE
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
