"""Puzzles from strings of the Interactive Sudoku Solver (ISS), which `tree.py` takes apart."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from satdoku.errors import RuleError, quote
from satdoku.notation.exchange.foreign import ForeignBoard, geometry_of, placed
from satdoku.notation.exchange.iss.hidden_regions import CLASSES_OF_REGIONS as OF_REGIONS
from satdoku.notation.exchange.iss.hidden_regions import without_hidden_regions
from satdoku.notation.exchange.iss.items import edges_among, number_of, our_cell, place_of
from satdoku.notation.exchange.iss.table import CLASSES, DOTS, Class
from satdoku.notation.exchange.iss.tree import GIVEN, HOLDERS, Item, parse_items, unfolded
from satdoku.notation.exchange.iss.variables import without_variables
from satdoku.notation.exchange.killer_text import read_killer
from satdoku.notation.exchange.seen import is_killer

PROGRAM = "ISS"

# Classes that are read before the others, or say only how ISS is to search.
_FLAGS = (
    "Shape",
    "NoBoxes",
    "Jigsaw",
    "RegionSize",
    "StrictKropki",
    "StrictXV",
    "SearchPriority",
    "Var",
    # All regions hold all digits where those are as many as a row has cells, as they are here.
    "RegionSameValues",
)
_CLASSES_NAMED: dict[str, list[Class]] = {}
for _entry in CLASSES:
    _CLASSES_NAMED.setdefault(_entry.name, []).append(_entry)

# Sums of the same cells are equal whatever these hold; of all others nothing means a slip.
_MAY_SAY_NOTHING = {"EqualSum"}
_KNOWN = {GIVEN, *HOLDERS, *_FLAGS, *OF_REGIONS, *_CLASSES_NAMED}

Text = tuple[str, str]
"""The name and the argument of a rule."""


def read_text(text: str) -> ForeignBoard:
    """What ISS reads: a string of its own, or a killer in a line of text."""
    return read_killer(text) if is_killer(text) else read_iss(text)


def read_iss(text: str) -> ForeignBoard:
    """What a string holds; RuleError where it says something that cannot be kept."""
    items = parse_items(text)
    if not items:
        raise RuleError("there is no class behind a dot")
    _require_known(items)
    shape = next((item for item in items if item.name == "Shape"), None)
    foreign = _foreign_of(shape.args if shape else [])
    flags = {item.name for item in items}
    _read_regions(foreign, items, "NoBoxes" in flags)
    if "Var" in flags:
        items = without_variables(items, range(foreign.lowest, foreign.lowest + foreign.size))
    # Only now: how far a template is moved is counted in rows of the board.
    items = without_hidden_regions(unfolded(items, foreign.size), foreign)
    _require_sure_marks(items, flags)
    marks: dict[str, list[str]] = {word: [] for word in DOTS.values()}
    for item in items:
        if item.name == GIVEN:
            _read_givens(foreign, item)
        elif item.name in DOTS:
            with placed(item.place):
                marks[DOTS[item.name]] += edges_among(item.args, foreign.size)
        elif item.name not in _FLAGS:
            for name, argument in _rules_of(item, foreign):
                foreign.add_rule(name, argument, item.place)
    foreign.join_diagonals()
    _add_marks(foreign, marks, flags)
    return foreign


def _require_known(items: Sequence[Item]) -> None:
    """Refuses a class without a rule by its name, before anything else is said of the string."""
    for item in items:
        if item.name not in _KNOWN:
            raise RuleError(f"{item.place}: satdoku has no rule for {quote(item.name)}")
        _require_known(item.items)
        for each in item.items:
            if each.name in _FLAGS:
                what = "it is about the whole board, and cannot stand within"
                raise RuleError(f"{each.place}: {what} {item.name}")


_STRICT = {"StrictKropki": ("WhiteDot", "BlackDot"), "StrictXV": ("X", "V")}


def _require_sure_marks(items: Sequence[Item], flags: set[str]) -> None:
    """Refuses marks that only a choice has, where no other edge is to look marked: nor does ISS."""
    chosen = {item.name for each in items if each.name == "Or" for item in _within(each)}
    for strict, marks in _STRICT.items():
        if strict in flags and chosen.intersection(marks):
            raise RuleError(
                f"{strict}: it is not clear which edges are marked, as a choice has some"
            )


def _within(item: Item) -> Iterator[Item]:
    for each in item.items:
        yield each
        yield from _within(each)


def _foreign_of(shape: Sequence[str]) -> ForeignBoard:
    """An empty board by its shape: `9x9`, and perhaps its digits, `0-8`."""
    match = re.fullmatch("([0-9]{1,2})x([0-9]{1,2})", shape[0] if shape else "9x9")
    if match is None or match[1] != match[2] or len(shape) > 2:
        raise RuleError(f"Shape: {quote('~'.join(shape))} is no square board of Sudoku")
    size = int(match[1])
    foreign = ForeignBoard(PROGRAM, geometry_of(size))
    digits = re.fullmatch("(?:([0-9]{1,2})-)?([0-9]{1,2})", shape[1]) if shape[1:] else None
    if shape[1:] and shape[1] and digits is None:
        raise RuleError(f"Shape: {quote(shape[1])} is no range of digits")
    if digits is not None:
        lowest = int(digits[1] or 1)
        if int(digits[2]) - lowest + 1 != size:
            raise RuleError(
                f"Shape: a board of {size}x{size} with the digits {shape[1]} is not read"
            )
        foreign.set_lowest(lowest)
    return foreign


def _read_regions(foreign: ForeignBoard, items: Sequence[Item], has_no_boxes: bool) -> None:
    """Boxes, irregular regions in their place, or both."""
    cell_count = foreign.geometry.cell_count
    jigsaws = [item for item in items if item.name == "Jigsaw"]
    # Boards whose size is prime have no boxes there either.
    if has_no_boxes or foreign.geometry.box_rows == 1:
        foreign.set_regions([None] * cell_count)
    for item in items:
        if item.name == "RegionSize" and item.args != [str(foreign.size)]:
            raise RuleError("RegionSize: satdoku has no regions of another size than rows")
    for item in jigsaws:
        # Older strings have the shape of the board before the layout.
        layout = item.args[-1] if item.args else ""
        if len(layout) != cell_count:
            raise RuleError(f"{item.place}: {len(layout)} cells have a region, not {cell_count}")
        names = [None if name in ".-" else name for name in layout]
        # The first layout takes the place of the boxes where those are gone; all others stand
        # beside what is there.
        if foreign.regions is not None and not any(foreign.regions):
            foreign.set_regions(names)
            continue
        for name in dict.fromkeys(filter(None, names)):
            cells = [foreign.geometry.name_of(c) for c, other in enumerate(names) if other == name]
            foreign.add_rule("extra-region", ",".join(cells), item.place)


def _read_givens(foreign: ForeignBoard, item: Item) -> None:
    for cell, digits in _givens(item):
        row, column = place_of(cell, foreign.size)
        if len(digits) == 1:
            foreign.add_digit(row - 1, column - 1, digits[0])
        else:
            foreign.allow(row - 1, column - 1, digits)


def _givens(item: Item) -> Iterator[tuple[str, list[int]]]:
    """The cells that a class without a name tells of, each with its digits."""
    for arg in item.args:
        if arg:
            cell, *digits = arg.split("_")
            yield cell, [number_of(digit) for digit in digits]


def _rules_of(item: Item, foreign: ForeignBoard) -> list[Text]:
    """The rules that a class stands for."""
    if item.name == "Or":
        return _either(item, foreign)
    if item.name == GIVEN:
        return [
            ("candidates", f"{our_cell(cell, foreign.size)}={'/'.join(map(str, digits))}")
            for cell, digits in _givens(item)
        ]
    found: list[Text] = []
    for entry in _CLASSES_NAMED.get(item.name, ()):
        shape = entry.shape.counted_from(foreign.lowest)
        with placed(item.place):
            texts = [(entry.rule, argument) for argument in shape.read(item.args, foreign.size)]
        # A choice of one is no choice.
        found += chain(
            *(_rules_named(each[1]) if _is_one_choice(each) else [each] for each in texts)
        )
    if not found and item.name not in _MAY_SAY_NOTHING:
        raise RuleError(f"{item.place}: {quote('~'.join(item.args))} is not understood")
    return found


def _either(item: Item, foreign: ForeignBoard) -> list[Text]:
    """One rule for several sets of rules of which one holds."""
    choices = _choices_of(item, foreign)
    if not choices:
        raise RuleError(f"{item.place}: there is nothing to choose from")
    # A choice without any rule is always kept, and the others say nothing beside it.
    if not all(choices):
        return []
    if len(choices) == 1:
        return choices[0]
    argument = "|".join("&".join(map(_bracketed, texts)) for texts in choices)
    return [("either", argument)]


# A choice within each of several others is many; nobody sets puzzles with more.
_MOST_CHOICES_OF_RULES = 1_000
_MOST_CHOSEN = 20_000


def _choices_of(item: Item, foreign: ForeignBoard) -> list[list[Text]]:
    """The sets of rules of which one holds; a choice within one of them makes several of it."""
    found: list[list[Text]] = []
    for each in item.items:
        choices: list[list[Text]] = [[]]
        for part in unfolded([each], foreign.size):
            further = (
                _choices_of(part, foreign)
                if part.name == "Or"
                else _choices_within(_rules_of(part, foreign))
            )
            choices = [one + other for one in choices for other in further]
            if len(found) + len(choices) > _MOST_CHOICES_OF_RULES:
                raise RuleError(
                    f"{item.place}: there are more than {_MOST_CHOICES_OF_RULES:,} choices"
                )
            if sum(map(len, choices)) > _MOST_CHOSEN:
                raise RuleError(f"{item.place}: there are more than {_MOST_CHOSEN:,} rules in it")
        found += choices
    return found


def _choices_within(texts: list[Text]) -> list[list[Text]]:
    """The choices of rules; a class that is a choice itself makes several of them."""
    choices: list[list[Text]] = [[]]
    for text in texts:
        name, argument = text
        further = [[text]]
        if name == "either":
            further = [_rules_named(rules) for rules in argument.split("|")]
        choices = [one + other for one in choices for other in further]
    return choices


def _is_one_choice(text: Text) -> bool:
    return text[0] == "either" and "|" not in text[1]


def _rules_named(rules: str) -> list[Text]:
    parts = (rule.partition(":") for rule in rules.split("&"))
    return [(name, argument) for name, _, argument in parts]


def _bracketed(text: Text) -> str:
    """A rule with its argument; signs within that part choices are put into brackets."""
    rule = ":".join(filter(None, text))
    return f"({rule})" if "|" in rule or "&" in rule else rule


def _add_marks(foreign: ForeignBoard, marks: dict[str, list[str]], flags: set[str]) -> None:
    """The rules of dots and of letters, and what follows where all of them are given."""
    kinds = (
        ("kropki", ("white", "black"), "StrictKropki", ("no-difference:1", "no-ratio:2")),
        ("xv", ("x", "v"), "StrictXV", ("no-sum:10", "no-sum:5")),
    )
    for rule, words, strict, without_any in kinds:
        parts = [f"{word}={edge}" for word in words for edge in dict.fromkeys(marks[word])]
        if parts:
            foreign.add_rule(rule, "/".join([*parts, *(["all"] if strict in flags else [])]), rule)
        elif strict in flags:
            for text in without_any:
                name, _, argument = text.partition(":")
                foreign.add_rule(name, argument, strict)
