"""What setters call rules elsewhere, and how the same rules are written here."""

import re
from collections.abc import Collection, Iterable, Iterator

from satdoku.errors import nearest

_OTHER_NAMES = {
    # The whole board.
    "knight, knights move, chess": "anti-knight",
    "king, kings move, no touch, touchless": "anti-king",
    "sudoku x, x sudoku, x diagonal, main diagonals, both diagonals": "diagonals",
    "antidiagonal, positive diagonal, rising diagonal": "diagonal:/",
    "negative diagonal, falling diagonal": "diagonal:\\",
    "hyper, windows, nrc, four box": "windoku",
    "disjoint, disjoint sets": "disjoint-groups",
    "non touching, anti consecutive, consecutive neighbours": "non-consecutive",
    "entropy": "global-entropy",
    "taxicab": "anti-taxicab",
    "jigsaw, irregular, nonomino, squiggly": "regions:LETTERS",
    "chaos, chaos construction, deconstruction, unknown regions": "hidden-regions:count=CELL",
    "argyle": "extra-region:CELLS for each diagonal that is marked",
    "asterisk, girandola, center dot, centre dot": "extra-region:CELLS",
    "extra groups, no repeats, non repeating, unique cells": "extra-region:CELLS",
    "killer x": "killer:SUM=CELLS and diagonals",
    # Single cells.
    "parity, odd even, parity cells": "odd:CELLS or even:CELLS",
    "pencilmarks, marks, given candidates, high low": "candidates:CELL=DIGITS",
    "fortress, max": "maximum:CELLS",
    "min": "minimum:CELLS",
    "index, indexing, indexer": "row-indexer:CELLS, column-indexer or box-indexer",
    "159": "column-indexer:r1-9c1,r1-9c5,r1-9c9",
    "circles": "counting-circles:CELLS",
    # Marks.
    "dot, kropki dots, kropki pairs": "kropki:white=CELL,CELL/black=CELL,CELL",
    "white dot, consecutive pairs": "kropki:white=CELL,CELL",
    "black dot, double": "kropki:black=CELL,CELL",
    "consecutive": "kropki:white=CELL,CELL/all-white",
    "x": "xv:x=CELL,CELL or diagonals",
    "v": "xv:v=CELL,CELL",
    "roman": "xv:x=CELL,CELL/v=CELL,CELL",
    "inequality, greater than, less than, less, comparison, unequal": "greater:CELL,CELL",
    "inequalities": "greater:CELL,CELL",
    "quad, quads, quadruple circle": "quadruple:1/2=CELL",
    "battenburg": "pair:CELLS:(a+b)%2==1 of the four cells in a ring",
    "product, multiplication": "pair:CELL,CELL:a*b==NUMBER",
    # Cages and sums.
    "cage, sum cage, calculator": "killer:SUM=CELLS",
    "frame, frame sum, outside, outside sum": "sum:SUM=CELLS",
    "magic square": "sum:15=CELLS for each of its lines",
    "pill, pill arrow, sum arrow": "arrow:CIRCLE=CELLS",
    "look and say": "contain-exact:DIGITS=CELLS",
    # Lines.
    "thermometer, thermometre, bulb, increasing, rossini": "thermo:CELLS",
    "slow thermometer": "slow-thermo:CELLS",
    "fast thermo": "pair:CELLS:b-a>=2",
    "whisper, german whispers, german": "whispers:5=CELLS",
    "dutch whispers, dutch": "whispers:4=CELLS",
    "chinese whispers": "whispers:2=CELLS",
    "parity line, odd even line, alternating": "pair:CELLS:(a+b)%2==1",
    "same difference": "either:difference:1=CELLS|difference:2=CELLS|...",
    "box sum, equal sum, blue": "region-sum:CELLS",
    "ten, 10, sum 10": "sum-line:10=CELLS",
    "consecutive set, straight": "renban:CELLS",
    # Clues outside, and rules of one's own.
    "buildings": "skyscraper:LINE=NUMBER",
    "regex, regular expression, nfa, dfa, automaton, state machine": "machine:CELLS:[12]*3",
    "or, any, choice": "either:RULES|RULES",
}
"""Names of one rule, with commas between them, and how it is written here."""

# What may stand behind a name and says nothing more.
_ENDINGS = (
    "sudoku",
    "rule",
    "line",
    "sum",
    "clue",
    "cage",
    "region",
    "cell",
    "dot",
    "pair",
    "move",
)

# A longer name is a slip, such as a whole puzzle.
_LONGEST = 60


def meant_by(name: str, rules: Collection[str]) -> str:
    """How the rule is written that others call by this name; empty where no rule is called so.

    >>> meant_by("German Whispers", ["whispers"])
    'whispers:5=CELLS'
    >>> meant_by("thermo r1c1 r1c2", ["thermo"])
    'thermo:r1c1,r1c2'
    """
    words = name[:_LONGEST].split()
    if words and "=" in words[0]:
        words = [words[0].partition("=")[0]]
    known = _known(rules)
    for end in range(len(words), 0, -1):
        found = next((known[key] for key in _shorter(_plain(words[:end])) if key in known), None)
        if found is not None:
            # Behind the name of a rule stands its argument, with a space in place of the colon.
            rest = ",".join(words[end:]) if found in rules else ""
            # Between a number and cells stands another sign.
            rest = re.sub("^([0-9]+),(?=[rR])", r"\1=", rest)
            return f"{found}:{rest}" if rest else found
    return ""


def suggest(name: str, rules: Collection[str]) -> str:
    """The same; for a name with a slip the name of ours that is nearest to it, or nothing."""
    first = next(iter(name[:_LONGEST].lower().split()), "")
    return meant_by(name, rules) or nearest(first, rules) or ""


def _known(rules: Collection[str]) -> dict[str, str]:
    others = ((each, meant) for names, meant in _OTHER_NAMES.items() for each in names.split(","))
    return {_plain([each]): meant for each, meant in others} | {
        _plain([rule]): rule for rule in rules
    }


def _plain(words: Iterable[str]) -> str:
    """The letters and digits of a name: setters write it with hyphens, with spaces, or neither."""
    return re.sub("[^a-z0-9]", "", "".join(words).lower())


def _shorter(key: str) -> Iterator[str]:
    """A name as it is, in the singular and in the plural, and without what may stand behind it."""
    for bare in (key, *(key.removesuffix("s").removesuffix(ending) for ending in _ENDINGS)):
        yield from (bare, bare.removesuffix("s"), f"{bare}s")
