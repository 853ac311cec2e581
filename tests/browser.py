"""Chromium without a window, and a page in it by roles and names, as a screen reader has it."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from math import isqrt
from typing import Any

import pytest

from tests.waiting import wait_until

# Where Debian puts them, and other systems; without both there is no browser to ask.
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
FLAGS = (
    *("headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run"),
    *("disable-background-networking", "disable-component-update", "disable-sync"),
    "window-size=1280,900",
)
# The file axe.min.js of npm's axe-core, which looks for what keeps people out.
AXE = os.environ.get("SATDOKU_AXE", "")

needs_browser = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="no Chromium here")
needs_axe = pytest.mark.skipif(not AXE, reason="SATDOKU_AXE names no axe.min.js")


@contextmanager
def open_browser() -> Iterator[Any]:
    """A browser with a profile of its own, which keeps what its console says."""
    webdriver = pytest.importorskip("selenium.webdriver")
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for flag in (*FLAGS, f"user-data-dir={profile}"):
            options.add_argument(f"--{flag}")
        browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(str(DRIVER)))
        note_commands(browser)
        try:
            yield browser
        finally:
            browser.quit()


def note_commands(browser: Any) -> None:
    """Has a browser know whether a page was made to look or to be read otherwise."""
    command = browser.execute_cdp_cmd

    def noted(*arguments: Any) -> Any:
        browser.is_changed = True
        return command(*arguments)

    browser.is_changed, browser.execute_cdp_cmd = False, noted


def show_on(browser: Any, width: int, height: int, scheme: str = "light", media: str = "") -> None:
    """Has pages look as on a screen of that size and scheme, or on paper."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})


def violations(browser: Any) -> list[str]:
    """What axe-core finds on the page as it is now."""
    with open(AXE, encoding="utf-8") as stream:
        browser.execute_script(stream.read())
    found: list[str] = browser.execute_async_script(
        "const done = arguments[0]; axe.run().then(found => done("
        "found.violations.map(each => `${each.id}: ${each.nodes[0].html}`)))"
    )
    return found


class Page:
    """What a person does on the page, and sees there."""

    def __init__(self, browser: Any, address: str) -> None:
        self.browser = browser
        self.address = address

    def open(self, fragment: str = "") -> None:
        """Load the page anew, so that no test meets another.

        What was changed beside the page, such as touch, stays with the process of the browser, so
        that the page gets another one then. It takes half a second of a processor.
        """
        if self.browser.is_changed:
            self.browser.get("about:blank")
        elif self.browser.current_url.startswith(self.address):
            # Where only the fragment differs, nothing would be loaded.
            self.browser.get(f"{self.address}icon.svg")
        self.browser.get(self.address + fragment)

    def find(self, role: str) -> list[Any]:
        return list(self.browser.find_elements("css selector", role))

    def cell(self, row: int, column: int) -> str:
        """What a screen reader says of a cell."""
        names = self.cells()
        size = isqrt(len(names))
        return names[(row - 1) * size + column - 1]

    def cells(self) -> list[str]:
        """What a screen reader says of all cells, asked in one question as that takes 10 ms."""
        script = (
            "return [...document.querySelectorAll('[role=gridcell]')].map(each => each.ariaLabel)"
        )
        names: list[str] = self.browser.execute_script(script)
        return names

    def press(self, *keys: str, hold: str = "") -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        actions = ActionChains(self.browser)
        if hold:
            actions.key_down(hold)
        actions.send_keys(*keys)
        if hold:
            actions.key_up(hold)
        actions.perform()

    def button(self, words: str) -> Any:
        found = self.browser.execute_script(
            "return [...document.querySelectorAll('button')].find("
            "each => each.innerText.trim() === arguments[0] && each.checkVisibility())",
            words,
        )
        assert found, f"no button says {words!r}"
        return found

    def push(self, words: str) -> None:
        """Clicks a button, as soon as it is there; again if the page draws it anew meanwhile."""

        def is_pushed() -> bool:
            # Selenium is imported late, as not everybody has it.
            stale = import_module("selenium.common.exceptions").StaleElementReferenceException
            try:
                self.button(words).click()
            except (AssertionError, stale):
                return False
            return True

        wait_until(is_pushed)

    def text(self, role: str) -> str:
        """The words that are seen in the first of such elements."""
        script = "return document.querySelector(arguments[0]).innerText"
        text: str = self.browser.execute_script(script, role)
        return text

    def status(self) -> str:
        return self.text("#verdict[role=status]")

    def wait_for(self, words: str, where: Callable[[], str] | None = None) -> None:
        """Fails, and says what is there instead, where a text does not come to have the words."""
        look = where or self.status
        try:
            wait_until(lambda: words in look())
        except AssertionError:
            raise AssertionError(f"{words!r} is not in {look()!r}") from None

    def rules(self) -> str:
        """The rules of the puzzle as texts, one a line."""
        text: str = self.browser.execute_script("return page.work.rules.join('\\n')")
        return text

    def alert(self) -> str:
        """What is told for a moment."""
        return self.text("#notice")

    def select(self, name: str, text: str) -> None:
        """Chooses an entry of a list."""
        option = f"//select[@aria-label='{name}']//option[.='{text}']"
        self.browser.find_element("xpath", option).click()

    def choose(self, rule: str) -> None:
        """Click on a tool of the palette, unless it is armed already."""
        wait_until(lambda: bool(self.find(f"[data-tool={rule}]")))
        tool = self.find(f"[data-tool={rule}]")[0]
        if tool.get_attribute("aria-pressed") == "false":
            tool.click()

    def draw(self, line: str) -> None:
        """Presses on the first of some cells, such as `11 22`, and leads the pointer on."""
        from selenium.webdriver.common.action_chains import ActionChains

        cells = self.find("[role=gridcell]")
        size = round(len(cells) ** 0.5)
        first, *others = (cells[(int(at[0]) - 1) * size + int(at[1]) - 1] for at in line.split())
        actions = ActionChains(self.browser, duration=20).move_to_element(first).click_and_hold()
        for cell in others:
            actions.move_to_element(cell)
        actions.release().perform()

    def paste(self, text: str) -> None:
        """As Ctrl+V does: a headless browser has no clipboard of its own."""
        self.browser.execute_script(
            "const data = new DataTransfer(); data.setData('text/plain', arguments[0]);"
            "document.body.dispatchEvent(new ClipboardEvent('paste', "
            "{clipboardData: data, bubbles: true, cancelable: true}));",
            text,
        )
