"""The page in a real browser, through roles and names as a screen reader has them.

One browser and one server serve all tests; where there is no Chromium, they are left out.
"""

import base64
import re

import pytest

from satdoku import parse, write
from tests.browser import Page, needs_axe, needs_browser, show_on, violations
from tests.commands import EASY, HARD, IMPOSSIBLE, SMALL
from tests.serving.client import serving
from tests.serving.ports import free_port
from tests.waiting import wait_until

SEVERAL = ".." + EASY[2:]


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
    fresh.push("Undo")
    fresh.wait_for("An empty board")
    fresh.push("Redo")
    fresh.wait_for("Several solutions")


@needs_browser
def test_the_work_survives_a_reload_and_a_paste_is_undone(fresh: Page) -> None:
    fresh.paste(EASY)
    fresh.wait_for("One solution")
    fresh.browser.refresh()
    fresh.wait_for("One solution")
    assert "given 5" in fresh.cell(1, 1)
    fresh.paste(SEVERAL)
    fresh.wait_for("Several solutions")
    assert " or " in fresh.cell(1, 1)
    fresh.press("z", hold="\ue009")  # control
    fresh.wait_for("One solution")


@needs_browser
def test_pastes_of_each_kind_are_read_or_refused_with_a_sentence(fresh: Page) -> None:
    ruled = parse("." * 16, rules=["killer:3=r1c1,r1c2"])
    for kind, puzzle in (
        *((kind, parse(SMALL)) for kind in ("line", "grid", "csv")),
        *((kind, ruled) for kind in ("json", "fpuzzles", "iss")),
        *((f"link:{site}", ruled) for site in ("fpuzzles", "sudokupad", "iss")),
    ):
        fresh.paste(f"{'Look at this one:' if kind == 'grid' else ''}\n{write(puzzle, kind)}")
        wait_until(lambda: len(fresh.find("[role=gridcell]")) == 16)
        fresh.wait_for("Several solutions" if puzzle is ruled else "One solution")
        assert fresh.browser.execute_script("return page.work.rules") == list(puzzle.rule_texts)
        fresh.select("Size", "9x9")
        fresh.wait_for("An empty board")
    fresh.paste(f'{{"cells": {[[{}] * 4] * 4}, "lines": [{{}}]}}')
    words = "satdoku does not read drawings (1 lines) in this puzzle of SudokuPad"
    fresh.wait_for(words, lambda: fresh.text("#unread"))
    for text, words in (
        ("no puzzle at all", "paste"),
        ("", "pictures are not read"),  # as of a picture
        ("5" * 99_999, "paste"),
        ("5" * 300_000, "too long"),
    ):
        fresh.paste(text)
        fresh.wait_for(words, fresh.alert)
        assert fresh.status().startswith("An empty board")


@needs_browser
def test_several_puzzles_of_a_paste_are_listed(fresh: Page) -> None:
    fresh.paste(f"{EASY}\n{HARD}\n")
    fresh.wait_for("2 puzzles", fresh.alert)
    fresh.find("#tab-2")[0].click()
    fresh.wait_for("1. 21 givens", lambda: fresh.text("[aria-label='What was made']"))
    assert fresh.cell(1, 1).startswith("row 1 column 1, given 5")


