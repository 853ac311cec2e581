"""What a setter and a tester do at the desk: tools, the way to one solution, publishing."""

import re
from base64 import b64decode
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from satdoku import parse, solve
from tests.browser import Page, needs_axe, needs_browser, show_on, violations
from tests.commands import EASY, HARD, SMALL, run
from tests.waiting import wait_until

# The last step of `.ci/run` runs them, and the weekly workflow: each takes a browser a second.
pytestmark = [needs_browser, pytest.mark.slow]

ENTER, ESCAPE, RIGHT, DELETE, CONTROL = "\ue007", "\ue00c", "\ue014", "\ue017", "\ue009"
EASY_DIGITS = list(parse(EASY).grid.digits)
CAGES = ["killer:3=r1c1,r1c2", "killer:8=r1c4,r1c5"]


def work(page: Page) -> Any:
    return page.browser.execute_script("return page.work")


def change(page: Page, script: str, *given: Any) -> None:
    page.browser.execute_script(
        f"const given = arguments; page.history.change(work => {{ {script} }})", *given
    )


def enter(page: Page, digits: list[int]) -> None:
    change(page, "work.entered = given[0]", digits)


def cell(page: Page, row: int, column: int) -> Any:
    size = work(page)["box"][0] * work(page)["box"][1]
    return page.find("[role=gridcell]")[(row - 1) * size + column - 1]


def tools(page: Page) -> list[str]:
    script = "return [...document.querySelectorAll('.tool')].map(each => each.dataset.tool)"
    found: list[str] = page.browser.execute_script(script)
    return found


def test_tools_are_found_by_other_names_and_kept_among_the_first(fresh: Page) -> None:
    assert tools(fresh)[:2] == ["killer", "thermo"]
    fresh.press("/", "german wh")
    assert tools(fresh) == ["whispers"]
    fresh.press(ENTER)
    assert "neighbours differ" in fresh.text("#editor")
    assert len(tools(fresh)) > 50
    for name in ("nabner", "killer"):
        fresh.choose(name)
        fresh.find("#editor [aria-label=Favourite]")[0].click()
    fresh.browser.refresh()
    wait_until(lambda: bool(fresh.find(".tool")))
    assert tools(fresh)[0] == "thermo"
    assert tools(fresh).index("nabner") < tools(fresh).index("killer")
    # Outside clues by keys: from the board to the field of its row.
    fresh.press("/", "sandw", ENTER, ENTER)
    fresh.press("9", ENTER)
    fresh.wait_for("sandwich:row1=9", fresh.rules)
    fresh.press(ESCAPE)
    fresh.find("#undo")[0].click()
    # A rule without an argument is there, or not, by a click.
    fresh.choose("anti-king")
    assert work(fresh)["rules"] == ["anti-king"]
    fresh.find("[data-tool=anti-king]")[0].click()
    assert work(fresh)["rules"] == []


def test_a_click_on_a_drawn_rule_edits_it_and_the_list_counts_kinds(fresh: Page) -> None:
    change(fresh, "work.rules = given[0]", [*CAGES, "thermo:r5c5,r5c6", "odd:r9c1,r9c2"])
    fresh.find("#tab-1")[0].click()
    listed = fresh.text("[aria-label='Rules of this puzzle']")
    assert "2 cages 3 · 8" in listed
    assert "2 odd cells" in listed
    change(fresh, "work.rules = given[0]", [f"killer:{n}=r{n}c1,r{n}c2" for n in range(3, 10)] * 2)
    line = "14 cages 3 · 4 · 5 · 6 · 7 · 8 · 9 · 3 · 4 · 5 · 6 · 7 · …"
    assert line in fresh.text("[aria-label='Rules of this puzzle']")
    fresh.find("#undo")[0].click()
    assert "thermometer at r5c5" in listed
    # A screen reader hears what is drawn.
    assert fresh.cell(1, 4).endswith("first of cage 8 of 2 cells")
    assert fresh.cell(1, 5).endswith("cage 8 of 2 cells")
    fresh.choose("killer")
    cell(fresh, 1, 5).click()
    fresh.wait_for("Edit: cage", lambda: fresh.text("#editor"))
    field = fresh.find("#editor [aria-label=sum]")[0]
    assert field.get_attribute("value") == "8"
    # A rule that is taken back is edited no more.
    fresh.find("#undo")[0].click()
    fresh.wait_for("Cage", lambda: fresh.text("#editor"))
    fresh.find("#redo")[0].click()
    cell(fresh, 1, 5).click()
    fresh.wait_for("Edit: cage", lambda: fresh.text("#editor"))
    fresh.find("#editor [aria-label=sum]")[0].send_keys("\ue003", "9", ENTER)
    fresh.wait_for("killer:9=r1c4,r1c5", fresh.rules)
    fresh.press(ESCAPE, ESCAPE)
    # Without a tool, the rules of the selected cell stand below the board.
    cell(fresh, 5, 5).click()
    fresh.browser.refresh()  # the page knows the words of rules only after a moment
    fresh.wait_for("hermometer", lambda: fresh.text("#here"))
    assert fresh.text("#here") == "Thermometer"
    fresh.find("#tab-1")[0].click()
    fresh.find("#here button")[0].click()
    fresh.push("Delete")
    assert "thermo" not in fresh.rules()
    # Dots of two colours are one rule, which is edited as text; what is drawn twice goes.
    change(fresh, "work.rules = given[0]", ["kropki:white=r1c1,r1c2/black=r3c3,r3c4"])
    fresh.find("[data-rule^=kropki] button")[0].click()
    text = fresh.find("#editor [aria-label$='as text']")[0]
    assert text.get_attribute("value") == "white=r1c1,r1c2/black=r3c3,r3c4"
    fresh.press(ESCAPE)
    fresh.choose("kropki")
    fresh.draw("12 11")
    wait_until(lambda: fresh.rules() == "kropki:black=r3c3,r3c4")


