"""Ways in which people and programs write a board of 9x9: from its rows, with dots, to a text.

They are not the texts that the readers were made after, but whole families of them: any board may
be written in each way, and in some of them a board with a fault.
"""

import json
from collections.abc import Callable
from itertools import zip_longest

Rows = list[str]
Shape = Callable[[Rows], str]


def _from(first: str, count: int = 10) -> str:
    return "".join(chr(ord(first) + n) for n in range(count))


# The ten digits of some scripts and styles, zero first.
_DIGITS = {
    "full-width": _from("\uff10"),
    "Arabic": _from("\u0660"),
    "Persian": _from("\u06f0"),
    "Bengali": _from("\u09e6"),
    "bold": _from("\U0001d7ce"),
    "circled": "\u24ea" + _from("\u2460", 9),
    "dark": "\u24ff" + _from("\u2776", 9),
    "low": _from("\u2080"),
    "Chinese": "〇一二三四五六七八九",
}
_BLANKS = [
    *"0_-*?xX#nb^=%@/;|,'OØ●○◦□◻⬜·•∙⋅・ー—\u2013␣░✗\u00d7¤",
    "\u00a0",
    "\u3000",
    "\u2007",
    " ",
]
_NAMES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_ORDER = ["First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth"]
_N = range(1, 10)


def _cells(rows: Rows, blank: str) -> list[list[str]]:
    return [[blank if cell == "." else cell for cell in row] for row in rows]


def _table(
    between: str, blank: str, start: str = "", end: str = "", above: str = "", below: str = ""
) -> Shape:
    def write(rows: Rows) -> str:
        lines = [f"{start}{between.join(row)}{end}" for row in _cells(rows, blank)]
        return above + "\n".join(lines) + below

    return write


def _filled(form: str, row: list[str]) -> str:
    """The form with a row in it; of a row with a fault, a cell is missing or stands behind it."""
    around = form.split("_")
    pairs = zip_longest(around[:-1], row, fillvalue="")
    return "".join(f"{before}{cell}" for before, cell in pairs) + around[-1]


def _drawn(blank: str, form: str, border: str, ends: str) -> Shape:
    """Rows as the form has them, with borders; `|` in it are the bars, and each `_` is a cell."""

    def write(rows: Rows) -> str:
        lines = [_filled(form, row) for row in _cells(rows, blank)]
        bands = ["\n".join(lines[:3]), "\n".join(lines[3:6]), "\n".join(lines[6:])]
        drawn = (f"\n{border}\n" if border else "\n").join(bands)
        return f"{ends}\n{drawn}\n{ends}" if ends else drawn

    return write


def _joined(between: str, blank: str = ".") -> Shape:
    return lambda rows: between.join(rows).replace(".", blank)


def _in_script(digits: str) -> Shape:
    return lambda rows: "\n".join(rows).translate(str.maketrans("0123456789", digits))


def _wrapped(width: int) -> Shape:
    def write(rows: Rows) -> str:
        text = "".join(rows)
        return "\n".join(text[start : start + width] for start in range(0, len(text), width))

    return write


_LABELS = ["Row {n}: ", "{n}) ", "{word} row: ", "row{n} = ", "{letter}  ", "[{n},] ", "{n:02} "]
_LABELS += ["- ", "+", "• ", "// ", "# ", ">> "]


def _labelled(label: str, between: str, blank: str = ".") -> Shape:
    return lambda rows: "\n".join(
        label.format(n=n, word=_ORDER[n % 9 - 1], letter="ABCDEFGHIJ"[n - 1]) + between.join(row)
        for n, row in enumerate(_cells(rows, blank), 1)
    )


def _around(before: str, behind: str, between: str) -> Shape:
    return lambda rows: before + between.join(rows) + behind


def _clues(form: str, between: str = "\n", start: int = 1) -> Shape:
    return lambda rows: between.join(
        form.format(r=r, c=c, d=cell, letter="ABCDEFGHI"[r - start])
        for r, row in enumerate(rows, start)
        for c, cell in enumerate(row, start)
        if cell != "."
    )


def _shortcodes(rows: Rows) -> str:
    def name(cell: str) -> str:
        return ":black_large_square:" if cell == "." else f":{_NAMES[int(cell)]}:"

    return "\n".join("".join(map(name, row)) for row in rows)


def _keycaps(rows: Rows) -> str:
    return "\n".join(
        "".join("⬛" if cell == "." else f"{cell}\ufe0f\u20e3" for cell in row) for row in rows
    )


def _with_gaps(between: str) -> Shape:
    """A table with an empty column and an empty line between boxes."""

    def write(rows: Rows) -> str:
        shown = [between.join([*row[:3], "", *row[3:6], "", *row[6:]]) for row in _cells(rows, "")]
        gap = between * 10
        return "\n".join([*shown[:3], gap, *shown[3:6], gap, *shown[6:]])

    return write


