"""Which classes of ISS are which rules of ours: a line for each, read in both directions."""

from typing import NamedTuple

from satdoku.notation.exchange.iss_automata import Automata
from satdoku.notation.exchange.iss_items import (
    Arrow,
    Cells,
    Corner,
    Digits,
    EqualSums,
    Indexing,
    Neighbours,
    NumberAndCells,
    Plain,
    SameValues,
    Shape,
    Weighted,
)
from satdoku.notation.exchange.iss_outside import LineAndEnds, NumberAndDiagonal, NumberAndLine
from satdoku.notation.exchange.iss_tables_of_pairs import Expressions, PairTables


class Class(NamedTuple):
    """A class with arguments of that shape, and the rule that it stands for."""

    name: str
    rule: str
    shape: Shape


CLASSES = (
    Class("AntiKnight", "anti-knight", Plain()),
    Class("AntiKing", "anti-king", Plain()),
    Class("AntiConsecutive", "non-consecutive", Plain()),
    Class("DisjointSets", "disjoint-groups", Plain()),
    Class("Windoku", "windoku", Plain()),
    Class("GlobalEntropy", "global-entropy", Plain()),
    Class("Diagonal", "diagonal", Plain("1", "/")),
    Class("Diagonal", "diagonal", Plain("-1", "\\")),
    Class("AllDifferent", "extra-region", Cells()),
    Class("Cage", "killer", NumberAndCells(nothing="0")),
    Class("Sum", "sum", Weighted()),
    Class("EqualSum", "sum", EqualSums()),
    Class("Thermo", "thermo", Cells()),
    Class("Arrow", "arrow", Arrow()),
    Class("PillArrow", "arrow", Arrow(is_pill=True)),
    Class("DoubleArrow", "double-arrow", Cells()),
    Class("Palindrome", "palindrome", Cells()),
    Class("Renban", "renban", Cells()),
    Class("Whisper", "whispers", NumberAndCells(usual="5", may_loop=True)),
    Class("Modular", "modular", NumberAndCells()),
    Class("Entropic", "entropic", Cells()),
    Class("RegionSumLine", "region-sum", Cells()),
    Class("Between", "between", Cells()),
    Class("Lockout", "lockout", NumberAndCells(usual="4")),
    Class("Zipper", "zipper", Cells()),
    Class("LittleKiller", "little-killer", NumberAndDiagonal()),
    Class("Sandwich", "sandwich", NumberAndLine()),
    Class("XSum", "x-sum", LineAndEnds()),
    Class("Skyscraper", "skyscraper", LineAndEnds()),
    Class("NumberedRoom", "numbered-room", LineAndEnds()),
    Class("Quad", "quadruple", Corner()),
    Class("ContainAtLeast", "contain", Digits()),
    Class("ContainExact", "contain-exact", Digits()),
    Class("Indexing", "column-indexer", Indexing("C")),
    Class("Indexing", "row-indexer", Indexing("R")),
    Class("CountingCircles", "counting-circles", Cells()),
    Class("SameValues", "clone", SameValues()),
    Class("WhiteDot", "difference", Neighbours("1")),
    Class("BlackDot", "ratio", Neighbours("2")),
    Class("X", "pair-sum", Neighbours("10")),
    Class("V", "pair-sum", Neighbours("5")),
    Class("GreaterThan", "greater", Neighbours()),
    Class("Pair", "pair", PairTables()),
    Class("PairX", "each-pair", PairTables()),
    Class("Regex", "machine", Expressions()),
    Class("NFA", "machine", Automata()),
)

DOTS = {"WhiteDot": "white", "BlackDot": "black", "X": "x", "V": "v"}
"""Marks at edges, and what our rules `kropki` and `xv` call them."""
