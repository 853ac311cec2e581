"""A certificate holds or fails; either way there is a row for it."""

from pathlib import Path

import pytest

from satdoku.answering.verifier import CertificateFile, Verifier
from satdoku.batch.row import Row
from satdoku.output.ending import Ending
from tests.commands import AMBIGUOUS, CLASHING, SMALL, run


def verify(path: Path) -> Row:
    [row] = Verifier().answers([CertificateFile(str(path))])
    return row


@pytest.mark.parametrize(
    ("puzzle", "ending", "words"),
    [
        (SMALL, Ending.UNIQUE, "unique, proven by "),
        (CLASHING, Ending.NONE, "none, proven by "),
        (AMBIGUOUS, Ending.MULTIPLE, "multiple, both solutions are right"),
    ],
)
def test_a_certificate_that_holds_ends_with_its_verdict(
    puzzle: str, ending: Ending, words: str, tmp_path: Path
) -> None:
    assert run("certify", puzzle, "-d", tmp_path).code == 0
    [path] = tmp_path.glob("*.json")
    row = verify(path)
    assert row.ending is ending
    assert row.text.startswith(f"{path}: {words}")


def test_one_that_does_not_has_failed_and_says_why(tmp_path: Path) -> None:
    path = tmp_path / "missing.json"
    row = verify(path)
    assert (row.ending, row.text) == (Ending.FAILED, f"{path}: FAILED\n")
    assert "missing.json cannot be read" in row.message
    again = Verifier().give_up(CertificateFile("x.json"), "its process was killed")
    assert again == Row("x.json: FAILED\n", Ending.FAILED, "its process was killed")
