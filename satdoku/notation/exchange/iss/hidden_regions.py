"""Chaos construction in ISS: the regions of cells as variables CC1, CC2, ..., and classes of these.

All of it together is one rule of ours. `.ChaosCount~R1C1~0~CC1~CC2` has the cell with the number,
0 or 1 where that cell is not counted, and the cells that are; `.ChaosArrow` has arms of cells with
`-` between them. Without cells they are about the cells around, or about four directions.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from satdoku.errors import RuleError, quote
from satdoku.notation.exchange.foreign import ForeignBoard, placed
from satdoku.notation.exchange.iss.automata import counts_like_first
from satdoku.notation.exchange.iss.items import number_of, our_cell, sides_of, their_cells
from satdoku.notation.exchange.iss.packed import named_groups_of
from satdoku.notation.exchange.iss.tree import Item
from satdoku.puzzle.constraints import RegionClue, RegionWord
from satdoku.puzzle.geometry import Geometry

RULE = "hidden-regions"
CHAOS = "ChaosConstruction"
CLASSES_OF_REGIONS = (CHAOS, "ChaosArrow", "ChaosCount", "CountDistinct")
"""What means something beside hidden regions alone."""
_WORDS = {"ChaosArrow": "reach", "ChaosCount": "count"}
_REGION = re.compile("CC([0-9]{1,4})")


def without_hidden_regions(items: Sequence[Item], foreign: ForeignBoard) -> list[Item]:
    """The classes that say nothing of hidden regions; of the others the rule is added."""
    kept = [item for item in items if not _is_of_regions(item)]
    found = [item for item in items if _is_of_regions(item)]
    if not found:
        return kept
    if all(item.name != CHAOS for item in found):
        raise RuleError(f"{found[0].place}: there are no hidden regions without {CHAOS}")
    words: list[str] = []
    for item in found:
        with placed(item.place):
            words += _words_of(item, foreign)
    # Where there are boxes or drawn regions, hidden ones stand beside them.
    has_boxes = foreign.regions is None or any(foreign.regions)
    words += ["boxes"] if has_boxes else [] if words else ["no-boxes"]
    foreign.add_rule(RULE, "/".join(words), CHAOS)
    return kept


def _is_of_regions(item: Item) -> bool:
    named = any(_REGION.fullmatch(arg.partition("_")[0]) for arg in item.args)
    return named or item.name in CLASSES_OF_REGIONS or any(map(_is_of_regions, item.items))


def _words_of(item: Item, foreign: ForeignBoard) -> Iterator[str]:
    """The clues of a class, as the argument of our rule has them."""
    size = foreign.size
    if item.name == CHAOS:
        if any(item.args):
            raise RuleError(f"{quote('~'.join(item.args))} is not understood")
        return
    if item.name in _WORDS:
        first, offset, *cells = [*item.args, "", ""]
        sides = [side for side in sides_of(list(filter(None, cells))) if side != [""]]
        word = _WORDS[item.name] + ("-beside" if _offset_of(offset) else "")
        arms = [[our_cell(first, size)], *([_cell(each, size) for each in side] for side in sides)]
        yield f"{word}={_joined(arms)}"
    elif item.name == "CountDistinct":
        first, *cells = item.args or [""]
        named = [our_cell(first, size), *(_cell(each, size) for each in cells)]
        yield f"regions={','.join(named)}"
    elif item.name == "SameValues" and number_of(item.args[0]) == len(item.args) - 1:
        yield f"same={','.join(_cell(each, size) for each in item.args[1:])}"
    elif item.name == "AllDifferent":
        yield f"apart={','.join(_cell(each, size) for each in item.args)}"
    elif item.name == "NFA":
        yield from _counts_of_regions(item, foreign)
    else:
        raise RuleError(f"a hidden region in {item.name} is not read")


def _joined(arms: Sequence[Sequence[str]]) -> str:
    """Arms that begin in the cell with the number, which stands there once."""
    ((first,), *further) = arms
    if not further:
        return first
    if any(arm[0] != first for arm in further):
        raise RuleError(f"{first} says something of another cell's region")
    # At the border an arm may be no more than its first cell.
    behind = [",".join(arm[1:]) for arm in further if arm[1:]]
    if not behind:
        raise RuleError(f"there are no cells beside {first}")
    return "+".join([f"{first},{behind[0]}", *behind[1:]])


def _counts_of_regions(item: Item, foreign: ForeignBoard) -> Iterator[str]:
    """Automata that say no more than a class for counting does."""
    size = foreign.size
    for _, group in named_groups_of(item.args[1:]):
        offset = counts_like_first(
            item.args[0], len(group), range(foreign.lowest, foreign.lowest + size)
        )
        if offset is None:
            raise RuleError("an automaton of hidden regions is not read unless it counts cells")
        word = "count-beside" if offset else "count"
        arms = [[our_cell(group[0], size)], [_cell(each, size) for each in group[1:]]]
        yield f"{word}={_joined(arms)}"


def _offset_of(text: str) -> bool:
    if text not in ("", "0", "1"):
        raise RuleError(f"{quote(text)} is neither 0 nor 1")
    return text == "1"


def _cell(name: str, size: int) -> str:
    """The cell whose region is named so."""
    match = _REGION.fullmatch(name)
    number = int(match[1]) if match else 0
    if not 1 <= number <= size * size:
        raise RuleError(f"{quote(name)} is not the region of a cell, CC1 to CC{size * size}")
    row, column = divmod(number - 1, size)
    return f"r{row + 1}c{column + 1}"


def write_hidden_regions(clues: Sequence[RegionClue], geometry: Geometry) -> list[str]:
    """The classes for hidden regions with these clues."""
    return [f".{CHAOS}", *(_write_clue(clue, geometry) for clue in clues)]


_CLASS_OF: Mapping[RegionWord, str] = {
    "count": "ChaosCount",
    "reach": "ChaosArrow",
    "regions": "CountDistinct",
    "apart": "AllDifferent",
    "same": "SameValues",
}


def _write_clue(clue: RegionClue, geometry: Geometry) -> str:
    arms = ["~".join(f"CC{cell + 1}" for cell in arm) for arm in clue.arms]
    (first,) = their_cells(geometry.name_of(clue.cells[0]))
    name = f".{_CLASS_OF[clue.word]}"
    if clue.word == "regions":
        return "~".join([name, first, arms[-1]])
    if clue.word == "apart":
        return "~".join([name, *arms])
    if clue.word == "same":
        return "~".join([name, str(len(clue.cells)), *arms])
    return "~".join([name, first, str(clue.offset), "~-~".join(arms)])