@needs_browser
def test_a_link_brings_its_puzzle_and_leaves_the_address(fresh: Page) -> None:
    fresh.open(f"#p={SMALL}")
    fresh.wait_for("One solution")
    assert len(fresh.find("[role=gridcell]")) == 16
    assert fresh.browser.current_url == fresh.address
    # What is copied there, with rules in it, is read again, however it is pasted.
    fresh.browser.execute_script(
        "page.history.change(work => "
        "{ work.rules = ['killer:3=r1c1,r1c2', 'pair:r1c1,r1c2:a+b>=2']; });"
    )
    fresh.wait_for("One solution")
    fresh.find("#tab-3")[0].click()
    fresh.push("Copy a link")
    link = fresh.find("[aria-label='Text of a puzzle']")[0].get_attribute("value")
    assert link.endswith(f"#w=2x2-{SMALL}&r=killer:3=r1c1,r1c2&r=pair:r1c1,r1c2:a%2Bb%3E=2")
    kept = fresh.browser.execute_script("return page.work")
    fresh.select("Size", "9x9")
    fresh.paste(link)
    fresh.wait_for("One solution")
    # It is another puzzle on the shelf, and the same one on the board.
    read = fresh.browser.execute_script("return page.work")
    assert {**read, "id": kept["id"]} == kept
    kept = read
    for broken in (
        "2x2-12",
        "200x200-1",
        "2x2-zzzzzzzzzzzzzzzz",
        f"2x2-{SMALL}&r={'k' * 20_000}",
        f"2x2-{'1' * 1_000_000}",
    ):
        fresh.paste(f"http://localhost/#w={broken}")
        fresh.wait_for("This link holds no puzzle", fresh.alert)
    assert fresh.browser.execute_script("return page.work") == kept


@needs_browser
def test_hints_say_more_and_more_and_a_walk_leads_to_the_solution(fresh: Page) -> None:
    fresh.paste(SMALL)
    fresh.wait_for("One solution")
    for words in ("Look at", "single in", "still needs"):
        fresh.push("Hint")
        fresh.wait_for(words, lambda: fresh.text("#panel-0"))
    fresh.push("Explain")
    fresh.wait_for("The solution", lambda: fresh.text(".steps"))
    fresh.find(".steps button")[-1].click()
    assert "empty" not in "".join(fresh.cells())
    fresh.push("Take over")
    assert fresh.cell(1, 2) == "row 1 column 2, 2"
    assert "given" in "".join(fresh.cells())


@needs_browser
def test_partners_of_givens_are_marked_while_a_symmetry_is_chosen(fresh: Page) -> None:
    fresh.find("#tab-2")[0].click()
    option = fresh.find("#panel-2 option[value=rotate180]")[0]
    option.click()
    assert option.text == "half turn"
    fresh.find("[role=gridcell]")[0].click()
    fresh.press("5")
    wait_until(lambda: fresh.cell(9, 9) == "row 9 column 9, empty, partner of a given")
    # After a reload too, and the list says so.
    fresh.browser.refresh()
    wait_until(lambda: fresh.cell(9, 9) == "row 9 column 9, empty, partner of a given")
    chosen = "return page.make.symmetry.selectedOptions[0]?.textContent"
    wait_until(lambda: fresh.browser.execute_script(chosen) == "half turn")
    fresh.browser.execute_script("page.moveTo(80)")
    fresh.press("\ue017")  # delete
    assert fresh.cell(1, 1) == "row 1 column 1, empty"


@needs_browser
def test_what_is_generated_is_listed_and_has_one_solution(fresh: Page) -> None:
    fresh.find("#tab-2")[0].click()
    fresh.push("Generate")
    fresh.wait_for("One solution")
    fresh.wait_for("givens", lambda: fresh.text("[aria-label='What was made']"))


@needs_browser
def test_digits_after_a_size_was_chosen_are_for_the_board(fresh: Page) -> None:
    fresh.browser.execute_script(
        "const size = document.getElementById('size'); size.focus();"
        "size.dispatchEvent(new PointerEvent('pointerdown'));"
    )
    fresh.select("Size", "4x4")
    fresh.press("1")
    assert fresh.cell(1, 1) == "row 1 column 1, given 1"


@needs_browser
def test_keys_after_a_click_on_a_mode_are_for_the_board(fresh: Page) -> None:
    solve = fresh.find("#mode label")[1]
    assert solve.text == "Solve"
    solve.click()
    fresh.press("\ue014", "7")
    assert fresh.cell(1, 2) == "row 1 column 2, 7"


