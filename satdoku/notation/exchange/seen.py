"""Detect puzzles of other programs, and links to them among words or in a field.

Every text is tested, so no reader is imported here, and a pattern is compiled only if the beginning
of a text is suitable: both would take longer than reading a board.
"""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from satdoku.errors import CutShortError, FormatError, RuleError, SatdokuError
from satdoku.notation.hints import Hints, alphabet_of_rules
from satdoku.notation.record import Place, with_place
from satdoku.notation.spelling import agreed_geometry
from satdoku.puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    from satdoku.notation.exchange.foreign import ForeignBoard

# An address, perhaps without its beginning `https://`.
_ADDRESS = (
    r"(?i:<?(?:[a-z][a-z0-9+.-]{1,20}(?:://|%(?:25){0,2}3a%(?:25){0,2}2f)"
    r"|(?:[a-z0-9-]{1,40}\.){0,3}(?:f-puzzles\.com|sudokupad\.app|sudokumaker\.app|crackingthecryptic\.com"
    r"|sudokuwiki\.org|sudokuexchange\.com|sudoku\.coach|tinyurl\.com|github\.io)[/?])\S)"
)
# Packed text after `load=` or the name of a site; packed objects of JSON begin with N4.
_PACKED = r"(?:fpuz(?:zles)?|scl|ctc)?N4[A-Za-z0-9][A-Za-z0-9+/%_=$-]{40,}(?=\s|$)"


def is_link(text: str) -> bool:
    """Whether a text begins with an address, or with packed text as in addresses of puzzles.

    >>> is_link("sudokupad.app/abc"), is_link("53..7....6..195....98....6.")
    (True, False)
    """
    shown = text.lstrip()
    if not (shown[:1].isalpha() or shown[:1] == "<") or len(shown) < _SHORTEST_LINK:
        return False
    return re.match(_ADDRESS, shown) is not None or re.match(_PACKED, shown) is not None


LONGEST_PACKED = 1 << 20
"""Longest packed text in characters; a board of 16x16 full of pencil marks takes 30,000."""

# The length of `t.co://x`; a shorter word is no link, and may be a row of a board in letters.
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
"""All classes of ISS, also those without a rule of ours: they are refused by name."""

# Classes that contain others may be alone on the first line; no row of a board looks like one.
_HOLDERS = (".Or", ".And", ".Replicate")

# `.X.V.` without an argument has no meaning in ISS, and is the row of a board in letters.
_SHORTEST_CLASS = 7


def is_iss(text: str) -> bool:
    """Whether a line begins as strings of ISS do: with a dot and a class, or with givens.

    >>> is_iss(".Cage~9~R1C1~R1C2"), is_iss("..9748...7.........2"), is_iss(".X.V"), is_iss(".Or")
    (True, False, False, True)
    """
    shown = text.strip()
    if shown in _HOLDERS:
        return True
    if not shown.startswith(".") or ("~" not in shown and len(shown) < _SHORTEST_CLASS):
        return False
    name, tilde, argument = shown.lstrip(".").partition(".")[0].partition("~")
    if not name:
        return bool(tilde) and re.match("[Rr][1-9A-Za-z][Cc][1-9A-Za-z]_", argument) is not None
    if not name.strip().isalnum():
        return False
    # A class that is new in ISS is recognised by its cells.
    return f" {name.strip()} " in _CLASSES or re.match(_UNKNOWN_CLASS, shown) is not None


_UNKNOWN_CLASS = (
    r"\.[A-Z][A-Za-z]{2,30}~(?:[^~.\s]*~){0,3}[RC][1-9a-zA-Z](?:C[1-9a-zA-Z])?(?=[~._]|$)"
)


# Fewest signs that point to another cell: fewer may be decoration, and even with cages of two cells
# every second sign points.
_FEWEST_POINTING = 20


def is_killer(text: str) -> bool:
    """Whether a line is a killer in text, as `killer_text.py` reads it."""
    shown = text.strip()
    if shown.startswith("3x3:"):
        return re.match("3x3:d?:k:[0-9]", shown) is not None
    if len(shown) != 81 or not ("<" in shown or ">" in shown):
        return False
    pointing = [shown.count(sign) for sign in "<>^v`'"]
    # If there is only one kind of pointing sign, it stands for a blank. Most signs may be corners.
    is_sloping = max(pointing[:4]) < _FEWEST_POINTING and re.search("[A-Za-j]", shown)
    kinds = pointing if is_sloping else pointing[:4]
    is_pointing = sum(kinds) >= _FEWEST_POINTING and kinds.count(0) < len(kinds) - 1
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
            isinstance(row, list)
            and bool(row)
            and all(isinstance(cell, dict) and "isGiven" not in cell for cell in row)
            for row in rows
        )
    )


_NO_HINTS = Hints()


def _read(link: str) -> "ForeignBoard":
    # Imported here: most texts are no links.
    from satdoku.notation.exchange.links import read_link

    return read_link(link)


def unread_of_link(link: str) -> str:
    """Return a sentence about parts of a link that were not read; empty if there are none."""
    return _read(link).unread


def puzzle_of_link(
    link: str,
    source: str,
    place: Place,
    hints: Hints = _NO_HINTS,
    name: str = "",
    comment: str = "",
) -> Puzzle:
    """Return the puzzle in a link; a FormatError has the place of the link, or of its end.

    The name and the comment beside the link are used if the puzzle has none itself.
    """
    try:
        foreign = _read(link)
        foreign.name, foreign.comment = foreign.name or name, foreign.comment or comment
        return agreed(foreign.puzzle(), hints)
    except CutShortError as error:
        line, column = place
        raise with_place(error, source, (line, column + len(link))) from None
    except SatdokuError as error:
        raise with_place(error, source, place) from None


def agreed(puzzle: Puzzle, hints: Hints) -> Puzzle:
    """Return the puzzle of another program; a RuleError if the user gives it other digits."""
    agreed_geometry(hints.geometry, puzzle.geometry)
    # The givens were read from 1 on, as they are written: with digits from 0 they would be one
    # less.
    if alphabet_of_rules(hints.rules) is not None and not puzzle.symbols_of_rules:
        raise RuleError("this board has digits from 1 on, and does not take the rule digits")
    return puzzle


def read_cited_links(lines: Iterable[str], source: str) -> tuple[tuple[Puzzle, ...], str]:
    """Return the puzzles of the links among other text, and a sentence about unread parts.

    Links to other things are ignored; a FormatError if a link holds a puzzle that cannot be read.
    """
    found: dict[str, Puzzle] = {}
    for number, line in enumerate(lines, 1):
        for word in _WORD.finditer(line):
            link = word[0]  # with trailing punctuation; `links.py` decides whether it is a blank
            try:
                if is_link(link) and link not in found:
                    found[link] = puzzle_of_link(link, source, (number, word.start() + 1))
            except RuleError:
                raise
            except FormatError:
                continue
    unread = dict.fromkeys(filter(None, map(unread_of_link, found)))
    return tuple(dict.fromkeys(found.values())), "; ".join(unread)


# Links stand in brackets and quotes in prose and in programs.
_WORD = re.compile(r"[^\s<>()\[\]\"'`|]+")