def test_collected_cells_need_not_touch(fresh: Page) -> None:
    fresh.choose("extra-region")
    fresh.find("#editor [title^='Collect']")[0].click()
    for place in ((1, 1), (5, 5), (9, 9), (5, 5)):
        cell(fresh, *place).click()
    assert "2 cells" in fresh.text("#editor")
    pressed = "return document.getElementById('multi').ariaPressed"
    assert fresh.browser.execute_script(pressed) == "true"
    fresh.push("Done")
    fresh.wait_for("extra-region:r1c1,r9c9", fresh.rules)


def test_candidates_have_a_shade_and_the_chart_leads_back(fresh: Page) -> None:
    several = list(parse(EASY).grid.digits)
    for each in (0, 1, 4, 5, 13):
        several[each] = 0
    fresh.paste(EASY)
    fresh.wait_for("One solution")
    fresh.find("#shows input")[0].click()
    change(fresh, "work.cells = given[0]", several)
    fresh.wait_for("3 solutions")
    wait_until(lambda: len(fresh.find(".cell .n1, .cell .n2")) > 10)
    bars = fresh.find("#chart button")[-2:]
    said = [str(bar.get_attribute("aria-label")).partition(": ")[2] for bar in bars]
    assert said == ["1 solution", "3 solutions"]
    bars[0].click()
    fresh.wait_for("One solution")
    assert work(fresh)["cells"] == list(parse(EASY).grid.digits)
    fresh.push("Redo")
    fresh.wait_for("3 solutions")


def test_answers_on_the_way_to_one_solution_are_taken_by_a_click(fresh: Page) -> None:
    fresh.paste("1.....2..3......")
    fresh.wait_for("3 solutions")
    fresh.push("Equal cells")
    fresh.wait_for("A: r1c4, r4c3", lambda: fresh.text("#found"))
    assert "the letter A" in fresh.cell(1, 4)
    fresh.push("One step to unique")
    fresh.wait_for("r1c3=3 → 1", lambda: fresh.text("#found"))
    fresh.push("r1c3=3 → 1")
    fresh.wait_for("One solution")
    assert fresh.text("#found") == ""
    # Of a sum that cannot be, the numbers that can are offered.
    change(fresh, "work.rules = ['killer:5=r1c3,r1c4']")
    fresh.wait_for("No solution")
    wait_until(lambda: bool(fresh.find("#repairs [title^='killer:5=r1c3,r1c4 →']")))
    fresh.find("#repairs [title^='killer:5=r1c3,r1c4 →']")[0].click()
    fresh.wait_for("One solution")
    # The cage is needless then.
    fresh.find("#shows input")[1].click()
    fresh.wait_for("cage", lambda: fresh.text("#found"))
    fresh.find("#found button")[0].click()
    wait_until(lambda: work(fresh)["rules"] == [])


