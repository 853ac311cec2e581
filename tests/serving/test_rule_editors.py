"""The editors of rules in a real browser: each draws, edits and removes what the registry says."""

import re
from typing import NamedTuple

import pytest

from satdoku.errors import SatdokuError
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import RULES, read_rules
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.verdict import Verdict
from satdoku.serving.tools import choices_of
from satdoku.solving.questions import check
from tests.browser import Page, needs_browser, show_on
from tests.waiting import wait_until

ENTER, ESCAPE = "\ue007", "\ue00c"
SAID = {Verdict.NONE: "No solution", Verdict.MULTIPLE: "Several solutions"}


class Example(NamedTuple):
    """The example of a rule, as its editor takes it: what to choose first, and each field."""

    rule: str
    choice: str
    fields: list[tuple[str, str]]

    @staticmethod
    def of(name: str) -> "Example":
        kind = RULES[name]
        choices, argument = choices_of(kind), kind.example
        if len(choices) > 1:
            argument = argument.split("/")[0]  # one of several parts, such as a white dot
        elif re.fullmatch(r"(.+),\1", kind.form):
            argument = argument.split(",")[0]  # any number of a part; here one
        choice = next(each for each in choices if re.fullmatch(each.pattern, argument))
        found = re.fullmatch(choice.pattern, argument)
        assert found, (kind.form, argument)
        values = zip(choice.parts, found.groups(), strict=True)
        fields = [(part.name, value) for part, value in values if value]
        return Example(f"{name}:{argument}", choice.name, fields)


def one_of_each_form() -> list[str]:
    """Names of rules; regions are painted, and clues outside typed where they stand.

    Rules with marks beside the board need a board with these, which the sizes do not offer.
    """
    kinds = {
        (kind.form, is_seen(kind)): name
        for name, kind in RULES.items()
        if kind.form and not kind.form.startswith("LINE=") and kind.form != "MARKS"
    }
    return list(kinds.values())


def is_seen(kind: type[Rule]) -> bool:
    """Whether there is something to be seen of a kind of rule."""
    rule = kind.parse(kind.example, kind.example_board)
    return bool(list(rule.drawing(kind.example_board)))


def rules_of(page: Page) -> list[str]:
    found: list[str] = page.browser.execute_script("return page.work.rules")
    return found


def fill(page: Page, example: Example) -> None:
    """Types what is typed of an argument, and draws the cells of it."""
    drawn = [value for word, value in example.fields if is_drawn(word)]
    counts: dict[str, int] = {}
    for word, value in example.fields:
        if not is_drawn(word) and word != "way":
            counts[word] = counts.get(word, -1) + 1
            page.find(f"#editor [aria-label='{word}']")[counts[word]].send_keys(value)
    for value in drawn:
        page.draw(value.replace("r", "").replace("c", "").replace(",", " "))
    # What is drawn at a stroke is there already, and the board has the keys then.
    if page.browser.execute_script("return document.activeElement.tagName") == "INPUT":
        page.press(ENTER)


def is_drawn(word: str) -> bool:
    return word.startswith("cell") or word in ("circle", "others")


def written(rule: str, board: Geometry) -> list[str]:
    return list(Puzzle(Grid.empty(board)).with_rules(read_rules([rule], board)).rule_texts)


@needs_browser
@pytest.mark.slow
def test_each_draws_edits_and_removes(fresh: Page) -> None:
    for name in one_of_each_form():
        walk_through(fresh, name, RULES[name].example_board)


def walk_through(page: Page, name: str, board: Geometry) -> None:
    """Draws the example of a rule, edits it, and removes it."""
    page.select("Size", f"{board.size}x{board.size}")
    wait_until(lambda: len(page.find("[role=gridcell]")) == board.cell_count)
    page.find("#tab-1")[0].click()
    page.choose(name)
    example = Example.of(name)
    if example.choice:
        page.push(example.choice)
    fill(page, example)
    [rule] = written(example.rule, board)
    page.wait_for(rule, lambda: " ".join(rules_of(page)))
    outcome = check(Puzzle(Grid.empty(board)).with_rules(read_rules([rule], board)))
    page.wait_for(SAID[outcome.verdict])
    page.press(ESCAPE)

    # Turned upside down it is another rule, or one that makes no sense.
    turned = re.sub(r"r(\d)c", lambda row: f"r{board.size + 1 - int(row[1])}c", rule)
    page.find(f"li[data-rule='{rule}'] button")[0].click()
    page.push("As text")
    field = page.find("#editor [aria-label$='as text']")[0]
    field.clear()
    field.send_keys(turned.partition(":")[2], ENTER)
    try:
        [rule] = written(turned, board)
    except SatdokuError as error:
        page.wait_for(str(error).rpartition(": ")[2], page.alert)
    wait_until(lambda: rules_of(page) == [rule])
    page.find(f"li[data-rule='{rule}'] button")[1].click()
    wait_until(lambda: rules_of(page) == [])
    page.wait_for("An empty board")


