"""The same puzzle as people copy it, from mail, pages, programs and spreadsheets."""

import json
from collections.abc import Callable

from tests.notation.samples import LINE, ROWS, ZEROS, drawn

_SPACES = [row.replace(".", " ") for row in ROWS]
_FRAME = "+-------+-------+-------+"
_PLAIN_BOARDS = {
    "a line": LINE,
    "zeros on a line": LINE.replace(".", "0"),
    "rows": "\n".join(ROWS),
    "rows of zeros": "\n".join(ZEROS),
    "spaced rows": "\n".join(map(" ".join, ROWS)),
    "rows with commas": "\n".join(map(",".join, ROWS)),
    "rows in groups": drawn("{}{}{} {}{}{} {}{}{}", ""),
    "bars": drawn("{}{}{}|{}{}{}|{}{}{}", "---+---+---"),
    "a frame": drawn("| {} {} {} | {} {} {} | {} {} {} |", _FRAME, _FRAME),
    "a table in AMPL": "param p: 1 2 3 4 5 6 7 8 9 :=\n"
    + "\n".join(f"{n} {' '.join(row)}" for n, row in enumerate(ROWS, 1))
    + " ;",
    "lines of a page": "<br>".join(ROWS).replace(".", "&nbsp;"),
    "a game that OpenSudoku saved": '<game data="version: 1\n'
    + "".join(f"{cell}|0|{int(cell == '0')}|" for cell in "".join(ZEROS))
    + '"/>',
    "rows with full-width digits": "\n".join(ROWS).translate(
        {ord("0") + digit: chr(0xFF10 + digit) for digit in range(10)}
    ),
    "rows with squares for blanks": "\n".join(ROWS).replace(".", "□"),
    "rows with circles for blanks": "\n".join(ROWS).replace(".", "○"),
}


def _quoted(text: str, mark: str = "> ") -> str:
    return "\n".join(mark + line for line in text.split("\n"))


_WRAPPED: dict[str, Callable[[str], str]] = {
    "quoted in mail": _quoted,
    "quoted twice": lambda text: _quoted(text, "> > "),
    "quoted tightly": lambda text: _quoted(text, ">"),
    "in a fence": lambda text: f"```\n{text}\n```",
    "in a fence with a language": lambda text: f"~~~text\n{text}\n~~~",
    "in [code]": lambda text: f"[code]\n{text}\n[/code]",
    "in [code] without line ends": lambda text: f"[code]{text}[/code]",
    "in <pre>": lambda text: f"<pre>\n{text}\n</pre>",
    "below a sentence": lambda text: f"Can anybody solve this one?\n\n{text}",
    "between sentences": lambda text: (
        f"Hello all, this is from the newspaper:\n{text}\n\nThanks in advance!\n"
    ),
}

_LABELS = [str(n) for n in range(1, 10)]
_LETTERS = list("ABCDEFGHI")


def _labelled(columns: list[str], rows: list[str], between: str = " ") -> str:
    head = [between.join(["", *columns])] if columns else []
    return "\n".join(
        head + [between.join([label, *row]) for label, row in zip(rows, ROWS, strict=True)]
    )


def _markdown(header: list[str], blank: str = " ") -> str:
    lines = [f"| {' | '.join(header)} |", "|" + "---|" * 9]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in ROWS)]).replace(".", blank)


def _wiki(between: str, blank: str = "") -> str:
    rows = ["|-\n| " + between.join(row) for row in ROWS]
    return "\n".join(['{| class="wikitable"', *rows, "|}"]).replace(".", blank)


def _candidates() -> str:
    cells = [cell if cell != "." else "123456789" for cell in LINE]
    return "\n".join(" ".join(cells[start : start + 9]) for start in range(0, 81, 9))


def _f_puzzles() -> dict[str, object]:
    grid = [[{} if c == "." else {"value": int(c), "given": True} for c in row] for row in ROWS]
    return {"size": 9, "grid": grid}


_NUMBERS = [[int(cell) for cell in row] for row in ZEROS]
_OPEN_SUDOKU = (
    '<?xml version="1.0"?>\n<opensudoku>\n<name>mine</name>\n'
    f'<game data="{LINE.replace(".", "0")}" />\n</opensudoku>'
)
_URL = "https://www.sudokuwiki.org/sudoku.htm?bd="

