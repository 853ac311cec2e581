"""The README and the pages in docs/ say what is true: their commands run, their lists are whole."""

import doctest
import os
import re
import shlex
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
from satdoku.lanes.library import find_library
from satdoku.notation.formats import FORMATS
from tests.commands import Result, run
from tests.each import for_each

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"

# Environments are built by the CI script, which takes the command from the README.
_NOT_HERE = "python3 -m venv"
_SOLVERS = ("cadical", "clasp", "minisat", "drat-trim", "lrat-check")


class Example(NamedTuple):
    """A command of the README and what it shows as its output."""

    command: str
    output: str


class Block(NamedTuple):
    """Commands that are shown together, one after the other, in one folder."""

    page: Path
    line: int
    examples: list[Example]

    def __str__(self) -> str:
        return f"{self.page.name}-line-{self.line}"


def find_blocks(page: Path) -> Iterator[Block]:
    """The console blocks of a page; each command with the lines up to the next one."""
    text = page.read_text()
    for block in re.finditer(r"^```console\n(.*?)^```", text, re.M | re.S):
        parts = re.finditer(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block[1], re.M)
        examples = [Example(part[1], part[2]) for part in parts]
        if not any(example.command.startswith(_NOT_HERE) for example in examples):
            yield Block(page, text[: block.start(1)].count("\n") + 1, examples)


PAGES = (README, *sorted((ROOT / "docs").rglob("*.md")))
BLOCKS = [block for page in PAGES for block in find_blocks(page)]


@pytest.fixture
def folder(tmp_path: Path, examples: Path) -> Path:
    """What a reader has who installed the package: an empty folder, and what `examples` writes."""
    path = tmp_path / "readme"
    path.mkdir()
    shutil.copytree(examples, path / "examples")
    return path


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("written") / "examples"
    assert run("examples", path).code == 0
    return path


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_commands_print_what_the_page_shows(
    block: Block, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = {word for example in block.examples for word in example.command.split()}
    missing = [solver for solver in _SOLVERS if solver in words and not shutil.which(solver)]
    if missing:
        pytest.skip(f"{missing[0]} is not installed")
    if find_library() is None and any("lemmas over" in shown for _, shown in block.examples):
        pytest.skip("without the compiled library, proofs have more lemmas")
    scripts = str(Path(sys.executable).parent)
    monkeypatch.setenv("PATH", scripts + os.pathsep + os.environ["PATH"])
    monkeypatch.chdir(folder)
    for command, output in block.examples:
        shown = shown_by(command)
        assert shown.stdout == output, (command, shown.stderr)


def shown_by(command: str, stdin: str = "") -> Result:
    """What a shell would do with a command.

    What is ours, and nothing in it but a comment is for a shell to do, means the same in this
    process, in a tenth of the time: all of it, its beginning, or what the rest is piped to.
    """
    if is_plain(command):
        return run(*shlex.split(command, comments=True)[1:], stdin=stdin)
    begin = re.match(r"(satdoku [^|&;<>]*?) ?(\||&&|;|>(?= \S+$)) (.*)", command)
    if begin is not None and is_plain(begin[1]):
        done, joint, rest = shown_by(begin[1]), begin[2], begin[3]
        if joint == "|":
            return shown_by(rest, done.stdout)
        if joint == ">":
            Path(rest).write_text(done.stdout)
            return done._replace(stdout="")
        if joint == "&&" and done.code:
            return done
        code, stdout, stderr = shown_by(rest)
        return Result(code, done.stdout + stdout, done.stderr + stderr)
    rest, bar, end = command.rpartition(" | ")
    if bar and "satdoku" not in rest and is_plain(end):
        return shown_by(end, shown_by(rest).stdout)
    ran = subprocess.run(["bash", "-c", command], input=stdin, capture_output=True, text=True)
    return Result(ran.returncode, ran.stdout, ran.stderr)


def is_plain(command: str) -> bool:
    """Whether it is one command, of ours, which a shell would leave as it is."""
    words = re.sub(r"\s#.*|'[^']*'", "", command)
    return command.startswith("satdoku ") and not re.search(r"[|&;<>$`*?(){}#\\]|\s~", words)


@for_each("page", PAGES)
def test_commands_that_are_not_run_belong_to_proof_checkers(page: Path) -> None:
    """docs/index.md says so. These programs cannot be installed from a package."""
    rest = re.sub(r"^```console\n.*?^```", "", page.read_text(), flags=re.M | re.S)
    for block in re.findall(r"^```\n(.*?)^```", rest, re.M | re.S):
        assert not re.search(r"^\$ ", block, re.M) or re.search(
            "drat-trim|lrat-check|^\\$ cc ", block, re.M
        )
    outside = re.sub(r"^```.*?^```", "", rest, flags=re.M | re.S)
    assert not re.search(r"^(\$|>>>) ", outside, re.M)


def test_the_readme_is_one_screen_and_some_links() -> None:
    assert len(README.read_text().splitlines()) <= 120


def test_the_readme_has_examples() -> None:
    assert sum(len(block.examples) for block in BLOCKS) >= 10


def pages() -> list[Path]:
    """The README and the pages in docs/ that have examples in Python."""
    return [page for page in PAGES if "```pycon" in page.read_text()]


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_python_examples_hold(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted >= 2
    assert result.failed == 0


def test_the_examples_of_the_readme_and_of_the_library_are_there() -> None:
    assert {"README.md", "api.md"} <= {page.name for page in pages()}


@pytest.mark.slow  # mypy reads the whole package for it
def test_python_examples_are_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each page's examples are one program, which mypy --strict has nothing to say about."""
    mypy = pytest.importorskip("mypy.api")
    programs = []
    for number, page in enumerate(pages()):
        examples = doctest.DocTestParser().get_examples(page.read_text())
        programs.append(tmp_path / f"page{number}_{page.stem}.py".replace("-", "_"))
        programs[-1].write_text("".join(example.source for example in examples))
    # With the settings of the project, so that what mypy has kept of the package serves here.
    monkeypatch.chdir(ROOT)
    found, errors, code = mypy.run([*map(str, programs)])
    assert (code, errors) == (0, ""), found


def test_every_name_of_the_library_is_on_the_page_about_it() -> None:
    page = (ROOT / "docs" / "api.md").read_text()
    assert [name for name in satdoku.__all__ if f"`{name}" not in page] == []


@for_each("name", group.list_commands(group.make_context("satdoku", ["solve"])))
def test_every_command_is_in_the_readme(name: str) -> None:
    assert f"`satdoku {name}`" in README.read_text()


def test_every_exit_code_is_on_the_page_about_scripts() -> None:
    rows = re.findall(r"^\| (\d+) \|", (ROOT / "docs" / "scripts.md").read_text(), re.M)
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


def test_every_page_is_on_the_site() -> None:
    menu = (ROOT / "mkdocs.yml").read_text()
    pages = [str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if f": {page}\n" not in menu] == []
