"""CONTRIBUTING.md is true: its rule, format and technique work, and its entries are joined."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace
from typing import Any

import pytest

from satdoku.explaining.explain import explain
from satdoku.explaining.hint import find_hint
from satdoku.explaining.step import Technique
from satdoku.explaining.techniques.search import PLACES, every_search, telling
from satdoku.puzzle.puzzle import Puzzle
from tests.commands import SATDOKU, Result
from tests.each import for_each
from tests.several import run_several

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
JOIN = SimpleNamespace(**run_path(str(ROOT / "changes" / "join.py")))


def block_with(word: str) -> str:
    """The code on the page that has this word in it."""
    blocks = re.findall(r"^```(?:python|toml)\n(.*?)^```", TEXT, re.M | re.S)
    (found,) = (block for block in blocks if word in block)
    return str(found)


def install(folder: Path, package: str, files: Mapping[str, str], *entries: str) -> None:
    """Install a package into a folder, as pip would: its files, and what names its entry points."""
    for name, text in files.items():
        (folder / name).write_text(text)
    told = folder / f"{package}-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    # An entry of `pyproject.toml`, in the form that it has where packages are installed.
    lines = re.sub(r'\[project\.entry-points\."(.*)"\]', r"[\1]", "\n".join(entries))
    (told / "entry_points.txt").write_text(lines.replace('"', ""))


def environment_of(folder: Path) -> dict[str, str]:
    """The variables of a program that finds what a folder holds, and these tests."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}


