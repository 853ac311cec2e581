"""The README and the pages in docs/ say what is true: their commands run, their lists are whole."""

import doctest
import gzip
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import satdoku
from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.main import satdoku as group
from satdoku.notation.formats import FORMATS

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"

# Environments are built by the CI script, which takes the command from the README.
_NOT_HERE = "python3 -m venv"
_SOLVERS = ("cadical", "minisat")


class Example(NamedTuple):
    """A command of the README and what it shows as its output."""

    line: int
    command: str
    output: str

    def __str__(self) -> str:
        return f"line-{self.line}"


def find_examples(text: str) -> Iterator[Example]:
    """The commands in console blocks, each with the lines up to the next one."""
    for block in re.finditer(r"^```console\n(.*?)^```", text, re.M | re.S):
        first = text[: block.start(1)].count("\n") + 1
        for part in re.finditer(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block[1], re.M):
            line = first + block[1][: part.start()].count("\n")
            yield Example(line, part[1], part[2])


EXAMPLES = [e for e in find_examples(README.read_text()) if not e.command.startswith(_NOT_HERE)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a reader has: the examples of a clone, and a bank of puzzles."""
    path = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "examples", path / "examples")
    with gzip.open(path / "bank.csv.gz", "wb") as bank:
        bank.write((ROOT / "examples" / "table.csv").read_bytes())
    return path


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_readme_commands_print_what_the_readme_shows(example: Example, folder: Path) -> None:
    missing = [s for s in _SOLVERS if s in example.command.split() and not shutil.which(s)]
    if missing:
        pytest.skip(f"{missing[0]} is not installed")
    scripts = str(Path(sys.executable).parent)
    environment = os.environ | {"PATH": scripts + os.pathsep + os.environ["PATH"]}
    ran = subprocess.run(
        ["bash", "-c", example.command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout == example.output, ran.stderr


def test_the_readme_has_examples() -> None:
    assert len(EXAMPLES) >= 10


def test_readme_python_examples_hold() -> None:
    result = doctest.testfile(str(README), module_relative=False)
    assert result.attempted >= 5
    assert result.failed == 0


@pytest.mark.parametrize("name", group.list_commands(group.make_context("satdoku", ["solve"])))
def test_every_command_is_in_the_readme(name: str) -> None:
    assert f"`satdoku {name}`" in README.read_text()


def test_every_exit_code_is_in_the_readme() -> None:
    rows = re.findall(r"^\| (\d+) \|", README.read_text(), re.M)
    assert {int(code) for code in rows} == {int(code) for code in ExitCode}


def test_every_name_of_the_library_exists_and_is_sorted() -> None:
    assert satdoku.__all__ == sorted(satdoku.__all__)
    assert all(hasattr(satdoku, name) for name in satdoku.__all__)


def test_every_package_is_in_the_design() -> None:
    design = (ROOT / "docs" / "design.md").read_text()
    for path in (ROOT / "satdoku").iterdir():
        if (path / "__init__.py").exists():
            assert f"`{path.name}/`" in design


def test_every_format_can_be_asked_for_in_the_help() -> None:
    context = group.make_context("satdoku", ["solve", "--help"], resilient_parsing=True)
    command = group.get_command(context, "solve")
    assert command is not None
    text = command.get_help(context)
    assert all(name in text for name in FORMATS)
