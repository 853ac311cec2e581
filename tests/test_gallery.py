"""The pictures of the gallery are what its commands make."""

import re
import shlex
from pathlib import Path

import pytest

from tests.commands import run

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "gallery.md").read_text("utf-8")
# What the page's commands may end with: two of them are about puzzles without a unique solution.
ENDINGS = {0, 10, 20}


def test_its_commands_make_its_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gallery").mkdir()
    for command in re.findall(r"^\$ satdoku (.*)$", PAGE, re.M):
        command, _, _ = command.partition(" > ")
        assert run(*shlex.split(command)).code in ENDINGS, command
    made = {path.name: path.read_text() for path in (tmp_path / "gallery").iterdir()}
    kept = {path.name: path.read_text("utf-8") for path in (DOCS / "gallery").iterdir()}
    assert set(made) == set(kept)
    assert [name for name in sorted(made) if made[name] != kept[name]] == []


def test_every_picture_is_shown() -> None:
    shown = set(re.findall(r"\]\(gallery/([^)]+)\)", PAGE))
    assert shown == {path.name for path in (DOCS / "gallery").iterdir()}