_SPECIAL = {
    "labels of rows": _labelled([], _LABELS),
    "letters of rows": _labelled([], _LETTERS),
    "r1 to r9": _labelled([], [f"r{n}" for n in _LABELS]),
    "R1: to R9:": _labelled([], [f"R{n}:" for n in _LABELS]),
    "labels with dots": _labelled([], [f"{n}." for n in _LABELS]),
    "labels all around": _labelled(_LABELS, _LETTERS),
    "numbers all around": _labelled(_LABELS, _LABELS),
    "letters above, numbers beside": _labelled(_LETTERS, _LABELS),
    "c1 and r1": _labelled([f"c{n}" for n in _LABELS], [f"r{n}" for n in _LABELS]),
    "labels of columns": "  " + " ".join(_LABELS) + "\n" + "\n".join(map(" ".join, ROWS)),
    "letters of columns": " ".join(_LETTERS) + "\n" + "\n".join(map(" ".join, ROWS)),
    "letters above rows side by side": "ABCDEFGHI".replace("", " ") + "\n" + "\n".join(ROWS),
    "labels beside rows side by side": "\n".join(
        f"{label} {row}" for label, row in zip(_LETTERS, ROWS, strict=True)
    ),
    "labels and bars": "\n".join(
        f"{label} | {row[:3]} | {row[3:6]} | {row[6:]}"
        for label, row in zip(_LETTERS, ROWS, strict=True)
    ),
    "Markdown with an empty header": _markdown([" "] * 9),
    "Markdown with numbers above": _markdown(_LABELS),
    "Markdown with letters above": _markdown(_LETTERS),
    "Markdown with c1 above": _markdown([f"c{n}" for n in _LABELS]),
    "Markdown with numbers above and dots": _markdown(_LABELS, "."),
    "Markdown with letters above and zeros": _markdown(_LETTERS, "0"),
    "MediaWiki, a row a line": _wiki(" || "),
    "MediaWiki, a cell a line": _wiki("\n| "),
    "MediaWiki with dots": _wiki(" || ", "."),
    "MediaWiki with styles": _wiki(' || style="color: red" | '),
    "semicolons": "\n".join(map(";".join, ROWS)).replace(".", ""),
    "semicolons and dots": "\n".join(map(";".join, ROWS)),
    "semicolons and zeros": "\n".join(map(";".join, ZEROS)),
    "tabs": "\n".join(map("\t".join, ROWS)).replace(".", ""),
    "tabs and zeros": "\n".join(map("\t".join, ZEROS)),
    "a list in Python": f"board = {_NUMBERS}",
    "a list in Python over lines": "board = [\n"
    + "".join(f"    {row},\n" for row in _NUMBERS)
    + "]\nsolve(board)",
    "a list with None": f"grid = {_NUMBERS}".replace("0", "None"),
    "rows of a list without its brackets": "\n".join(f"{row}," for row in _NUMBERS),
    "an array in C": "int b[9][9] = {\n"
    + "".join("  {" + ", ".join(row) + "},\n" for row in ZEROS)
    + "};",
    "strings in Python": "rows = [\n" + "".join(f'    "{row}",\n' for row in ROWS) + "]",
    "strings with commas": "\n".join(f'"{row}",' for row in ROWS),
    "strings in single quotes": "\n".join(f"'{row}'," for row in ROWS),
    "strings in Java": "String[] b = {\n" + "".join(f'  "{row}",\n' for row in ZEROS) + "};",
    "one string in Python": f'puzzle = "{LINE}"',
    "one string in C": f'char *puzzle = "{LINE.replace(".", "0")}";',
    "one cell a line": "\n".join(LINE),
    "one cell a line with zeros": "\n".join(LINE.replace(".", "0")),
    "one cell a line with commas": ",\n".join(LINE.replace(".", "0")),
    "spaces for blanks": "\n".join(_SPACES),
    "spaces for blanks, ends cut off": "\n".join(row.rstrip() for row in _SPACES),
    "SudokuWiki": _URL + LINE,
    "SudokuWiki with zeros": _URL + LINE.replace(".", "0"),
    "a link with more": _URL + LINE.replace(".", "0") + "&x=1",
    "a link in a sentence": f"Look at {_URL}{LINE.replace('.', '0')} please",
    "OpenSudoku": _OPEN_SUDOKU,
    "an attribute": f"<sudoku givens='{LINE}'/>",
    "HoDoKu library": f":0000:x:{LINE}:::",
    "pencil marks": _candidates(),
    "f-puzzles": json.dumps(_f_puzzles()),
    "f-puzzles with a title": json.dumps({**_f_puzzles(), "title": "mine", "author": "me"}),
    "f-puzzles with a solution": json.dumps(
        {**_f_puzzles(), "solution": "123456789" * 9, "antiknight": False}
    ),
    "f-puzzles over lines": json.dumps(_f_puzzles(), indent=1),
}

