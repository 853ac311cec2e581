"""Pages of the site that are made from commands show what these print."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from runpy import run_path

import pytest

from satdoku.puzzle.rules.registry import RULES
from tests.commands import run
from tests.each import for_each

DOCS = Path(__file__).parent.parent / "docs"


@for_each("page, command", [("rules.md", ["rules"])])
def test_the_page_that_lists_rules_is_made_from_the_command(page: str, command: list[str]) -> None:
    made: Callable[[str], str] = run_path(str(DOCS / "_site" / "commands.py"))["on_page_markdown"]
    text = (DOCS / page).read_text("utf-8")
    listed = f"```console\n$ satdoku {' '.join(command)}\n{run(*command).stdout}```\n"
    assert listed in made(text)
    # Written by hand, a page would have to be written again for each rule.
    assert listed not in text
    assert all(name in listed for name in RULES)


def test_every_rule_is_drawn_on_a_page_made_from_the_list() -> None:
    pytest.importorskip("mkdocs")
    drawing = run_path(str(DOCS / "_site" / "drawing.py"))
    made = drawing["on_page_markdown"]((DOCS / "each-rule.md").read_text("utf-8"))
    shown = re.findall(r"^!\[[^\]]+\]\(rules-drawn/([a-z0-9-]+)\.svg\)$", made, re.M)
    assert shown == list(RULES)
    for name in ("rows", "thermo", "hidden-regions"):
        assert drawing["draw"](name).startswith("<?xml")


def test_results_of_the_search_name_their_page() -> None:
    titled = run_path(str(DOCS / "_site" / "searching.py"))["titled"]
    entries = [("", "satdoku"), ("rating/", "Ratings"), ("rating/#speed", "Speed"), ("x/#y", "Y")]
    found = titled([{"location": place, "title": title} for place, title in entries])
    assert [each["title"] for each in found] == ["satdoku", "Ratings", "Ratings: Speed", "Y"]


def test_every_page_is_in_the_navigation_of_a_reader() -> None:
    text = (DOCS.parent / "mkdocs.yml").read_text("utf-8").partition("nav:\n")[2]
    listed = re.findall(r": (\S+\.md)$", text, re.M)
    pages = [path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")]
    assert sorted(listed) == sorted(pages)


def test_the_page_for_contributors_is_the_file_of_the_root_folder() -> None:
    made: Callable[[str], str] = run_path(str(DOCS / "_site" / "commands.py"))["on_page_markdown"]
    text = made((DOCS / "contributing.md").read_text("utf-8"))
    assert "class FastThermo" in text
    assert "](design.md)" in text
    assert "](../tests/README.md)" in text


@for_each(
    "page, text, home, led",
    [
        ("a.md", "[B](b.md), [C](https://c.org)", "", "[B](b.md), [C](https://c.org)"),
        ("t/a.md", "[B](../b.md#c)", "", "[B](../b.md#c)"),
        ("t/a.md", "[B](../../x/b.md)", "", "B"),
        ("a.md", "[B](../b.md#c)", "https://e.org/u/p/", "[B](https://e.org/u/p/blob/main/b.md#c)"),
    ],
)
def test_links_out_of_the_docs_lead_to_the_forge(page: str, text: str, home: str, led: str) -> None:
    """The site has no other files, and a strict build refuses such links."""
    assert run_path(str(DOCS / "_site" / "linking.py"))["led_out"](text, page, home) == led


STATUS = """
globalThis.Worker = class { postMessage() {} };
const { Backend } = await import(process.argv[1]);
const told = [];
const backend = new Backend((text, isFault = true) => told.push(isFault));
for (const data of [{ loading: "Python" }, "ready", { failed: "no network" }])
  backend.workers.get("quick").onmessage({ data });
console.log(JSON.stringify(told));
"""


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
def test_what_is_being_loaded_is_told_as_no_fault(tmp_path: Path) -> None:
    """The page of the site shows faults in red."""
    web = DOCS.parent / "satdoku" / "picture" / "web"
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for file in (web / "lanes.js", DOCS / "_site" / "try" / "backend.js"):
        shutil.copy(file, tmp_path)
    program = ["node", "--input-type=module", "-e", STATUS, (tmp_path / "backend.js").as_uri()]
    ran = subprocess.run(program, capture_output=True, text=True)
    assert ran.stdout == "[false,true,true]\n", ran.stderr
