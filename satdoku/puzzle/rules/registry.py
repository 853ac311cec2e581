"""All rules by name, and rules as text: `anti-knight`, `extra-region:r1c1,r1c2`.

The module of a rule is imported on first use, so that a puzzle loads only the rules that it has.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import chain, repeat

from satdoku.errors import SatdokuError, UnknownRuleError, nearest, quote
from satdoku.plugins import has_rule, rule_of_packages
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.rules.rule import Rule, adapt, board_of

GROUPS: dict[str, dict[str, str]] = {
    "lines and regions": {
        "rows": "classic.Rows",
        "columns": "classic.Columns",
        "boxes": "classic.Boxes",
        "regions": "regions.Regions",
        "hidden-regions": "hidden_regions.HiddenRegionsRule",
    },
    "further units": {
        "diagonal": "regions.Diagonal",
        "diagonals": "regions.Diagonals",
        "windoku": "regions.Windoku",
        "disjoint-groups": "regions.DisjointGroups",
        "extra-region": "regions.ExtraRegion",
    },
    "everywhere on the board": {
        "anti-knight": "everywhere.AntiKnight",
        "anti-king": "everywhere.AntiKing",
        "anti-move": "everywhere.AntiMove",
        "non-consecutive": "everywhere.NonConsecutive",
        "no-difference": "everywhere.NoDifference",
        "no-ratio": "everywhere.NoRatio",
        "no-sum": "everywhere.NoSum",
        "global-entropy": "everywhere.GlobalEntropy",
        "global-modular": "everywhere.GlobalModular",
        "anti-taxicab": "everywhere.AntiTaxicab",
        "dutch-flatmates": "everywhere.DutchFlatmates",
        "no-equal-lines": "ranks.NoEqualLines",
    },
    "single cells": {
        "odd": "single_cells.Odd",
        "even": "single_cells.Even",
        "candidates": "single_cells.Candidates",
        "minimum": "order.Minimum",
        "maximum": "order.Maximum",
        "row-indexer": "indexers.RowIndexer",
        "column-indexer": "indexers.ColumnIndexer",
        "box-indexer": "indexers.BoxIndexer",
        "counting-circles": "contents.CountingCircles",
    },
    "marks between cells": {
        "kropki": "dots.Kropki",
        "xv": "dots.XV",
        "difference": "dots.Difference",
        "ratio": "dots.Ratio",
        "pair-sum": "dots.PairSum",
        "greater": "order.Greater",
        "quadruple": "contents.Quadruple",
    },
    "shades and counts": {
        "connected": "connected.ConnectedRule",
        "no-square": "connected.NoSquare",
        "count-distinct": "connected.CountDistinct",
    },
    "cages and sums": {
        "killer": "cages.Killer",
        "rellik": "cages.Rellik",
        "equality-cage": "cages.EqualityCage",
        "sum": "sums.SumOf",
        "arrow": "sums.Arrow",
        "little-killer": "sums.LittleKiller",
        "contain": "contents.Contain",
        "contain-exact": "contents.ContainExact",
        "clone": "contents.Clone",
        "same-digits": "contents.SameDigits",
    },
    "cells that count otherwise": {
        "doublers": "values.Doublers",
        "negators": "values.Negators",
        "schrodinger": "schrodinger.Schrodinger",
        "hot": "values.Hot",
        "cold": "values.Cold",
    },
    "lines": {
        "thermo": "order.Thermo",
        "slow-thermo": "order.SlowThermo",
        "whispers": "lines.Whispers",
        "renban": "lines.Renban",
        "nabner": "lines.Nabner",
        "palindrome": "lines.Palindrome",
        "modular": "lines.Modular",
        "entropic": "lines.Entropic",
        "between": "lines.Between",
        "lockout": "lines.Lockout",
        "region-sum": "lines.RegionSum",
        "sum-line": "lines.SumLine",
        "zipper": "lines.Zipper",
        "double-arrow": "lines.DoubleArrow",
        "sequence": "lines.SequenceLine",
    },
    "clues outside": {
        "sandwich": "outside.Sandwich",
        "x-sum": "outside.XSum",
        "skyscraper": "outside.Skyscraper",
        "hidden-skyscraper": "outside.HiddenSkyscraper",
        "numbered-room": "outside.NumberedRoom",
        "full-rank": "ranks.FullRank",
    },
    "rules of your own": {
        "digits": "single_cells.Digits",
        "pair": "own.OwnPair",
        "each-pair": "own.EachPair",
        "machine": "own.OwnMachine",
        "either": "either.EitherRule",
    },
}
"""All rules in groups: name, module and class of each."""

USUAL = (
    *("killer", "thermo", "arrow", "kropki", "xv", "whispers", "renban", "quadruple"),
    *("palindrome", "between", "region-sum", "little-killer", "sandwich", "x-sum", "odd", "even"),
    *("extra-region", "regions", "diagonals", "anti-knight"),
)
"""The rules that most setters use; a palette lists them first."""


class _Rules(Mapping[str, type[Rule]]):
    """The rule classes by name, each imported on first use."""

    def __init__(self) -> None:
        self._places = {name: place for group in GROUPS.values() for name, place in group.items()}

    def __getitem__(self, name: str) -> type[Rule]:
        file, _, kind = self._places[name].partition(".")
        found: type[Rule] = getattr(import_module(f"satdoku.puzzle.rules.{file}"), kind)
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


RULES: Mapping[str, type[Rule]] = _Rules()


class LineOfFile(str):
    """The text of a rule with its place, such as `rules.txt:3`, for error messages."""

    place: str

    def __new__(cls, text: str, place: str = "") -> "LineOfFile":
        line = super().__new__(cls, text)
        line.place = place
        return line


def require_rule_name(name: str) -> type[Rule]:
    """Return the class of the rule with that name, from this package or a plugin.

    The error for an unknown name suggests the nearest name.
    """
    lower = name.lower()
    if lower in RULES:
        return RULES[lower]
    found = rule_of_packages(lower, Rule)  # type: ignore[type-abstract]
    if found is not None:
        return found
    near = suggest(name, RULES)
    hint = f"did you mean {near}?" if near else "`satdoku rules` lists them"
    # Long names are cut: they are mistakes, such as a whole puzzle.
    raise UnknownRuleError(f"there is no rule {quote(name, 40)}; {hint}", bool(near))


def is_rule(name: str) -> bool:
    """Return whether this package or a plugin has a rule of that name."""
    return name in RULES or has_rule(name)


def is_unmistakable(name: str) -> bool:
    """Return whether a text is the name of a rule and unlikely to be an everyday word."""
    return name in RULES and ("-" in name or RULES[name].is_unmistakable)


def read_rule(text: str, geometry: Geometry) -> Rule:
    """Return the rule that a text names, with its argument after a colon.

    >>> read_rule("odd:r1c1", Geometry(2, 2))
    Odd(marked=(0,))
    """
    return read_rules([text], geometry)[0]


def read_rules(
    texts: Iterable[str], geometry: Geometry, others: Sequence[Rule] = ()
) -> tuple[Rule, ...]:
    """Return the rules of a puzzle beyond the classic ones, adapted to each other (`settle`).

    `others` are rules that the puzzle has from elsewhere.
    """
    placed = list(texts)
    return settle((_read_placed(text, geometry) for text in placed), geometry, placed, others)


def settle(
    rules: Iterable[Rule],
    geometry: Geometry,
    texts: Sequence[str] = (),
    others: Sequence[Rule] = (),
) -> tuple[Rule, ...]:
    """Return the rules adapted to each other; a SatdokuError names a rule that does not fit.

    `texts`, if given, are the texts of the rules; the error then names the line in the rule's file.
    """
    unsettled = tuple(rules)
    all_of_them = (*unsettled, *others)
    settled = adapt(unsettled, all_of_them)
    for rule, text in zip(settled, chain(texts, repeat("")), strict=False):
        try:
            rule.require_fit(board_of(rule, geometry))
        except SatdokuError as error:
            raise _placed(text, SatdokuError(f"the rule {rule.name}: {error}")) from None
    return settled


def _read_placed(text: str, geometry: Geometry) -> Rule:
    try:
        return read_unsettled(text, geometry)
    except SatdokuError as error:
        raise _placed(text, error) from None


def _placed(text: str, error: SatdokuError) -> SatdokuError:
    return SatdokuError(f"{text.place}: {error}") if isinstance(text, LineOfFile) else error


_WORD = "[A-Z]+"
# An optional part of a form, in brackets.
_OPTIONAL = r"\[(.*?)\]"


def write_argument(name: str, fields: Mapping[str, object]) -> str:
    """Build a rule's argument from the fields of a JSON object, in the order of the rule's form.

    >>> write_argument("killer", {"sum": 20, "cells": ["r1c1", "r2c1"]})
    '20=r1c1,r2c1'
    """
    kind = require_rule_name(name)
    given = {key.upper(): value for key, value in fields.items()}
    # The fields are the words in capitals of the form: NUMBER and CELLS in `NUMBER=CELLS`. A form
    # with other words, such as `white=` of dots, cannot be given as an object.
    words = set() if re.search("[a-z]", kind.form) else set(re.findall(_WORD, kind.form))
    wrong = next((word for word in given if word not in words), None)
    if wrong is not None or not words:
        listed = ", ".join(sorted(word.lower() for word in words)) or "a text only"
        raise SatdokuError(f"the rule {name} has no part {wrong or ''!r}; it has {listed}")
    form = re.sub(
        _OPTIONAL,
        lambda part: part[1] if given.keys() & set(re.findall(_WORD, part[1])) else "",
        kind.form,
    )
    missing = next((word for word in re.findall(_WORD, form) if word not in given), None)
    if missing is not None:
        raise SatdokuError(f"the rule {name} needs the part {missing.lower()!r}")
    return re.sub(_WORD, lambda word: _written(word[0], given[word[0]]), form)


def _written(word: str, value: object) -> str:
    """Return a field as text; lists are joined with the form's separators."""
    if isinstance(value, list):
        return ("/" if word == "DIGITS" else ",").join(_written(word, each) for each in value)
    # `True` is an `int` in Python, but not a number in a puzzle.
    if isinstance(value, str) or type(value) is int:
        return str(value)
    raise SatdokuError(f"the part {word.lower()!r} must be a text, a number, or a list of these")


