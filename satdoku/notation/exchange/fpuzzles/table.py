"""The table of f-puzzles keys and our rules, used in both directions."""

from typing import NamedTuple

from satdoku.notation.exchange.fpuzzles.entries import (
    Arrows,
    CellList,
    Clones,
    Diagonals,
    EntryShape,
    Indexers,
    LineClue,
    LineList,
    Marked,
    Quadruples,
)


class Listed(NamedTuple):
    """A key with a list of entries of that shape, and the rule that they stand for."""

    key: str
    rule: str
    shape: EntryShape
    is_one_rule: bool = False
    """Whether all entries are one rule: no cell of the list is compared with another one of it."""


FLAGS: dict[str, tuple[str, str]] = {
    "diagonal+": ("diagonal", "/"),
    "diagonal-": ("diagonal", "\\"),
    "antiknight": ("anti-knight", ""),
    "antiking": ("anti-king", ""),
    "disjointgroups": ("disjoint-groups", ""),
}
"""Keys that are true or false, with the name of our rule and its argument."""

LISTED = (
    Listed("odd", "odd", Marked()),
    Listed("even", "even", Marked()),
    Listed("minimum", "minimum", Marked(), is_one_rule=True),
    Listed("maximum", "maximum", Marked(), is_one_rule=True),
    Listed("extraregion", "extra-region", CellList()),
    Listed("killercage", "killer", CellList(has_value=True)),
    Listed("thermometer", "thermo", LineList()),
    Listed("slowthermometer", "slow-thermo", LineList()),
    Listed("arrow", "arrow", Arrows()),
    Listed("palindrome", "palindrome", LineList()),
    Listed("renban", "renban", LineList()),
    Listed("whispers", "whispers", LineList(has_value=True, may_loop=True)),
    Listed("regionsumline", "region-sum", LineList()),
    Listed("entropicline", "entropic", LineList()),
    Listed("modularline", "modular", LineList(has_value=True)),
    Listed("nabner", "nabner", LineList()),
    # A line of two cells has no cells between its ends, and no meaning.
    Listed("zipperline", "zipper", LineList(least=3)),
    Listed("doublearrow", "double-arrow", LineList()),
    Listed("betweenline", "between", LineList(least=3)),
    Listed("lockout", "lockout", LineList(has_value=True)),
    Listed("littlekillersum", "little-killer", Diagonals()),
    # The digits between two others are the same from both ends of a line.
    Listed("sandwichsum", "sandwich", LineClue(either_end=True)),
    Listed("xsum", "x-sum", LineClue()),
    Listed("skyscraper", "skyscraper", LineClue()),
    Listed("clone", "clone", Clones()),
    Listed("quadruple", "quadruple", Quadruples()),
    Listed("rowindexer", "row-indexer", Indexers()),
    Listed("columnindexer", "column-indexer", Indexers()),
    Listed("boxindexer", "box-indexer", Indexers()),
)
"""Keys whose entries are rules by themselves.

Dots and letters on edges are in `entries.py`, since the rules of unmarked edges depend on all.
"""

DRAWN = ("line", "rectangle", "circle", "text", "cage")
"""Keys of drawings: one may stand for a rule, but only a text says so."""

SILENT = frozenset({
    "size", "grid", "title", "author", "ruleset", "solution", "successMessage", "disabledlogic",
    "truecandidatesoptions", "fogofwar", "foglight",
})  # fmt: skip
"""Keys that are read elsewhere, or do not restrict digits."""

SILENT_IN_CELLS = frozenset({
    "value", "given", "region", "givenPencilMarks", "cornerPencilMarks", "centerPencilMarks", "c",
    "cArray", "highlight",
})  # fmt: skip
"""Fields of cells that are read elsewhere, or do not restrict digits."""
