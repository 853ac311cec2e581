"""The page of an explanation: it needs nothing beside it, and a browser walks through it."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import satdoku
from satdoku.serving.http import page_files
from tests.browser import needs_browser, open_browser, show_on
from tests.commands import EASY, EASY_SOLUTION, HARD, IMPOSSIBLE, SMALL, run

WEB = Path(__file__).parents[2] / "satdoku" / "picture" / "web"
SITE = Path(__file__).parents[2] / "docs" / "_site" / "try"

HERE = "return Array.from(document.querySelectorAll('.steps button')).findIndex(e => e.ariaCurrent)"
DIGITS = (
    "return Array.from(document.querySelectorAll('.cell'))"
    ".map(cell => (cell.querySelector('.digit') || {textContent: '.'}).textContent).join('')"
)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "steps.html"
    assert run("explain", EASY, "--brief", "--html", path).code == 0
    return path


def test_it_asks_for_nothing_outside(page: Path) -> None:
    text = page.read_text()
    assert not re.search(r"(src|href|url\(|@import|fetch|XMLHttp)", text)
    assert set(re.findall(r"https?://[^\"'<\\ ]+", text)) == {"http://www.w3.org/2000/svg"}


def test_several_puzzles_are_on_one_page(tmp_path: Path) -> None:
    path = tmp_path / "two.html"
    assert run("explain", SMALL, EASY, "--brief", "--html", path).code == 0
    text = path.read_text()
    assert text.count('"slides":[') == 2


def test_check_shows_the_evidence_for_each_verdict(tmp_path: Path) -> None:
    path, drawn = tmp_path / "verdicts.html", tmp_path / "verdicts.svg"
    texts = (EASY, ".." + EASY[2:], "5" + EASY[:1] + EASY[2:], IMPOSSIBLE)
    found = run("check", *texts, "--html", path, "--draw", drawn)
    assert "unique" in found.stdout
    shown = re.search(r'id="explanations">(.*?)</script>', path.read_text())
    assert shown is not None
    one, several, clashing, none = json.loads(shown[1])
    assert [slide["heading"] for slide in one["slides"]] == ["The givens", "The solution"]
    assert (one["verdict"], several["verdict"], none["verdict"]) == ("unique", "multiple", "none")
    # Both digits of a cell that differs, the first one's first, and the cell is pointed out.
    first, *solutions = several["slides"]
    for cell, why in first["cells"].items():
        values = [slide["board"][cell] for slide in solutions]
        assert (why, values) == ("different", first["board"][cell])
    assert set(clashing["slides"][0]["cells"].values()) == {"clashing"}
    # No two givens clash there, so what is framed has no solution by itself.
    kept = none["slides"][0]["cells"]
    text = "".join(sign if str(cell) in kept else "." for cell, sign in enumerate(IMPOSSIBLE))
    assert satdoku.check(text).verdict is satdoku.Verdict.NONE
    # The drawing is the same as without a page.
    other = tmp_path / "other.svg"
    run("check", *texts, "--draw", other)
    assert drawn.read_text() == other.read_text()


def test_a_page_on_standard_output_needs_another_place_for_answers() -> None:
    found = run("check", EASY, "--html", "-")
    assert found.code == 2
    assert "--output" in found.stderr


def test_names_of_puzzles_are_text(tmp_path: Path) -> None:
    puzzle, path = tmp_path / "p.txt", tmp_path / "steps.html"
    puzzle.write_text(f"{SMALL} <script>{{{{body}}}}\n")
    assert run("explain", puzzle, "--html", path).code == 0
    text = path.read_text()
    assert text.count("<script") == 2
    assert r"\u003cscript>{{body}}" in text


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with open_browser() as found:
        yield found


@needs_browser
def test_a_browser_walks_through_the_steps(page: Path, browser: Any) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    browser.get(page.as_uri())
    # The board is there at once, and the words beside it.
    assert browser.execute_script(DIGITS) == EASY
    board, told = (
        browser.find_element(By.CSS_SELECTOR, name) for name in (".board", ".told:not([role])")
    )
    assert told.rect["x"] > board.rect["x"] + board.rect["width"]
    body = browser.find_element(By.CSS_SELECTOR, "body")
    entries = browser.find_elements(By.CSS_SELECTOR, ".steps button")
    back, forward = browser.find_elements(By.CSS_SELECTOR, ".bar button")
    assert browser.execute_script(HERE) == 0
    assert [entry.text[:3] for entry in entries[:3]] == ["The", "1. ", "2. "]
    assert not back.is_enabled()
    forward.click()
    body.send_keys(Keys.ARROW_RIGHT)
    assert browser.execute_script(HERE) == 2
    back.click()
    body.send_keys(Keys.ARROW_LEFT)
    assert browser.execute_script(HERE) == 0
    body.send_keys(Keys.END)
    assert browser.execute_script(HERE) == len(entries) - 1
    assert not forward.is_enabled()
    assert browser.execute_script(DIGITS) == EASY_SOLUTION
    assert browser.get_log("browser") == []


@needs_browser
def test_another_puzzle_of_the_page_is_chosen(tmp_path: Path, browser: Any) -> None:
    path = tmp_path / "two.html"
    assert run("explain", SMALL, EASY, "--brief", "--html", path).code == 0
    browser.get(path.as_uri())
    forward = browser.find_elements("css selector", ".bar button")[1]
    forward.click()
    browser.find_elements("css selector", "#which option")[1].click()
    assert browser.execute_script(DIGITS) == EASY
    assert browser.execute_script(HERE) == 0
    told = browser.find_element("css selector", "#summary").text
    assert told.startswith("Exactly one solution: 51 steps")
    forward.click()
    assert browser.execute_script(HERE) == 1
    browser.find_elements("css selector", "#which option")[0].click()
    assert browser.execute_script(DIGITS) == SMALL
    assert browser.get_log("browser") == []


@needs_browser
def test_it_fits_on_a_phone_and_is_dark_where_the_screen_is(page: Path, browser: Any) -> None:
    show_on(browser, 360, 700)
    browser.get(page.as_uri())
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 360
    assert browser.find_element("css selector", ".board").rect["width"] > 300
    ground = "return getComputedStyle(document.querySelector('rect.paper')).fill"
    assert browser.execute_script(ground) == "rgb(255, 255, 255)"
    show_on(browser, 360, 700, "dark")
    assert browser.execute_script(ground) == "rgb(21, 23, 27)"
    # Paper is light even then.
    show_on(browser, 360, 700, "dark", "print")
    assert browser.execute_script(ground) == "rgb(255, 255, 255)"


@pytest.mark.slow
def test_a_hard_puzzle_fits_into_a_mail(tmp_path: Path) -> None:
    path = tmp_path / "steps.html"
    assert run("explain", HARD, "--brief", "--html", path).code == 0
    assert path.stat().st_size < 400_000


# Reads modules without running them, all in one program: each start of node takes 60 ms.
READ_MODULES = """
const fs = require("fs"), vm = require("vm");
for (const file of process.argv.slice(1)) {
    try { new vm.SourceTextModule(fs.readFileSync(file, "utf8")); }
    catch (error) { console.log(file, error.message); }
}
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="no node here")
def test_every_module_is_javascript() -> None:
    modules = [*WEB.glob("*.js"), *SITE.glob("*.js")]
    assert modules
    command = ["node", "--experimental-vm-modules", "--no-warnings", "-e", READ_MODULES, "--"]
    done = subprocess.run(
        [*command, *map(str, modules)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_the_page_fits_its_size() -> None:
    # What a browser loads of the page, as it comes over the line: small without a build.
    elsewhere = {"/favicon.ico", "/index.html", "/still.html", "/still.js"}
    elsewhere |= {"/sudoku-board.js", "/rule-element.js"}
    loaded = [file for path, file in page_files().items() if path not in elsewhere]
    assert sum(len(file.packed) for file in loaded) < 60_000
    assert sum(len(each.read_text().splitlines()) for each in WEB.glob("*.js")) <= 3_000