@needs_browser
def test_a_rule_is_ticked_another_is_added_with_selected_cells(fresh: Page) -> None:
    fresh.choose("anti-knight")
    fresh.browser.execute_script("page.moveTo(0); page.moveTo(1, true); page.moveTo(9, true);")
    fresh.choose("extra-region")
    fresh.push("Done")
    fresh.wait_for("extra-region:r1c1,r1c2,r2c1", fresh.rules)
    fresh.wait_for("shaded", lambda: fresh.text("#captions"))


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
        # Each has digits of its own: what is typed must not become a given.
        ("quadruple", "44", "1/2\ue007", "quadruple:1/2=r4c4"),
        ("quadruple", "46", "3\ue007", "quadruple:3=r4c6"),
        ("difference", "61 62", "2\ue007", "difference:2=r6c1,r6c2"),
        ("difference", "63 64", "3\ue007", "difference:3=r6c3,r6c4"),
        ("difference", "65 66", "\ue007", "difference:3=r6c5,r6c6"),
    ):
        if name != chosen:
            fresh.choose(name)
        chosen = name
        fresh.draw(line)
        if typed:
            fresh.press(typed)
        fresh.wait_for(expected, fresh.rules)
    assert not fresh.browser.execute_script("return page.work.cells.some(Boolean)")
    fresh.press("\ue00c")  # escape
    fresh.wait_for("Several solutions")
    fresh.find("[data-rule='odd:r9c8,r9c9'] button")[1].click()
    wait_until(lambda: "odd" not in fresh.rules())


@needs_browser
def test_cells_of_a_cage_stay_shaded_until_it_is_added(fresh: Page) -> None:
    fresh.choose("killer")
    fresh.draw("11 12 22")
    wait_for_shaded(fresh, [1, 2, 11])
    fresh.find("#tab-3")[0].click()  # what was begun is still there
    wait_for_shaded(fresh, [1, 2, 11])
    field = fresh.find("[aria-label='sum']")[0]
    field.send_keys("15", ENTER)
    fresh.wait_for("killer:15=r1c1,r1c2,r2c2", fresh.rules)
    wait_for_shaded(fresh, [])


def wait_for_shaded(page: Page, cells: list[int]) -> None:
    """Waits until just these cells, counted from 1, are told to be used."""

    def shaded() -> list[int]:
        return [number for number, said in enumerate(page.cells(), 1) if said.endswith(", used")]

    wait_until(lambda: shaded() == cells)


@needs_browser
def test_what_is_drawn_faster_than_it_is_answered_is_all_there(fresh: Page) -> None:
    script = """for (const path of arguments[0]) {
        page.editor.press(path[0]);
        for (const cell of path.slice(1)) page.editor.drag(cell);
        page.editor.lift();
    }"""
    for name, paths, expected in (
        ("thermo", [[0, 1], [9, 10]], ["thermo:r1c1,r1c2", "thermo:r2c1,r2c2"]),
        ("arrow", [[18, 19, 20], [27, 28]], ["arrow:r3c1=r3c2,r3c3", "arrow:r4c1=r4c2"]),
        ("odd", [[77], [78], [79]], ["odd:r9c6,r9c7,r9c8"]),
    ):
        fresh.choose(name)
        fresh.browser.execute_script(script, paths)
        fresh.wait_for(" ".join(expected), lambda: " ".join(rules_of(fresh)))


@needs_browser
def test_a_rule_without_cells_is_edited_as_its_own_form(fresh: Page) -> None:
    give = "page.history.change(work => { work.rules = ['kropki:all']; })"
    fresh.browser.execute_script(f"{give}; page.show(page.listed)")
    wait_until(lambda: bool(fresh.find("li[data-rule='kropki:all'] button")))
    fresh.find("li[data-rule='kropki:all'] button")[0].click()
    [pressed] = fresh.find("#editor .segments [aria-pressed=true]")
    assert pressed.text == "all"
    assert not fresh.find("#editor [aria-label$='as text']")[0].is_displayed()


