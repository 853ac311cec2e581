"""What the page must neither lose nor mix up: digits, edits, marks, warnings, and who answers."""

import os
import signal
from dataclasses import replace
from typing import Any

import pytest

from satdoku import parse, solve, write
from tests.browser import Page, needs_browser, show_on
from tests.commands import EASY, HARD, SMALL
from tests.serving.client import serving
from tests.serving.ports import free_port
from tests.waiting import wait_until

# The last step of `.ci/run` runs them, and the weekly workflow: each takes a browser a second.
pytestmark = [needs_browser, pytest.mark.slow]

CONTROL, RIGHT, LEFT, ENTER = "\ue009", "\ue014", "\ue012", "\ue007"
# Its first steps exclude candidates and place nothing.
# Ours; it begins with candidates that go, before any digit is placed.
NO_SINGLE = ".6........48..6..22...9..4......43..3...8.5.....1...7.51.6.74..42......7..7....5."
CONTRAST = {"forced-colors": "active", "prefers-color-scheme": "dark"}
CLASHING_RULES = ["killer:3=r1c1,r1c2", "killer:4=r1c3,r1c4"]


def work(page: Page) -> Any:
    return page.browser.execute_script("return page.work")


def give(page: Page, rules: list[str]) -> None:
    page.browser.execute_script(
        "page.history.change(work => { work.rules = arguments[0]; })", rules
    )


def click(page: Page, row: int, column: int) -> None:
    size = work(page)["box"][0] * work(page)["box"][1]
    page.find("[role=gridcell]")[(row - 1) * size + column - 1].click()


def hint(page: Page) -> str:
    page.browser.execute_script("page.walk.hint()")
    wait_until(lambda: page.browser.execute_script("return Boolean(page.walk.found)"))
    return page.text("#panel-0 .told")


def test_two_digits_are_one_number_in_one_cell_only(fresh: Page) -> None:
    fresh.select("Size", "16x16")
    # All keys come at once, as far as the page can see.
    fresh.browser.execute_script("performance.now = () => 1000")
    click(fresh, 1, 2)
    fresh.press("1", RIGHT, "2")
    assert work(fresh)["cells"][:4] == [0, 1, 2, 0]
    click(fresh, 3, 1)
    fresh.press("1")
    click(fresh, 3, 2)
    fresh.press("3")
    assert work(fresh)["cells"][32:35] == [1, 3, 0]
    # A first digit that was there already is no edit, so the one before stays.
    click(fresh, 1, 1)
    fresh.press("5", RIGHT)
    fresh.press("1", "2")
    assert work(fresh)["cells"][:3] == [5, 12, 2]
    # What was taken back has no second digit either.
    click(fresh, 4, 4)
    fresh.press("1")
    fresh.press("z", hold=CONTROL)
    fresh.press("2")
    assert work(fresh)["cells"][:3] == [5, 12, 2]
    assert work(fresh)["cells"][51] == 2
    fresh.press("1", "6")
    assert work(fresh)["cells"][51] == 16


def test_edits_wait_for_no_storage_and_survive_a_reload(fresh: Page) -> None:
    """The history is stored as differences, when the hands rest or the page goes."""
    fresh.select("Size", "25x25")
    many = """
        page.live.ask = () => {};
        window.written = 0;
        const { setItem } = Storage.prototype;
        Storage.prototype.setItem = function (...put) {
          window.written++;
          setItem.apply(this, put);
        };
        const all = [1, 2, 3, 4, 5, 6, 7, 8];
        page.history.change(work => { work.cells.forEach((_, n) => { work.centre[n] = all; }); });
        for (let n = 0; n < 200; n++) page.history.change(work => { work.cells[n] = 1 + n % 25; });
        return window.written;"""
    assert fresh.browser.execute_script(many) == 0
    wait_until(lambda: fresh.browser.execute_script("return window.written") > 0)
    fresh.browser.execute_script("page.history.change(work => { work.cells[624] = 9; })")
    before = work(fresh)
    fresh.browser.refresh()
    assert work(fresh) == before
    assert fresh.text("#stored") == ""
    fresh.browser.execute_script("for (let n = 0; n < 201; n++) page.history.undo()")
    assert not any(work(fresh)["cells"])
    assert len(work(fresh)["centre"]) == 625
    fresh.browser.execute_script(
        "while (page.history.done < page.history.edits.length) page.history.redo()"
    )
    assert work(fresh) == before


