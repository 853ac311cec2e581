"""Strings of the Interactive Sudoku Solver (ISS): `.Cage~9~R1C1~R1C2.Thermo~R4C4~R5C5`.

A string is a row of classes, each behind a dot, with arguments behind `~`. A class without a name
says givens and candidates: `.~R1C1_5~R2C2_1_9`. `.Or`, `.And` and `.Replicate` hold classes up to
their `.End`. Blanks mean nothing, and lines that begin with `#` are comments.
"""

import re
from collections.abc import Iterator, Sequence

from satdoku.errors import RuleError, quote
from satdoku.notation.exchange.draft import Draft, geometry_of, placed
from satdoku.notation.exchange.iss_automata import Automata
from satdoku.notation.exchange.iss_items import edges_among, number_of, our_cell, place_of
from satdoku.notation.exchange.iss_table import CLASSES, DOTS, Class
from satdoku.notation.exchange.iss_tables_of_pairs import PairTables
from satdoku.notation.exchange.iss_tree import GIVEN, Item, parse_items, unfolded

PROGRAM = "ISS"

_FLAGS = ("Shape", "NoBoxes", "Jigsaw", "RegionSize", "StrictKropki", "StrictXV", "SearchPriority")
_CLASSES_NAMED: dict[str, list[Class]] = {}
for _entry in CLASSES:
    _CLASSES_NAMED.setdefault(_entry.name, []).append(_entry)

Text = tuple[str, str]
"""The name and the argument of a rule."""


def read_iss(text: str) -> Draft:
    """What a string holds; RuleError where it says something that cannot be kept."""
    items = parse_items(text)
    if not items:
        raise RuleError("there is no class behind a dot")
    shape = next((item for item in items if item.name == "Shape"), None)
    draft = _draft_of(shape.args if shape else [])
    flags = {item.name for item in items}
    _read_regions(draft, items, "NoBoxes" in flags)
    items = unfolded(items, draft.size)
    marks: dict[str, list[str]] = {word: [] for word in DOTS.values()}
    for item in items:
        if item.name == GIVEN:
            _read_givens(draft, item)
        elif item.name in DOTS:
            with placed(item.place):
                marks[DOTS[item.name]] += edges_among(item.args, draft.size)
        elif item.name not in _FLAGS:
            for name, argument in _rules_of(item, draft):
                draft.add_rule(name, argument, item.place)
    _add_marks(draft, marks, flags)
    return draft


def _draft_of(shape: Sequence[str]) -> Draft:
    """An empty board by its shape: `9x9`, and perhaps its digits, `0-8`."""
    match = re.fullmatch("([0-9]{1,2})x([0-9]{1,2})", shape[0] if shape else "9x9")
    if match is None or match[1] != match[2] or len(shape) > 2:
        raise RuleError(f"Shape: {quote('~'.join(shape))} is no square board of Sudoku")
    size = int(match[1])
    draft = Draft(PROGRAM, geometry_of(size))
    digits = re.fullmatch("(?:([0-9]{1,2})-)?([0-9]{1,2})", shape[1]) if shape[1:] else None
    if shape[1:] and shape[1] and digits is None:
        raise RuleError(f"Shape: {quote(shape[1])} is no range of digits")
    if digits is not None:
        lowest = int(digits[1] or 1)
        if int(digits[2]) - lowest + 1 != size:
            raise RuleError(
                f"Shape: a board of {size}x{size} with the digits {shape[1]} is not read"
            )
        draft.set_lowest(lowest)
    return draft


