"""-q means the same in every command: only what was asked for is printed."""

from pathlib import Path

import pytest

from tests.commands import AMBIGUOUS, EASY, EASY_SOLUTION, SMALL, require_failure, run

PRINTED = {
    "solve": f"{EASY_SOLUTION}\n\n",
    "check": "",
    "count": "1\nunreadable: 80 cells found, expected 81 for 9x9\n",
    "convert": f"{EASY}\n",
}


@pytest.mark.parametrize("command", PRINTED)
def test_data_is_printed_and_nothing_is_said(command: str) -> None:
    result = run(command, "-q", stdin=f"{EASY}\n{EASY[1:]}\n")
    assert result == (1, PRINTED[command], "")


def test_certificates_are_written_and_verified_in_silence(tmp_path: Path) -> None:
    assert run("certify", "-q", EASY, AMBIGUOUS, "-d", tmp_path) == (0, "", "")
    assert len(list(tmp_path.glob("*.json"))) == 2
    assert run("verify", "-q", tmp_path) == (0, "", "")
    require_failure(run("certify", "-q", EASY, "-d", tmp_path), "exists; --force overwrites it")


@pytest.mark.parametrize("command", [*PRINTED, "hint", "certify", "candidates", "explain"])
def test_an_input_that_is_missing_is_said_even_then(command: str, tmp_path: Path) -> None:
    missing = tmp_path / "missing.txt"
    result = run(command, "-q", missing)
    require_failure(result, f"satdoku: there is no file {missing}")


def test_tables_that_were_asked_for_are_printed() -> None:
    assert run("check", "-q", "--csv", SMALL).stdout.count("\n") == 2