def test_what_does_not_fit_into_the_storage_is_told(fresh: Page) -> None:
    refuse = """
        const { setItem } = Storage.prototype;
        window.room = arguments[0];
        Storage.prototype.setItem = function (key, text) {
          if (text.length > window.room) throw new Error("full");
          setItem.call(this, key, text);
        };"""
    # Room for the work, and none for its history.
    fresh.browser.execute_script(refuse, len(EASY) * 4 + 400)
    fresh.browser.execute_script(
        "for (let n = 0; n < 40; n++) page.history.change(work => { work.cells[n] = 1 + n % 9; })"
    )
    before = work(fresh)
    fresh.browser.refresh()
    assert work(fresh) == before
    fresh.browser.execute_script(refuse, 0)
    fresh.press("7")
    fresh.wait_for("not saved", lambda: fresh.text("#stored"))
    fresh.browser.execute_script("window.room = 1e6")
    fresh.press("8")
    wait_until(lambda: fresh.text("#stored") == "")


def test_hints_and_walks_go_on_from_the_marks(fresh: Page) -> None:
    fresh.paste(NO_SINGLE)
    fresh.wait_for("One solution")
    first = hint(fresh)
    fresh.push("Explain")
    fresh.wait_for("4. ", lambda: fresh.text(".steps"))
    fresh.find("[data-step='2'] button")[0].click()
    taken = [each.text.partition(" ")[2] for each in fresh.find(".steps li")[:3]]
    fresh.push("Take over")
    assert hint(fresh) != first
    fresh.push("Explain")
    fresh.wait_for("1. ", lambda: fresh.text(".steps"))
    assert fresh.find("[data-step='0']")[0].text.partition(" ")[2] not in taken
    # Marks that leave out the right digit come first.
    cell = 2
    fresh.browser.execute_script(
        "page.history.change(work => { work.centre[arguments[0]] = [arguments[1]]; })",
        cell,
        solve(NO_SINGLE).digits[cell] % 9 + 1,
    )
    assert f"r1c3 can still be {solve(NO_SINGLE).digits[cell]}" in hint(fresh)
    fresh.browser.execute_script("page.walk.start()")
    fresh.wait_for("can still be", lambda: fresh.text("#panel-0 .told"))


def test_a_full_board_is_told_to_be_right(fresh: Page) -> None:
    fresh.paste(SMALL)
    fresh.wait_for("One solution")
    fresh.browser.execute_script(
        "page.history.change(work => { work.entered = arguments[0]; })", list(solve(SMALL).digits)
    )
    assert hint(fresh) == "The board is full and right"


def test_a_hint_stays_while_the_end_of_its_answer_is_under_way(fresh: Page) -> None:
    """The words that it is being looked for come after a moment, unless it is there by then."""
    told = """
        const timers = [];
        window.setTimeout = act => timers.push(act);
        window.clearTimeout = n => { timers[n - 1] = () => {}; };
        page.backend.ask = (lane, message, act) => {
          act({ part: "hint", where: "look at row 1", how: "r1c1 is 5" });
          return new Promise(() => {});
        };
        page.walk.hint();
        for (const act of timers) act();
        return page.walk.hints.innerText;"""
    assert "Look at row 1" in fresh.browser.execute_script(told)


def test_rules_that_clash_are_named_and_framed(fresh: Page) -> None:
    fresh.browser.execute_script("page.show(page.listed)")
    give(fresh, ["odd:r9c9", *CLASHING_RULES, "thermo:r5c1,r5c2"])
    fresh.wait_for("2 rules clash, and any of them may go: cage 3 at r1c1 · cage 4 at r1c3")
    wait_until(lambda: "clashing" in fresh.cell(1, 1))
    framed = [n for n, said in enumerate(fresh.cells()) if "clashing" in said]
    assert framed == [0, 1, 2, 3]
    fresh.push("Remove cage 4 at r1c3")
    fresh.wait_for("Several solutions")
    give(fresh, ["sandwich:row1=1"])
    fresh.wait_for("no grid has sandwich sum 1 at row1")
    assert "clashing" in fresh.cell(1, 9)


