"""Names of cells, digits, candidates, units and truths, alone and in lists."""

import re
from collections.abc import Iterable, Iterator, Sequence

from satdoku.encoding.constraint import Why
from satdoku.encoding.variables import Placement
from satdoku.errors import join
from satdoku.explaining.board import Board, Truth, candidates_of
from satdoku.puzzle.constraints import digits_of, mask_of
from satdoku.puzzle.grid import Unit
from satdoku.puzzle.value import value

# If a cell lacks at most this many digits, the missing ones are named.
_MOST_MISSING = 3

# If a cell loses at most this many digits, the excluded ones are named, not those that stay.
_FEWEST_GONE = 2

# How many characters longer words may be than signs, as they are easier to read.
_MORE_FOR_WORDS = 3

# Letters that take "an", as their spoken names begin with a vowel.
_SPOKEN_WITH_A_VOWEL = "AEFHILMNORSX"


# The most cells to list in full, and how many to list of more cells, before "and 21 more": nobody
# reads all names of a line through the whole board.
_MOST_LISTED, _FIRST_LISTED = 12, 4
_LONG_LIST = re.compile(rf"r\d+c\d+(?:([,+])r\d+c\d+)(?:\1r\d+c\d+){{{_MOST_LISTED - 1},}}")


def shorten(text: str) -> str:
    """Shorten long lists of cells in a text to their first cells.

    >>> shorten("the digits along " + ",".join(f"r1c{n}" for n in range(1, 26)) + " rise")
    'the digits along r1c1,r1c2,r1c3,r1c4 and 21 more cells rise'
    """

    def first_of(found: re.Match[str]) -> str:
        between = found[1]
        cells = found.group().split(between)
        more = f"{len(cells) - _FIRST_LISTED} more cells"
        last = " and " if between == "," else between
        return f"{between.join(cells[:_FIRST_LISTED])}{last}{more}"

    return _LONG_LIST.sub(first_of, text)


def name_beside(names: "Names", text: str) -> str:
    """Say of the first cells in a text that are named and lie beside the board that they do."""
    geometry = names.board.puzzle.geometry
    cells = range(geometry.board_count, geometry.cell_count)
    if not cells:
        return text
    cell = "|".join(sorted(map(geometry.name_of, cells), key=len, reverse=True))
    found = re.search(rf"\b(?:{cell})\b(?:(?:,| and | or |, )(?:{cell})\b)*", text)
    if found is None:
        return text
    return f"{text[: found.end()]} (beside the board){text[found.end() :]}"


def capital(sentence: str) -> str:
    """Return a sentence with a capital at its beginning, unless it begins with a cell's name."""
    is_cell = sentence[:1] == "r" and sentence[1:2].isdigit()
    return sentence if is_cell else sentence[:1].upper() + sentence[1:]


