"""Readings: how a pasted text may be understood when no format fits it as it stands, and what is
likely wrong with it where no reading does either.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from satdoku.errors import FormatError, count_of, quote
from satdoku.notation.pastes.clues import (
    is_plotted,
    read_clues,
    read_json,
    read_named_candidates,
    read_spoken,
)
from satdoku.notation.pastes.signs import with_dots
from satdoku.notation.pastes.tables import flat_board, read_runs, read_spaces, read_table
from satdoku.notation.pastes.undressing import undress, without_labels, without_prose
from satdoku.notation.rule_entries import RULE_COLUMNS, RULE_KEYS
from satdoku.notation.sizes import (
    NO_BOARD,
    row_fault,
    size_of_count,
    speaks_of,
    speaks_of_no_board,
)

Reading = Callable[[Sequence[str]], list[str]]
"""Takes the lines of a text; gives its boards, each as text in a usual format, or none."""

# Words of another number of characters are too often something else than a board.
_USUAL_CELLS = 81
_CELL_SIGNS = "0-9" + re.escape(".*_?-")
# 81 cells with nothing beside them that might be a further cell: in an address, in XML, in a list
# of games. A sign + before a digit marks what was found and not given, as HoDoKu writes it.
_BOARD = re.compile(rf"(?<![\w.+])(?:[.0-9]|\+[1-9]){{{_USUAL_CELLS}}}(?![\w.])")
_OTHER_CELLS = re.compile(rf"[{_CELL_SIGNS}]{{16,}}")  # the smallest board that people write has 16
# The digit, one or two lists of marks, whether it is open; told apart, as a choice takes for ever.
_MARKS = r"[0-9,-]*\|"
_SAVED = re.compile(rf"(?:[0-9]\|{_MARKS}[01]\|){{81}}|(?:[0-9]\|{_MARKS}{_MARKS}[01]\|){{81}}")
_STRING = re.compile(r"([\"'])(.*?)\1")
_NUMBER_OR_NONE = re.compile(r"\d+|[\"']([^\"']?)[\"']|\.|_")
# `int board[9][9] = {` says how large the board is, and has no cells there.
_DECLARED_SIZES = re.compile(r"(?<=\w)(?:\[\d*\])+")

_USUAL_SIDE = 9
_CELL = re.compile(r"[0-9.*_?xX-]")
# With fewer rows or more, a text is likely no board of 9x9.
_NEAR_ROWS = range(_USUAL_SIDE - 2, _USUAL_SIDE + 4)
# The fewest givens that a puzzle has.
_FEWEST_GIVENS = 17

# What a line of some words is said to be, or the first of a board that was wrapped.
_FEW = re.compile(r"(?:[1-6]?[0-9]|7[01]) cells? found, expected 81\b")

_NAMED_CELL = re.compile(r"\bcol(?:umn)? ?[0-9]|\br[0-9]c[0-9]", re.IGNORECASE)

# What a scanner, or a person, takes for a digit.
_MISREAD = dict(
    zip(
        "lIi!OoQDSs$B&ZzGbqgTA\u0417\u0437\u0431\u041e\u043e\u0427\u0422",
        "1111000055588226699743360047",
        strict=True,
    )
)

# An entry that holds rules, and not `[]`, `{}`, `""` or null: those say that there are none.
_RULE_ENTRY = re.compile(
    rf"""["'](?:{"|".join(RULE_KEYS)})["']\s*:(?!\s*(?:\[\s*\]|\{{\s*\}}|""|''|null|None))""",
    re.IGNORECASE,
)
_RULE_COLUMN = re.compile(rf'"?(?:{"|".join(RULE_COLUMNS)})"?', re.IGNORECASE)


def names_rules(lines: Sequence[str]) -> bool:
    """Whether a text has rules beside its board, which the readings of a paste would lose.

    >>> names_rules(['{"puzzle": "1...", "rules": ["diagonals"]}'])
    True
    >>> names_rules(["Rules: as usual", "1..."])
    False
    """
    text = "\n".join(lines)
    if _RULE_ENTRY.search(text):
        return True
    fields = (re.split("[,;\t]", line) for line in lines)
    return any(len(row) > 1 and any(map(_RULE_COLUMN.fullmatch, row)) for row in fields)


def read_words(lines: Sequence[str]) -> list[str]:
    """Words of 81 cells wherever they stand: `?bd=...`, `data="..."`, `:0000:x:...:`.

    Nothing where a line beside them has cells alone, as it may be a puzzle of another size, or
    where rows are beside them that are damaged.
    """
    text = "\n".join(lines)
    beside = [line.strip() for line in lines if not _BOARD.search(line)]
    if any(_OTHER_CELLS.fullmatch(line) for line in beside) or _uneven_rows(beside):
        return []
    return [re.sub(r"\+[1-9]", ".", match[0]) for match in _BOARD.finditer(text)]