def test_candidates_are_readable_on_a_phone(fresh: Page) -> None:
    show_on(fresh.browser, 375, 812)
    change(fresh, "work.rules = given[0]", CAGES)
    fresh.browser.execute_script("page.setShown('candidates', true)")
    wait_until(lambda: bool(fresh.find(".cell .candidate")))
    size = "return parseFloat(getComputedStyle(document.querySelector('.candidate')).fontSize)"
    assert fresh.browser.execute_script(size) >= 9
    # The only digit that is left is larger, beside a cage too.
    change(
        fresh, "work.cells = given[0]; work.rules = given[1]", EASY_DIGITS, ["killer:10=r1c3,r1c4"]
    )
    wait_until(lambda: len(fresh.find(".cell .lone")) > 40)
    lone = "return parseFloat(getComputedStyle(document.querySelector('.lone')).fontSize)"
    assert fresh.browser.execute_script(lone) > 15
    change(fresh, "work.cells.fill(0)")
    # A finger that moves down scrolls; one that draws or collects does not.
    style = "return getComputedStyle(document.querySelector('.cell')).touchAction"
    assert "pan-y" in fresh.browser.execute_script(style)
    for kind, y in (("touchStart", 300), *(("touchMove", 300 - 20 * n) for n in range(1, 9))):
        fresh.browser.execute_cdp_cmd(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": 180, "y": y}]}
        )
    fresh.browser.execute_cdp_cmd(
        "Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []}
    )
    wait_until(lambda: fresh.browser.execute_script("return scrollY") > 50)
    assert len(fresh.find("[role=gridcell][aria-selected=true]")) == 1
    fresh.browser.execute_script("scrollTo(0, 0)")
    fresh.push("Multi")
    assert fresh.browser.execute_script(style) == "none"
    for each in (1, 12, 23):
        fresh.find("[role=gridcell]")[each].click()
    assert len(fresh.find("[role=gridcell][aria-selected=true]")) == 4


PLACES = """return arguments[0].map(name => {
    const { top, bottom, height } = document.querySelector(name).getBoundingClientRect();
    return [Math.round(top), Math.round(bottom), Math.round(height)];
})"""
BESIDE = "board:4x4:boxes=2x2:digits=5:beside=S*4x4"


@pytest.mark.parametrize("height", [667, 812])
def test_answers_stand_between_the_board_and_the_pad_on_a_phone(fresh: Page, height: int) -> None:
    """All is in sight together, and nothing moves as an answer comes."""
    show_on(fresh.browser, 375, height)

    def places(*names: str) -> list[list[int]]:
        found: list[list[int]] = fresh.browser.execute_script(PLACES, names)
        return found

    fresh.paste("1.....2..3......")
    fresh.wait_for("3 solutions")
    before = places("#board", "#pad")
    fresh.push("One step to unique")
    fresh.wait_for("r1c3=3 → 1", lambda: fresh.text("#found"))
    board, found, pad = places("#board", "#found", "#pad")
    assert [board, pad] == before
    assert board[1] <= found[0] < found[1] <= pad[0]
    fresh.find("[aria-label='Put the answer away']")[0].click()
    assert fresh.text("#found") == ""
    fresh.paste(HARD)
    fresh.wait_for("One solution")
    for words in ("Look at", "Cases", "Suppose", "the lines below"):
        fresh.push("Hint")
        fresh.wait_for(words, lambda: fresh.text(".hints"))
        board, told, pad = places("#board", ".hints", "#pad")
        assert board[1] <= told[0] < told[1] <= pad[0] < pad[1] <= height
    fresh.push("Explain")
    fresh.wait_for("2. ", lambda: fresh.text(".steps"))
    told, _ = places("#answer .told:not(.hints)", "#board")
    assert told[0] < height - 60
    fresh.push("Close")
    # What is asked far below is answered there too, and no answer changes the tab.
    asking = fresh.find("[aria-label='Ask about a cell']")[0]
    asking.send_keys("r1c1", ENTER)
    fresh.wait_for("r1c1", lambda: fresh.text("#answer .told:not(.hints)"))
    told, board = places("#answer .told:not(.hints)", "#board")
    assert 0 < board[0] < told[0] < height - 60
    fresh.push("Close")
    fresh.find("#tab-1")[0].click()
    fresh.push("Hint")
    fresh.wait_for("Look at", lambda: fresh.text(".hints"))
    assert fresh.find("#tab-1")[0].get_attribute("aria-selected") == "true"
    # With a board that is three times as high as it is wide, and in solve mode.
    fresh.paste(BESIDE)
    wait_until(lambda: len(fresh.cells()) == 32)
    change(fresh, "work.rules = ['schrodinger:S']; work.name = 'A ferry at night '.repeat(5)")
    fresh.wait_for("Several solutions")
    for each in ("set", "solve"):
        fresh.browser.execute_script("page.setMode(arguments[0])", each)
        board, commands, pad = places("#board", "#commands", "#pad")
        assert board[1] < commands[0] < commands[1] <= pad[0] < pad[1] <= height
    fresh.push("Check what I have")
    fresh.wait_for("can still", lambda: fresh.text("#answer > .quiet"))
    board, told, pad = places("#board", "#answer > .quiet", "#pad")
    assert board[1] <= told[0] < told[1] <= pad[0]
    # On narrower phones too.
    for narrow in ((360, 640), (320, 568)):
        show_on(fresh.browser, *narrow)
        board, commands, pad = places("#board", "#commands", "#pad")
        assert board[1] < commands[0] < commands[1] <= pad[0] < pad[1] <= narrow[1]
    # Turned to a wide screen, answers are beside the board again.
    show_on(fresh.browser, 1280, 900)
    wait_until(lambda: bool(fresh.find("#panel-0 .hints")))
    assert fresh.find("#card #checks + p + [data-is=afterwards]")


