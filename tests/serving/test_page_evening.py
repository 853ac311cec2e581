"""A setter's evening on the page, by pointer and keys, from the first cage to the link and back."""

import pytest

from tests.browser import Page, needs_browser
from tests.waiting import wait_until

ENTER, TAB, RIGHT = "\ue007", "\ue004", "\ue014"

CAGES = [("11 12", "8"), ("13 14", "11"), ("22 23 33", "15"), ("28 29", "9"), ("51 61", "10")]


@needs_browser
@pytest.mark.slow
def test_an_evening_of_a_setter(fresh: Page) -> None:
    rules = draw_rules(fresh)
    break_a_rule_and_take_it_back(fresh)
    digits_between_clicks(fresh)
    solve_and_ask(fresh)
    reload(fresh, rules)
    paint_a_jigsaw(fresh)
    outside = clues_outside(fresh)
    send_a_link(fresh, outside)
    generate(fresh, outside)


def rules_of(page: Page) -> list[str]:
    found: list[str] = page.browser.execute_script("return page.work.rules")
    return found


def draw_rules(page: Page) -> list[str]:
    """Five cages, one of them refused at first and one taken back, and four other kinds."""
    page.choose("killer")
    for n, (line, total) in enumerate(CAGES):
        page.draw(line)
        if n == 2:
            page.press(f"4x{ENTER}")
            page.wait_for("whole number", page.alert)
            page.press("\ue003\ue003")  # the field still has the focus, and its text
        page.press(f"{total}{ENTER}")
        page.wait_for(f"killer:{total}=", page.rules)
    page.push("Undo")
    wait_until(lambda: len(rules_of(page)) == 4)
    page.push("Redo")
    for name, line in (
        ("arrow", "45 55 65"),
        ("thermo", "77 78 79"),
        ("whispers", "91 92 93"),
        ("kropki", "38 39"),
    ):
        page.choose(name)
        page.draw(line)
        page.wait_for(f"{name}:", page.rules)
    page.press("\ue00c")  # escape
    page.wait_for("Several solutions")
    rules = rules_of(page)
    assert len(rules) == 9
    return rules


def break_a_rule_and_take_it_back(page: Page) -> None:
    """A sum that cannot be is named together with the rules that it clashes with."""
    before = rules_of(page)
    page.choose("killer")
    page.draw("15 16")
    page.press(f"14{ENTER}")
    page.draw("17 18")
    page.press(f"3{ENTER}")
    page.wait_for("killer:3=r1c7,r1c8", page.rules)
    page.draw("27 37")
    page.press(f"4{ENTER}")
    page.wait_for("2 rules clash, and any of them may go: cage 3 at r1c7")
    wait_until(lambda: "clashing" in page.cell(1, 7))
    wait_until(lambda: "clashing" in page.cell(3, 7))
    assert "clashing" not in page.cell(1, 1)
    page.push("Remove cage 4 at r2c7")
    page.wait_for("Several solutions")
    for _ in range(4):
        page.push("Undo")
    page.press("\ue00c")
    wait_until(lambda: rules_of(page) == before)


def digits_between_clicks(page: Page) -> None:
    """Digits land in the selected cell whatever was clicked before."""
    for place in ("#tab-0", "#shows input", "#shows input", "#tab-2"):
        page.find("[data-cell='40']")[0].click()
        page.find(place)[0].click()
        page.press("3")
        assert page.cell(5, 5).startswith("row 5 column 5, given 3")
        page.press("\ue017")  # delete
        assert page.cell(5, 5).startswith("row 5 column 5,")
        assert "given" not in page.cell(5, 5)


def solve_and_ask(page: Page) -> None:
    """Hints go on after each step that was taken over."""
    page.find("#tab-0")[0].click()
    page.push("Explain")
    page.wait_for("2. ", lambda: page.text(".steps"))
    page.find("[data-step='0'] button")[0].click()
    taken = page.find("[data-step='0']")[0].text.partition(" ")[2]
    page.push("Take over")
    page.push("Explain")
    page.wait_for("1. ", lambda: page.text(".steps"))
    assert page.find("[data-step='0']")[0].text.partition(" ")[2] != taken
    page.push("Close")
    page.push("Undo")
    page.browser.execute_script("page.setMode('set')")


def reload(page: Page, rules: list[str]) -> None:
    page.open()
    page.wait_for("Several solutions")
    assert rules_of(page) == rules
    page.push("Undo")
    page.push("Redo")
    assert rules_of(page) == rules


def paint_a_jigsaw(page: Page) -> None:
    page.select("Size", "6x6")
    wait_until(lambda: len(page.find("[role=gridcell]")) == 36)
    page.choose("regions")
    for n in range(6):
        page.find("#editor .letters button")[n].click()
        top = 2 * (n // 2) + 1
        upper, lower = ("1234", "12") if n % 2 == 0 else ("56", "3456")
        line = [f"{top}{column}" for column in upper]
        # Back and forth, so that each cell of the path touches the one before.
        line += [f"{top + 1}{column}" for column in reversed(lower)]
        page.draw(" ".join(line))
        if n % 2 == 0:
            page.draw(f"{top + 1}1 {top + 1}2")
    page.wait_for("regions:AAAABB/AABBBB/CCCCDD/CCDDDD/EEEEFF/EEFFFF", page.rules)
    page.wait_for("Several solutions")


def clues_outside(page: Page) -> list[str]:
    page.select("Size", "9x9")
    page.wait_for("An empty board")
    page.choose("sandwich")
    for row, clue in ((1, "35"), (5, "11"), (9, "2")):
        field = page.find(f"[aria-label='sandwich sum row {row} from the left']")[0]
        field.click()
        page.press(f"{clue}{TAB}")
        page.wait_for(f"sandwich:row{row}={clue}", page.rules)
        wait_until(lambda: len(page.find("#captions li")) == 1)
        cell = page.find(f"[data-cell='{9 * (row - 1)}']")[0].rect
        middle = field.rect["y"] + field.rect["height"] / 2
        assert cell["y"] < middle < cell["y"] + cell["height"]
    page.wait_for("Several solutions")
    return rules_of(page)


def send_a_link(page: Page, rules: list[str]) -> None:
    page.find("#tab-3")[0].click()
    page.push("SudokuPad link")
    text = "return page.share.text.value"
    wait_until(lambda: str(page.browser.execute_script(text)).startswith("https://sudokupad"))
    link = str(page.browser.execute_script(text)).strip()
    page.push("New")
    page.wait_for("An empty board")
    page.paste(link)
    wait_until(lambda: sorted(rules_of(page)) == sorted(rules))
    page.wait_for("Several solutions")


def generate(page: Page, rules: list[str]) -> None:
    """What is generated replaces the board, and Undo brings that back."""
    page.push("New")
    page.find("#tab-2")[0].click()
    page.find("#panel-2 option[value=rotate180]")[0].click()
    page.find("#panel-2 input[placeholder^='24']")[0].send_keys("24-32")
    page.push("Generate")
    page.wait_for("One solution")
    page.wait_for("givens", lambda: page.text("[aria-label='What was made']"))
    page.push("Undo")
    page.wait_for("An empty board")
    page.push("Undo")
    wait_until(lambda: sorted(rules_of(page)) == sorted(rules))
