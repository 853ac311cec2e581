"""The same puzzle as people and programs write it."""

import json

LINE = "8..4.......65...429...8.1.6.4.6.3......1.......9.2.5.34.....7.....59.6.1......8.."[:81]
ROWS = [LINE[start : start + 9] for start in range(0, 81, 9)]
ZEROS = [row.replace(".", "0") for row in ROWS]


_BOXED = "{} {} {} | {} {} {} | {} {} {}"
_RULE = "+-------+-------+-------+"


def drawn(row_form: str, border: str, ends: str = "") -> str:
    """A board drawn with nine fields a row, e.g. `| {} {} {} | ...`, and a border between bands."""
    rows = [row_form.format(*row) for row in ROWS]
    bands = ["\n".join(rows[start : start + 3]) for start in (0, 3, 6)]
    text = f"\n{border}\n".join(bands)
    return f"{ends}\n{text}\n{ends}\n" if ends else text + "\n"


SAMPLES = {
    "a line": LINE,
    "a line with zeros": LINE.replace(".", "0"),
    "a line with stars": LINE.replace(".", "*"),
    "a line with underscores": LINE.replace(".", "_"),
    "a line with dashes": LINE.replace(".", "-"),
    "a line with x": LINE.replace(".", "x"),
    "a line with question marks": LINE.replace(".", "?"),
    "a line with mixed blanks": LINE.replace(".", "0", 20).replace(".", "-", 9),
    "a line with Windows end": LINE + "\r\n",
    "a line with byte order mark": "\ufeff" + LINE,
    "a line below comments": f"# my puzzles\n\n#\n{LINE}\n",
    "nine words on a line": " ".join(ROWS),
    "cells with spaces on a line": " ".join(LINE),
    "cells with commas on a line": ",".join(LINE),
    "rows": "\n".join(ROWS),
    "rows of zeros": "\n".join(ZEROS),
    "rows of dashes": "\n".join(ROWS).replace(".", "-"),
    "rows with Windows ends": "\r\n".join(ROWS) + "\r\n",
    "rows under a title": "Puzzle 7:\n" + "\n".join(ROWS),
    "rows of spaced cells": "\n".join(map(" ".join, ROWS)),
    "rows of cells with commas": "\n".join(map(",".join, ROWS)),
    "rows of cells with commas and nothing": "\n".join(map(",".join, ROWS)).replace(".", ""),
    "rows of cells with tabs": "\n".join(map("\t".join, ROWS)),
    "rows of cells with tabs and nothing": "\n".join(map("\t".join, ROWS)).replace(".", ""),
    "rows of cells with bars": "\n".join(map("|".join, ROWS)),
    "rows in groups": drawn("{}{}{} {}{}{} {}{}{}", ""),
    "rows of spaced cells in groups": drawn("{} {} {}  {} {} {}  {} {} {}", ""),
    "rows with a line between them": "\n\n".join(ROWS),
    "qqwing": drawn(" {} {} {} | {} {} {} | {} {} {}", "-------|-------|-------"),
    "bars and dashes": drawn("{}{}{}|{}{}{}|{}{}{}", "---+---+---"),
    "a long rule of dashes": drawn(_BOXED, "-" * 21),
    "a frame": drawn(
        f"| {_BOXED} |",
        _RULE,
        _RULE,
    ),
    "a double frame": drawn(
        "║ {} {} {} ║ {} {} {} ║ {} {} {} ║", "╠═══════╬═══════╬═══════╣", "╔═════╗"
    ),
    "box drawing": drawn(
        "│ {} {} {} │ {} {} {} │ {} {} {} │",
        "├───────┼───────┼───────┤",
        "┌───────┬───────┬───────┐",
    ),
    "HoDoKu": drawn(f"| {_BOXED} |", ":-------+-------+-------:", ".-------.-------."),
    "a frame with spaces for blanks": drawn(
        f"| {_BOXED} |",
        _RULE,
        _RULE,
    ).replace(".", " "),
    "py-sudoku": "-" * 27
    + "\n9x9 (3x3) SUDOKU PUZZLE\nDifficulty: 0.65\n"
    + "-" * 27
    + "\n"
    + drawn(
        f"| {_BOXED} |",
        _RULE,
        _RULE,
    ).replace(" .", "  "),
    "a table of cells": drawn("| {} | {} | {} | {} | {} | {} | {} | {} | {} |", "").replace(
        ".", " "
    ),
    "equals signs": drawn(_BOXED, "======+=======+======"),
    "Simple Sudoku": drawn("|{}{}{}|{}{}{}|{}{}{}|", "|---+---+---|", "*-----------*"),
    "SadMan": "#ARuud\n#DDaily\n#LHard\n[Puzzle]\n"
    + "\n".join(ROWS)
    + "\n[State]\n"
    + "\n".join(ROWS),
    "SadMan without header": "#ARuud\n" + "\n".join(ROWS) + "\n",
    "Project Euler": "Grid 01\n" + "\n".join(ZEROS) + "\n",
    "a table": f"quizzes,solutions\n{LINE.replace('.', '0')},{LINE}\n",
    "a table with id": f"id,puzzle,solution,clues,difficulty\n1,{LINE},{LINE},25,2.2\n",
    "a table with unknown names": f"number,content\n1,{LINE}\n",
    "a table without header": f"1,{LINE},easy\n",
    "a table with semicolons": f'id;puzzle\n1;"{LINE}"\n',
    "a table of one column": f"puzzle\n{LINE}\n",
    "a trailing comma": LINE + ",\n",
    "LeetCode": json.dumps([list(row) for row in ROWS]),
    "LeetCode over many lines": json.dumps([list(row) for row in ROWS], indent=2),
    "numbers in JSON": json.dumps([[int(c) for c in row] for row in ZEROS]),
    "null in JSON": json.dumps([[None if c == "." else int(c) for c in row] for row in ROWS]),
    "empty strings in JSON": json.dumps([["" if c == "." else c for c in row] for row in ROWS]),
    "strings of rows in JSON": json.dumps(ROWS),
    "a flat list in JSON": json.dumps([int(c) for c in LINE.replace(".", "0")]),
    "a string in an object": json.dumps({"puzzle": LINE}),
    "rows in an object": json.dumps({"board": [list(row) for row in ROWS]}, indent=1),
    "strings of rows in an object": json.dumps({"puzzle": ROWS, "box": "3x3"}),
    "a list of one puzzle": json.dumps([[list(row) for row in ROWS]]),
    "a list of one string": json.dumps([LINE]),
    "a list of one object": json.dumps([{"puzzle": ROWS}], indent=4),
}