def test_a_phone_on_its_side_has_the_board_beside_all_else(fresh: Page) -> None:
    show_on(fresh.browser, 812, 375)
    fresh.paste(SMALL)
    fresh.wait_for("One solution")
    for mode in ("set", "solve"):
        fresh.browser.execute_script("page.setMode(arguments[0])", mode)
        fresh.push("Hint")
        fresh.wait_for("Look at", lambda: fresh.text(".hints"))
        board, *others = (
            fresh.find(name)[0].rect for name in ("#board", "#verdict", ".hints", "#pad")
        )
        assert board["width"] > 280
        for place in (board, *others):
            assert 0 <= place["y"] < place["y"] + place["height"] <= 375
        assert all(place["x"] >= board["x"] + board["width"] for place in others)


def test_a_tester_sees_conflicts_checks_and_is_told_at_the_end(fresh: Page) -> None:
    fresh.paste(SMALL)
    fresh.wait_for("One solution")
    solution = list(solve(SMALL).digits)
    change(
        fresh,
        "work.rules = given[0]; work.name = 'Small'; work.author = 'Ann'; work.text = 'Be brief.'",
        ["greater:r1c2,r1c1"],
    )
    fresh.wait_for("One solution")
    fresh.press(" ")
    assert "Be brief." in fresh.text("#card")
    assert "Ann" in fresh.text("#card")
    fresh.wait_for("of", fresh.status)
    assert not fresh.find("#palette")[0].is_displayed()
    givens = work(fresh)["cells"]
    [first] = [n for n, digit in enumerate(givens) if not digit][:1]
    wrong = [0] * 16
    wrong[first] = solution[first] % 4 + 1
    enter(fresh, wrong)
    fresh.wait_for("1 of")
    fresh.push("Check what I have")
    fresh.wait_for("1 wrong digit", lambda: fresh.text("#card"))
    assert "clashing" in fresh.cells()[first]
    # Rules are judged too.
    enter(fresh, [2, 1] + [0] * 14)
    wait_until(lambda: "clashing" in fresh.cells()[1])
    # Afterwards the page tells where the tester thought longest, and what is to be seen there.
    fresh.browser.execute_script("performance.now = () => 1e8")
    enter(fresh, solution)
    fresh.wait_for("Solved")
    fresh.wait_for("The longest pause", lambda: fresh.text("#card"))
    enter(fresh, [0] * 16)
    fresh.wait_for("0 of")
    fresh.browser.execute_script("performance.now = () => 2e8")
    enter(fresh, solution)
    fresh.push("What was needed there")
    fresh.wait_for("single", lambda: fresh.text("#card"))
    cell(fresh, 1, 1).click()
    fresh.press(" ")
    fresh.wait_for("One solution")


def test_pens_have_keys_and_a_double_click_selects_all_alike(fresh: Page) -> None:
    fresh.press(" ", "v", "3", RIGHT, "c", "1", "2", RIGHT, "x", "4", RIGHT, "z", "7")
    said = fresh.cells()
    assert "orange" in said[0]
    assert said[1].endswith("centre 1 2")
    assert said[2].endswith("corner 4")
    assert said[3].endswith("column 4, 7")
    fresh.press("z", hold=CONTROL)
    assert said[3] != fresh.cells()[3]
    enter(fresh, [7 if n in (3, 30, 60) else 0 for n in range(81)])
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(fresh.browser).double_click(cell(fresh, 4, 4)).perform()
    selected = fresh.browser.execute_script("return [...page.view.selection]")
    assert selected == [3, 30, 60]
    # Five marks stand in one line.
    change(fresh, "work.entered.fill(0); work.centre[40] = [1, 2, 3, 4, 5]")
    lines = """const mark = document.querySelector("[data-cell='40'] .centre");
        return mark.clientHeight / parseFloat(getComputedStyle(mark).fontSize)"""
    assert fresh.browser.execute_script(lines) < 1.5
    # The pad has colours while they are what is written.
    fresh.press("v")
    assert [each.get_attribute("aria-label") for each in fresh.find("#pad button")[:2]] == [
        "grey",
        "red",
    ]
    # Letters of large boards stay digits.
    fresh.press(" ")
    fresh.select("Size", "16x16")
    cell(fresh, 1, 1).click()
    fresh.press("z", "c")
    assert work(fresh)["cells"][0] == 12