def read_unsettled(text: str, geometry: Geometry) -> Rule:
    """Return the rule that a text names, before it is adapted to others (`settle`)."""
    name, colon, argument = text.partition(":")
    kind = require_rule_name(name.strip())
    if kind.example and not argument.strip():
        raise SatdokuError(f"the rule {kind.name} needs an argument: {kind.name}:{kind.example}")
    if not kind.example and colon:
        raise SatdokuError(f"the rule {kind.name} takes no argument")
    try:
        board = board_of(kind, geometry)
        return kind.parse(argument.strip(), board) if kind.example else kind()
    except SatdokuError as error:
        raise SatdokuError(f"the rule {kind.name}: {error}") from None


# Names that setters use elsewhere, with the names of the same rules here.

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
    "arithmetic, arithmetic sequence, arithmetic progression": "sequence:CELLS",
    "consecutive set, straight": "renban:CELLS",
    # Clues outside, and rules that setters define.
    "buildings": "skyscraper:LINE=NUMBER",
    "rank": "full-rank:LINE=NUMBER",
    "regex, regular expression, nfa, dfa, automaton, state machine": "machine:CELLS:[12]*3",
    "or, any, choice": "either:RULES|RULES",
}
"""Other names of a rule, with commas between them, and the text to write instead."""

