"""Telling the header of a table from its rows, and columns of puzzles from others."""

import re
from collections.abc import Sequence

from satdoku.notation.exchange.seen import is_link
from satdoku.notation.lines.cells import find_cells
from satdoku.notation.record import PUZZLE_NAMES
from satdoku.notation.symbols import CELL_CHARACTERS
from satdoku.notation.tables.fields import Field

# A column name is a few words, such as `difficulty by sudoku explainer`; from 8x8 on, boards that
# have no separators are longer.
_LONGEST_NAME = 40
# Longer than any date, time or number beside a puzzle that has no letters, such as 20260131.
_FEWEST_CELLS_OF_DAMAGED = 9


def has_puzzle_name(fields: Sequence[Field]) -> bool:
    """Whether a field is one of the names that columns of puzzles usually have."""
    return any(field.text.strip().lower() in PUZZLE_NAMES for field in fields)


def has_column_names(fields: Sequence[Field]) -> bool:
    """Whether a line may be the header of a table: words, and nothing like a board."""
    # A single field has to be a known name: any other word may be a title, or a row of letters.
    if len(fields) == 1 or has_puzzle_name(fields):
        return has_puzzle_name(fields)
    texts = [field.text.strip() for field in fields]
    if any(len(text) > _LONGEST_NAME or _is_cells(text) for text in texts):
        return False
    # `a,b` is no row, as the smallest board has four columns; `a,b,c,d` may be one of letters.
    is_too_short_for_a_row = len(texts) < 4 and any(map(str.isalpha, texts))
    return is_too_short_for_a_row or any(map(_has_words, texts))


def is_header(fields: Sequence[Field]) -> bool:
    """Whether the first line of a table, known to be one, holds names: letters and no cells."""
    texts = [field.text.strip() for field in fields]
    if any(is_board(text, None) or _is_cells(text) for text in texts):
        return False
    return any(character.isalpha() for text in texts for character in text)


def is_board(text: str, size: int | None) -> bool:
    """Whether a field has as many cells as a board, or is a link, which may hold one."""
    if is_link(text):
        return True
    return find_cells(text, size).size is not None and not _has_words(text)


def _has_words(text: str) -> bool:
    """Whether a text is a name: short, and with three small letters in a row.

    `sudoku_explainer` has as many characters as a 4x4 board has cells, but is none.
    """
    return len(text) <= _LONGEST_NAME and re.search("[a-z]{3}", text) is not None


def _is_cells(text: str) -> bool:
    """Whether a field has nothing but digits and blanks, as a good or a damaged board has."""
    return len(text) >= _FEWEST_CELLS_OF_DAMAGED and not text.strip(CELL_CHARACTERS + " ")