def _read_regions(draft: Draft, items: Sequence[Item], has_no_boxes: bool) -> None:
    """Boxes, irregular regions in their place, or both."""
    cell_count = draft.geometry.cell_count
    jigsaws = [item for item in items if item.name == "Jigsaw"]
    # Boards whose size is prime have no boxes there either.
    if has_no_boxes or draft.geometry.box_rows == 1:
        draft.set_regions([None] * cell_count)
    for item in items:
        if item.name == "RegionSize" and item.args != [str(draft.size)]:
            raise RuleError("RegionSize: satdoku has no regions of another size than rows")
    for item in jigsaws:
        layout = item.args[0] if item.args else ""
        if len(layout) != cell_count:
            raise RuleError(f"{item.place}: {len(layout)} cells have a region, not {cell_count}")
        names = [None if name in ".-" else name for name in layout]
        if draft.regions is not None and not any(draft.regions):
            draft.set_regions(names)
            continue
        for name in dict.fromkeys(filter(None, names)):
            cells = [draft.geometry.name_of(c) for c, other in enumerate(names) if other == name]
            draft.add_rule("extra-region", ",".join(cells), item.place)


def _read_givens(draft: Draft, item: Item) -> None:
    for cell, digits in _givens(item):
        row, column = place_of(cell, draft.size)
        if len(digits) == 1:
            draft.add_digit(row - 1, column - 1, digits[0])
        else:
            draft.allow(row - 1, column - 1, digits)


def _givens(item: Item) -> Iterator[tuple[str, list[int]]]:
    """The cells that a class without a name tells of, each with its digits."""
    for arg in item.args:
        if arg:
            cell, *digits = arg.split("_")
            yield cell, [number_of(digit) for digit in digits]


def _rules_of(item: Item, draft: Draft) -> list[Text]:
    """The rules that a class stands for."""
    if item.name == "Or":
        return _either(item, draft)
    if item.name == GIVEN:
        return [
            ("candidates", f"{our_cell(cell, draft.size)}={'/'.join(map(str, digits))}")
            for cell, digits in _givens(item)
        ]
    found: list[Text] = []
    for entry in _CLASSES_NAMED.get(item.name, ()):
        shape = entry.shape
        if isinstance(shape, PairTables | Automata):
            shape = type(shape)(draft.lowest)
        with placed(item.place):
            found += ((entry.rule, argument) for argument in shape.read(item.args, draft.size))
    if item.name not in _CLASSES_NAMED:
        raise RuleError(f"{item.place}: satdoku has no rule for {quote(item.name)}")
    if not found:
        raise RuleError(f"{item.place}: {quote('~'.join(item.args))} is not understood")
    return found


def _either(item: Item, draft: Draft) -> list[Text]:
    """One rule for several sets of rules of which one holds."""
    choices = []
    for each in item.items:
        texts = [text for part in unfolded([each], draft.size) for text in _rules_of(part, draft)]
        if any(name == "either" for name, _ in texts):
            raise RuleError(f"{item.place}: satdoku has no rule for one choice within another")
        choices.append(texts)
    if len(choices) == 1:
        return choices[0]
    argument = "|".join("&".join(map(_bracketed, texts)) for texts in choices)
    return [("either", argument)]


def _bracketed(text: Text) -> str:
    """A rule with its argument; signs within that part choices are put into brackets."""
    rule = ":".join(filter(None, text))
    return f"({rule})" if "|" in rule or "&" in rule else rule


def _add_marks(draft: Draft, marks: dict[str, list[str]], flags: set[str]) -> None:
    """The rules of dots and of letters, and what follows where all of them are given."""
    kinds = (
        ("kropki", ("white", "black"), "StrictKropki", ("no-difference:1", "no-ratio:2")),
        ("xv", ("x", "v"), "StrictXV", ("no-sum:10", "no-sum:5")),
    )
    for rule, words, strict, without_any in kinds:
        parts = [f"{word}={edge}" for word in words for edge in dict.fromkeys(marks[word])]
        if parts:
            draft.add_rule(rule, "/".join([*parts, *(["all"] if strict in flags else [])]), rule)
        elif strict in flags:
            for text in without_any:
                name, _, argument = text.partition(":")
                draft.add_rule(name, argument, strict)