@needs_browser
def test_the_board_has_the_keys_as_soon_as_a_rule_is_there(fresh: Page) -> None:
    fresh.choose("killer")
    fresh.draw("11 12")
    # The message that the answer is complete comes later than the answer.
    script = "const { hear } = page.backend; page.backend.hear = part => part.done || hear.call("
    fresh.browser.execute_script(f"{script}page.backend, part);")
    fresh.press("5", ENTER)
    fresh.wait_for("killer:5=r1c1,r1c2", fresh.rules)
    focused = "return document.activeElement.getAttribute('role')"
    assert fresh.browser.execute_script(focused) == "gridcell"


@needs_browser
def test_tools_board_and_pad_are_in_sight_together_on_a_phone(fresh: Page) -> None:
    show_on(fresh.browser, 375, 667)
    places = """return ["#board", "#palette", "#bar", "#pad"].map(name => {
        const box = document.querySelector(name).getBoundingClientRect();
        return [Math.round(box.top), Math.round(box.bottom)];
    })"""
    before = fresh.browser.execute_script(places)
    fresh.choose("killer")
    armed = fresh.browser.execute_script(places)
    fresh.draw("11 12")
    fresh.find("#pad button")[0].click()
    fresh.find("#pad button")[2].click()
    drawn = fresh.browser.execute_script(places)
    fresh.push("Done")
    fresh.wait_for("killer:13=r1c1,r1c2", fresh.rules)
    assert before == armed == drawn
    assert before[0][0] >= 0
    assert before[-1][1] <= 667


@needs_browser
@pytest.mark.slow
def test_clues_outside_are_typed_where_they_stand(fresh: Page) -> None:
    fresh.choose("sandwich")
    field = "[aria-label='sandwich sum row 2 from the left']"
    fresh.find(field)[0].send_keys("35\ue004")
    fresh.wait_for("sandwich:row2=35", fresh.rules)
    fresh.find(field)[0].clear()
    fresh.find(field)[0].send_keys("0\ue004")
    fresh.wait_for("sandwich:row2=0", fresh.rules)
    fresh.find(field)[0].send_keys("\ue003\ue004")
    wait_until(lambda: "sandwich" not in fresh.rules())
    # The pad types there too, which no browser tells the page as a change.
    fresh.find(field)[0].click()
    fresh.find("#pad button")[6].click()
    fresh.find(field.replace("2", "3"))[0].click()
    fresh.wait_for("sandwich:row2=7", fresh.rules)


@needs_browser
@pytest.mark.slow
def test_regions_are_painted(fresh: Page) -> None:
    fresh.open("#p=" + "." * 16)
    wait_until(lambda: len(fresh.find("[role=gridcell]")) == 16)
    fresh.choose("regions")
    for n, line in enumerate(("11 12 21 31", "13 14 22 23", "24 33 34 44", "32 41 42 43")):
        fresh.find("#editor .letters button")[n].click()
        fresh.draw(line)
    fresh.wait_for("regions:AABB/ABBC/ADCC/DDDC", fresh.rules)


@needs_browser
def test_a_puzzle_with_rules_is_copied_with_them(fresh: Page) -> None:
    fresh.paste("1...............")
    wait_until(lambda: len(fresh.find("[role=gridcell]")) == 16)
    assert copied(fresh) == "1..............."
    rule = "killer:5=r1c3,r1c4"
    fresh.browser.execute_script("page.history.change(w => { w.rules = [arguments[0]]; })", rule)
    assert copied(fresh).endswith(f"#w=2x2-1...............&r={rule}")
    fresh.find("#tab-3")[0].click()
    for button, words in (
        ("Copy", f'"rules": [{{"killer": "{rule[7:]}"}}]'),
        ("Copy the command", f"satdoku check 1............... --box 2x2 --rule {rule}"),
    ):
        fresh.push(button)
        fresh.wait_for(words, lambda: str(fresh.browser.execute_script(TEXT)))


TEXT = "return page.share.text.value"


def copied(page: Page) -> str:
    """What Ctrl+C on the board gives to the clipboard."""
    text: str = page.browser.execute_script(
        "const data = new DataTransfer(); document.body.dispatchEvent(new ClipboardEvent('copy', "
        "{clipboardData: data, bubbles: true, cancelable: true})); return data.getData('text');"
    )
    return text


@needs_browser
def test_markup_in_a_name_or_a_rule_stays_text(fresh: Page) -> None:
    name = "<img src=x onerror=alert(1)>"
    change = "const n = arguments[0]; page.history.change(w => { w.name = n; w.rules = [n]; })"
    fresh.browser.execute_script(change, name)
    wait_until(lambda: name in fresh.status())
    assert fresh.find("#name")[0].text == name
    assert fresh.find("img[onerror]") == []
