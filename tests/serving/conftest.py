"""One browser and one server for all tests of the page."""

from collections.abc import Iterator

import pytest

from tests.browser import Page, open_browser, show_on
from tests.serving.client import serving
from tests.waiting import wait_until


@pytest.fixture(scope="package")
def page() -> Iterator[Page]:
    with serving() as server, open_browser() as browser:
        yield Page(browser, f"http://127.0.0.1:{server.port}/")


@pytest.fixture
def fresh(page: Page) -> Iterator[Page]:
    """The page with nothing kept from before; at the end its console has to be empty."""
    is_changed = page.browser.is_changed
    show_on(page.browser, 1280, 900)
    # A page that is left writes once more, perhaps after the next one has begun.
    page.browser.execute_script("Storage.prototype.setItem = () => {}")
    # Before the page looks at what was kept, and once: tests load it again.
    clear = {"source": "if (origin !== 'null') { localStorage.clear(); sessionStorage.clear(); }"}
    script = page.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", clear)
    page.browser.is_changed = is_changed
    page.open()
    page.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    page.browser.is_changed = False
    page.wait_for("An empty board")
    count = "return document.querySelectorAll('#panel-2 option').length"
    wait_until(lambda: page.browser.execute_script(count) > 10)
    page.browser.get_log("browser")  # what the test before has left
    yield page
    faults = [entry for entry in page.browser.get_log("browser") if entry["level"] == "SEVERE"]
    assert faults == []
