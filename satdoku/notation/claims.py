"""Claims about cells as people and models write them: `r3c6: 5`, `r3c6 is not 4`, or a grid.

A claim may stand anywhere in a text. Suppositions ("if r3c6 is 5, ...") are not claims.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from satdoku.errors import SatdokuError
from satdoku.notation.answers import grid_of_answer, require_short
from satdoku.puzzle.grid import EMPTY
from satdoku.puzzle.puzzle import Puzzle


class Claim(NamedTuple):
    """A digit in a cell, or with `holds` False a digit that the cell does not have."""

    cell: int
    digit: int
    holds: bool = True

    def name(self, puzzle: Puzzle) -> str:
        """Return the claim as satdoku writes it: `r3c6=5` or `r3c6≠4`."""
        relation = "=" if self.holds else "≠"
        name = puzzle.geometry.name_of(self.cell)
        return f"{name}{relation}{puzzle.name_of_digit(self.digit)}"


class Claims(NamedTuple):
    """The claims of a text in its order; the claims of a grid have no order.

    `faults` are claims that cannot be about the puzzle; `suppositions` is the number of clauses
    that were skipped because they begin with "if" or the like.
    """

    claims: Sequence[Claim]
    is_grid: bool = False
    faults: Sequence[str] = ()
    suppositions: int = 0


_SUPPOSED = re.compile(
    r"\b(?:if|suppose|supposing|assume|assuming|were|imagine|try|trying)\b[^.;!?\n]*", re.IGNORECASE
)
_CELLS = (
    r"\bR ?{row}[ ,]{{0,2}}C ?{column}(?!\d)",
    r"\brow ?{row},? (?:and )?col(?:umn)? ?{column}(?!\d)",
    r"\({row} ?, ?{column}\)",
)
_NOT = (
    r"\s*(?:!=|≠|<>|\\ne\b|(?:is|are) (?:not|no|never)(?: an?| the)?|isn't(?: an?)?"
    r"|can(?:not|'t| not) (?:be|hold|have|contain)(?: an?| the)?|excludes)\s*"
)
_IS = (
    r"\s*(?::=|==|=>|->|→|⇒|←|:|=|\b(?:is|must be|has to be|can only be|should be|becomes|holds"
    r"|contains|gets|equals)\b)\s*"
)
_ARTICLE = r"(?:(?:only|an?|the|digit|number|value)\s+)*"
_LIST = r"(?P<{name}>{digit}(?:(?:\s*(?:/|,|\bor\b|\band\b|,\s*or)\s*){digit})*)(?!\w)"
_ONE = r"(?P<{name}>{digit})(?!\w|\s*(?:/|\||,?\s*or)\s*{digit}|{counted})"
_COUNTED = r"\s*(?:candidate|option|possib|choice|cell|place|way|digit|other)"
# Marks of Markdown, quotes of JSON, and apostrophes as word processors write them.
_PLAIN = str.maketrans({"*": " ", "`": " ", '"': " ", "$": " ", "\u2019": "'"})


@lru_cache(maxsize=8)
def _pattern(symbols: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of all claims; digits are numbers, or symbols of the puzzle."""
    # Longer symbols come first, as a shorter one may be their beginning. Numbers that are no
    # symbols are found too, as faults.
    known = map(re.escape, sorted(symbols, key=len, reverse=True))
    digit = f"(?:{'|'.join([*known, r'[0-9]{1,3}'])})"

    def at(way: int) -> str:
        # A pattern may use each group name once, so each way to write a cell has names of its own.
        texts = (
            text.format(
                row=rf"(?P<r{way}{place}>\d{{1,3}})", column=rf"(?P<c{way}{place}>\d{{1,3}})"
            )
            for place, text in enumerate(_CELLS)
        )
        return f"(?:{'|'.join(texts)})"

    ways = (
        at(1) + _NOT + _ARTICLE + _LIST.format(name="not1", digit=digit),
        r"\b(?:remove|eliminate|exclude|delete|no)\s+"
        + _ARTICLE
        + _LIST.format(name="not2", digit=digit)
        + r"\s+(?:from|in|at)\s+"
        + at(2),
        at(3) + _IS + _ARTICLE + _ONE.format(name="one3", digit=digit, counted=_COUNTED),
        r"(?<!\w)"
        + _ONE.format(name="one4", digit=digit, counted=_COUNTED)
        + r"\s+(?:must go |goes |belongs |has to go |is placed |can only go )?"
        r"(?:in|into|at|to)\s+(?:cell )?" + at(4),
    )
    return re.compile("|".join(f"(?:{way})" for way in ways), re.IGNORECASE)


def read_claims(text: str, puzzle: Puzzle) -> Claims:
    """Return the claims of a text about a puzzle, or else the digits of a grid in it.

    Raise SatdokuError if there are neither claims nor a grid, or if the text is too long.
    """
    require_short(text)
    suppositions = 0

    def blank(found: re.Match[str]) -> str:
        nonlocal suppositions
        suppositions += 1
        return " " * len(found[0])

    claims: list[Claim] = []
    faults: list[str] = []
    plain = _SUPPOSED.sub(blank, text.translate(_PLAIN))
    for found in _pattern(puzzle.symbols).finditer(plain):
        for claim in _claims_of(found, puzzle):
            if isinstance(claim, str):
                faults.append(claim)
            else:
                claims.append(claim)
    if claims or faults:
        return Claims(claims, faults=faults, suppositions=suppositions)
    try:
        grid = grid_of_answer(text, puzzle)
    except SatdokuError:
        raise SatdokuError("there is no claim in the answer, such as r3c6: 5") from None
    given = puzzle.grid.digits
    filled = enumerate(grid.digits)
    changes = [(cell, digit) for cell, digit in filled if digit not in (EMPTY, given[cell])]
    return Claims([Claim(cell, digit) for cell, digit in changes], is_grid=True)


def _claims_of(found: re.Match[str], puzzle: Puzzle) -> Iterator[Claim | str]:
    """Yield the claims of a match; for an impossible one, a sentence about what is wrong."""
    groups = {name: text for name, text in found.groupdict().items() if text is not None}
    row, column = (int(next(t for n, t in groups.items() if n[0] == axis)) for axis in "rc")
    kind, digits = next((n, t) for n, t in groups.items() if n[0] in "no")
    board = puzzle.geometry
    told = " ".join(found[0].split())
    cell = board.cell_at(row - 1, column - 1)
    if cell is None:
        yield f"{told!r} is about no cell of a board of {board.board_words}"
        return
    names = {puzzle.name_of_digit(digit).lower(): digit for digit in range(1, board.size + 1)}
    for name in re.findall(r"[^\s/,]+", re.sub(r"\b(or|and)\b", " ", digits)):
        digit = names.get(name.lower())
        if digit is None:
            yield f"{told!r} names no digit of this puzzle"
        else:
            yield Claim(cell, digit, kind.startswith("one"))