_GIVENS = [(n // 9 + 1, n % 9 + 1, cell) for n, cell in enumerate(LINE) if cell != "."]
_CHATS = {
    "a chat with dates": "\n".join(f"[12/03/24, 18:0{n}:21] Ann: {r}" for n, r in enumerate(ROWS)),
    "a chat with dates before a dash": "\n".join(
        f"12/03/2024, 6:0{n} PM - Ann B: {row}" for n, row in enumerate(ROWS)
    ),
    "a chat whose first line alone has a date": "[12/03/24, 18:01:21] Ann: " + "\n".join(ROWS),
    "a chat with names in brackets": "\n".join(
        f"18:0{n} <ann> {row}" for n, row in enumerate(ROWS)
    ),
    "lines found in a file": "\n".join(f"all.txt:{n}:{row}" for n, row in enumerate(ROWS, 7)),
    "cells in square brackets": "\n".join(
        " ".join(f"[{cell}]" for cell in row).replace(".", " ") for row in ROWS
    ),
    "cells in round brackets": "\n".join("".join(f"({cell})" for cell in row) for row in ROWS),
    "words for blanks": "\n".join(
        ", ".join("empty" if cell == "." else cell for cell in row) for row in ROWS
    ),
    "labels and words for blanks": "\n".join(
        f"Row {n}: " + " ".join("blank" if cell == "." else cell for cell in row)
        for n, row in enumerate(ROWS, 1)
    ),
    "long lines for blanks": "\n".join(" ".join(row).replace(".", "__") for row in ROWS),
    "an attribute of a page": f'<div id="b" data-puzzle="{LINE}"></div>',
    "a table whose corner has a name": "\n".join(
        ["row,c1,c2,c3,c4,c5,c6,c7,c8,c9"]
        + [f"{n}," + ",".join(row).replace(".", "") for n, row in enumerate(ROWS, 1)]
    ),
    "givens with the digit first": "\n".join(f"{d} at row {r} column {c}" for r, c, d in _GIVENS),
}
_SPECIAL |= _CHATS

_PLACES = [(n // 9 + 1, n % 9 + 1, cell) for n, cell in enumerate(LINE)]
_SAID = [(r, c, "blank" if cell == "." else cell) for r, c, cell in _PLACES]
_SPECIAL |= {
    "colours of a terminal": "\n".join(
        " ".join(c if c == "." else f"\x1b[1;33m{c}\x1b[0m" for c in row) for row in ROWS
    ),
    "a frame with colours": drawn(
        "\x1b[36m|\x1b[0m {} {} {} \x1b[36m|\x1b[0m {} {} {} \x1b[36m|\x1b[0m {} {} {} |",
        _FRAME,
        _FRAME,
    ),
    "decimals with commas": "\n".join(
        ";".join("" if c == "." else f"{c},0" for c in row) for row in ROWS
    ),
    "digits that are texts of a spreadsheet": "\n".join(
        ",".join("" if c == "." else f'="{c}"' for c in row) for row in ROWS
    ),
    "Arabic semicolons": "\n".join("\u061b".join(row.replace(".", " ")) for row in ROWS).replace(
        " ", ""
    ),
    "cells as they are read aloud": " ".join(f"row {r} column {c} {d}" for r, c, d in _SAID),
    "rows as they are read aloud": "\n".join(
        f"Row {n} " + " ".join(f"column {c} {d}" for r, c, d in _SAID if r == n)
        for n in range(1, 10)
    ),
    "cells on lines, read aloud": "\n".join(f"Row {r}, column {c}, {d}" for r, c, d in _SAID),
    "labels of a page": "<div role='grid'>"
    + "".join(f"<div aria-label='Row {r} Column {c} {d}'></div>" for r, c, d in _SAID)
    + "</div>",
    "spoken spaces": "\n".join(" ".join("space" if c == "." else c for c in row) for row in ROWS),
    "a long table with zeros": "r,c,v\n"
    + "\n".join(f"{r - 1},{c - 1},{d.replace('.', '0')}" for r, c, d in _PLACES),
    "a long table with gaps": "row,col,value\n"
    + "\n".join(f"{r},{c},{d.replace('.', '')}" for r, c, d in _PLACES),
    "rows of a database": "INSERT INTO cells (id, row, col, val) VALUES\n"
    + ",\n".join(f"(42, {r}, {c}, {d})" for r, c, d in _GIVENS)
    + ";",
    "nodes of TikZ": "\\begin{tikzpicture}\n\\draw (0,0) grid (9,9);\n"
    + "\n".join(f"\\node at ({c - 0.5},{9.5 - r}) {{{d}}};" for r, c, d in _GIVENS)
    + "\n\\end{tikzpicture}",
    "SVG": "<svg>"
    + "".join(f'<text x="{c * 50 - 25}" y="{r * 50 - 18}">{d}</text>' for r, c, d in _GIVENS)
    + "</svg>",
    "an array in LaTeX with gaps": "\\begin{array}{ccc|ccc|ccc}\n"
    + " \\\\[2pt]\n".join(
        " & ".join("" if c == "." else f"\\mathbf{{{c}}}" for c in row) for row in ROWS
    )
    + "\n\\end{array}",
    "a list whose items are all 1.": "\n".join(f"1. `{row}`" for row in ROWS),
    "dots that were seen as commas": "\n".join(
        "".join("," if c == "." and n % 2 else c for n, c in enumerate(row)) for row in ROWS
    ),
    "two rows on a line": ROWS[0] + ROWS[1] + "\n" + "\n".join(ROWS[2:]),
    "candidates by their names": "{"
    + ", ".join(
        f"'{'ABCDEFGHI'[r - 1]}{c}': '{d.replace('.', '123456789')}'" for r, c, d in _PLACES
    )
    + "}",
    "rows of objects": json.dumps(
        {
            "grid": [
                [{"value": int(c), "isGiven": c != "0", "notes": []} for c in row] for row in ZEROS
            ]
        }
    ),
}

PASTES = {
    f"{board} {wrapped}": wrap(text)
    for board, text in _PLAIN_BOARDS.items()
    for wrapped, wrap in _WRAPPED.items()
} | _SPECIAL

_KNIGHT = {"puzzle": LINE, "rules": ["anti-knight"]}
_WRONG = {"puzzle": LINE, "rules": ["anti-kniht"]}
_F_KNIGHT = {**_f_puzzles(), "antiknight": True}
_F_UNKNOWN = {**_f_puzzles(), "antiwhale": True}

RULED = {
    "JSON": json.dumps(_KNIGHT),
    "JSON over lines": json.dumps(_KNIGHT, indent=1),
    "JSON in a fence": f"```json\n{json.dumps(_KNIGHT)}\n```",
    "JSON among sentences": f"Here is mine:\n{json.dumps(_KNIGHT, indent=1)}\nHave fun with it!",
    "JSON with one text": json.dumps(_KNIGHT | {"rules": "anti-knight"}),
    "f-puzzles": json.dumps(_F_KNIGHT),
    "a table": f"puzzle,rules\n{LINE},anti-knight",
    "a table with tabs": f"Rules\tPuzzle\nanti-knight\t{LINE}",
    "a table among sentences": f"Here are mine:\npuzzle,rules\n{LINE},anti-knight\nHave fun!",
}
"""Texts that have one rule beside the board."""

RULED_REFUSED = {
    "statements whose brackets are no blanks": (
        "\n".join(f"(assert (= x{r}{c} {d}))" for r, c, d in [*_GIVENS, *_GIVENS][:27]),
        "is not a digit or a blank",
    ),
    "JSON": (json.dumps(_WRONG), "did you mean anti-knight"),
    "JSON in a fence": (f"```json\n{json.dumps(_WRONG)}\n```", "did you mean anti-knight"),
    "JSON that is not closed": (json.dumps(_KNIGHT)[:-1], "this is not JSON"),
    "Python": (str(_KNIGHT), "this is not JSON"),
    "a table": (f"puzzle,rules\n{LINE},anti-kniht", "did you mean anti-knight"),
    "a table with wrong regions": (f"puzzle,regions\n{LINE},AAB", "3 cells have a region"),
    "f-puzzles": (json.dumps(_F_UNKNOWN), "has 'antiwhale', which satdoku has no rule for"),
    "f-puzzles with a solution": (
        json.dumps(_F_UNKNOWN | {"solution": LINE.replace(".", "1")}),
        "of f-puzzles has 'antiwhale', which satdoku has no rule for",
    ),
    "f-puzzles with a cell of parity": (
        json.dumps({"grid": [[{"odd": True}, *[{}] * 8], *[[{}] * 9] * 8]}),
        "the cell R1C1 has 'odd', which satdoku does not know",
    ),
}
"""Texts with rules that cannot be read, whose board must not be answered without them."""

REFUSED = {
    "a row too many": ("\n".join([*ROWS, ROWS[0]]), "10 rows found, expected 9"),
    "a row too few": ("\n".join(ROWS[:8]), "8 rows found, expected 9"),
    "Markdown with a header that is a row": (_markdown(list("534678912")), "10 rows found"),
    "signs that a scanner took for digits": (
        "\n".join(ROWS).replace("6", "G").replace("9", "q"),
        "^paste:2:3: this is a board if some signs were misread: 'G' for 6, 'q' for 9; correct",
    ),
    "words that are no cells": (
        "\n".join(" ".join("gap" if c == "." else c for c in row) for row in ROWS),
        "no board found; one of 9x9 has 9 rows of 9 cells",
    ),
    "cells read aloud, one of them unclear": (
        " ".join(f"row {r} column {c} {d}" for r, c, d in _SAID).replace("blank", "what", 1),
        "cells are named by row and column here",
    ),
    "some nodes of TikZ": (
        "\n".join(f"\\node at ({c - 0.5},{9.5 - r}) {{{d}}};" for r, c, d in _GIVENS if r != 5),
        "as some row or column of it has none",
    ),
}
"""Texts that are no board, or may be more than one, and what is said of them."""