# Words after a name that do not change its meaning.
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

# Most characters: a longer name is a mistake, such as a whole puzzle.
_LONGEST = 60


def meant_by(name: str, rules: Collection[str]) -> str:
    """Return the text to write here for a rule that has this name elsewhere; empty if unknown.

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
            # The words after a rule's name are its argument; the user typed a space instead of the
            # colon.
            rest = ",".join(words[end:]) if found in rules else ""
            # Insert the `=` that belongs between a number and cells.
            rest = re.sub("^([0-9]+),(?=[rR])", r"\1=", rest)
            return f"{found}:{rest}" if rest else found
    return ""


def names_elsewhere(rule: str) -> list[str]:
    """Return the names that a rule has in other places, in lower case.

    >>> names_elsewhere("slow-thermo")
    ['slow thermometer']
    """
    return [
        name.strip()
        for names, meant in _OTHER_NAMES.items()
        if re.split("[: ]", meant)[0] == rule
        for name in names.split(",")
    ]


def suggest(name: str, rules: Collection[str]) -> str:
    """Return `meant_by` of a name, or the nearest name of a rule here if it is misspelt, else
    empty.
    """
    first = next(iter(name[:_LONGEST].lower().split()), "")
    return meant_by(name, rules) or nearest(first, rules) or ""


def _known(rules: Collection[str]) -> dict[str, str]:
    others = ((each, meant) for names, meant in _OTHER_NAMES.items() for each in names.split(","))
    return {_plain([each]): meant for each, meant in others} | {
        _plain([rule]): rule for rule in rules
    }


def _plain(words: Iterable[str]) -> str:
    """Return the letters and digits of a name, as setters vary hyphens and spaces."""
    return re.sub("[^a-z0-9]", "", "".join(words).lower())


def _shorter(key: str) -> Iterator[str]:
    """Yield a name as it is, in the singular and the plural, and without a word of `_ENDINGS`."""
    for bare in (key, *(key.removesuffix("s").removesuffix(ending) for ending in _ENDINGS)):
        yield from (bare, bare.removesuffix("s"), f"{bare}s")