@value(frozen=True)
class Names:
    """The names of a board's parts; `unequal` is the sign before a digit a cell cannot hold."""

    board: Board
    unequal: str = "≠"

    def digit(self, digit: int) -> str:
        return self.board.puzzle.name_of_digit(digit)

    def digits(self, digits: Iterable[int], last: str = "and") -> str:
        return join([self.digit(digit) for digit in sorted(set(digits))], last)

    def may_be(self, mask: int, cells: int = 1) -> str:
        """Say which digits the cells may hold: those left, or "not" and the few missing ones."""
        digits = digits_of(mask)
        if not digits:
            return "has no digit left" if cells == 1 else "have no digit left"
        missing = [d for d in range(1, self.board.puzzle.geometry.size + 1) if d not in digits]
        if not missing:
            return "may be anything" if cells == 1 else "may each be anything"
        verb = "is" if cells == 1 else "are"
        # A range of two is no shorter than a list.
        if len(digits) > 2 and len(digits) == digits[-1] - digits[0] + 1:
            return f"{verb} {self.digit(digits[0])} to {self.digit(digits[-1])}"
        if len(missing) < len(digits) and len(missing) <= _MOST_MISSING:
            return f"{verb} not {self.digits(missing, 'or')}"
        return f"{verb} {self.digits(digits, 'or')}"

    def spans(self, numbers: Iterable[int]) -> str:
        """Return numbers as a list, or as a range if they are consecutive: `2 to 5`."""
        listed = sorted(set(numbers))
        if len(listed) > 2 and listed[-1] - listed[0] + 1 == len(listed):
            return f"{listed[0]} to {listed[-1]}"
        return join([str(number) for number in listed], "or")

    def one(self, digit: int) -> str:
        """Return a digit with its article: `a 7`, `an 8`."""
        name = self.digit(digit)
        # Numbers that begin with a vowel sound: 8, 11, 18, 80 to 89, 800 to 899.
        begins_with_vowel = name[0] == "8" or name in ("11", "18", *_SPOKEN_WITH_A_VOWEL)
        return f"{'an' if begins_with_vowel else 'a'} {name}"

    def cell(self, cell: int) -> str:
        return self.board.puzzle.geometry.name_of(cell)

    def cells(self, cells: Iterable[int], last: str = "and") -> str:
        return join([self.cell(cell) for cell in sorted(set(cells))], last)

    def candidate(self, candidate: int, relation: str = "=") -> str:
        return self.board.name_of(candidate, relation)

    def without(self, candidates: Iterable[int]) -> str:
        """Return exclusions as text, grouped by cell: `r1c5≠3/8, r2c5≠3`."""
        return ", ".join(self._in_cells(mask_of(candidates), self.unequal))

    def result(self, excludes: Iterable[int], before: int) -> str:
        """Return exclusions as text, or, if shorter, the digits that stay: `r1c1 is 1 or 2`.

        `before` is the mask of the candidates left before the exclusions.
        """
        gone = mask_of(excludes)
        stays, goes = self.board.digits_in(before & ~gone), self.board.digits_in(gone)
        cells_with: dict[int, list[int]] = {}
        for cell, mask in goes.items():
            if mask.bit_count() > _FEWEST_GONE:
                cells_with.setdefault(stays.get(cell, 0), []).append(cell)
        told, others = [], gone
        for mask, cells in cells_with.items():
            theirs = mask_of(
                self.board.number_of[Placement(cell, digit)]
                for cell in cells
                for digit in digits_of(goes[cell])
            )
            stay = f"{self.cells(cells)} {self.may_be(mask, len(cells))}"
            is_short = len(stay) <= len(self.without(candidates_of(theirs))) + _MORE_FOR_WORDS
            if is_short and " not " not in stay:
                told.append(stay)
                others ^= theirs
        return join([*told, *([self.without(candidates_of(others))] if others else [])])

    def _in_cells(self, candidates: int, relation: str) -> Iterator[str]:
        """Yield candidates cell by cell, with a sign between each cell and its digits."""
        for cell, mask in self.board.digits_in(candidates).items():
            yield f"{self.cell(cell)}{relation}{'/'.join(map(self.digit, digits_of(mask)))}"

    def units(self, units: Sequence[Unit]) -> str:
        """Return several units of a kind as text: `rows 2 and 7`."""
        # Units count from 0, as cells do; people count rows from 1.
        numbers = [str((unit.number or 0) + 1) for unit in units]
        if len(units) > 1 and len({unit.kind for unit in units}) == 1:
            kind = units[0].kind
            return f"{kind}{'es' if kind == 'box' else 's'} {join(numbers)}"
        return join([str(unit) for unit in units])

    def truth(self, truth: Truth) -> str:
        """Return a truth as a sentence without a capital and a full stop."""
        if truth.swapped and truth.unit is not None:
            pair = self.digits(truth.swapped)
            return f"not all of {self.cells(truth.unit.cells)} hold {pair}"
        if truth.wider is not None:
            return truth.wider.sentence
        if truth.unit is None:
            return Why.CELL_HAS_DIGIT.value.format(cell=self.cell(truth.cell))
        digit = self.digit(truth.digit)
        return Why.UNIT_HAS_DIGIT.value.format(digit=digit, unit=truth.unit)

    def left(self, truth: Truth, before: int) -> list[str]:
        """Return the names of a truth's candidates left; for a wider truth, cell by cell."""
        if truth.wider is not None:
            return list(self._in_cells(truth.members & before, "="))
        return [self.candidate(member) for member in candidates_of(truth.members & before)]

    def nothing_left(self, truth: Truth) -> str:
        """Return the contradiction that a truth has no candidate left."""
        if truth.wider is not None:
            return f"not so: {truth.wider.sentence}"
        if truth.unit is None:
            return f"{self.cell(truth.cell)} has no digit left"
        return f"{truth.unit} has no place for {self.digit(truth.digit)}"

    def only(self, truth: Truth, is_several: bool = False) -> str:
        """Return the reason for a placement: `only digit left`, or `only 5 left in row 1`."""
        several = "s" * is_several
        if truth.unit is None:
            return f"only digit{several} left"
        return f"only {self.digit(truth.digit)}{several} left in {truth.unit}"
