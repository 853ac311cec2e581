"""The page of an explanation: it needs nothing beside it, and a browser walks through it."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.commands import EASY, EASY_SOLUTION, SMALL, run

# Where Debian puts them, and other systems; without both there is no browser to ask.
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")

QUIET = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

HERE = "return steps.map(step => step.open)"
DIGITS = (
    "return Array.from(steps[arguments[0]].querySelectorAll('text.given, text.found'))"
    ".map(text => text.textContent).join('')"
)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "steps.html"
    assert run("explain", EASY, "--brief", "--html", path).code == 0
    return path


def test_it_asks_for_nothing_outside(page: Path) -> None:
    text = page.read_text()
    assert not re.search(r"(src|href|url\(|@import|fetch|XMLHttp)", text)
    assert set(re.findall(r"https?://[^\"'< ]+", text)) == {"http://www.w3.org/2000/svg"}


def test_several_puzzles_are_sections_of_one_page(tmp_path: Path) -> None:
    path = tmp_path / "two.html"
    assert run("explain", SMALL, EASY, "--brief", "--html", path).code == 0
    text = path.read_text()
    assert text.count("<section") == 2
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids))


def test_names_of_puzzles_are_text(tmp_path: Path) -> None:
    puzzle, path = tmp_path / "p.txt", tmp_path / "steps.html"
    puzzle.write_text(f"{SMALL} <script>{{{{body}}}}\n")
    assert run("explain", puzzle, "--html", path).code == 0
    assert path.read_text().count("<script>") == 1


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    webdriver = pytest.importorskip("selenium.webdriver")
    if not (BROWSER and DRIVER):
        pytest.skip("chromium and chromedriver are not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for argument in (*QUIET, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


def test_a_browser_walks_through_the_steps(page: Path, browser: Any) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    browser.get(page.as_uri())
    body, next_one, previous = (
        browser.find_element(By.CSS_SELECTOR, name) for name in ("body", "#next", "#previous")
    )
    count = len(browser.execute_script(HERE))
    assert True not in browser.execute_script(HERE)
    next_one.click()
    assert browser.execute_script(HERE).index(True) == 0
    assert browser.execute_script(DIGITS, 0) == EASY.replace(".", "")
    assert not previous.is_enabled()
    body.send_keys(Keys.ARROW_RIGHT)
    body.send_keys(Keys.ARROW_RIGHT)
    previous.click()
    assert [n for n, is_open in enumerate(browser.execute_script(HERE)) if is_open] == [1]
    for _ in range(count):
        body.send_keys(Keys.ARROW_RIGHT)
    assert [n for n, is_open in enumerate(browser.execute_script(HERE)) if is_open] == [count - 1]
    assert not next_one.is_enabled()
    assert browser.execute_script(DIGITS, count - 1) == EASY_SOLUTION
    body.send_keys(Keys.ARROW_LEFT)
    assert browser.execute_script(HERE)[count - 2]
    assert browser.get_log("browser") == []


def test_it_fits_on_a_phone_and_is_dark_where_the_screen_is(page: Path, browser: Any) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 360, "height": 700, "deviceScaleFactor": 2, "mobile": True},
    )
    browser.get(page.as_uri())
    browser.execute_script("show(1)")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 360
    ground = "return getComputedStyle(steps[1].querySelector('rect.paper')).fill"
    assert browser.execute_script(ground) == "rgb(255, 255, 255)"
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    assert browser.execute_script(ground) == "rgb(21, 23, 27)"
    # Paper is light even then, and everything is unfolded on it.
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", **dark})
    assert browser.execute_script(ground) == "rgb(255, 255, 255)"
    browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    assert False not in browser.execute_script(HERE)