def read_saved(lines: Sequence[str]) -> list[str]:
    """A game that OpenSudoku has saved: of each cell its digit, its marks, whether it is open."""
    found = [match[0].split("|")[:-1] for match in _SAVED.finditer("\n".join(lines))]
    width = len(found[0]) // _USUAL_CELLS if len(found) == 1 else 0
    # What the player wrote into an open cell is not given.
    cells = zip(found[0][::width], found[0][width - 1 :: width], strict=True) if width else ()
    return flat_board(["." if is_open == "1" else digit for digit, is_open in cells])


def read_code(lines: Sequence[str]) -> list[str]:
    """A list in a program: numbers in brackets or braces, or a string for each row."""
    text = "\n".join(line.split("//")[0] for line in lines)
    strings = [match[2] for match in _STRING.finditer(text)]
    if len(strings) > 1 and {len(row) for row in strings} == {len(strings)}:
        return ["\n".join(row.replace(" ", ".") for row in strings)]
    text = _DECLARED_SIZES.sub("", text)
    groups = list(_groups(text))
    # The longest with a board has it, as what surrounds it may have brackets too. Where nothing
    # surrounds it, the groups are its rows.
    boards = (_list_in(group) for group in sorted(groups, key=len, reverse=True))
    outer = ", ".join(_groups(text, deepest=1))
    return next(filter(None, boards), []) or _list_in(outer)


def _list_in(group: str) -> list[str]:
    """The board of a list; its rows, or its lines if there are none, have to be equally long."""
    rows = re.findall(r"[\[{(][^\[{()}\]]*[)}\]]", group[1:])
    counts = list(filter(None, (len(_cell_signs_in(row)) for row in rows or group.split("\n"))))
    # A list that was wrapped has a shorter line at its end.
    is_even = len({*counts[:-1]}) < 2 and counts[-1:] <= counts[:1]
    return flat_board(_cell_signs_in(group)) if is_even else []


def _cell_signs_in(text: str) -> list[str]:
    """The cells of a list in a program; none where it has words, as the call of a function has."""
    text = with_dots(text)
    if re.search("[A-Za-z]", text):
        return []
    found = [
        match[1] if match[1] is not None else match[0] for match in _NUMBER_OR_NONE.finditer(text)
    ]
    return [cell.strip() or "." for cell in found]


def _groups(text: str, deepest: int = 4) -> Iterator[str]:
    """What stands in brackets, and those in others, down to some depth."""
    starts: list[int] = []
    for match in re.finditer(r"[\[{(\]})]", text):
        if match[0] in "[{(":
            starts.append(match.start())
        elif starts:
            start = starts.pop()
            if len(starts) < deepest:
                yield text[start : match.end()]


def read_cell_lines(lines: Sequence[str]) -> list[str]:
    """One cell on each line; an empty line is none, unless it takes all of them to make 81."""
    whole = [*lines[:_USUAL_CELLS], *filter(None, lines[_USUAL_CELLS:])]
    if len(whole) == _USUAL_CELLS and all(len(line.strip()) < 2 for line in whole):
        return flat_board([line.strip() or "." for line in whole])
    cells = [line.strip(" \t,;\"'") for line in lines if line.strip()]
    # No board that people write cell by cell has numbers of three places.
    return flat_board(cells) if all(len(cell) <= 2 for cell in cells) else []


def read_wiki(lines: Sequence[str]) -> list[str]:
    """A table of MediaWiki: rows begin with `|-`, cells stand behind `||` or on their own lines."""
    if not any(line.lstrip().startswith("{|") for line in lines):
        return []
    rows: list[list[str]] = [[]]
    for line in map(str.strip, lines):
        if line.startswith("|-"):
            rows.append([])
        elif line.startswith("|") and not line.startswith(("|}", "|+")):
            # `| style="..." | 5` has its cell behind the last single bar.
            fields = line[1:].split("||")
            rows[-1] += [field.rpartition("|")[2].strip(" '") or "." for field in fields]
    rows = list(filter(None, rows))
    is_even = len({*map(len, rows)}) == 1
    return flat_board([cell for row in rows for cell in row]) if is_even else []


def read_candidates(lines: Sequence[str]) -> list[str]:
    """A grid of pencil marks: 81 words of digits, some of them of several digits."""
    words = [word for line in lines for word in re.findall(r"[^\s|:+*'.,{}()\[\]-]+", line)]
    size = size_of_count(len(words))
    # Digits above 9 would run together; with one digit in each cell it is a board, and no marks.
    if size is None or size > 9 or max(map(len, words)) < 2:
        return []
    digits = "123456789"[:size]
    if not all(set(word) <= set(digits) and len(set(word)) == len(word) for word in words):
        return []
    return ["".join(d if d in word else "." for word in words for d in digits)]


