"""Whether a text is another program's puzzle; asked of every text, so it imports no reader."""

import re
from typing import Any

# An address, or one that somebody copied without its beginning.
_ADDRESS = re.compile(
    r"<?(?:[a-z][a-z0-9+.-]{1,20}://"
    r"|(?:[a-z0-9-]{1,40}\.){0,3}(?:f-puzzles\.com|sudokupad\.app|crackingthecryptic\.com"
    r"|sudokuwiki\.org|sudokuexchange\.com|sudoku\.coach|tinyurl\.com|github\.io)[/?])\S",
    re.IGNORECASE,
)
# What stands behind `load=` or the name of a site: `{"` and a quote, packed, always begin like it.
_PACKED = re.compile(r"(?:fpuz(?:zles)?|scl|ctc)?N4[A-Za-z0-9][A-Za-z0-9+/%_=$-]{40,}(?=\s|$)")


def is_link(text: str) -> bool:
    """Whether a text begins with an address, or with what addresses of puzzles hold.

    >>> is_link("sudokupad.app/abc"), is_link("53..7....6..195....98....6.")
    (True, False)
    """
    shown = text.lstrip()
    return _ADDRESS.match(shown) is not None or _PACKED.match(shown) is not None


# A class of ISS behind a dot, and the end of its name: boards in letters may begin like it.
_CLASS = re.compile(
    r"\.{1,3}(?:~[Rr][1-9A-Za-z][Cc][1-9A-Za-z]_"
    r"|(?:AllDifferent|And|Anti(?:Consecutive|King|Knight|Taxicab)|Arrow|Between|Binary|BinaryX"
    r"|BlackDot|Cage|Chaos(?:Arrow|Construction|Count)|ConnectedValues|Contain(?:AtLeast|Exact)"
    r"|CountDistinct|CountingCircles|Diagonal|DisjointSets|Doppelganger|DoubleArrow|DutchFlatmates"
    r"|Entropic|EqualSum|EqualityCage|FullRank|FullRankTies|Given|GlobalEntropy|GlobalMod"
    r"|GreaterThan|HiddenSkyscraper|Indexing|Jigsaw|LittleKiller|Lockout|LookAndSay|Lunchbox"
    r"|Modular|NFA|NoBoxes|NumberedRoom|Or|Pair|PairX|Palindrome|PillArrow|Quad|Regex"
    r"|Region(?:SameValues|Size|SumLine)|RellikCage|Renban|Replicate|SameValues|Sandwich"
    r"|SearchPriority|Shape|Skyscraper|StrictKropki|StrictXV|Sum|SumLine|Thermo|V|ValueIndexing|Var"
    r"|Whisper|WhiteDot|Windoku|X|XSum|Zipper)(?:[~.]|\s*$))"
)


def is_iss(text: str) -> bool:
    """Whether a line begins as strings of ISS do.

    >>> is_iss(".Cage~9~R1C1~R1C2"), is_iss("..9748...7.........2"), is_iss(".X.V")
    (True, False, False)
    """
    shown = text.lstrip()
    if "~" not in shown and len(shown) < _SHORTEST_CLASS:
        return False
    return _CLASS.match(shown) is not None


# `.X.V.` without an argument says nothing in ISS, and is the row of a board in letters.
_SHORTEST_CLASS = 7


_SUDOCUE = re.compile("3x3:d?:k:[0-9]")
_POINTED = re.compile("[0-9A-Za-j<>^v`',.]{81}")
# A few of these may be marks of somebody; in cages of two cells every second sign points.
_FEWEST_POINTING = 20


def is_killer(text: str) -> bool:
    """Whether a line is a killer in text, as `killer_text.py` reads it."""
    shown = text.strip()
    if _SUDOCUE.match(shown):
        return True
    pointing = [shown.count(sign) for sign in "<>^v"]
    # Where there is one sign only, it stands for a blank.
    is_pointing = sum(pointing) >= _FEWEST_POINTING and pointing.count(0) < len(pointing) - 1
    return is_pointing and _POINTED.fullmatch(shown) is not None


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
