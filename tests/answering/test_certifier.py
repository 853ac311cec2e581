"""Certificates are the results of rows; nothing is written by workers."""

from pathlib import Path

import pytest

from satdoku.answering.certifier import Certifier
from satdoku.answering.output.ending import Ending
from satdoku.solving.limits import Limits
from satdoku.solving.questions import check
from tests.answering.samples import ENDINGS, LINES, tasks_of
from tests.commands import HARD, SMALL

CERTIFIER = Certifier(Limits(), "satdoku 1.2.3")


def test_every_record_has_a_row_and_every_verdict_a_certificate() -> None:
    tasks = tasks_of(LINES)
    rows = list(CERTIFIER.answers(tasks))
    assert [row.ending for row in rows] == ENDINGS
    for task, row in zip(tasks[:3], rows[:3], strict=True):
        told, certificate = row.result
        assert told == task
        assert Ending.of(certificate.verdict) is row.ending
    assert rows[3].result is None
    assert rows[3].message.startswith("input:4:81: 80 cells found")


def test_answering_twice_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that dies or is slow may have its work done again by another."""
    monkeypatch.chdir(tmp_path)
    tasks = tasks_of([SMALL])
    assert list(CERTIFIER.answers(tasks)) == list(CERTIFIER.answers(tasks))
    assert list(tmp_path.iterdir()) == []


def test_a_limit_leaves_a_puzzle_undecided() -> None:
    certifier = Certifier(Limits(timeout=1e-6), "satdoku 1.2.3")
    assert certifier.timeout == 1e-6
    [row] = certifier.answers(tasks_of([HARD]))
    assert (row.ending, row.result) == (Ending.UNDECIDED, None)
    assert row.message.startswith("input:1: undecided: not decided within ")


def test_a_verdict_is_told_where_its_proof_was_not_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A proof may take a hundred times as long as the verdict."""
    monkeypatch.setattr("satdoku.certifying.certify.check", lambda puzzle, _: check(puzzle))
    limit = Limits(conflicts=0)  # reached by the first look behind the verdict
    certifier = Certifier(limit, "satdoku 1.2.3")
    [row] = certifier.answers(tasks_of([HARD]))
    assert (row.ending, row.result, row.text) == (Ending.UNDECIDED, None, "")
    wanted = "unique, but not certified: the proof was not checked within 0 conflicts"
    assert row.message == f"input:1: {wanted}"


def test_a_solver_that_cannot_prove_costs_the_record() -> None:
    certifier = Certifier(Limits(), "satdoku 1.2.3", solver="minicard")
    [row] = certifier.answers(tasks_of([SMALL]))
    assert row.ending is Ending.UNREADABLE
    assert row.message.startswith("input:1: minicard cannot")


def test_what_is_given_up_says_why() -> None:
    row = CERTIFIER.give_up(tasks_of([SMALL])[0], "its process was killed")
    assert row.ending is Ending.UNDECIDED
    assert row.message == "input:1: undecided: its process was killed"
