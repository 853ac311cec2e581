"""Puzzles from strings of the Interactive Sudoku Solver (ISS), as `items.py` parses them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import isqrt

from satdoku.errors import RuleError, quote
from satdoku.notation.exchange.foreign import ForeignBoard, geometry_of, placed
from satdoku.notation.exchange.iss.items import (
    GIVEN,
    HOLDERS,
    Item,
    cell_of,
    edges_among,
    number_of,
    our_cell,
    parse_items,
    unfolded,
)
from satdoku.notation.exchange.iss.table import (
    CLASSES,
    DOTS,
    Class,
    RankAndEnds,
    without_hidden_regions,
)
from satdoku.notation.exchange.iss.table import CLASSES_OF_REGIONS as OF_REGIONS
from satdoku.puzzle.arrangement import MOST_BESIDE, Arrangement, Group
from satdoku.puzzle.grid import Geometry

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
    "Doppelganger",
    "RegionSameValues",
)
_CLASSES_NAMED: dict[str, list[Class]] = {}
for _entry in CLASSES:
    _CLASSES_NAMED.setdefault(_entry.name, []).append(_entry)

_TIES = "FullRankTies"
_KINDS_OF_TIES = ("only-unclued", "none", "any")

# A sum always equals itself, and ties are a part of the rules of ranks; for all other classes, no
# rule means a slip.
_MAY_SAY_NOTHING = {"EqualSum", _TIES}
_KNOWN = {GIVEN, *HOLDERS, *_FLAGS, *OF_REGIONS, *_CLASSES_NAMED}

Text = tuple[str, str]
"""The name and the argument of a rule."""


def read_iss(text: str) -> ForeignBoard:
    """Return the board of a string; a RuleError for a part that cannot be kept."""
    items = parse_items(text)
    if not items:
        raise RuleError("there is no class behind a dot")
    _require_known(items)
    foreign = _foreign_of(items)
    flags = {item.name for item in items}
    _read_regions(foreign, items, "NoBoxes" in flags)
    # Unfold the classes after the size is known, as offsets of a template are counted in rows of
    # the board.
    items = without_hidden_regions(unfolded(items, foreign.geometry), foreign)
    _require_sure_marks(items, flags)
    ties = ":ties" if _kind_of_ties(items) == "any" else ""
    marks: dict[str, list[str]] = {word: [] for word in DOTS.values()}
    for item in items:
        if item.name == GIVEN:
            _read_givens(foreign, item)
        elif item.name in DOTS:
            with placed(item.place):
                marks[DOTS[item.name]] += edges_among(item.args, foreign.geometry)
        elif item.name not in _FLAGS:
            for name, argument in _rules_of(item, foreign, ties):
                foreign.add_rule(name, argument, item.place)
    _add_of_units(foreign, items, flags)
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
            if each.name in (*_FLAGS, _TIES):
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


def _kind_of_ties(items: Sequence[Item]) -> str:
    """Return which lines may be equal, as one class states for all ranks; empty without it."""
    kinds = list(dict.fromkeys("~".join(item.args) for item in items if item.name == _TIES))
    wrong = next((kind for kind in kinds if kind not in _KINDS_OF_TIES), None)
    if wrong is not None:
        raise RuleError(f"{_TIES}: {quote(wrong)} is none of {', '.join(_KINDS_OF_TIES)}")
    if len(kinds) > 1:
        raise RuleError(f"{_TIES}: it is stated as {' and as '.join(kinds)}, but only one can hold")
    return kinds[0] if kinds else ""


def _within(item: Item) -> Iterator[Item]:
    for each in item.items:
        yield each
        yield from _within(each)


def _foreign_of(items: Sequence[Item]) -> ForeignBoard:
    """Return an empty board by its shape, `9x9~0-8`, its boxes and the cells beside it."""
    shape = next((item.args for item in items if item.name == "Shape"), ["9x9"])
    match = re.fullmatch("([0-9]{1,2})x([0-9]{1,2})", shape[0] if shape else "9x9")
    kind = shape[2].lower() if len(shape) == 3 else "sudoku"
    if match is None or kind not in ("sudoku", "raw") or len(shape) > 3:
        raise RuleError(f"Shape: {quote('~'.join(shape))} is no board of Sudoku")
    height, width = int(match[1]), int(match[2])
    lowest, count = _digits_of(shape, max(height, width))
    is_raw = kind == "raw"
    boxes = (0, 0) if is_raw else _boxes(items, height, width, count)
    groups = _groups(items)
    if any(item.name == "Doppelganger" for item in items):
        kinds = [name for name in _MISSING.values() if boxes[0] or name != "DGB"]
        groups += tuple(Group(name, height) for name in kinds)
    if height == width == count and not (is_raw or groups):
        foreign = ForeignBoard(PROGRAM, geometry_of(count))
    else:
        with placed("Shape"):
            board = Arrangement(*boxes, height, width, count, is_raw, (), groups)
            foreign = ForeignBoard(PROGRAM, board.simplest)
    foreign.set_lowest(lowest)
    return foreign


def _digits_of(shape: Sequence[str], usual: int) -> tuple[int, int]:
    """Return the lowest digit and how many there are."""
    text = shape[1] if shape[1:] else ""
    if not text:
        return 1, usual
    digits = re.fullmatch("(?:([0-9]{1,2})-)?([0-9]{1,2})", text)
    if digits is None:
        raise RuleError(f"Shape: {quote(text)} is no range of digits")
    lowest = int(digits[1] or 1)
    if int(digits[2]) < lowest:
        raise RuleError(f"Shape: the range of digits {quote(text)} is empty")
    return lowest, int(digits[2]) - lowest + 1


def _groups(items: Sequence[Item]) -> tuple[Group, ...]:
    """Return the groups of cells beside the board: `.Var~D~label~2x3` has the cells VD1 to VD6."""
    groups = []
    for item in items:
        if item.name == "Var":
            name, _, size = ([*item.args, "", "", ""])[:3]
            rows, _, columns = size.rpartition("x")
            with placed(item.place):
                count = number_of(rows or "1") * number_of(columns or "1")
            if not (name.isascii() and name.isalpha() and 1 <= count <= MOST_BESIDE):
                raise RuleError(
                    f"{item.place}: {count:,} cells named {quote(name, 9)} cannot be read; "
                    f"names are letters, and 1 to {MOST_BESIDE:,} cells are possible"
                )
            groups.append(Group(f"V{name.upper()}", count, int(columns) if rows else 0))
    return tuple(groups)


# What ISS calls the cells for the digits that rows, columns and boxes miss.
_MISSING = {"rows": "DGC", "columns": "DGR", "boxes": "DGB"}


def _add_missing_digits(foreign: ForeignBoard) -> None:
    """Add the rule that each row, column and box misses one digit, no two rows the same one.

    Where a 0 stands, its row, its column and its box miss different digits.
    """
    board, place = foreign.geometry, "Doppelganger"
    if foreign.lowest != 0 or not board.height == board.width == board.size - 1:
        raise RuleError(f"{place}: this is for square boards with the digits 0 to their size")
    digits = "/".join(map(str, range(1, board.size)))
    missing = {}
    for kind, group in _MISSING.items():
        units = getattr(board, kind)
        names = [f"{group}{number}" for number in range(1, len(units) + 1)]
        missing[kind] = names
        for unit, name in zip(units, names, strict=True):
            foreign.add_rule("extra-region", f"{_listed(unit.cells, board)},{name}", place)
            foreign.add_rule("candidates", f"{name}={digits}", place)
        if names:
            foreign.add_rule("extra-region", ",".join(names), place)
    for cell in range(board.board_count):
        places = zip(
            missing.values(),
            (board.rows_with(cell), board.columns_with(cell), board.boxes_with(cell)),
            strict=True,
        )
        names = [names[number] for names, numbers in places for number in numbers]
        choice = f"candidates:{board.name_of(cell)}={digits}|extra-region:{','.join(names)}"
        foreign.add_rule("either", choice, place)


def _boxes(items: Sequence[Item], height: int, width: int, count: int) -> tuple[int, int]:
    """Return rows and columns of the boxes; (0, 0) if there are none."""
    usual = Geometry.of_size(count)
    if height == width == count:
        return usual.box_rows, usual.box_columns
    if any(item.name == "NoBoxes" for item in items):
        return 0, 0
    sizes = [item.args[0] for item in items if item.name == "RegionSize" and item.args]
    size = number_of(sizes[0]) if sizes else max(height, width)
    # ISS chooses boxes that are nearly square, and wide rather than high.
    for small in range(isqrt(max(size, 0)), 1, -1):
        for rows, columns in ((small, size // small), (size // small, small)):
            if size % small == 0 and height % rows == 0 and width % columns == 0:
                return rows, columns
    return 0, 0


def _read_regions(foreign: ForeignBoard, items: Sequence[Item], has_no_boxes: bool) -> None:
    """Read boxes, irregular regions in their place, or both."""
    board = foreign.geometry
    is_square = board.core is not None
    # Boards of prime size have no boxes in ISS either.
    if is_square and (has_no_boxes or board.box_rows == 1):
        foreign.set_regions([None] * board.board_count)
    for item in items if is_square else ():
        if item.name == "RegionSize" and item.args != [str(foreign.size)]:
            raise RuleError("RegionSize: satdoku has no regions of another size than rows")
    for item in items:
        names = _names_of_regions(item, board)
        # If there are no boxes, the first layout replaces them; all others are extra regions.
        if names and is_square and foreign.regions is not None and not any(foreign.regions):
            foreign.set_regions(names)
            continue
        for cells in _cells_of_regions(names):
            # Regions of other sizes are leftover cells, as in ISS.
            if is_square or max(board.height, board.width) <= len(cells) <= board.size:
                foreign.add_rule("extra-region", _listed(cells, board), item.place)


def _names_of_regions(item: Item, board: Geometry) -> list[str | None]:
    """Return the name of the region of each cell, if the class is a layout of regions."""
    if item.name != "Jigsaw":
        return []
    # Older strings have the shape of the board before the layout.
    layout = item.args[-1] if item.args else ""
    if len(layout) != board.board_count:
        count = board.board_count
        raise RuleError(f"{item.place}: {len(layout)} cells have a region, not {count}")
    return [None if name in ".-" else name for name in layout]


def _cells_of_regions(names: Sequence[object]) -> Iterator[list[int]]:
    for name in dict.fromkeys(filter(None, names)):
        yield [cell for cell, other in enumerate(names) if other == name]


def _listed(cells: Iterable[int], board: Geometry) -> str:
    return ",".join(map(board.name_of, cells))


def _largest_regions(items: Sequence[Item], board: Geometry) -> list[tuple[int, ...]]:
    """Return the largest of all rows, columns, boxes and drawn regions."""
    regions = [unit.cells for unit in board.units]
    for item in items:
        regions += map(tuple, _cells_of_regions(_names_of_regions(item, board)))
    most = max(map(len, regions), default=0)
    return [cells for cells in regions if len(cells) == most]


def _add_of_units(foreign: ForeignBoard, items: Sequence[Item], flags: set[str]) -> None:
    """Add the rules that a string states for all rows, columns, boxes and regions together."""
    if "Doppelganger" in flags:
        _add_missing_digits(foreign)
    if "RegionSameValues" in flags:
        _add_same_digits(foreign, items)


def _add_same_digits(foreign: ForeignBoard, items: Sequence[Item]) -> None:
    """Add the rule that the largest regions hold the same digits, unless these are all digits."""
    first, *others = _largest_regions(items, foreign.geometry) or [()]
    for cells in others if len(first) < foreign.size else ():
        # Cells that are in both regions hold the same digit anyway.
        one, other = ([c for c in a if c not in b] for a, b in ((first, cells), (cells, first)))
        if one:
            sides = (_listed(side, foreign.geometry) for side in (one, other))
            foreign.add_rule("same-digits", "=".join(sides), "RegionSameValues")


def _read_givens(foreign: ForeignBoard, item: Item) -> None:
    for name, digits in _givens(item):
        cell = cell_of(name, foreign.geometry)
        foreign.allow_at(cell, digits)
        if len(digits) == 1:
            foreign.given.add(cell)


def _givens(item: Item) -> Iterator[tuple[str, list[int]]]:
    """Yield the cells of a class without a name, each with its digits."""
    for arg in item.args:
        if arg:
            cell, *digits = arg.split("_")
            yield cell, [number_of(digit) for digit in digits]


def _rules_of(item: Item, foreign: ForeignBoard, ties: str) -> list[Text]:
    """Return the rules that a class stands for; `ties` is appended to the arguments of ranks."""
    if item.name == "Or":
        return _either(item, foreign, ties)
    if item.name == GIVEN:
        return [
            ("candidates", f"{our_cell(cell, foreign.geometry)}={'/'.join(map(str, digits))}")
            for cell, digits in _givens(item)
        ]
    found: list[Text] = []
    for entry in _CLASSES_NAMED.get(item.name, ()):
        shape = entry.shape.counted_from(foreign.lowest)
        ending = ties if isinstance(shape, RankAndEnds) else ""
        with placed(item.place):
            arguments = shape.read(item.args, foreign.geometry)
            texts = [(entry.rule, argument + ending) for argument in arguments]
        # A choice with one alternative is no choice.
        found += chain(
            *(_rules_named(each[1]) if _is_one_choice(each) else [each] for each in texts)
        )
    if not found and item.name not in _MAY_SAY_NOTHING:
        raise RuleError(f"{item.place}: {quote('~'.join(item.args))} is not understood")
    return found


def _either(item: Item, foreign: ForeignBoard, ties: str) -> list[Text]:
    """Return one rule for several sets of rules of which one holds."""
    choices = _choices_of(item, foreign, ties)
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


def _choices_of(item: Item, foreign: ForeignBoard, ties: str) -> list[list[Text]]:
    """Return the sets of rules of which one holds; nested choices are multiplied out."""
    found: list[list[Text]] = []
    for each in item.items:
        choices: list[list[Text]] = [[]]
        for part in unfolded([each], foreign.geometry):
            further = (
                _choices_of(part, foreign, ties)
                if part.name == "Or"
                else _choices_within(_rules_of(part, foreign, ties))
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
