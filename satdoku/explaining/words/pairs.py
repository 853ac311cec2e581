"""What rules say of one cell, or of two at a time, in words: dots, odd cells, moves of chess."""

from collections.abc import Collection, Sequence
from functools import lru_cache

from satdoku.encoding.variables import Placement
from satdoku.explaining.kinds import Block
from satdoku.explaining.techniques.lines import PairsAlong
from satdoku.explaining.words.names import Names
from satdoku.puzzle.constraints import Masks, Pair, digits_of, mask_of
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.rule import Rule

# So many pairs are named one by one; of more, or of more along a line, the rule is named.
_MOST_PAIRS, _MOST_ALONG = 4, 2


def pairs_among(names: Names, cells: Collection[int], left: int) -> list[Pair]:
    """What is said of two of these cells, where that excludes anything of what is left of them."""
    masks = names.board.digits_in(left)
    here = masks.keys() & set(cells)
    return [
        pair
        for pair in names.board.puzzle.constraints.pairs
        if pair.first in here
        and pair.second in here
        and _excludes(pair.excludes, masks[pair.first], masks[pair.second])
    ]


def pairs_that_exclude(names: Names, excludes: Collection[int], members: int) -> list[Pair]:
    """What is said of two cells and excludes some candidates, beside others of which one holds."""
    holding, gone = map(names.board.digits_in, (members, mask_of(excludes)))
    return [
        pair
        for pair in names.board.puzzle.constraints.pairs
        if any(
            _excludes(masks, holding.get(one, 0), gone.get(other, 0))
            for one, other, masks in pair.both_ways()
        )
    ]


def tell_pairs(names: Names, pairs: Collection[Pair]) -> list[str]:
    """What pairs say, each by itself; of many the rule that they come from."""
    geometry = names.board.puzzle.geometry
    told: dict[str, None] = {}
    for rule in names.board.puzzle.rules if pairs else ():
        said = _said_by(rule, geometry)
        own = [pair for pair in pairs if (pair.first, pair.second, pair.sentence) in said]
        if len(own) > (_MOST_ALONG if isinstance(rule, PairsAlong) else _MOST_PAIRS):
            told[rule.sentence(geometry)] = None
        else:
            cells = ((pair.sentence, map(names.cell, pair[:2])) for pair in own)
            told |= dict.fromkeys(sentence.format(*both) for sentence, both in cells)
    return list(told)


def say_pair(names: Names, pair: Pair) -> str:
    """Return the sentence of a pair with the names of its cells."""
    return pair.sentence.format(*map(names.cell, pair[:2]))


def tell_block(names: Names, block: Block, digits: Sequence[int]) -> str:
    """Return what a pair says and what its filled cell holds: all that the block rests on."""
    assert block.pair is not None, "what two cells of a unit exclude takes no sentence"
    holds = f"{names.cell(block.cell)} is {names.digit(digits[block.cell])}"
    return f"{say_pair(names, block.pair)}, and {holds}"


def said_of_cell(names: Names, place: Placement) -> str:
    """Return the sentence of the rule by which a cell never holds a digit, open for its name.

    Empty where no rule about this cell alone says so.
    """
    for allowed in names.board.puzzle.constraints.allowed:
        if allowed.cell == place.cell and not allowed.digits >> place.digit & 1:
            return allowed.sentence
    return ""


def _excludes(masks: Masks, digits: int, others: int) -> bool:
    """Whether some of these digits exclude some of the others."""
    return any(masks[digit] & others for digit in digits_of(digits))


@lru_cache(maxsize=1024)
def _said_by(rule: Rule, geometry: Geometry) -> frozenset[tuple[int, int, str]]:
    """The cells of the pairs that a rule states, with what it says of them."""
    return frozenset(
        (each.first, each.second, each.sentence)
        for each in rule.constraints(geometry)
        if isinstance(each, Pair)
    )
