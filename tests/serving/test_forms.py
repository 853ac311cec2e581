"""The parts of arguments: what is asked for them gives the arguments that rules read."""

import re

from satdoku.puzzle.rules.registry import RULES, USUAL
from satdoku.serving.tools import all_tools, choices_of, label_of, other_names_of
from tests.each import for_each

WITH_ARGUMENT = [name for name, kind in RULES.items() if kind.example]


@for_each("name", WITH_ARGUMENT)
def test_the_example_of_a_rule_consists_of_the_parts_that_are_asked_for(name: str) -> None:
    kind = RULES[name]
    choices = choices_of(kind)
    # Several dots, or several cells with candidates, are one rule.
    argument = kind.example
    if len(choices) > 1:
        argument = argument.split("/")[0]
    elif re.fullmatch(r"(.+),\1", kind.form):
        argument = argument.split(",")[0]
    [found] = [each for each in choices if re.fullmatch(each.pattern, argument)][:1]
    values = re.fullmatch(found.pattern, argument)
    assert values is not None
    written = "".join(
        "" if part.is_optional and not value else part.before + value + part.after
        for part, value in zip(found.parts, values.groups(), strict=True)
    )
    assert written == argument
    kind.parse(written, kind.example_board)


def test_forms_say_what_is_drawn_and_what_is_typed() -> None:
    def kinds(name: str, drawn: str = "") -> list[list[str]]:
        return [[part.kind for part in choice.parts] for choice in choices_of(RULES[name], drawn)]

    assert kinds("killer", "cage") == [["number", "cells"]]
    assert kinds("thermo", "line") == [["line"]]
    assert kinds("kropki") == [["pair"], ["pair"], ["fixed"]]
    assert kinds("little-killer") == [["cell", "way", "number"]]
    assert kinds("sandwich") == [["outside", "number"]]
    assert kinds("regions") == [["regions"]]
    assert kinds("connected") == [["digits", "number", "cells"]]
    assert kinds("anti-knight") == []


def test_tools_have_the_names_that_setters_search_for() -> None:
    assert label_of(RULES["killer"]) == "cage"
    # A label of a class is not one of the classes made from it.
    assert label_of(RULES["greater"]) == "inequality sign"
    assert "german whispers" in other_names_of(RULES["whispers"])
    tools = {tool["name"]: tool for tool in all_tools()}
    assert set(USUAL) <= tools.keys()
    assert len({tool["label"] for tool in tools.values()}) == len(tools)
    for tool in tools.values():
        assert tool["told"], tool["name"]
        assert not re.search(r"r\dc\d", tool["told"].replace("`", "")) or tool["name"] == "sum"
        # A screen reader hears the name beside it, once.
        assert tool["picture"].startswith('<svg aria-hidden="true"')
        assert not re.search("<title|<desc|labelledby", tool["picture"])
    assert ">NR<" in tools["no-ratio"]["picture"]
    assert "viewBox" in tools["thermo"]["picture"]
    # A digit in the middle shows what a rule of the whole board excludes.
    assert ">2<" in tools["anti-knight"]["picture"]
