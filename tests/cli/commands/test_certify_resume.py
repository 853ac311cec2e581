"""A run of `certify` that was interrupted goes on with --resume."""

import shutil
from pathlib import Path
from typing import Any

import pytest

import satdoku.cli.commands.certify
from satdoku.certifying.certificate import write_certificate
from tests.commands import CLASHING, EASY, HARD, SMALL, require_failure, run

SEVERAL = "1" + "." * 80
LINES = f"{HARD}\n{SEVERAL}\n{EASY}\n{CLASHING}\n"


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    path = tmp_path / "bank.txt"
    path.write_text(LINES)
    return path


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The certificates of all puzzles in the bank."""
    path = tmp_path_factory.mktemp("certified")
    (path / "bank.txt").write_text(LINES)
    assert run("certify", path / "bank.txt", "-d", path / "out").code == 0
    return path / "out"


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_after_an_interrupt_the_rest_is_certified(
    bank: Path, certified: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resumed = tmp_path / "resumed"
    written: list[Any] = []

    def interrupt_third(*arguments: Any) -> Path:
        written.append(arguments)
        if len(written) == 3:
            raise KeyboardInterrupt
        return write_certificate(*arguments)

    monkeypatch.setattr(satdoku.cli.commands.certify, "write_certificate", interrupt_third)
    result = run("certify", bank, "-d", resumed, "--jobs", "1")
    assert result.code == 130
    assert "2 puzzles are answered; --resume goes on with those that have no" in result.stderr
    monkeypatch.undo()
    again = run("certify", bank, "-d", resumed, "--resume")
    assert (again.code, again.stderr) == (0, "2 certificates kept\n")
    assert again.lines == [
        f"{resumed}/bank-00000003.json: unique",
        f"{resumed}/bank-00000004.json: none",
    ]
    assert files_in(resumed) == files_in(certified)
    assert run("certify", bank, "-d", resumed, "--resume") == (0, "", "4 certificates kept\n")


def test_certificates_about_sums_are_kept_although_their_encoding_is_another(
    tmp_path: Path,
) -> None:
    command = ("certify", SMALL, "--rule", "killer:3=r1c1-2", "-d", tmp_path, "--resume")
    assert run(*command).code == 0
    assert run(*command) == (0, "", "1 certificate kept\n")
    refused = run(*command, "--encoding", "minimal")
    assert (refused.code, refused.stderr.count("another encoding or proof")) == (1, 1)


@pytest.mark.parametrize("name", ["bank-00000003.json", "bank-00000003.cnf"])
@pytest.mark.parametrize("text", ["", "{}", None])
def test_what_is_damaged_or_half_there_is_made_anew(
    name: str, text: str | None, bank: Path, certified: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    shutil.copytree(certified, folder)
    before = files_in(folder)
    (folder / name).unlink() if text is None else (folder / name).write_text(text)
    assert run("certify", bank, "-d", folder, "--resume").code == 0
    assert files_in(folder) == before


def test_certificates_of_another_run_are_refused(
    bank: Path, certified: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    shutil.copytree(certified, folder)
    before = files_in(folder)
    result = run("certify", bank, "-d", folder, "--resume", "--lrat")
    assert (result.code, result.stderr.count("another encoding or proof")) == (1, 3)
    bank.write_text(LINES.replace(HARD, EASY))
    result = run("certify", bank, "-d", folder, "--resume")
    assert (result.code, "bank-00000001.json is about another puzzle" in result.stderr) == (1, True)
    assert files_in(folder) == before


def test_force_and_resume_exclude_each_other(bank: Path) -> None:
    require_failure(run("certify", bank, "--force", "--resume"), "--force", code=2)