def _pandas(rows: Rows) -> str:
    lines = [
        f"{n}  " + "  ".join("NaN" if cell == "." else f"{cell}.0" for cell in row)
        for n, row in enumerate(rows)
    ]
    return "     " + "    ".join("012345678") + "\n" + "\n".join(lines)


def _nested(rows: Rows) -> str:
    numbers = [[int(cell) for cell in row] for row in _cells(rows, "0")]
    return json.dumps({"data": {"level": 3, "unsolved": numbers}}, indent=1)


_ALL_BARS = "| " + " | ".join("_" * 9) + " |"
_BOXES = "| _ _ _ | _ _ _ | _ _ _ |"
_HTML = "<html><title>Puzzle 5</title><h1>No 17</h1><table>\n"

WHOLE: dict[str, Shape] = {
    **{f"{b!a} on a line": _joined("", b) for b in _BLANKS},
    **{f"wrapped at {width}": _wrapped(width) for width in (20, 27, 60, 76, 80)},
    "a soft line break": lambda rows: "".join(rows)[:75] + "=\n" + "".join(rows)[75:],
    **{f"givens {form}": _clues(form) for form in ("r{r}c{c}={d}", "R{r}C{c}: {d}", "{r} {c} {d}")},
    **{
        f"givens in a line {form}": _clues(form, " ")
        for form in ("r{r}c{c}={d},", "{letter}{c}={d}", "({r},{c})={d}", "({r},{c},{d})")
    },
    **{
        f"facts {form}": _clues(form)
        for form in (
            "given({r},{c},{d}).",
            "x_{r}_{c} = {d};",
            "row {r}, column {c}: {d}",
            "{r}{c}{d}",
        )
    },
    **{f"from 0 {form}": _clues(form, "\n", 0) for form in ("b[{r}][{c}] = {d};", "{r},{c},{d}")},
    "objects for givens": lambda rows: (
        "[" + _clues('{{"row": {r}, "col": {c}, "value": {d}}}', ", ", 0)(rows) + "]"
    ),
    "objects for cells": lambda rows: json.dumps(
        {"cells": [
            {"x": x, "y": y, "value": None if cell == "." else int(cell)}
            for y, row in enumerate(rows, 1)
            for x, cell in enumerate(row, 1)
        ]}
    ),
    "cells on lines, blank ones empty": lambda rows: "\n".join("".join(rows)).replace(".", ""),
    "divisions of a page": _table("</div><div>", "", "<div><div>", "</div></div>", "<div>"),
    "inputs of a page": _table('"><input value="', "", '<input value="', '"><br>', "<form>"),
    **{
        f"{before}a line{behind}": _around(before, behind, "")
        for before, behind in [
            ("#1 ", ""),
            ("12) ", ""),
            ("No 5: ", ""),
            ("<", ">"),
            ("Try `", "` please."),
            ("puzzle -> ", ""),
            ("", " # mine, 4.2"),
            ("Puzzle #12 (hard)\n\n", "\n-- \nBob"),
            ("INSERT INTO p (id, grid) VALUES (1, '", "');"),
        ]
    },
}  # fmt: skip
"""Ways in which no row shows how long it has to be."""

