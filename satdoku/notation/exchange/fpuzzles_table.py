"""Which keys of f-puzzles are which rules of ours: a line for each, read in both directions."""

from typing import NamedTuple

from satdoku.notation.exchange.fpuzzles_entries import (
    Arrows,
    Cells,
    Clones,
    Diagonals,
    Indexers,
    Lines,
    Marked,
    Outside,
    Quadruples,
    Shape,
)


class Listed(NamedTuple):
    """A key with a list of entries of that shape, and the rule that they stand for."""

    key: str
    rule: str
    shape: Shape


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
    Listed("minimum", "minimum", Marked()),
    Listed("maximum", "maximum", Marked()),
    Listed("extraregion", "extra-region", Cells()),
    Listed("killercage", "killer", Cells(has_value=True)),
    Listed("thermometer", "thermo", Lines()),
    Listed("slowthermometer", "slow-thermo", Lines()),
    Listed("arrow", "arrow", Arrows()),
    Listed("palindrome", "palindrome", Lines()),
    Listed("renban", "renban", Lines()),
    Listed("whispers", "whispers", Lines(has_value=True, may_loop=True)),
    Listed("regionsumline", "region-sum", Lines()),
    Listed("entropicline", "entropic", Lines()),
    Listed("modularline", "modular", Lines(has_value=True)),
    Listed("nabner", "nabner", Lines()),
    Listed("zipperline", "zipper", Lines()),
    Listed("doublearrow", "double-arrow", Lines()),
    Listed("betweenline", "between", Lines()),
    Listed("lockout", "lockout", Lines(has_value=True)),
    Listed("littlekillersum", "little-killer", Diagonals()),
    Listed("sandwichsum", "sandwich", Outside(either_end=True)),
    Listed("xsum", "x-sum", Outside()),
    Listed("skyscraper", "skyscraper", Outside()),
    Listed("clone", "clone", Clones()),
    Listed("quadruple", "quadruple", Quadruples()),
    Listed("rowindexer", "row-indexer", Indexers()),
    Listed("columnindexer", "column-indexer", Indexers()),
    Listed("boxindexer", "box-indexer", Indexers()),
)
"""Keys whose entries are rules by themselves; dots and letters on edges are in `fpuzzles_dots.py`,
since what stands at no edge depends on all of them."""

DRAWN = ("line", "rectangle", "circle", "text", "cage")
"""Keys of what is only drawn: it may stand for a rule, but only in words."""

SILENT = frozenset({
    "size", "grid", "title", "author", "ruleset", "solution", "successMessage", "disabledlogic",
    "truecandidatesoptions", "fogofwar", "foglight",
})  # fmt: skip
"""Keys that are read elsewhere, or say nothing of which digits go where."""

SILENT_IN_CELLS = frozenset({
    "value", "given", "region", "givenPencilMarks", "cornerPencilMarks", "centerPencilMarks", "c",
    "cArray", "highlight",
})  # fmt: skip
"""The same for cells."""

SILENT_IN_ENTRIES = frozenset({
    "outlineC", "baseC", "fontC", "size", "width", "height", "angle", "fromConstraint", "cArray",
    "fromRangskSolver", "isNewConstraint", "hidden", "color", "opacity",
})  # fmt: skip
"""The same for entries: how they look."""
