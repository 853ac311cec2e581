"""Strings of ISS as a tree of classes: `.Cage~9~R1C1~R1C2.Thermo~R4C4~R5C5`.

A string is a row of classes, each behind a dot, with arguments behind `~`. A class without a name
says givens and candidates: `.~R1C1_5~R2C2_1_9`. `.Or`, `.And` and `.Replicate` hold classes up to
their `.End`, so a string is read as a tree of them. Blanks mean nothing, and lines that begin with
`#` are comments.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from satdoku.errors import FormatError, RuleError, quote
from satdoku.notation.exchange.iss.items import DIGITS, place_of
from satdoku.notation.exchange.iss.packed import BITS, SIGNS
from satdoku.notation.exchange.lzstring import LONGEST_PACKED

GIVEN = "Given"
"""The class without a name."""

# Longer than the name of any class; more of what is none is not repeated.
_LONGEST_NAME = 30
HOLDERS = ("Or", "And", "Replicate")
# No puzzle has as many; one that says so by `Replicate` would never come to an end.
_MOST_ITEMS = 20_000
# Each is a few calls deep, and Python's stack ends after some hundred.
_DEEPEST = 50
_LEADING_CELL = re.compile("[Rr]([1-9A-Za-z])[Cc]([1-9A-Za-z])(?=_|$)")


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
    place = ""
    for name, *args in _parts(text):
        if name == "End":
            open_items.pop()
        else:
            count[name] = count.get(name, 0) + 1
            place = name if name == GIVEN else f"{name[:_LONGEST_NAME]} {count[name]}"
            open_items[-1].append(Item(name, args, [], place))
        if name in HOLDERS:
            open_items.append(open_items[-1][-1].items)
        if not 0 < len(open_items) <= _DEEPEST:
            raise RuleError(
                f"{place}: classes hold each other more than {_DEEPEST} deep"
                if open_items
                else "there is an .End without a beginning"
            )
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
    args = [_LEADING_CELL.sub(move, arg, count=1) for arg in item.args]
    return Item(item.name, args, [_moved(each, down, right, place) for each in item.items], place)
