"""Puzzles from strings of the Interactive Sudoku Solver (ISS), as `items.py` parses them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, pairwise, product
from math import prod
from typing import NamedTuple

from satdoku.errors import RuleError, quote
from satdoku.notation.exchange.foreign import ForeignBoard, geometry_of, placed
from satdoku.notation.exchange.iss.automata import KNOWN, accepts, is_cell, pack_automaton
from satdoku.notation.exchange.iss.items import (
    GIVEN,
    HOLDERS,
    Item,
    edges_among,
    groups_of,
    named_groups_of,
    number_of,
    our_cell,
    parse_items,
    place_of,
    read_pairs,
    read_weighted,
    sides_of,
    unfolded,
    write_pairs,
)
from satdoku.notation.exchange.iss.table import CLASSES, DOTS, Class, without_hidden_regions
from satdoku.notation.exchange.iss.table import CLASSES_OF_REGIONS as OF_REGIONS
from satdoku.notation.exchange.killer_text import read_killer
from satdoku.notation.exchange.seen import is_killer
from satdoku.puzzle.rules.automaton import Automaton

# Variables of ISS (cells off the board), replaced by a choice over their digits.
#
# `.Var~D~x~3` declares VD1 to VD3, each a hidden digit. The classes that name variables, together
# with others that name the same ones, become an `.Or` with an `.And` for each possible combination
# of digits. There, what a class says about known digits becomes givens, relations, sums and
# automata of the remaining cells. A variable that no class names has no effect.

# A few dozen are usual; loading 120 with ten sums each takes a tenth of a second.
_MOST_CHOICES = 150
# Limit on combinations that are tried; so many take a second or two.
_MOST_TRIED = 5_000
# The number of cells that ISS has for variables.
_MOST_VARIABLES = 1_000
_OF_GROUPS = ("Pair", "PairX", "NFA")

Pairs = Iterable[tuple[int, int]]


class _ContradictionError(Exception):
    """The digits contradict each other."""


def without_variables(items: Sequence[Item], digits: range) -> list[Item]:
    """Return the classes with choices in the place of variables."""
    order = [name for item in items if item.name == "Var" for name in _declared(item)]
    names = set(order)
    parts = [part for item in items for part in _parted(item) if item.name != "Var"]
    kept = [item for item in parts if not _named(item, names)]
    waiting = [item for item in parts if _named(item, names)]
    # Classes that name only variables come first, as they exclude combinations early.
    waiting.sort(key=lambda item: not names.issuperset(item.args))
    while waiting:
        group, known = list[Item](), _named(waiting[0], names)
        # Collect the classes that name one of the variables, then those that share variables with
        # them.
        while found := [item for item in waiting if known & _named(item, names)]:
            group += found
            waiting = [item for item in waiting if not known & _named(item, names)]
            known = known.union(*(_named(item, names) for item in found))
        kept += _chosen(group, sorted(known, key=order.index), digits)
    return kept


def _declared(item: Item) -> list[str]:
    name, _, size = ([*item.args, "", "", ""])[:3]
    rows, _, columns = size.rpartition("x")
    count = number_of(rows or "1") * number_of(columns or "1")
    if not (name.isascii() and name.isalpha() and 1 <= count <= _MOST_VARIABLES):
        raise RuleError(f"{item.place}: {count} variables named {name[:9]!r} are not read")
    return [f"V{name}{n}" for n in range(1, count + 1)] if count > 1 else [f"V{name}"]


def _named(item: Item, names: set[str]) -> set[str]:
    """Return the variables that a class names itself, or in its inner classes."""
    found = {arg.partition("_")[0] for arg in item.args} & names
    return found.union(*(_named(each, names) for each in item.items))


def _parted(item: Item) -> list[Item]:
    """Split a class into one for each cell or group, if it is about each by itself."""
    if item.name == "And":
        return [part for each in item.items for part in _parted(each)]
    if item.name == GIVEN:
        return [item._replace(args=[arg]) for arg in item.args]
    if item.name not in _OF_GROUPS:
        return [item]
    return [
        item._replace(args=[item.args[0], f"_{name}", *group])
        for name, group in named_groups_of(item.args[1:])
    ]


def _chosen(items: Sequence[Item], names: Sequence[str], digits: range) -> list[Item]:
    """Return the classes that name these variables, as a choice of their digits."""
    left = {name: list(digits) for name in names}
    for name, *allowed in (
        arg.split("_") for each in items if each.name == GIVEN for arg in each.args
    ):
        if name in left:
            left[name] = [digit for digit in left[name] if str(digit) in allowed]
    what = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
    choices = list[Item]()
    is_tried = prod(map(len, left.values())) <= _MOST_TRIED
    for values in product(*left.values()) if is_tried else ():
        known = _Known(dict(zip(names, values, strict=True)), digits)
        choices += known.choice_of(items, what)
    if not is_tried or len(choices) > _MOST_CHOICES:
        count = f"{len(choices)}" if is_tried else f"more than {_MOST_TRIED:,}"
        raise RuleError(f"{what}: {count} choices of the digits of variables are not read")
    if not choices:
        # An automaton that accepts no line; its name says why no grid is a solution.
        never = pack_automaton(Automaton([[]], []), digits)
        return [Item("NFA", [never, f"_no digits of {what} go together", "R1C1"], [], what)]
    return choices[0].items if len(choices) == 1 else [Item("Or", [], choices, what)]


class _Known(NamedTuple):
    """Known digits of variables, and what classes say about the other cells then."""

    digit_of: Mapping[str, int]
    digits: range

    def choice_of(self, items: Sequence[Item], place: str) -> list[Item]:
        """Return what these classes say together; empty if they contradict each other."""
        try:
            return [Item("And", [], [new for item in items for new in self._replaced(item)], place)]
        except _ContradictionError:
            return []

    def _replaced(self, item: Item) -> Iterable[Item]:
        if not _named(item, set(self.digit_of)):
            return [item]
        if item.name == "And":
            return [new for each in item.items for new in self._replaced(each)]
        if item.name not in _KINDS:
            raise RuleError(f"{item.place}: a variable in {item.name} is not read")
        return _KINDS[item.name](self, item)

    def _or(self, item: Item) -> Iterator[Item]:
        choices = [new for each in item.items for new in self.choice_of([each], each.place)]
        if not choices:
            raise _ContradictionError
        found = [each for choice in choices for each in choice.items]
        # Relations of the same two cells stay together, as in a difference, whichever cell is
        # greater.
        cells = {frozenset(each.args[2:]) if _is_relation(each) else None for each in found}
        if None not in cells and len(cells) == 1 and len(found) == len(choices):
            one, other = found[0].args[2:]
            turned = {one: False, other: True}
            pairs = [
                (b, a) if turned[each.args[2]] else (a, b)
                for each in found
                for a, b in read_pairs(each.args[0], self.digits)
            ]
            yield from self._relation(found[0], one, other, pairs)
        else:
            yield Item("Or", [], choices, item.place)

    def _relation(self, item: Item, one: str, other: str, pairs: Pairs) -> Iterator[Item]:
        """Yield the relation of two cells, either of which may be a known digit."""
        ends = [
            [int(name.removeprefix(KNOWN))] if name.startswith(KNOWN) else self.digits
            for name in (one, other)
        ]
        # A cell that is named twice holds one digit.
        allowed = {
            (a, b) for a, b in pairs if a in ends[0] and b in ends[1] and (a == b or one != other)
        }
        if not allowed:
            raise _ContradictionError
        if KNOWN not in one + other and one != other:
            packed = write_pairs(sorted(allowed), self.digits)
            yield item._replace(name="Pair", args=[packed, "_", one, other])
            return
        for name, numbers in zip((one, other), map(set, zip(*allowed, strict=True)), strict=True):
            # A relation that allows every digit is left out.
            if not name.startswith(KNOWN) and len(numbers) < len(self.digits):
                yield item._replace(name=GIVEN, args=["_".join([name, *map(str, numbers)])])

    def _related(self, holds: Callable[[int, int], bool]) -> list[tuple[int, int]]:
        return [(a, b) for a in self.digits for b in self.digits if holds(a, b)]

    def _in_place(self, names: Iterable[str]) -> list[str]:
        known = self.digit_of
        return [f"{KNOWN}{known[name]}" if name in known else name for name in names]

    def _givens(self, item: Item) -> Iterator[Item]:
        for name, *allowed in (arg.split("_") for arg in item.args):
            if name not in self.digit_of:
                yield item._replace(args=["_".join([name, *allowed])])
            elif str(self.digit_of[name]) not in allowed:
                raise _ContradictionError

    def _all_different(self, item: Item) -> Iterator[Item]:
        names = self._in_place(item.args)
        known = {int(name.removeprefix(KNOWN)) for name in names if KNOWN in name}
        rest = [name for name in names if KNOWN not in name]
        left = [str(digit) for digit in self.digits if digit not in known]
        if len(known) + len(rest) < len(names) or (rest and not left):
            raise _ContradictionError
        # If no digit is known, each other cell may still hold any digit.
        for name in dict.fromkeys(rest) if known else ():
            yield item._replace(name=GIVEN, args=["_".join([name, *left])])
        if len(rest) > 1:
            yield item._replace(args=rest)

    def _same_values(self, item: Item) -> Iterator[Item]:
        if number_of(item.args[0]) != len(item.args) - 1:
            raise RuleError(f"{item.place}: a variable in groups of SameValues is not read")
        for one, other in pairwise(self._in_place(item.args[1:])):
            yield from self._relation(item, one, other, self._related(int.__eq__))

    def _value_indexing(self, item: Item) -> Iterator[Item]:
        value, control, *behind = [*item.args, ""]
        behind = list(filter(None, behind))
        if value not in self.digit_of or _named(item._replace(args=behind), set(self.digit_of)):
            raise RuleError(f"{item.place}: a variable is only read as its value")
        for place, cell in enumerate(behind, 1):
            # The control cell is an index into the line; if it points to itself, the cell is the
            # value.
            pairs = [
                (a, b)
                for a, b in product(self.digits, self.digits)
                if 1 <= a <= len(behind) and (a != place or b == self.digit_of[value])
            ]
            yield from self._relation(item, self._in_place([control])[0], cell, pairs)

    def _pairs(self, item: Item) -> Iterator[Item]:
        pairs = read_pairs(item.args[0], self.digits)
        for group in groups_of(item.args[1:]):
            names = self._in_place(group)
            for one, other in pairwise(names) if item.name == "Pair" else combinations(names, 2):
                yield from self._relation(item, one, other, pairs)

    def _automaton(self, item: Item) -> Iterator[Item]:
        packed, name, *names = item.args
        names = self._in_place(names)
        if any(map(is_cell, names)):
            yield item._replace(args=[packed, name, *names])
        elif not accepts(packed, names, self.digits):
            raise _ContradictionError

    def _sum(self, item: Item) -> Iterator[Item]:
        with placed(item.place):
            total, terms = read_weighted(item.args)
        yield from self._weighted(item, total, terms)

    def _equal_sums(self, item: Item) -> Iterator[Item]:
        for one, other in pairwise(sides_of(item.args)):
            terms = [*((name, 1) for name in one), *((name, -1) for name in other)]
            yield from self._weighted(item, 0, terms)

    def _arrow(self, item: Item) -> Iterator[Item]:
        terms = [(name, 1 if place else -1) for place, name in enumerate(item.args)]
        yield from self._weighted(item, 0, terms)

    def _weighted(self, item: Item, total: int, terms: Iterable[tuple[str, int]]) -> Iterator[Item]:
        factors: dict[str, int] = {}
        for name, factor in terms:
            total -= self.digit_of.get(name, 0) * factor
            if name not in self.digit_of:
                factors[name] = factors.get(name, 0) + factor
        cells = [name for name, factor in factors.items() if factor]
        if len(cells) > 2:
            words = "_".join(str(factors[name]) for name in cells)
            yield item._replace(name="Sum", args=[f"{total}_=_{words}", *cells])
            return
        # With one or two cells it is a relation; with none it is true or false.
        one, other = [*cells, *[f"{KNOWN}{self.digits[0]}"] * 2][:2]
        first, second = (factors.get(name, 0) for name in (one, other))
        pairs = self._related(lambda a, b: first * a + second * b == total)
        yield from self._relation(item, one, other, pairs)


def _is_relation(item: Item) -> bool:
    return item.name == "Pair" and item.args[1:2] == ["_"] and len(item.args) == 4


_KINDS: Mapping[str, Callable[[_Known, Item], Iterator[Item]]] = {
    GIVEN: _Known._givens,
    "Or": _Known._or,
    "AllDifferent": _Known._all_different,
    "SameValues": _Known._same_values,
    "ValueIndexing": _Known._value_indexing,
    "Pair": _Known._pairs,
    "PairX": _Known._pairs,
    "NFA": _Known._automaton,
    "Sum": _Known._sum,
    "EqualSum": _Known._equal_sums,
    "Arrow": _Known._arrow,
}


PROGRAM = "ISS"

# Classes that are read before the others, or only control the search of ISS.
_FLAGS = (
    "Shape",
    "NoBoxes",
    "Jigsaw",
    "RegionSize",
    "StrictKropki",
    "StrictXV",
    "SearchPriority",
    "Var",
    # All regions hold all digits if these are as many as a row has cells, which is so here.
    "RegionSameValues",
)
_CLASSES_NAMED: dict[str, list[Class]] = {}
for _entry in CLASSES:
    _CLASSES_NAMED.setdefault(_entry.name, []).append(_entry)

# Sums of the same cells are always equal; for all other classes, no rule means a slip.
_MAY_SAY_NOTHING = {"EqualSum"}
_KNOWN = {GIVEN, *HOLDERS, *_FLAGS, *OF_REGIONS, *_CLASSES_NAMED}

Text = tuple[str, str]
"""The name and the argument of a rule."""


def read_text(text: str) -> ForeignBoard:
    """Return the board of a text that ISS reads: a string, or a killer in a line of text."""
    return read_killer(text) if is_killer(text) else read_iss(text)


def read_iss(text: str) -> ForeignBoard:
    """Return the board of a string; a RuleError for a part that cannot be kept."""
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
    # After the size is known, as offsets of a template are counted in rows of the board.
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
    """Refuse a class without a rule by its name, before any other fault of the string."""
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
    """Refuse marks inside a choice if all marks are given, as ISS does."""
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
    """Return an empty board by its shape: `9x9`, and perhaps its digits, `0-8`."""
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
    """Read boxes, irregular regions in their place, or both."""
    cell_count = foreign.geometry.cell_count
    jigsaws = [item for item in items if item.name == "Jigsaw"]
    # Boards of prime size have no boxes in ISS either.
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
        # If there are no boxes, the first layout replaces them; all others are extra regions.
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
    """Yield the cells of a class without a name, each with its digits."""
    for arg in item.args:
        if arg:
            cell, *digits = arg.split("_")
            yield cell, [number_of(digit) for digit in digits]


def _rules_of(item: Item, foreign: ForeignBoard) -> list[Text]:
    """Return the rules that a class stands for."""
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
        # A choice with one alternative is no choice.
        found += chain(
            *(_rules_named(each[1]) if _is_one_choice(each) else [each] for each in texts)
        )
    if not found and item.name not in _MAY_SAY_NOTHING:
        raise RuleError(f"{item.place}: {quote('~'.join(item.args))} is not understood")
    return found


def _either(item: Item, foreign: ForeignBoard) -> list[Text]:
    """Return one rule for several sets of rules of which one holds."""
    choices = _choices_of(item, foreign)
    if not choices:
        raise RuleError(f"{item.place}: there is nothing to choose from")
    # If an alternative has no rules, the choice always holds.
    if not all(choices):
        return []
    if len(choices) == 1:
        return choices[0]
    argument = "|".join("&".join(map(_bracketed, texts)) for texts in choices)
    return [("either", argument)]


# Limit on nested choices, which multiply; no puzzle has more.
_MOST_CHOICES_OF_RULES = 1_000
_MOST_CHOSEN = 20_000


def _choices_of(item: Item, foreign: ForeignBoard) -> list[list[Text]]:
    """Return the sets of rules of which one holds; nested choices are multiplied out."""
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
    """Return the alternatives of these rules; a class that is itself a choice multiplies them."""
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
    """Return a rule with its argument, in brackets if it has signs that split choices."""
    rule = ":".join(filter(None, text))
    return f"({rule})" if "|" in rule or "&" in rule else rule


def _add_marks(foreign: ForeignBoard, marks: dict[str, list[str]], flags: set[str]) -> None:
    """Add the rules of dots and letters, and the rules of other edges if all are given."""
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