def test_digits_and_arrows_go_to_the_board_after_a_click_elsewhere(fresh: Page) -> None:
    fresh.paste(EASY)
    fresh.wait_for("One solution")
    places = [
        "#shows input",
        "#undo",
        "#pen button",
        "#tab-1",
        "[data-tool=anti-king]",
        "#tab-0",
        "#pad button",
    ]
    for n, place in enumerate(places):
        click(fresh, 1, 3)
        fresh.find(place)[0].click()
        fresh.press(str(n + 1))
        assert work(fresh)["cells"][2] == n + 1, place
    fresh.find("#undo")[0].click()
    fresh.press(RIGHT, "9")
    assert work(fresh)["cells"][3] == 9
    fresh.find("#shows input")[0].click()
    fresh.press("\ue017")  # delete
    assert work(fresh)["cells"][3] == 0
    # In a field digits stay in the field, and on the tabs arrows choose one.
    fresh.find("#tab-2")[0].click()
    fresh.press(RIGHT)
    assert fresh.browser.execute_script("return !page.share.root.hidden")
    before = work(fresh)
    fresh.find("#tab-2")[0].click()
    fresh.find("#panel-2 input")[0].click()
    fresh.press("7")
    assert work(fresh) == before


@pytest.mark.parametrize("width", [1280, 375])
def test_fields_for_clues_outside_stand_beside_their_lines(fresh: Page, width: int) -> None:
    show_on(fresh.browser, width, 900)
    fresh.choose("sandwich")
    away = """
        const middle = (name, [low, size]) => {
          const box = document.querySelector(name).getBoundingClientRect();
          return box[low] + box[size] / 2;
        };
        const cell = document.querySelector("[data-cell]").getBoundingClientRect().width;
        const [row, column] = [["top", "height"], ["left", "width"]];
        const places = [["row 1 from the left", 0, row], ["row 9 from the right", 80, row],
          ["column 1 from above", 0, column], ["column 9 from below", 80, column]];
        return places.map(([said, at, way]) => Math.abs(middle(`[data-cell="${at}"]`, way)
          - middle(`[aria-label="sandwich sum ${said}"]`, way)) / cell);"""
    assert max(fresh.browser.execute_script(away)) < 0.1
    covering = """
        const board = document.querySelector(".cells").getBoundingClientRect();
        return [...document.querySelectorAll(".edge input")].filter(each => {
          const { left, right, top, bottom } = each.getBoundingClientRect();
          return left < 0 || right > innerWidth || left < board.right - 1 && right > board.left + 1
            && top < board.bottom - 1 && bottom > board.top + 1;
        }).map(each => each.ariaLabel);"""
    assert fresh.browser.execute_script(covering) == []
    for rules in (
        ["sandwich:row1=35"],
        ["sandwich:row1=35", "sandwich:col4=11", "skyscraper:row2.left=3"],
    ):
        give(fresh, rules)
        wait_until(lambda: len(fresh.find("#captions li")) > 0)
        wait_until(lambda: max(fresh.browser.execute_script(away)) < 0.1)


def test_old_verdicts_fade_and_clicks_wait_for_no_server(page: Page) -> None:
    port = free_port()
    here = Page(page.browser, f"http://127.0.0.1:{port}/")

    def is_old() -> bool:
        return "old" in str(here.find("#verdict")[0].get_attribute("class")).split()

    with serving("--port", str(port)) as server:
        here.open()
        here.paste(EASY)
        here.wait_for("One solution")
        assert not is_old()
        os.kill(server.process.pid, signal.SIGSTOP)
        click(here, 1, 3)
        here.press("9")
        wait_until(is_old)
        os.kill(server.process.pid, signal.SIGCONT)
        here.wait_for("No solution")
        wait_until(lambda: not is_old())
        here.find("#tab-2")[0].click()
        os.kill(server.process.pid, signal.SIGSTOP)
        here.push("Generate")
        here.wait_for("Working", lambda: here.text("#panel-2 [role=status]"))
        server.process.kill()
        here.wait_for("no server", lambda: here.text("#panel-2 [role=status]"))
    before = work(here)
    here.find("#tab-0")[0].click()
    here.push("Hint")
    here.wait_for("no server", lambda: here.text(".hints"))
    here.push("Explain")
    here.wait_for("no server", lambda: here.text(".told:not(.hints)"))
    here.press("1")
    wait_until(is_old)
    here.press("9")
    with serving("--port", str(port)):
        wait_until(lambda: here.text("#connection") == "")
        wait_until(lambda: not is_old())
        assert work(here) == before
    page.browser.get_log("browser")  # the lost connections