@needs_browser
def test_marks_and_modes(fresh: Page) -> None:
    fresh.press(" ")
    fresh.press("7")
    assert fresh.cell(1, 1) == "row 1 column 1, 7"
    fresh.wait_for("An empty board")
    fresh.press("\ue014")
    fresh.push("Centre")
    fresh.find("[role=gridcell]")[1].click()
    fresh.press("1", "2")
    assert fresh.cell(1, 2).endswith("centre 1 2")


@needs_browser
@pytest.mark.parametrize(
    ("width", "scheme"), [(1280, "light"), pytest.param(375, "dark", marks=pytest.mark.slow)]
)
def test_all_of_it_fits_and_nothing_moves_while_verdicts_change(
    fresh: Page, width: int, scheme: str
) -> None:
    show_on(fresh.browser, width, 800, scheme)
    places = set()
    for text, words in (
        (EASY, "One solution"),
        (SEVERAL, "Several solutions"),
        (IMPOSSIBLE, "No solution"),
    ):
        fresh.paste(text)
        fresh.wait_for(words)
        board, tabs = (fresh.find(name)[0].rect for name in (".board", "#tabs"))
        places.add((board["x"], board["y"], board["width"], tabs["y"]))
        assert fresh.browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert len(places) == 1
    verdict = fresh.find("#verdict")[0].rect
    if width < 600:
        assert verdict["y"] + verdict["height"] <= board["y"]
    else:
        assert verdict["x"] >= board["x"] + board["width"]


@needs_browser
def test_on_paper_there_is_one_page_with_the_puzzle(fresh: Page) -> None:
    # With as many cells beside it, a board is more than twice as high as it is wide.
    for puzzle in ("board:4x4:boxes=2x2:beside=X*4x4\n1234\n3412\n2143\n....\nX2=1", SEVERAL):
        fresh.paste(puzzle)
        fresh.wait_for("Several solutions")
        printed = fresh.browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
        assert len(re.findall(rb"/Type\s*/Page\b", base64.b64decode(printed["data"]))) == 1
    # The puzzle, and not what is known about it: as wide as the paper is.
    fresh.browser.execute_script("page.history.change(work => { work.name = 'Night ferry'; })")
    show_on(fresh.browser, 680, 900, media="print")
    assert fresh.find("#name")[0].is_displayed()
    places = [fresh.find(name)[0].rect for name in ("#name", "#board")]
    assert places[0]["x"] == places[1]["x"]
    assert places[0]["y"] < places[1]["y"]
    hidden = [not fresh.find(name)[0].is_displayed() for name in ("#verdict", "#right", ".pair")]
    assert hidden == [True] * 3
    assert fresh.find(".digit")[0].is_displayed()
    # A step is printed with its words.
    fresh.browser.execute_script("page.walk.start()")
    fresh.wait_for("(", lambda: fresh.text(".told:not([role])"))
    assert fresh.find(".told:not([role])")[0].is_displayed()


@needs_browser
@pytest.mark.slow
def test_two_tabs_keep_their_own_work(fresh: Page) -> None:
    fresh.paste(EASY)
    fresh.wait_for("One solution")
    first = fresh.browser.current_window_handle
    fresh.browser.switch_to.new_window("tab")
    fresh.open()
    fresh.wait_for("One solution")  # a new tab begins with what was there last
    fresh.push("New")
    fresh.wait_for("An empty board")
    fresh.browser.switch_to.window(first)
    fresh.browser.refresh()
    fresh.wait_for("One solution")
    fresh.browser.switch_to.window(fresh.browser.window_handles[-1])
    fresh.browser.close()
    fresh.browser.switch_to.window(first)