def readings_of(lines: Sequence[str]) -> dict[str, Reading]:
    """The readings of a text in which people may have written around a board, by their names.

    A text that names rules has none, as no reading takes rules.
    """
    return {} if names_rules(lines) else READINGS


def whole_readings_of(lines: Sequence[str]) -> dict[str, Reading]:
    """The readings of which one that finds a board settles what the text is.

    Others would take the digits of rows and columns in a list of givens for cells.
    """
    return {} if names_rules(lines) else WHOLE_READINGS


WHOLE_READINGS: dict[str, Reading] = {
    "JSON": read_json,
    "a list of givens": read_clues,
    "cells as they are read aloud": read_spoken,
    "candidates by the names of cells": read_named_candidates,
    "a saved game": read_saved,
}
READINGS: dict[str, Reading] = {
    "words of 81 cells": read_words,
    "runs of cells": read_runs,
    "a list in a program": read_code,
    "a cell on each line": read_cell_lines,
    "a table": read_table,
    "a table of MediaWiki": read_wiki,
    "rows with spaces for blanks": read_spaces,
    "pencil marks": read_candidates,
}
"""All of them are tried; where two find different boards, neither is believed."""


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
    if message := _misread(bare, is_board):
        return FormatError(message, source, *_place_of_misread(lines))
    message = _lost_blanks(bare)
    if not message and (not speaks_of(told, _USUAL_SIDE) or _FEW.match(told)):
        message = _uneven_rows(bare) or _no_board(lines, told)
    return FormatError(message, source, 1, 1) if message else None


def _no_board(lines: Sequence[str], told: str) -> str:
    """In place of what is said of a size that boards have not, found in a text that is longer."""
    is_long = sum(map(len, lines)) > _USUAL_CELLS
    is_said = told == NO_BOARD or (is_long and speaks_of_no_board(told))
    if len(_NAMED_CELL.findall("\n".join(lines))) >= _FEWEST_GIVENS:
        return (
            "cells are named by row and column here, and it is not clear which digits they hold; "
            "write each given as r1c3=9"
        )
    if is_plotted(lines):
        return (
            "the digits of a drawing show no board, as some row or column of it has none; "
            "write the cells in rows, with a dot for each empty one"
        )
    return NO_BOARD if is_said else ""


def _misread(lines: list[str], is_board: Callable[[list[str]], bool]) -> str:
    """Letters that are digits in a board with nothing else wrong."""
    text = "\n".join(lines)
    letters = [sign for sign in _MISREAD if sign in text]
    mended = text.translate({ord(sign): digit for sign, digit in _MISREAD.items()})
    if not letters or re.search("[A-WYZa-wyz]", mended) or not is_board(mended.split("\n")):
        return ""
    names = ", ".join(f"{quote(sign)} for {_MISREAD[sign]}" for sign in letters)
    return f"this is a board if some signs were misread: {names}; mend them"


def _place_of_misread(lines: Sequence[str]) -> tuple[int, int]:
    """Return the line and the column of the first sign that is no digit, behind sentences."""
    shown = without_prose(lines) or lines
    places = (
        (number, column)
        for number, line in enumerate(shown, 1)
        for column, sign in enumerate(line, 1)
        if sign in _MISREAD
    )
    return next(places, (1, 1))


def _lost_blanks(lines: Sequence[str]) -> str:
    """Digits alone, too few for a board: what stood for empty cells is gone."""
    text = "".join("".join(lines).split())
    count = len(text)
    if not re.fullmatch("[1-9|,;]+", text) or not _FEWEST_GIVENS <= count < _USUAL_CELLS:
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
        if count > _USUAL_SIDE // 2 and re.search("[0-9.]", line)
    ]
    usual = Counter(rows).most_common(1)[0] if rows else (0, 0)
    if len(rows) in _NEAR_ROWS and usual[0] == _USUAL_SIDE and usual[1] > len(rows) // 2:
        if len(rows) != _USUAL_SIDE:
            return f"{len(rows)} rows found, expected {_USUAL_SIDE} for {_USUAL_SIDE}x{_USUAL_SIDE}"
        odd = next((n for n, count in enumerate(rows, 1) if count != _USUAL_SIDE), 0)
        return row_fault(odd, rows[odd - 1], _USUAL_SIDE) if odd else ""
    total = sum(rows)
    if (
        abs(total - _USUAL_CELLS) <= _USUAL_SIDE
        and total != _USUAL_CELLS
        and 0 < len(rows) < _USUAL_SIDE
    ):
        expected = f"{_USUAL_CELLS} for {_USUAL_SIDE}x{_USUAL_SIDE}"
        return f"{count_of(total, 'cell')} found, expected {expected}"
    return ""