def test_a_page_without_the_token_says_so(page: Page) -> None:
    with serving("--host", "0.0.0.0") as server:
        here = Page(page.browser, f"http://127.0.0.1:{server.port}/")
        here.open()
        here.wait_for("asks for its token", lambda: here.text("#connection"))
        # In the same tab only the fragment differs, so that nothing is loaded again.
        here.browser.get(server.address.strip())
        here.wait_for("An empty board")
        assert here.text("#connection") == ""
    page.browser.get_log("browser")  # the lost connections


def test_what_was_not_read_stays_told_until_it_is_dismissed(fresh: Page) -> None:
    cells: list[list[dict[str, int]]] = [[{} for _ in range(4)] for _ in range(4)]
    for n, digit in enumerate(solve(SMALL).digits[:14]):
        cells[n // 4][n % 4] = {"value": digit}
    text = str({"cells": cells, "lines": [{}], "metadata": {"title": "Lined"}}).replace("'", '"')
    fresh.paste(text)
    fresh.wait_for("One solution")
    for _ in range(2):
        assert "drawings (1 lines)" in fresh.text("#unread")
        assert "for the part of the original that is here" in fresh.status()
        assert "partial" in fresh.find("#verdict")[0].get_attribute("class")
        fresh.browser.execute_script("page.share.copyLink()")
        link = fresh.find("[aria-label='Text of a puzzle']")[0].get_attribute("value")
        fresh.browser.refresh()
        fresh.wait_for("One solution")
    fresh.push("Dismiss")
    fresh.wait_for("as a puzzle should have")
    assert not fresh.find("#unread")[0].is_displayed()
    # Who gets a link hears of it too.
    fresh.paste(str(link))
    fresh.wait_for("for the part")


def test_a_name_stays_with_its_puzzle(fresh: Page) -> None:
    fresh.paste(write(replace(parse(SMALL), name="A title & more"), "json"))
    fresh.wait_for("A title & more", lambda: fresh.text("#name"))
    fresh.browser.execute_script("page.share.copyLink()")
    link = fresh.find("[aria-label='Text of a puzzle']")[0].get_attribute("value")
    fresh.push("New")
    fresh.wait_for("An empty board")
    assert "A title" not in fresh.text("#name")
    fresh.paste(str(link))
    fresh.wait_for("A title & more", lambda: fresh.text("#name"))
    fresh.browser.execute_script("page.share.write('fpuzzles', text => { window.written = text; })")
    wait_until(lambda: bool(fresh.browser.execute_script("return window.written")))
    written = fresh.browser.execute_script("return window.written")
    fresh.push("New")
    fresh.wait_for("An empty board")
    assert "A title" not in fresh.text("#name")
    fresh.paste(written)
    fresh.wait_for("A title & more", lambda: fresh.text("#name"))


def test_contrast_themes_show_what_is_selected_pressed_and_clashing(fresh: Page) -> None:
    features = [{"name": "forced-colors", "value": "active"}]
    fresh.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    fresh.press("5", RIGHT, "5")
    fresh.wait_for("No solution")
    look = """
        const style = (name, part) => getComputedStyle(document.querySelector(name), part);
        const ground = style("#pen [aria-pressed=true]").backgroundColor;
        return [style("[aria-selected=true].cell").outlineStyle,
          style(".why-clashing", "::after").borderTopStyle,
          ground !== style("#pen [aria-pressed=true]").color
            && ground !== style("#pen [aria-pressed=false]").backgroundColor];"""
    outline, border, is_seen = fresh.browser.execute_script(look)
    assert outline != "none"
    assert border == "dashed"
    assert is_seen


def test_contrast_themes_tell_cages_candidates_and_clashes_apart(fresh: Page) -> None:
    features = [{"name": name, "value": value} for name, value in CONTRAST.items()]
    fresh.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    give(fresh, [*CLASHING_RULES, "thermo:r5c1,r5c2"])
    fresh.wait_for("2 rules clash")
    wait_until(
        lambda: bool(fresh.find(".why-clashing")) and bool(fresh.find(".underlay circle[r='5']"))
    )
    look = """
        const style = (name, part) => getComputedStyle(document.querySelector(name), part);
        const shown = document.createElement("p");
        shown.innerHTML = ["is-off", "is-excluded", "n2", "n4", ""]
          .map(name => `<span id="a-${name}" class="candidate ${name}">5</span>`).join("");
        document.body.append(shown);
        shown.style.background = "Canvas";
        return {
          clash: parseFloat(style(".why-clashing", "::after").borderTopWidth),
          struck: ["off", "excluded"].map(name => style(`#a-is-${name}`).textDecorationLine),
          counts: ["n2", "n4", ""].map(name => style(`#a-${name}`).outlineStyle),
          paper: [style(".underlay .paper").fill, getComputedStyle(shown).backgroundColor],
          joint: style(".underlay circle[r='5']").filter,
        };"""
    seen = fresh.browser.execute_script(look)
    assert seen["clash"] >= 4  # cages are dashed too, 1.5 wide
    assert seen["struck"] == ["none", "line-through"]
    assert seen["counts"] == ["solid", "dotted", "none"]
    assert seen["paper"][0] == seen["paper"][1]
    assert seen["joint"] == "none"


def test_what_is_still_looked_for_is_told(fresh: Page) -> None:
    said = """page.live.ask = () => {};
        page.live.look = { of: { ...page.work, rules: ["x"] }, verdict: { verdict: "none" } };
        page.live.tell();
        return document.querySelector("#verdict").innerText;"""
    # At once, as an answer that is under way would tell something else.
    assert "looking for what clashes" in fresh.browser.execute_script(said)


def test_a_rating_is_not_cut_and_a_struck_digit_is_legible(fresh: Page) -> None:
    fresh.paste(HARD)
    fresh.wait_for("beyond extreme", lambda: fresh.text("#facts"))
    look = """
        const cut = [...document.querySelectorAll("#facts div")]
          .filter(each => each.scrollWidth > each.clientWidth).map(each => each.innerText);
        const struck = document.createElement("span");
        struck.className = "candidate is-excluded";
        document.body.append(struck);
        const { textDecorationLine, backgroundImage, printColorAdjust } = getComputedStyle(struck);
        return [cut, textDecorationLine, backgroundImage.includes("gradient"), printColorAdjust];"""
    # Browsers print no backgrounds unless they are told to.
    assert fresh.browser.execute_script(look) == [[], "none", True, "exact"]
    # One solution is a number for a setter; a solver has done it.
    sign = "return getComputedStyle(document.querySelector('#verdict'), '::before').content[1]"
    assert fresh.browser.execute_script(sign) == "1"
    fresh.browser.execute_script("page.setMode('solve')")
    solved = "page.history.change(work => { work.entered = arguments[0]; })"
    fresh.browser.execute_script(solved, list(solve(HARD).digits))
    fresh.wait_for("Solved")
    assert fresh.browser.execute_script(sign) == "✓"


def test_keys_and_screen_readers_find_hints_steps_and_the_editor(fresh: Page) -> None:
    assert fresh.find("[role=grid]")[0].get_attribute("aria-multiselectable") == "true"
    fresh.paste(SMALL)
    fresh.wait_for("One solution")
    fresh.push("Hint")
    fresh.wait_for("Look at", lambda: fresh.text("#panel-0 [role=status]"))
    explain = fresh.button("Explain")
    fresh.browser.execute_script("arguments[0].focus()", explain)
    fresh.press(ENTER)
    wait_until(lambda: fresh.browser.switch_to.active_element.text.startswith("Next"))
    fresh.press("\ue00c")  # escape
    # A first cage by keys alone; the cells are selected with Shift.
    click(fresh, 1, 1)
    fresh.press("/", "c", ENTER)
    fresh.press(RIGHT, hold="\ue008")  # shift
    fresh.press(ENTER, "5", ENTER)
    fresh.wait_for("killer:5=r1c1,r1c2", fresh.rules)
    fresh.press(RIGHT)
    fresh.press(RIGHT, hold="\ue008")
    fresh.press(ENTER, "5", ENTER)
    fresh.wait_for("killer:5=r1c3,r1c4", fresh.rules)
    # A page that is translated into Arabic has its board the same way round as the drawing.
    fresh.browser.execute_script("document.documentElement.dir = 'rtl'")
    first, second = fresh.find("[role=gridcell]")[:2]
    assert first.rect["x"] < second.rect["x"]


def test_a_bound_on_solutions_does_not_depend_on_the_load(fresh: Page) -> None:
    give(fresh, ["killer:15=r1c1,r1c2"])
    fresh.wait_for("more than 1,000 solutions")