@needs_browser
@pytest.mark.slow
def test_the_work_goes_on_when_the_server_is_started_again(page: Page) -> None:
    port = free_port()
    with serving("--port", str(port)):
        again = Page(page.browser, f"http://127.0.0.1:{port}/")
        again.open()
        again.paste(EASY)
        again.wait_for("One solution")
    again.wait_for("not connected", lambda: again.text("#connection"))
    again.press("1")  # r1c1 was a given 5, and r2c7 to r8c6 know better
    with serving("--port", str(port)):
        again.wait_for("No solution")
        assert again.text("#connection") == ""


@needs_browser
@pytest.mark.slow
def test_a_click_on_a_candidate_asks_why_it_does_not_stand_there(fresh: Page) -> None:
    fresh.paste(HARD)
    fresh.wait_for("One solution")
    fresh.push("Explain")
    fresh.wait_for("The solution", lambda: fresh.text(".steps"))
    candidate = fresh.find(".walking .candidate")[0]
    digit = candidate.get_attribute("data-digit")
    candidate.click()
    asked = fresh.find("[aria-label='Ask about a cell']")[0].get_attribute("value")
    assert asked.endswith(f"!={digit}")
    fresh.wait_for(asked.partition("!")[0], lambda: fresh.text(".told:not([role])"))
    fresh.find("[aria-label='Search the steps']")[0].send_keys("naked single")
    wait_until(lambda: all("naked single" in each.text for each in fresh.find(".steps button")))


@needs_browser
@needs_axe
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(fresh: Page, scheme: str) -> None:
    show_on(fresh.browser, 1280, 900, scheme)
    assert violations(fresh.browser) == []
    fresh.paste(SEVERAL)
    fresh.wait_for("Several solutions")
    for tab in range(5):
        fresh.find(f"#tab-{tab}")[0].click()
        assert violations(fresh.browser) == []
    fresh.paste(EASY)
    fresh.wait_for("One solution")
    fresh.find("#tab-0")[0].click()
    fresh.push("Explain")
    fresh.wait_for("The solution", lambda: fresh.text(".steps"))
    assert violations(fresh.browser) == []


@needs_browser
def test_fingers_select_by_dragging_and_find_commands_broad_enough(fresh: Page) -> None:
    show_on(fresh.browser, 375, 800)
    cells = fresh.find("[role=gridcell]")
    points = [
        {"x": cell.rect["x"] + cell.rect["width"] / 2, "y": cell.rect["y"] + 9}
        for cell in cells[10:13]
    ]
    for kind, touched in zip(
        ("touchStart", "touchMove", "touchMove", "touchEnd"), (*points, None), strict=True
    ):
        fresh.browser.execute_cdp_cmd(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [touched] if touched else []}
        )
    chosen = fresh.find("[role=gridcell][aria-selected=true]")
    assert chosen == cells[10:13]
    # What a rule means stands below the keys, which stay in sight with the board.
    fresh.browser.execute_script("page.history.change(work => { work.rules = ['anti-king']; })")
    fresh.wait_for("king", lambda: fresh.text("#captions"))
    tops = [fresh.find(name)[0].rect["y"] for name in ("#board", "#pad", "#captions")]
    assert tops == sorted(tops)
    low = """return [...document.querySelectorAll("button, select, label:has(input)")]
        .filter(it => it.offsetParent && it.getBoundingClientRect().height < 40)
        .map(it => it.textContent)"""
    for panel in ("walk", "listed", "make", "share", "help"):
        fresh.browser.execute_script("page.show(page[arguments[0]])", panel)
        assert fresh.browser.execute_script(low) == [], panel


@needs_browser
def test_that_candidates_of_large_boards_are_being_counted_is_told(fresh: Page) -> None:
    fresh.select("Size", "25x25")
    fresh.browser.execute_script("page.setShown('candidates', true)")
    fresh.find("[role=gridcell]")[0].click()
    fresh.press("7")
    fresh.wait_for("candidates are being counted")
    fresh.press("z", hold="\ue009")  # control
    fresh.wait_for("An empty board")
