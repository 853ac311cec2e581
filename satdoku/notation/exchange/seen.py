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
_PACKED = re.compile(r"(?:fpuz(?:zles)?|scl|ctc)?N4[A-Za-z0-9][A-Za-z0-9+/%_=$-]{40}")


def is_link(text: str) -> bool:
    """Whether a text begins with an address, or with what addresses of puzzles hold.

    >>> is_link("sudokupad.app/abc"), is_link("53..7....6..195....98....6.")
    (True, False)
    """
    shown = text.lstrip()
    return _ADDRESS.match(shown) is not None or _PACKED.match(shown) is not None


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
