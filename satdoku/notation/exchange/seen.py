"""Whether a text is another program's puzzle.

It is asked of every text, so no reader is imported here, and no pattern is compiled before a text
begins as one should: both would take longer than to read a board.
"""

import re
from typing import Any

# An address, or one that somebody copied without its beginning.
_ADDRESS = (
    r"(?i:<?(?:[a-z][a-z0-9+.-]{1,20}://"
    r"|(?:[a-z0-9-]{1,40}\.){0,3}(?:f-puzzles\.com|sudokupad\.app|crackingthecryptic\.com"
    r"|sudokuwiki\.org|sudokuexchange\.com|sudoku\.coach|tinyurl\.com|github\.io)[/?])\S)"
)
# What stands behind `load=` or the name of a site: `{"` and a quote, packed, always begin like it.
_PACKED = r"(?:fpuz(?:zles)?|scl|ctc)?N4[A-Za-z0-9][A-Za-z0-9+/%_=$-]{40,}(?=\s|$)"


def is_link(text: str) -> bool:
    """Whether a text begins with an address, or with what addresses of puzzles hold.

    >>> is_link("sudokupad.app/abc"), is_link("53..7....6..195....98....6.")
    (True, False)
    """
    shown = text.lstrip()
    if not (shown[:1].isalpha() or shown[:1] == "<") or len(shown) < _SHORTEST_LINK:
        return False
    return re.match(_ADDRESS, shown) is not None or re.match(_PACKED, shown) is not None


# `t.co://x`; a word that is shorter is none, nor a row of a board in letters.
_SHORTEST_LINK = 8

_CLASSES = (
    " AllDifferent And AntiConsecutive AntiKing AntiKnight AntiTaxicab Arrow Between Binary "
    "BinaryX BlackDot Cage ChaosArrow ChaosConstruction ChaosCount ConnectedValues "
    "ContainAtLeast ContainExact CountDistinct CountingCircles Diagonal DisjointSets "
    "Doppelganger DoubleArrow DutchFlatmates Entropic EqualSum EqualityCage FullRank "
    "FullRankTies Given GlobalEntropy GlobalMod GreaterThan HiddenSkyscraper Indexing "
    "Jigsaw LittleKiller Lockout LookAndSay Lunchbox Modular NFA NoBoxes NumberedRoom Or "
    "Pair PairX Palindrome PillArrow Quad Regex RegionSameValues RegionSize RegionSumLine "
    "RellikCage Renban Replicate SameValues Sandwich SearchPriority Shape Skyscraper "
    "StrictKropki StrictXV Sum SumLine Thermo V ValueIndexing Var Whisper WhiteDot Windoku "
    "X XSum Zipper "
)
"""All classes of ISS, those without a rule of ours too: they are refused by name."""

# `.X.V.` without an argument says nothing in ISS, and is the row of a board in letters.
_SHORTEST_CLASS = 7


def is_iss(text: str) -> bool:
    """Whether a line begins as strings of ISS do: with a dot and a class, or with givens.

    >>> is_iss(".Cage~9~R1C1~R1C2"), is_iss("..9748...7.........2"), is_iss(".X.V")
    (True, False, False)
    """
    shown = text.strip()
    if not shown.startswith(".") or ("~" not in shown and len(shown) < _SHORTEST_CLASS):
        return False
    name, tilde, argument = shown.lstrip(".").partition(".")[0].partition("~")
    if not name:
        return bool(tilde) and re.match("[Rr][1-9A-Za-z][Cc][1-9A-Za-z]_", argument) is not None
    return name.strip().isalnum() and f" {name.strip()} " in _CLASSES


# A few of these may be marks of somebody; in cages of two cells every second sign points.
_FEWEST_POINTING = 20


def is_killer(text: str) -> bool:
    """Whether a line is a killer in text, as `killer_text.py` reads it."""
    shown = text.strip()
    if shown.startswith("3x3:"):
        return re.match("3x3:d?:k:[0-9]", shown) is not None
    if len(shown) != 81 or not ("<" in shown or ">" in shown):
        return False
    pointing = [shown.count(sign) for sign in "<>^v"]
    # Where there is one sign only, it stands for a blank.
    is_pointing = sum(pointing) >= _FEWEST_POINTING and pointing.count(0) < len(pointing) - 1
    return is_pointing and re.fullmatch("[0-9A-Za-j<>^v`',.]*", shown) is not None


def is_foreign(value: object) -> bool:
    """Whether a JSON value is a board of f-puzzles or SudokuPad: it has objects for its cells."""
    return isinstance(value, dict) and any(
        _has_objects(value.get(key)) for key in ("grid", "cells")
    )


def _has_objects(rows: Any) -> bool:
    return (
        isinstance(rows, list)
        and bool(rows)
        and all(
            isinstance(row, list) and bool(row) and all(isinstance(cell, dict) for cell in row)
            for row in rows
        )
    )
