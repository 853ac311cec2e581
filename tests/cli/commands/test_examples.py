"""The example files: written whole, used by all pages, and nothing is overwritten unasked."""

from pathlib import Path

import pytest

from satdoku.cli.commands.examples import FOLDER
from tests.commands import require_failure, run

CNF = Path(__file__).parents[3] / "cnf"


def test_they_are_written_with_the_formulas_of_the_repository(tmp_path: Path) -> None:
    result = run("examples", tmp_path / "new")
    written = {path.relative_to(tmp_path / "new") for path in (tmp_path / "new").rglob("*.*")}
    kept = {path.relative_to(CNF) for path in CNF.glob("*/*.*") if path.suffix != ".pyc"}
    assert {Path("cnf") / path for path in kept} < written
    assert result.lines == sorted(str(tmp_path / "new" / path) for path in written)
    for path in FOLDER.glob("*.[tc]*"):
        assert (tmp_path / "new" / path.name).read_bytes() == path.read_bytes()


@pytest.fixture
def without_formulas(monkeypatch: pytest.MonkeyPatch) -> None:
    """To write them takes half a second."""
    monkeypatch.setattr("satdoku.cli.commands.examples.write_formulas", Path.mkdir)


@pytest.mark.usefixtures("without_formulas")
def test_the_folder_may_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("examples").code == 0
    assert run("check", "examples/fifty.txt").code == 0
    assert run("check", "examples/famous.txt").code == 20


@pytest.mark.usefixtures("without_formulas")
def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    (tmp_path / "puzzle.txt").write_text("mine")
    require_failure(run("examples", tmp_path), "is there and not empty", "--force")
    assert (tmp_path / "puzzle.txt").read_text() == "mine"
    assert run("examples", tmp_path, "--force").code == 0
    require_failure(run("examples", tmp_path / "puzzle.txt"), "is there and not empty")