def run_with(folder: Path, *arguments: object, stdin: str = "") -> Result:
    """Run a command where the packages of a folder are installed."""
    done = subprocess.run(
        [*SATDOKU, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment_of(folder),
        timeout=60,
    )
    return Result(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the rule and the format of the page, each in a package of its own."""
    folder = tmp_path_factory.mktemp("installed")
    rule = {"fast_thermo.py": block_with("class FastThermo")}
    install(folder, "fast-thermo", rule, block_with('"satdoku.rules"'))
    form = {"backwards.py": block_with("class Backwards")}
    install(folder, "backwards", form, block_with('"satdoku.formats"'))
    return folder


def test_the_rule_of_the_page_is_whole(installed: Path) -> None:
    script = "from tests.walking import walk; walk('fast-thermo')"
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        cwd=installed,
        env=environment_of(installed),
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_the_rule_of_the_page_is_known_to_workers(installed: Path) -> None:
    rule = "fast-thermo:r1c1,r2c2"
    answers = run_with(installed, "check", "-", "--jobs", 2, "--rule", rule, stdin="4" + "." * 15)
    assert answers.stdout.startswith("none")


def test_the_rule_of_the_page_is_applied_where_a_text_states_it(installed: Path) -> None:
    text = "rules: fast-thermo:r1c2,r1c1\n1" + "." * 15
    found = run_with(installed, "check", "-", stdin=text)
    assert found.stdout.startswith("none")
    assert "the text states fast-thermo:r1c2,r1c1, which is applied" in found.stderr


def test_the_format_of_the_page_is_read_and_written(installed: Path) -> None:
    written, read, made = run_several(
        [
            ["convert", "1" + "." * 15, "--to", "backwards"],
            ["convert", "-", "--from", "backwards"],
            ["generate", "--box", "2x2", "--seed", 1, "--to", "backwards"],
        ],
        installed,
        environment_of(installed),
        stdin="1" + "." * 15 + "\n",
    )
    assert written.stdout == read.stdout == "." * 15 + "1\n"
    solved = run_with(
        installed, "solve", "-", "--from", "backwards", "--to", "line", stdin=made.stdout
    )
    assert (solved.code, len(solved.stdout)) == (0, 17)


BROKEN = {
    "gone:Rule": "cannot be imported: ModuleNotFoundError: No module named 'gone'",
    "broken:Missing": "cannot be imported: AttributeError: module 'broken' has no attribute",
    "broken:number": "cannot be used: it is no class made from satdoku.puzzle.rules.rule.Rule",
    "broken:Half": "cannot be used: its class Half has no cells",
    "broken:Other": "cannot be used: its class Other has another name, 'thermo'",
}


def test_what_is_wrong_with_a_package_is_a_sentence_that_names_it(tmp_path: Path) -> None:
    text = (
        "from satdoku.puzzle.rules.order import Thermo\n"
        "from satdoku.puzzle.rules.rule import Rule\n"
        "number = 1\nclass Half(Rule):\n    name = 'rule-3'\nclass Other(Thermo): pass\n"
        "class Fails(Thermo):\n    name = 'fails'\n    def find_clashes(self, geometry, digits):\n"
        "        return digits['x']\n"
    )
    entries = [f"rule-{number} = {place}" for number, place in enumerate(BROKEN)]
    install(tmp_path, "theirs", {"broken.py": text}, "[satdoku.rules]", *entries)
    install(tmp_path, "second", {}, "[satdoku.rules]", "fails = broken:Fails", "rule-9 = a:B")
    install(
        tmp_path, "third", {}, "[satdoku.rules]", "rule-9 = a:B", "[satdoku.formats]", "f = a:B"
    )
    check = ["check", "." * 16]
    commands: list[Sequence[object]] = [
        *[[*check, "--rule", f"rule-{number}:r1c1,r2c1"] for number in range(len(BROKEN))],
        [*check, "--rule", "rule-9"],
        [*check, "--from", "f"],
        *[["check", "-", "-j", jobs, "--rule", "fails:r1c1,r2c1"] for jobs in (1, 2)],
    ]
    *of_rules, twice, read, one, two = run_several(
        commands, tmp_path, environment_of(tmp_path), stdin="1" + "." * 15
    )
    for number, (done, message) in enumerate(zip(of_rules, BROKEN.values(), strict=True)):
        assert f"the rule rule-{number} of the package theirs {message}" in done.stderr
        assert (done.code, "Traceback" in done.stderr) == (2, False)
    assert "second and third both have a rule rule-9" in twice.stderr
    assert read.stderr.startswith("satdoku: the format f of the package third cannot be imported")
    for done in (one, two):
        assert re.match("satdoku: the package (second|theirs) failed at .*broken.py", done.stderr)
        assert done.code == 1


def test_names_that_nobody_has_are_answered_as_ever(installed: Path) -> None:
    assert "'nope' is not one of 'line'" in run_with(installed, "convert", "--to", "nope").stderr
    unknown = run_with(installed, "check", "." * 16, "--rule", "nope")
    assert "there is no rule 'nope'" in unknown.stderr


WITH_TWO_CELLS = "6..7.5..4.71.4..5.4.5...7.8......54...435...2...42.68.14....8.52..5.847...86.4..9"


def test_the_technique_of_the_page_is_told_and_hinted_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a file in `techniques/` and a line in `step.py` would add it."""
    technique = object.__new__(Technique)
    technique._name_, technique._value_ = "TWO_CELLS", "two cells"
    monkeypatch.setattr(Technique, "TWO_CELLS", technique, raising=False)
    monkeypatch.setitem(PLACES, technique, PLACES[Technique.NAKED_SINGLE])
    names: dict[str, Any] = {}
    exec(block_with("def find_two_cells"), names)
    searches = (names["SEARCH"], *every_search())
    monkeypatch.setattr("satdoku.explaining.way.every_search", lambda: searches)
    monkeypatch.setattr("satdoku.explaining.techniques.search.every_search", lambda: searches)
    telling.cache_clear()
    hint = find_hint(Puzzle.from_line(WITH_TWO_CELLS))
    assert hint.step is not None
    assert hint.step.technique is technique
    told = "\n".join([hint.where, hint.what, hint.how])
    assert "two cells in r5c7 and r5c8" in told
    assert "whatever is in r5c7 and r5c8, so r4c9≠1, r5c1≠9" in told
    # The steps behind it are found and proved on what it left.
    assert explain(Puzzle.from_line(WITH_TWO_CELLS)).way.is_full
    monkeypatch.undo()
    telling.cache_clear()


@for_each("file", sorted((ROOT / "changes").glob("*.md")) or [None])
def test_entries_of_the_changelog_have_their_form(file: Path | None) -> None:
    assert file is None or JOIN.fault_of(file.name, file.read_text("utf-8")) == ""


def test_entries_go_into_the_changelog_from_1_0_on(tmp_path: Path) -> None:
    for version, is_before in (("0.2.0", True), ("1.0.0", False), ("2.0.1", False)):
        (tmp_path / "pyproject.toml").write_text(f'[project]\nversion = "{version}"\n')
        assert JOIN.is_before_1(tmp_path) is is_before


def test_the_changelog_is_one_screen_and_begins_with_what_breaks() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    newest = text.split("\n## [")[1]
    assert len(newest.splitlines()) <= 60
    assert newest.index("### Breaking") == newest.index("### ")
    # What breaks is a table: before, now, what to do.
    assert "| before | now | what to do |" in newest
    needed = re.search(r'"python-sat>=([^"]+)"', (ROOT / "pyproject.toml").read_text("utf-8"))
    assert needed is not None
    assert f"| {needed[1]} or newer |" in newest
    linked = re.findall(r"\]\(([^):]+)\)", text)
    assert [path for path in linked if not (ROOT / path).exists()] == []


@for_each(
    "name, text, fault",
    [
        ("added-a-rule.md", "The rule `a`.", ""),
        ("new-a-rule.md", "The rule `a`.", "the name is SECTION-WORDS.md"),
        ("added-a-rule.md", "- The rule `a`.", "without a bullet"),
        ("added-a-rule.md", " ", "an entry is a sentence"),
        ("added-a-rule.md", "word " * 21, "21 words are too many"),
    ],
)
def test_what_is_wrong_with_an_entry_is_said(name: str, text: str, fault: str) -> None:
    said = JOIN.fault_of(name, text)
    assert fault in said
    assert bool(said) is bool(fault)


def test_entries_are_joined_into_their_sections() -> None:
    before = (
        "# C\n\n## [Unreleased]\n\n### Added\n\n- One.\n\n### Fixed\n\n- Two.\n\n## [0.1]\n\n- X.\n"
    )
    entries = {"added-b.md": "Three\nfour.\n", "breaking-a.md": "Five.", "added-c.md": "Six."}
    assert JOIN.joined(before, entries) == (
        "# C\n\n## [Unreleased]\n\n### Breaking\n\n- Five.\n\n### Added\n\n- One.\n- Three four.\n"
        "- Six.\n\n### Fixed\n\n- Two.\n\n## [0.1]\n\n- X.\n"
    )
    for path in (ROOT / "CHANGELOG.md", ROOT / "docs" / "history.md"):
        text = path.read_text("utf-8")
        assert JOIN.joined(text, {}) == text