def test_a_screen_reader_hears_which_pen_a_key_has_chosen(fresh: Page) -> None:
    words = {"x": "corner marks", "c": "centre marks", "v": "colours", "z": "digits"}
    for key, said in words.items():
        fresh.press(key)
        # What is read out and not seen: the buttons show it already.
        [place] = fresh.find("[role=status]#said")
        assert place.get_attribute("textContent") == said
        fresh.wait_for(f"StaticText: {said}", lambda: "\n".join(told(fresh)))
    assert place.value_of_css_property("clip-path") == "inset(50%)"


def test_what_is_published_has_title_author_and_rules_text(fresh: Page) -> None:
    fresh.paste(SMALL)
    fresh.wait_for("One solution")
    change(fresh, "work.rules = given[0]", ["killer:5=r1c3,r1c4"])
    fresh.wait_for("cage", lambda: fresh.text("#captions"))
    fresh.find("#tab-3")[0].click()
    for name, text in (("name", "Night ferry"), ("author", "Ann")):
        fresh.find(f"[data-text={name}]")[0].send_keys(text)
    fresh.push("Draft from the rules")
    assert "dashed cages" in work(fresh)["text"].lower()
    text = fresh.find("[data-text=text]")[0]
    text.send_keys(" Have fun.")
    fresh.push("f-puzzles link")
    read = "return page.share.text.value"
    wait_until(lambda: "http" in fresh.browser.execute_script(read))
    link = fresh.browser.execute_script(read)
    before = work(fresh)
    assert before["text"].endswith("Have fun.")
    fresh.push("QR code")
    wait_until(lambda: bool(fresh.find("#panel-3 .scan svg")))
    # A book page is a file that the browser saves.
    fresh.browser.execute_script(
        "window.saved = []; HTMLAnchorElement.prototype.click = function () {"
        " window.saved.push(this.download); };"
    )
    fresh.find("#panel-3 input[type=checkbox]")[0].click()
    fresh.push("Save SVG")
    wait_until(lambda: fresh.browser.execute_script("return window.saved") == ["sudoku.svg"])
    fresh.push("New")
    fresh.paste(link)
    wait_until(lambda: work(fresh)["name"] == "Night ferry")
    after = work(fresh)
    assert [after[key] for key in ("author", "text", "rules", "cells")] == [
        before[key] for key in ("author", "text", "rules", "cells")
    ]


def test_a_certificate_is_saved_and_a_link_opens_in_sudokumaker(
    fresh: Page, tmp_path: Path
) -> None:
    fresh.paste(SMALL)
    fresh.wait_for("One solution")
    saved = "page.share.download = (part, name) => { window.saved = [name, part.base64]; }"
    fresh.browser.execute_script(f"page.show(page.share); {saved}")
    fresh.push("Certificate")
    wait_until(lambda: bool(fresh.browser.execute_script("return window.saved")))
    name, packed = fresh.browser.execute_script("return window.saved")
    assert name == "certificate.zip"
    ZipFile(BytesIO(b64decode(packed))).extractall(tmp_path)
    assert run("verify", tmp_path).code == 0
    fresh.push("SudokuMaker link")
    shown = "return page.share.text.value"
    wait_until(lambda: "sudokumaker" in fresh.browser.execute_script(shown))
    link = fresh.browser.execute_script(shown).strip()
    assert list(parse(link).grid.digits) == work(fresh)["cells"]
    # What opens is not said to be in the field only.
    fresh.browser.execute_script(
        "window.open = url => (window.opened = { url, opener: window }); page.notice('');"
    )
    fresh.push("Open in SudokuPad")
    wait_until(lambda: bool(fresh.browser.execute_script("return window.opened")))
    opened = "return [window.opened.url.slice(0, 20), window.opened.opener]"
    assert fresh.browser.execute_script(opened) == ["https://sudokupad.ap", None]
    assert "in the field" not in fresh.alert()


