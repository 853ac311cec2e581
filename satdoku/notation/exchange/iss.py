"""Strings of the Interactive Sudoku Solver (ISS): `.Cage~9~R1C1~R1C2.Thermo~R4C4~R5C5`.

A string is a row of classes, each behind a dot, with arguments behind `~`. A class without a name
says givens and candidates: `.~R1C1_5~R2C2_1_9`. `.Or`, `.And` and `.Replicate` hold classes up to
their `.End`, so a string is read as a tree of them. Blanks mean nothing, and lines that begin with
`#` are comments.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from satdoku.errors import FormatError, RuleError, quote
from satdoku.notation.exchange.foreign import ForeignBoard, geometry_of, placed
from satdoku.notation.exchange.iss_items import DIGITS, edges_among, number_of, our_cell, place_of
from satdoku.notation.exchange.iss_packed import BITS, SIGNS, Automata, PairTables
from satdoku.notation.exchange.iss_table import CLASSES, DOTS, Class
from satdoku.notation.exchange.killer_text import read_killer
from satdoku.notation.exchange.lzstring import LONGEST_PACKED
from satdoku.notation.exchange.seen import is_killer

GIVEN = "Given"
"""The class without a name."""

# Longer than the name of any class; more of what is none is not repeated.
_LONGEST_NAME = 30
_HOLDERS = ("Or", "And", "Replicate")
# No puzzle has as many; one that says so by `Replicate` would never come to an end.
_MOST_ITEMS = 20_000
_CELL = re.compile("[Rr]([1-9A-Za-z])[Cc]([1-9A-Za-z])(?=_|$)")


class Item(NamedTuple):
    """A class with its arguments, and what it holds; `place` is what messages call it."""

    name: str
    args: list[str]
    items: list["Item"]
    place: str


def parse_items(text: str) -> list[Item]:
    """The classes of a string, each with what it holds."""
    if len(text) > LONGEST_PACKED:
        raise FormatError(f"this has {len(text):,} characters; up to {LONGEST_PACKED:,} are read")
    root: list[Item] = []
    open_items = [root]
    count: dict[str, int] = {}
    for name, *args in _parts(text):
        if name == "End":
            open_items.pop()
        else:
            count[name] = count.get(name, 0) + 1
            place = name if name == GIVEN else f"{name[:_LONGEST_NAME]} {count[name]}"
            open_items[-1].append(Item(name, args, [], place))
        if name in _HOLDERS:
            open_items.append(open_items[-1][-1].items)
        if not open_items:
            raise RuleError("there is an .End without a beginning")
    if len(open_items) > 1:
        raise RuleError("an .End is missing")
    if sum(count.values()) > _MOST_ITEMS:
        raise RuleError(f"there are more than {_MOST_ITEMS:,} classes")
    return root


def _parts(text: str) -> Iterator[list[str]]:
    """The name and the arguments of each class."""
    lines = (line for line in text.split("\n") if not line.lstrip().startswith("#"))
    # Comments end with their line, so they go before lines are joined.
    first, *parts = "".join("".join(lines).split()).split(".")
    if first:
        raise RuleError(f"{quote(first)} is no class behind a dot")
    for part in filter(None, parts):  # a dot too many says nothing
        name, *args = part.split("~")
        yield [name or GIVEN, *args]


def unfolded(items: Sequence[Item], size: int) -> list[Item]:
    """The classes without `.And`, and with what `.Replicate` stands for."""
    found: list[Item] = []
    for item in items:
        if item.name == "And":
            found += unfolded(item.items, size)
        elif item.name == "Replicate":
            for down, right in _shifts(item, size):
                moved = [_moved(each, down, right, item.place) for each in item.items]
                found += unfolded(moved, size)
                if len(found) > _MOST_ITEMS:
                    raise RuleError(f"{item.place}: there are too many classes")
        else:
            found.append(item)
    return found


def _shifts(item: Item, size: int) -> Iterator[tuple[int, int]]:
    """How far a template is moved: a bit for each cell from its origin on, some to a sign."""
    packed, origin = ([*item.args, "", ""])[:2]
    row, column = place_of(origin or "R1C1", size)
    # Bits count cells from the origin on, over the ends of rows.
    start = (row - 1) * size + column - 1
    for at, sign in enumerate(packed):
        if sign not in SIGNS:
            raise RuleError(f"{item.place}: {quote(sign)} is no sign of packed cells")
        for bit in range(BITS):
            if SIGNS.index(sign) >> bit & 1:
                to_row, to_column = divmod(start + at * BITS + bit, size)
                yield to_row - (row - 1), to_column - (column - 1)


def _moved(item: Item, down: int, right: int, place: str) -> Item:
    """The class with its cells moved."""

    def move(match: "re.Match[str]") -> str:
        row, column = int(match[1], 36) + down, int(match[2], 36) + right
        if not (1 <= row < 36 and 1 <= column < 36):
            raise RuleError(f"{place}: {match[0]} is moved off the board")
        return f"R{DIGITS[row]}C{DIGITS[column]}"

    # A cell begins its argument, perhaps with digits behind it; other arguments have none.
    args = [_CELL.sub(move, arg, count=1) for arg in item.args]
    return Item(item.name, args, [_moved(each, down, right, place) for each in item.items], place)


PROGRAM = "ISS"

# Classes that are read before the others, or say only how ISS is to search.
_FLAGS = ("Shape", "NoBoxes", "Jigsaw", "RegionSize", "StrictKropki", "StrictXV", "SearchPriority")
_CLASSES_NAMED: dict[str, list[Class]] = {}
for _entry in CLASSES:
    _CLASSES_NAMED.setdefault(_entry.name, []).append(_entry)

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
    shape = next((item for item in items if item.name == "Shape"), None)
    foreign = _foreign_of(shape.args if shape else [])
    flags = {item.name for item in items}
    _read_regions(foreign, items, "NoBoxes" in flags)
    # Only now: how far a template is moved is counted in rows of the board.
    items = unfolded(items, foreign.size)
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
    _add_marks(foreign, marks, flags)
    return foreign


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
        layout = item.args[0] if item.args else ""
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
        shape = entry.shape
        if isinstance(shape, PairTables | Automata):
            # Tables and automata number digits from the lowest one of the board.
            shape = type(shape)(foreign.lowest)
        with placed(item.place):
            found += ((entry.rule, argument) for argument in shape.read(item.args, foreign.size))
    if item.name not in _CLASSES_NAMED:
        raise RuleError(f"{item.place}: satdoku has no rule for {quote(item.name)}")
    if not found:
        raise RuleError(f"{item.place}: {quote('~'.join(item.args))} is not understood")
    return found


def _either(item: Item, foreign: ForeignBoard) -> list[Text]:
    """One rule for several sets of rules of which one holds."""
    choices = []
    for each in item.items:
        texts = [
            text for part in unfolded([each], foreign.size) for text in _rules_of(part, foreign)
        ]
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
