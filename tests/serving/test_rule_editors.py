"""The editors of rules in a real browser: each draws, edits and removes what the registry says."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from satdoku.errors import SatdokuError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import RULES, read_rules
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.questions import check
from tests.browser import Page, needs_browser, open_browser
from tests.serving.client import serving
from tests.waiting import wait_until

# A part of an argument, as forms name it.
WORD = "[A-Z]+(?:,CELL)*"
ENTER, ESCAPE = "\ue007", "\ue00c"
SAID = {Verdict.NONE: "No solution", Verdict.MULTIPLE: "Several solutions"}


class Example(NamedTuple):
    """The example of a rule, as its editor takes it: what to choose first, and each field."""

    rule: str
    choice: str
    fields: list[tuple[str, str]]

    @staticmethod
    def of(name: str) -> "Example":
        form, argument, choice = RULES[name].form, RULES[name].example, ""
        if form.count("/") > 1:
            # One of several parts, such as a white dot.
            argument = argument.split("/")[0]
            choice = argument.split("=")[0]
            form = next(part for part in form.split("/") if part.startswith(f"{choice}="))
        elif re.fullmatch(r"(.+),\1", form):
            # Any number of a part; here one.
            form, argument = form[: len(form) // 2], argument.split(",")[0]
        pattern = re.sub(WORD, "(.+?)", re.sub(r"([./|])", r"\\\1", re.sub(r"[][]", "", form)))
        found = re.fullmatch(pattern, argument)
        assert found, (form, argument)
        fields = list(zip(re.findall(WORD, form), found.groups(), strict=True))
        return Example(f"{name}:{argument}", choice, [field for field in fields if field[1]])


def one_of_each_form() -> list[str]:
    """Names of rules; regions are painted, and clues outside typed where they stand."""
    kinds = {
        (kind.form, Rules.drawn(kind)): name
        for name, kind in RULES.items()
        if kind.form and not kind.form.startswith("LINE=")
    }
    return list(kinds.values())


class Rules(Page):
    """The page with its rules."""

    @staticmethod
    def drawn(kind: type[Rule]) -> bool:
        """Whether there is something to be seen of such a rule."""
        rule = kind.parse(kind.example, kind.example_board)
        return bool(list(rule.drawing(kind.example_board)))

    def rules_now(self) -> list[str]:
        found: list[str] = self.browser.execute_script("return page.work.rules")
        return found

    def fill(self, example: Example) -> None:
        """Types what is typed of an argument, and draws the cells of it."""
        drawn = [value for word, value in example.fields if is_drawn(word)]
        counts: dict[str, int] = {}
        for word, value in example.fields:
            if not is_drawn(word) and word != "WAY":
                counts[word] = counts.get(word, -1) + 1
                self.find(f"[aria-label='{word.lower()}']")[counts[word]].send_keys(value)
        if drawn:
            self.button("Draw on the board").click()
        for value in drawn:
            self.draw(value.replace("r", "").replace("c", "").replace(",", " "))
        if len(drawn) < len(example.fields):
            # What is drawn at a stroke is there already, and the board has the keys then.
            tag = self.browser.execute_script("return document.activeElement.tagName")
            if tag == "INPUT":
                self.press(ENTER)
        elif not drawn:
            self.press(ENTER)


def is_drawn(word: str) -> bool:
    return word.startswith("CELL") or word in ("CIRCLE", "OTHERS")


@pytest.fixture(scope="module")
def page() -> Iterator[Rules]:
    with serving() as server, open_browser() as browser:
        yield Rules(browser, f"http://127.0.0.1:{server.port}/")


def written(rule: str, board: Geometry) -> list[str]:
    return list(Puzzle(Grid.empty(board)).with_rules(read_rules([rule], board)).rule_texts)


@needs_browser
@pytest.mark.slow
def test_each_draws_edits_and_removes(page: Rules) -> None:
    page.open()
    wait_until(lambda: len(page.find("#panel-2 option")) > 10)
    for name in one_of_each_form():
        walk_through(page, name, RULES[name].example_board)


def walk_through(page: Rules, name: str, board: Geometry) -> None:
    """Draws the example of a rule, edits it, and removes it."""
    page.select("Size", f"{board.size}x{board.size}")
    wait_until(lambda: len(page.find("[role=gridcell]")) == board.cell_count)
    page.find("#tab-1")[0].click()
    page.choose(name)
    example = Example.of(name)
    if example.choice:
        page.select("What to add", example.choice)
    page.fill(example)
    [rule] = written(example.rule, board)
    page.wait_for(rule, lambda: " ".join(page.rules_now()))
    outcome = check(Puzzle(Grid.empty(board)).with_rules(read_rules([rule], board)))
    page.wait_for(SAID[outcome.verdict])
    page.press(ESCAPE)

    # Turned upside down it is another rule, or one that makes no sense.
    turned = re.sub(r"r(\d)c", lambda row: f"r{board.size + 1 - int(row[1])}c", rule)
    page.find(f"[aria-label='Edit {rule}']")[0].click()
    field = page.find(f"[aria-label='Argument of {name}']")[0]
    field.clear()
    field.send_keys(turned.partition(":")[2], ENTER)
    try:
        [rule] = written(turned, board)
    except SatdokuError as error:
        page.wait_for(str(error).rpartition(": ")[2], page.alert)
    wait_until(lambda: page.rules_now() == [rule])
    page.find(f"[aria-label='Remove {rule}']")[0].click()
    wait_until(lambda: page.rules_now() == [])
    page.wait_for("An empty board")