def test_a_count_goes_on_to_its_bound_and_is_estimated(fresh: Page) -> None:
    fresh.browser.execute_script("page.setShown('bound', 1000)")
    fresh.paste("1" + "." * 35)
    fresh.wait_for("about ")
    assert re.search(r"at least .*\(99 in 100\), at most .*\(proved\)", fresh.status())
    # That it goes on is told before anything further is counted.
    fresh.browser.execute_script(
        "const { ask } = page.backend; page.backend.ask = (lane, message, act) =>"
        " message.ask === 'count' ? new Promise(() => {})"
        " : ask.call(page.backend, lane, message, act);"
    )
    fresh.press("2")
    fresh.wait_for("counting …")


CUT = """return [...document.querySelectorAll("#verdict small, #repairs")]
    .filter(each => each.scrollWidth > each.clientWidth + 1
      || each.matches("small") && each.scrollHeight > each.clientHeight + 1)
    .map(each => each.innerText)"""


@pytest.mark.parametrize("width", [1280, 375])
def test_nothing_that_is_told_is_cut_or_told_twice(fresh: Page, width: int) -> None:
    show_on(fresh.browser, width, 800)
    change(fresh, "work.cells[0] = 5; work.cells[9] = 3")
    fresh.wait_for("(proved)")
    assert fresh.browser.execute_script(CUT) == []
    change(fresh, "work.rules = given[0]", CAGES[1:])
    # A player reads the rules once; who prints gets the puzzle, not what is known of it.
    fresh.browser.execute_script("page.setMode('solve')")
    fresh.wait_for("Dashed cages", lambda: fresh.text("#card"))
    assert not fresh.find("#captions")[0].is_displayed()
    fresh.browser.execute_script("page.setMode('set'); page.setShown('candidates', true)")
    wait_until(lambda: bool(fresh.find(".candidate")))
    change(fresh, "work.rules.push('killer:3=r5c1,r5c2', 'killer:4=r6c1,r6c2')")
    fresh.wait_for("several solutions", lambda: fresh.text("#repairs"))
    assert fresh.browser.execute_script(CUT) == []
    fresh.push("Take back")
    wait_until(lambda: bool(fresh.find(".candidate")))
    show_on(fresh.browser, 680, 900, media="print")
    assert fresh.find("#captions")[0].is_displayed()
    assert not any(each.is_displayed() for each in fresh.find(".small"))


def told(page: Page) -> list[str]:
    """The tree of a screen reader as text: each role with its name."""
    nodes = page.browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    shown = [node for node in nodes if not node["ignored"]]
    return [f"{n['role']['value']}: {n.get('name', {}).get('value', '')}" for n in shown]


def test_a_screen_reader_has_board_tools_and_verdict_as_text(fresh: Page) -> None:
    fresh.paste(SMALL)
    fresh.wait_for("One solution")
    change(fresh, "work.rules = given[0]", ["killer:3=r1c1,r1c2", "even:r1c4"])
    fresh.wait_for("One solution")
    wait_until(lambda: "first of cage 3 of 2 cells" in " ".join(told(fresh)))
    lines = told(fresh)
    for line in (
        "grid: Sudoku",
        "toolbar: Rules",
        "button: Cage",
        "StaticText: One solution",
        "toolbar: Digits",
        "tab: Publish",
    ):
        assert line in lines, line
    assert "gridcell: row 1 column 1, empty, first of cage 3 of 2 cells" in lines
    assert "gridcell: row 1 column 2, empty, cage 3 of 2 cells" in lines
    assert any("even cell" in line for line in lines if "row 1 column 4" in line)


def test_rules_that_the_author_does_not_mention_are_printed_too(fresh: Page) -> None:
    fresh.paste(SMALL)
    fresh.wait_for("One solution")
    change(fresh, "work.rules = given[0]; work.text = 'Have fun.'", ["killer:5=r1c3,r1c4"])
    fresh.wait_for("cage", lambda: fresh.text("#captions"))
    wait_until(lambda: "worded" in fresh.find("body")[0].get_attribute("class"))
    show_on(fresh.browser, 1280, 900, media="print")
    try:
        for place, words in (("#captions li", "cage"), ("#card .words", "Have fun.")):
            [shown] = fresh.find(place)
            assert shown.is_displayed()
            assert words in shown.text
    finally:
        show_on(fresh.browser, 1280, 900)


