"""A certificate holds or fails, with a row either way; those that were asked for are met."""

from pathlib import Path
from typing import Any

import pytest

from satdoku.answering.output.ending import Ending
from satdoku.answering.verifier import CertificateFile, ExpectedPuzzles, Verifier
from satdoku.batch.row import Row
from satdoku.certifying.certificate import read_certificate
from satdoku.errors import FormatError
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.everywhere import AntiKing, AntiKnight
from tests.answering.samples import tasks_of
from tests.boards import read_grid
from tests.certifying.second import needs_compiler
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
    assert row.text.endswith(f": {puzzle}\n")
    assert row.result == Puzzle(read_grid(puzzle))


def test_one_that_does_not_has_failed_and_says_why(tmp_path: Path) -> None:
    path = tmp_path / "missing.json"
    row = verify(path)
    assert (row.ending, row.text) == (Ending.FAILED, f"{path}: FAILED\n")
    assert "missing.json cannot be read" in row.message


@pytest.mark.parametrize("options", [(), pytest.param(("--second",), marks=needs_compiler)])
def test_a_bug_costs_one_certificate_and_no_other(
    options: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("certify", "-", "-d", tmp_path, stdin=f"{SMALL}\n{CLASHING}\n").code == 0

    def fail(path: Path) -> Any:
        certificate = read_certificate(path)
        if certificate.puzzle == Puzzle(read_grid(SMALL)):
            raise KeyError("planted")
        return certificate

    monkeypatch.setattr("satdoku.answering.verifier.read_certificate", fail)
    found = run("verify", tmp_path, "--jobs", 1, *options)
    assert found.code == 1
    assert [line.split(": ")[1].split(",")[0] for line in found.lines] == ["fault", "none"]
    assert "fault: this is a bug of satdoku, please report it with the certi" in found.stderr


def test_nothing_is_known_of_one_whose_check_did_not_end(tmp_path: Path) -> None:
    row = Verifier().give_up(CertificateFile("x.json"), "its process was killed")
    message = "x.json: undecided: its process was killed"
    assert row == Row("x.json: undecided\n", Ending.UNDECIDED, message, place="x.json")
    assert run("certify", SMALL, "-d", tmp_path).code == 0
    [path] = tmp_path.glob("*.json")
    [row] = Verifier(timeout=1e-9).answers([CertificateFile(str(path))])
    assert (row.ending, row.result) == (Ending.UNDECIDED, None)
    assert row.message == f"{path}: undecided: not decided within 1e-09 s"


def test_the_puzzle_is_named_with_its_rules(tmp_path: Path) -> None:
    assert run("certify", SMALL, "-d", tmp_path).code == 0
    assert run("certify", "." * 16, "--rule", "anti-king", "-d", tmp_path, "--force").code == 0
    [path] = tmp_path.glob("*.json")
    row = verify(path)
    assert row.text.endswith(f": {'.' * 16} rows columns boxes anti-king\n")
    assert row.result.rules[-1] == AntiKing()


def test_long_rules_are_cut_and_many_are_counted(tmp_path: Path) -> None:
    machine = f"machine:r1c1,r1c2,r1c3,r1c4:@{';'.join(['!1234>0'] * 40)}"
    odd = [f"odd:r{row}c{column}" for row in range(1, 5) for column in range(1, 5)]
    rules = [part for rule in (machine, *odd) for part in ("--rule", rule)]
    assert run("certify", "." * 16, *rules, "-d", tmp_path).code == 0
    [path] = tmp_path.glob("*.json")
    row = verify(path)
    cut = f"{machine[:57]}..."
    shown = " ".join(["rows", "columns", "boxes", cut, *odd[:8], "and 8 more rules"])
    assert row.text.endswith(f": {'.' * 16} {shown}\n")


def test_a_large_puzzle_is_not_written_out(tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_text("0 " * 625)
    assert run("certify", tmp_path / "p.txt", "-d", tmp_path).code == 0
    [path] = tmp_path.glob("*.json")
    assert verify(path).text.endswith(": a 25x25 puzzle with 0 givens\n")


def test_puzzles_that_were_not_met_are_missing_in_order() -> None:
    expected = ExpectedPuzzles(tasks_of([SMALL, AMBIGUOUS, SMALL]))
    assert expected.missing() == ["input:1", "input:2"]
    assert expected.meet(Puzzle(read_grid(SMALL), name="another name"))
    assert expected.missing() == ["input:2"]
    assert expected.meet(Puzzle(read_grid(AMBIGUOUS)))
    assert expected.missing() == []


def test_a_puzzle_with_other_rules_is_another_one() -> None:
    expected = ExpectedPuzzles(tasks_of([SMALL]))
    assert not expected.meet(Puzzle(read_grid(SMALL)).with_rules([AntiKnight()]))
    assert expected.missing() == ["input:1"]


def test_what_is_no_puzzle_is_an_error() -> None:
    with pytest.raises(FormatError):
        ExpectedPuzzles(tasks_of([SMALL, "12"]))
