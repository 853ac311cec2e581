"""What is likely wrong with a pasted board of 9x9 that no reading finds."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from satdoku.errors import FormatError, count_of, quote
from satdoku.notation.pastes.undressing import undress, without_labels, without_prose
from satdoku.notation.sizes import has_boxes, row_fault, speaks_of

_SIDE, _CELLS = 9, 81
_CELL = re.compile(r"[0-9.*_?xX-]")
# With fewer rows or more, a text is likely no board of 9x9.
_NEAR_ROWS = range(_SIDE - 2, _SIDE + 4)
# The fewest givens that a puzzle has.
_FEWEST_GIVENS = 17

# What a line of some words is said to be.
_FEW = re.compile(r"[0-9] cells? found, expected 81\b")

# What a scanner, or a person, takes for a digit.
_MISREAD = {"l": "1", "I": "1", "O": "0", "o": "0", "S": "5", "B": "8", "Z": "2", "z": "2"}


def likely_fault(
    lines: Sequence[str], told: str, is_board: Callable[[list[str]], bool], source: str
) -> FormatError | None:
    """The likely fault of a board among these lines; None where nothing points to one of 9x9.

    `told` is the fault that their usual format has; if it is about 9x9 too, it has the better
    place. `is_board` says whether lines could be read if they were mended.
    """
    bare = undress(lines)
    bare = without_prose(bare) or bare
    bare = without_labels(bare) or bare
    message = _misread(bare, is_board) or _lost_blanks(bare)
    if not message and (not speaks_of(told, _SIDE) or _FEW.match(told)):
        message = _uneven_rows(bare) or _no_board(bare, told)
    return FormatError(message, source, 1, 1) if message else None


def _no_board(lines: Sequence[str], told: str) -> str:
    """In place of what is said of a size that boards have not, found in a text that is longer."""
    found = re.search(r"\b([0-9]+)x\1\b", told)
    is_long = sum(map(len, lines)) > _CELLS
    if not is_long or found is None or has_boxes(int(found[1])):
        return ""
    return f"no board found; one of {_SIDE}x{_SIDE} has {_SIDE} rows of {_SIDE} cells"


def _misread(lines: list[str], is_board: Callable[[list[str]], bool]) -> str:
    """Letters that are digits in a board with nothing else wrong."""
    text = "\n".join(lines)
    letters = [sign for sign in _MISREAD if sign in text]
    mended = text.translate({ord(sign): digit for sign, digit in _MISREAD.items()})
    if not letters or re.search("[A-WYZa-wyz]", mended) or not is_board(mended.split("\n")):
        return ""
    names = ", ".join(f"{quote(sign)} for {_MISREAD[sign]}" for sign in letters)
    return f"this is a board if some signs were misread: {names}; mend them"


def _lost_blanks(lines: Sequence[str]) -> str:
    """Digits alone, too few for a board: what stood for empty cells is gone."""
    text = "".join("".join(lines).split())
    count = len(text)
    if not re.fullmatch("[1-9|,;]+", text) or not _FEWEST_GIVENS <= count < _CELLS:
        return ""
    found = sum(map(str.isdigit, text))
    return (
        f"{count_of(found, 'digit')} found, and nothing that shows which cells are empty; "
        "write a dot for each of those"
    )


def _uneven_rows(lines: Sequence[str]) -> str:
    """Rows of a board most of which have nine cells, or a text of about 81 cells."""
    counts = [len(_CELL.findall(line)) for line in lines]
    # Lines of dashes are borders, and a few digits are no row.
    rows = [
        count
        for line, count in zip(lines, counts, strict=True)
        if count > _SIDE // 2 and re.search("[0-9.]", line)
    ]
    usual = Counter(rows).most_common(1)[0] if rows else (0, 0)
    if len(rows) in _NEAR_ROWS and usual[0] == _SIDE and usual[1] > len(rows) // 2:
        if len(rows) != _SIDE:
            return f"{len(rows)} rows found, expected {_SIDE} for {_SIDE}x{_SIDE}"
        odd = next((n for n, count in enumerate(rows, 1) if count != _SIDE), 0)
        return row_fault(odd, rows[odd - 1], _SIDE) if odd else ""
    total = sum(rows)
    if abs(total - _CELLS) <= _SIDE and total != _CELLS and 0 < len(rows) < _SIDE:
        return f"{count_of(total, 'cell')} found, expected {_CELLS} for {_SIDE}x{_SIDE}"
    return ""