def test_a_link_carries_a_position_and_the_shelf_all_puzzles(fresh: Page) -> None:
    fresh.paste(SMALL)
    fresh.wait_for("One solution")
    change(
        fresh,
        "work.name = 'First'; work.entered[1] = 2; "
        "work.centre[2] = [3, 4]; work.colours[5] = [2, 7]",
    )
    fresh.find("#tab-3")[0].click()
    fresh.push("Copy this position")
    link = fresh.browser.execute_script("return page.share.text.value")
    before = work(fresh)
    fresh.push("New")
    fresh.press("1")
    fresh.paste(link)
    wait_until(lambda: work(fresh)["name"] == "First")
    after = work(fresh)
    assert {**after, "id": 0} == {**before, "id": 0}
    # Each has its place, and opens as it was left.
    fresh.find("#tab-2")[0].click()
    shelf = "[aria-label='Recent puzzles'] li"
    wait_until(lambda: len(fresh.find(shelf)) == 3)
    fresh.paste(EASY)
    wait_until(lambda: len(fresh.find(shelf)) == 4)
    fresh.find("[aria-label^='Open First']")[0].click()
    wait_until(lambda: work(fresh)["name"] == "First")
    assert work(fresh)["entered"] == before["entered"]


@needs_axe
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (375, "dark")])
def test_axe_finds_nothing_at_the_desk(fresh: Page, width: int, scheme: str) -> None:
    show_on(fresh.browser, width, 812, scheme)
    fresh.browser.execute_script("page.setShown('candidates', true)")
    fresh.paste("1.....2..3......")
    fresh.wait_for("3 solutions")
    for rule in ("killer", "kropki", "sandwich", "regions", "little-killer", "either"):
        fresh.choose(rule)
        assert violations(fresh.browser) == [], rule
    fresh.press(ESCAPE)
    change(fresh, "work.rules = given[0]; work.colours = {3: [1, 2], 6: [5]}", CAGES[:1])
    fresh.find("#tab-1")[0].click()
    assert violations(fresh.browser) == []
    fresh.press(" ", "v")
    assert violations(fresh.browser) == []


def test_the_board_stands_in_pages_of_others(fresh: Page) -> None:
    """The page of an explanation has nothing to do with it, nor has any server."""
    script = """
        const done = arguments[0];
        page.isReady = false;  // the application paints no more, as its elements are taken
        import("/sudoku-board.js").then(() => {
          document.body.innerHTML =
            '<sudoku-board box="2x2" cells="1.....2..3......" entered=".4"></sudoku-board>';
          const board = document.querySelector("sudoku-board");
          board.contents = { 2: { centre: [2, 3] }, 3: { why: "clashing" } };
          const said = n => board.shadowRoot.querySelectorAll("[role=gridcell]")[n].ariaLabel;
          board.addEventListener("cellselect", event => {
            const first = [0, 1, 2, 3].map(said);
            board.setAttribute("cells", "2" + ".".repeat(15));
            board.board.grid.dispatchEvent(new KeyboardEvent("keydown", { key: "End" }));
            done([event.detail, first, said(0), board.shadowRoot.childElementCount, board.at]);
          }, { once: true });
          board.board.cells[5].dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
        });"""
    detail, first, after, count, at = fresh.browser.execute_async_script(script)
    assert detail == {"cell": 5, "row": 2, "column": 2}
    assert first == [
        "row 1 column 1, given 1",
        "row 1 column 2, 4",
        "row 1 column 3, empty, centre 2 3",
        "row 1 column 4, empty, clashing",
    ]
    assert after == "row 1 column 1, given 2"
    assert (count, at) == (3, 7)


def test_a_samurai_and_cells_beside_a_board_are_set_as_other_puzzles_are(fresh: Page) -> None:
    """Holes are left out, keys lead over them, rules name cells beside, and a link has it all."""
    script = "return [document.activeElement.ariaLabel, page.work.cells.length]"
    wait_until(lambda: "samurai" in fresh.text("#size"))
    fresh.select("Size", "samurai")
    wait_until(lambda: len(fresh.cells()) == 369)
    # From the end of the first square over the hole to the next one, and on around the board.
    change(fresh, "page.moveTo(8)")
    fresh.press(RIGHT, "5")
    assert fresh.browser.execute_script(script) == ["row 1 column 13, given 5", 369]
    fresh.wait_for("Several solutions")
    fresh.press("\ue013")  # up
    assert fresh.browser.execute_script(script)[0].startswith("row 21 column 13")
    fresh.find("#undo")[0].click()
    fresh.find("#undo")[0].click()
    assert (work(fresh)["box"], len(fresh.cells())) == ([3, 3], 81)
    fresh.paste("board:4x4:boxes=2x2:beside=X*2\n1234\n3412\n2143\n....\nX2=1")
    # The board before had several solutions too, so that the verdict says nothing of this one.
    wait_until(lambda: fresh.cells()[-2:] == ["X1, 1 or 2, different", "X2, given 1"])
    fresh.choose("odd")
    change(fresh, "page.editor.fill([16])")
    fresh.wait_for("odd:X1", fresh.rules)
    fresh.press(ESCAPE)
    change(fresh, "page.moveTo(16)")
    fresh.press("3")
    fresh.wait_for("One solution")
    found = work(fresh)
    link = fresh.browser.execute_script("return page.share.link()")
    assert "beside=X*2-" in link
    fresh.find("#undo")[0].click()
    fresh.find("#undo")[0].click()
    fresh.paste(link)
    wait_until(lambda: work(fresh)["cells"] == found["cells"])
    assert {**work(fresh), "id": ""} == {**found, "id": ""}
    fresh.browser.refresh()
    fresh.wait_for("One solution")
    assert work(fresh) == {**found, "id": work(fresh)["id"]}


