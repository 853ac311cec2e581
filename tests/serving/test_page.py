"""The page in a real browser, through roles and names as a screen reader has them.

One browser and one server serve all tests; where there is no Chromium, they are left out.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.commands import EASY, SMALL
from tests.serving.client import Running, serving
from tests.waiting import wait_until

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
PAGE = Path(__file__).parents[2] / "satdoku" / "picture" / "web"
FLAGS = (
    *("headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run"),
    *("disable-background-networking", "disable-component-update", "disable-sync"),
    "window-size=1280,900",
)
SEVERAL = ".." + EASY[2:]

needs_browser = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="no Chromium here")


class Page:
    """What a person does on the page, and sees there."""

    def __init__(self, browser: Any, server: Running) -> None:
        self.browser = browser
        self.address = f"http://127.0.0.1:{server.port}/"

    def open(self, fragment: str = "") -> None:
        self.browser.get("about:blank")
        self.browser.get(self.address + fragment)

    def find(self, role: str) -> list[Any]:
        return list(self.browser.find_elements("css selector", role))

    def cell(self, row: int, column: int) -> str:
        """What a screen reader says of a cell."""
        cells = self.find("[role=gridcell]")
        size = round(len(cells) ** 0.5)
        name: str = cells[(row - 1) * size + column - 1].get_attribute("aria-label")
        return name

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
        found = [each for each in self.find("button") if each.text == words]
        return next(each for each in found if each.is_displayed())

    def status(self) -> str:
        text: str = self.find("#verdict[role=status]")[0].text
        return text

    def wait_for(self, words: str, where: Callable[[], str] | None = None) -> None:
        wait_until(lambda: words in (where or self.status)())

    def rules(self) -> str:
        """The rules with arguments, as they are listed."""
        text: str = self.find("[aria-label='Rules of this puzzle']")[0].text
        return text

    def choose(self, rule: str) -> None:
        """Opens the editor of a kind of rule."""
        from selenium.webdriver.support.select import Select

        Select(self.find("[aria-label='Rule to add']")[0]).select_by_value(rule)

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


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile, serving() as server:
        for flag in (*FLAGS, f"user-data-dir={profile}"):
            options.add_argument(f"--{flag}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        browser = webdriver.Chrome(options=options, service=Service(str(DRIVER)))
        try:
            yield Page(browser, server)
        finally:
            browser.quit()


@pytest.fixture
def fresh(page: Page) -> Iterator[Page]:
    """The page with nothing kept from before; at the end its console has to be empty."""
    page.open()
    page.browser.execute_script("localStorage.clear(); sessionStorage.clear();")
    page.open()
    page.wait_for("An empty board")
    wait_until(lambda: len(page.find("#panel-2 option")) > 10)
    yield page
    faults = [entry for entry in page.browser.get_log("browser") if entry["level"] == "SEVERE"]
    assert faults == []


@needs_browser
def test_typing_changes_the_verdict_and_undo_leads_back_to_nothing(fresh: Page) -> None:
    fresh.press("5")
    assert fresh.cell(1, 1).startswith("row 1 column 1, given 5")
    fresh.wait_for("Several solutions")
    fresh.press("\ue014", "5")  # right
    fresh.wait_for("r1c1 and r1c2 are both 5")
    assert "clashing" in fresh.cell(1, 1)
    fresh.press("z", hold="\ue009")  # control
    fresh.wait_for("Several solutions")
    fresh.button("Undo").click()
    fresh.wait_for("An empty board")
    fresh.button("Redo").click()
    fresh.wait_for("Several solutions")


@needs_browser
def test_pastes_are_read_and_the_work_survives_a_reload(fresh: Page) -> None:
    fresh.paste(EASY)
    fresh.wait_for("One solution")
    fresh.open()
    fresh.wait_for("One solution")
    assert "given 5" in fresh.cell(1, 1)
    fresh.paste(SEVERAL)
    fresh.wait_for("Several solutions")
    assert " or " in fresh.cell(1, 1)
    fresh.paste("no puzzle at all")
    fresh.wait_for("paste", lambda: str(fresh.find("[role=alert]")[0].text))


@needs_browser
def test_a_link_brings_its_puzzle_and_leaves_the_address(fresh: Page) -> None:
    fresh.open(f"#p={SMALL}")
    fresh.wait_for("One solution")
    assert len(fresh.find("[role=gridcell]")) == 16
    assert fresh.browser.current_url == fresh.address


@needs_browser
def test_hints_say_more_and_more_and_a_walk_leads_to_the_solution(fresh: Page) -> None:
    fresh.paste(SMALL)
    fresh.wait_for("One solution")
    for words in ("Look at", "single in", "still needs"):
        fresh.button("Hint").click()
        fresh.wait_for(words, lambda: str(fresh.find("#panel-0")[0].text))
    fresh.button("Explain").click()
    fresh.wait_for("The solution", lambda: str(fresh.find(".steps")[0].text))
    fresh.find(".steps button")[-1].click()
    assert "empty" not in "".join(each.get_attribute("aria-label") for each in fresh.find(".cell"))
    fresh.button("Take over").click()
    assert fresh.cell(1, 2) == "row 1 column 2, 2"
    assert "given" in "".join(each.get_attribute("aria-label") for each in fresh.find(".cell"))


@needs_browser
def test_a_rule_is_ticked_another_is_added_with_selected_cells(fresh: Page) -> None:
    fresh.find("#tab-1")[0].click()
    box = next(each for each in fresh.find("label") if each.text == "anti-knight")
    box.click()
    fresh.browser.execute_script("page.moveTo(0); page.moveTo(1, true); page.moveTo(9, true);")
    fresh.choose("extra-region")
    fresh.button("Use selected cells").click()
    fresh.wait_for("extra-region:r1c1,r1c2,r2c1", fresh.rules)
    fresh.wait_for("shaded", lambda: str(fresh.find("#captions")[0].text))


@needs_browser
def test_what_the_pointer_draws_becomes_a_rule(fresh: Page) -> None:
    fresh.find("#tab-1")[0].click()
    chosen = ""
    for name, line, typed, expected in (
        # Each is drawn otherwise: at a stroke, from a circle on, with a number first or after it.
        ("thermo", "11 22 33 34", "", "thermo:r1c1,r2c2,r3c3,r3c4"),
        ("arrow", "51 52 63", "", "arrow:r5c1=r5c2,r6c3"),
        ("killer", "77 78 88", "15\ue007", "killer:15=r7c7,r7c8,r8c8"),
        ("kropki", "19 29", "", "kropki:white=r1c9,r2c9"),
        ("kropki", "39 49", "", "kropki:white=r1c9,r2c9/white=r3c9,r4c9"),
        ("odd", "99", "", "odd:r9c9"),
        ("odd", "98", "", "odd:r9c8,r9c9"),
        ("little-killer", "12", "20\ue007", "little-killer:r1c2.dr=20"),
    ):
        if name != chosen:
            fresh.choose(name)
            fresh.button("Draw on the board").click()
        chosen = name
        fresh.draw(line)
        if typed:
            fresh.press(typed)
        fresh.wait_for(expected, fresh.rules)
    fresh.press("\ue00c")  # escape
    fresh.wait_for("Several solutions")
    fresh.find("[aria-label='Remove odd:r9c8,r9c9']")[0].click()
    wait_until(lambda: "odd" not in fresh.rules())


@needs_browser
def test_clues_outside_are_typed_where_they_stand(fresh: Page) -> None:
    fresh.find("#tab-1")[0].click()
    fresh.choose("sandwich")
    fresh.button("Type around the board").click()
    field = "[aria-label='sandwich row 2 from the left']"
    fresh.find(field)[0].send_keys("35\ue004")
    fresh.wait_for("sandwich:row2=35", fresh.rules)
    fresh.find(field)[0].clear()
    fresh.find(field)[0].send_keys("0\ue004")
    fresh.wait_for("sandwich:row2=0", fresh.rules)
    fresh.find(field)[0].send_keys("\ue003\ue004")
    wait_until(lambda: "sandwich" not in fresh.rules())


@needs_browser
def test_regions_are_painted(fresh: Page) -> None:
    fresh.open("#p=" + "." * 16)
    wait_until(lambda: len(fresh.find("[role=gridcell]")) == 16)
    fresh.find("#tab-1")[0].click()
    fresh.choose("regions")
    fresh.button("Paint on the board").click()
    for letter, line in zip(
        "ABCD", ("11 12 21 31", "13 14 22 23", "24 33 34 44", "32 41 42 43"), strict=True
    ):
        fresh.button(letter).click()
        fresh.draw(line)
    fresh.button("Add rule").click()
    fresh.wait_for("regions:AABB/ABBC/ADCC/DDDC", fresh.rules)


@needs_browser
def test_partners_of_givens_are_marked_while_a_symmetry_is_chosen(fresh: Page) -> None:
    fresh.find("#tab-2")[0].click()
    fresh.find("#panel-2 option[value=rotate180]")[0].click()
    fresh.find("[role=gridcell]")[0].click()
    fresh.press("5")
    assert fresh.cell(9, 9) == "row 9 column 9, empty, partner of a given"


@needs_browser
def test_what_is_generated_is_listed_and_has_one_solution(fresh: Page) -> None:
    fresh.find("#tab-2")[0].click()
    fresh.button("Generate").click()
    fresh.wait_for("One solution")
    fresh.wait_for("givens", lambda: str(fresh.find("[aria-label='What was made']")[0].text))


@needs_browser
def test_marks_and_modes(fresh: Page) -> None:
    fresh.press(" ")
    fresh.press("7")
    assert fresh.cell(1, 1) == "row 1 column 1, 7"
    fresh.wait_for("An empty board")
    fresh.press("\ue014")
    fresh.button("Centre").click()
    fresh.find("[role=gridcell]")[1].click()
    fresh.press("1", "2")
    assert fresh.cell(1, 2).endswith("centre 1 2")


@pytest.mark.skipif(shutil.which("node") is None, reason="no node here")
def test_every_module_is_javascript() -> None:
    for module in PAGE.glob("*.js"):
        text = module.read_text()
        done = subprocess.run(
            ["node", "--check", "--input-type=module", "-"],
            input=text,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (module, done.stderr)


def test_the_page_fits_its_size() -> None:
    import gzip

    # What the page may weigh on its way: it is to stay small without a build.
    assert len(gzip.compress(b"".join(each.read_bytes() for each in PAGE.iterdir()))) < 60_000