IN_ROWS: dict[str, Shape] = {
    **{f"{b!a} in rows": _joined("\n", b) for b in _BLANKS if b != "'"},
    **{f"spaced {b!a}": _table(" ", b) for b in _BLANKS},
    **{f"{name} digits": _in_script(digits) for name, digits in _DIGITS.items()},
    **{f"rows joined by {sign!a}": _joined(sign) for sign in ["/", "|", ";", "\\n", " / ", ", "]},
    "rows of groups with dashes": _drawn("0", "___-___-___", "", ""),
    "an ellipsis": lambda rows: "\n".join(rows).replace("...", "…"),
    "invisible signs": lambda rows: "\u200b".join("\n".join(rows)),
    "keycaps": _keycaps,
    "shortcodes": _shortcodes,
    **{f"fields, {sign!a}": _table(sign, "") for sign in ",;\t|&"},
    "fields with gaps, commas": _with_gaps(","),
    "fields with gaps, tabs": _with_gaps("\t"),
    **{
        f"{name} for blanks {blank!a}": _drawn(blank, form, border, ends)
        for blank in ". 0_"
        for name, form, border, ends in [
            ("a frame", _BOXES, "+---+---+", "+---+---+"),
            ("inner bars", "_ _ _ | _ _ _ | _ _ _", "------+-------+------", ""),
            ("tight bars", "|___|___|___|", "|---+---+---|", "*-----------*"),
            ("exclamation marks", _BOXES.replace("|", "!"), "+---+---+", "+---+---+"),
            ("colons", _BOXES.replace("|", ":"), "", ""),
            ("Unicode", _BOXES.replace("|", "│"), "├───┼───┤", "┌───┬───┐"),
            ("bars around cells", _ALL_BARS, "", ""),
        ]
        if blank != "_"
    },
    "Markdown": _table(" | ", " ", "| ", " |", "|" + "   |" * 9 + "\n|" + "---|" * 9 + "\n"),
    "Markdown with bold": _table(
        "** | **", " ", "| **", "** |", "|" + "   |" * 9 + "\n|" + ":-:|" * 9 + "\n"
    ),
    "psql": _table(
        " | ", " ", " ", " ", " | ".join(f"c{n}" for n in _N) + "\n---+---\n", "\n(9 rows)"
    ),
    "MediaWiki": _table(" || ", "&nbsp;", "|-\n| ", "", "{|\n", "\n|}"),
    "AsciiDoc": _table(" |", "", "|", "", "|===\n", "\n|==="),
    "reStructuredText": _table(" ", ".", "", "", "= = = = =\n", "\n= = = = ="),
    "a page": _table("</td><td width=30>", "&nbsp;", "<tr><td>", "</td></tr>", _HTML, "</table>"),
    "LaTeX": _table(
        " & ", " ", "", " \\\\ \\hline", "\\begin{tabular}{|ccc|ccc|}\n", "\n\\end{tabular}"
    ),
    "a package of LaTeX": _table("|", " ", "|", "|.", "\\begin{sudoku}\n", "\n\\end{sudoku}"),
    **{
        f"labels {label}, {between!r}, {blank!r}": _labelled(label, between, blank)
        for between, blank in (("", "."), ("", "0"), (" ", "."))
        for label in _LABELS
    },
    "labels all around": lambda rows: (
        "," + ",".join(map(str, _N)) + "\n" + _labelled("{n},", ",", "")(rows)
    ),
    "labels and their names": lambda rows: (
        "r/c," + ",".join(f"c{n}" for n in _N) + "\n" + _labelled("r{n},", ",", "")(rows)
    ),
    "a tibble of R": lambda rows: (
        "# A tibble: 9 \u00d7 9\n  " + " ".join(f"V{n}" for n in _N) + "\n  " + "<int> " * 9 + "\n"
    ) + _labelled("{n} ", " ", "NA")(rows),
    "a forum's table": _table("[/td][td]", "", "[tr][td]", "[/td][/tr]", "[table]\n", "[/table]"),
    "XML": _table("</cell><cell>", "", "<row><cell>", "</cell></row>", "<sudoku>\n", "</sudoku>"),
    "Typst": _table("], [", "", "  [", "],", "#table(\n  columns: 9,\n", "\n)"),
    "TikZ": _table("} {", "", "\\setrow {", "}", "\\begin{tikzpicture}\n", "\\end{tikzpicture}"),
    "BASIC": lambda rows: "\n".join(
        f"{n}0 DATA {','.join(row)}" for n, row in enumerate(_cells(rows, "0"), 1)
    ),
    "a chat": _table("", ".", "[12:05] Anna: ", ""),
    "pandas": _pandas,
    "C": _table(", ", "0", "{", "},", "static const int b[9][9] = {\n", "\n};\nint main() {}"),
    "Prolog": _table(",", "_", "[", "],", "problem(1, [", "])."),
    "MiniZinc": _table(", ", "_", "", "|", "array2d(1..9,1..9,[|\n", "]);"),
    "Matlab": _table(" ", "0", "", ";", "A = [\n", "];"),
    "Lisp": _table(" ", "nil", "(", ")", "(defvar *p* '(", "))"),
    "R": _table(",", "0", "", ",", "m <- matrix(c(\n", "), nrow=9, byrow=TRUE)"),
    "None": _table(", ", "None", "[", "],", "board = [\n", "]\nprint(solve(board))"),
    "three quotes": _around('puzzle = """\n', '\n"""', "\n"),
    "YAML": _table("", ".", "  - ", "", "name: easy\npuzzle:\n"),
    "nested JSON": _nested,
    "rich text": _table("", ".", "", "\\par", "{\\rtf1\\ansi {\\fonttbl Courier;}\n", "\n}"),
    "a difference": _table("", ".", "+", "", "diff --git a/p b/p\n@@ -0,0 +1,9 @@\n"),
    "a date": _around("2024-03-05\n", "", "\n"),
    "a title and a rating": _around('"Nine lives" by Zema, 2021\n\n', "\n\nRating: 4.5/5", "\n"),
    "a shell": _around("$ cat puzzle.txt\n", "\n$", "\n"),
}  # fmt: skip
"""Ways that show where rows end, so that rows which are not alike are a fault."""

SHAPES = WHOLE | IN_ROWS