def test_the_rule_editor_stands_in_pages_of_others(fresh: Page) -> None:
    """A cage is drawn on a board in a page of one's own, checked by the server, and listed."""
    script = """
        const done = arguments[0];
        const headers = { "Content-Type": "application/json" };
        const ask = async message => {
          const body = JSON.stringify(message);
          const found = await fetch("/api/v1/ask", { method: "POST", body, headers });
          return (await found.json()).parts[0];
        };
        // The application hears and paints no more, as its elements are taken.
        page.backend.socket.onmessage = null;
        page.isReady = false;
        Promise.all([import("/sudoku-board.js"), import("/rule-element.js")]).then(async () => {
          document.body.innerHTML = '<sudoku-board id="mine" box="2x2"></sudoku-board>'
            + '<rule-editor for="mine"></rule-editor>';
          const editor = document.querySelector("rule-editor");
          const board = document.querySelector("sudoku-board");
          board.style.width = "20rem";
          const { cells } = board.board;
          editor.check = ask;
          editor.tools = (await ask({ ask: "about" })).rules;
          const find = what => editor.shadowRoot.querySelector(what);
          const point = (kind, n, buttons) => {
            const { x, y, width, height } = cells[n].getBoundingClientRect();
            const place = { clientX: x + width / 2, clientY: y + height / 2 };
            const more = { bubbles: true, composed: true, cancelable: true, buttons };
            cells[n].dispatchEvent(new PointerEvent(kind, { ...place, ...more }));
          };
          editor.addEventListener("ruleschange", event => {
            const entries = [...editor.shadowRoot.querySelectorAll("[data-rule]")];
            const listed = entries.map(each => each.title);
            done([event.detail.rules, listed, find("#editor").hidden, cells[0].ariaLabel]);
          });
          find("[data-tool=killer]").click();
          point("pointerdown", 0, 1);
          point("pointermove", 1, 1);
          point("pointerup", 1, 0);
          const sum = find("#editor input[aria-label=sum]");
          sum.value = "5";
          sum.dispatchEvent(new Event("input"));
          sum.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
        }).catch(fault => done(String(fault)));"""
    rules, listed, is_away, said = fresh.browser.execute_async_script(script)
    assert rules == listed == ["killer:5=r1c1,r1c2"]
    assert not is_away
    assert "first of cage 5 of 2 cells" in said


def test_a_screen_reader_hears_what_is_new_and_which_tool_draws(fresh: Page) -> None:
    fresh.push("New")
    fresh.paste(EASY)
    fresh.wait_for("One solution")
    fresh.press(ENTER)  # for a hint, and not for another new board
    fresh.wait_for("Look at", lambda: fresh.text("#panel-0 [role=status]"))
    fresh.browser.execute_script("window.first = page.walk.hints.firstChild")
    fresh.push("Hint")
    fresh.wait_for("single", lambda: fresh.text("#panel-0 [role=status]"))
    assert fresh.browser.execute_script("return page.walk.hints.firstChild === window.first")
    # A reader joins a text and an element to one word.
    script = "return [...document.querySelector('#verdict').childNodes].map(each => each.nodeType)"
    assert fresh.browser.execute_script(script) == [1, 1]
    fresh.press("/", f"cage{ENTER}")
    assert fresh.find("[role=grid]")[0].get_attribute("aria-label") == "Sudoku, cage"
    fresh.press(ESCAPE)
    assert fresh.find("[role=grid]")[0].get_attribute("aria-label") == "Sudoku"
