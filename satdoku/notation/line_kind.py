"""The kind of a line of text: cells, a border, a title, a comment, empty; and tests for words."""

import re
from collections.abc import Sequence
from enum import Enum
from operator import gt

from satdoku.errors import RuleError
from satdoku.notation.spelling import FEWEST_CELLS
from satdoku.puzzle.rules.registry import RULES, is_rule, is_unmistakable, suggest

_UPRIGHT = "¦│┃║╎╏┆┇┊┋"
_LEVEL = "─━═╌╍┄┅┈┉\u2010\u2013\u2014"  # with the hyphens and dashes of word processors
_PLAIN = str.maketrans(
    {chr(code): "+" for code in range(0x2500, 0x2580)}  # the Unicode block "Box Drawing"
    | dict.fromkeys(_UPRIGHT, "|")
    | dict.fromkeys(_LEVEL, "-")
    | {"\u00a0": " ", "·": "."}
)
# Characters of borders; the dot, the colon and the quotes are corners in HoDoKu and elsewhere.
_BORDER = " \t|+-=*:.'`"
# `re` compiles these at their first use: every check imports this module, and few lines need one.
_LINE_OF = "--|==|[+][-=]|[-=][+]"
_TITLE = (
    r"(?i)\W*(grid|board|level|difficulty|solution|rating|title|name|author)\b"
    r"|.*\b(puzzles?|sudokus?)\b"
)

# An empty header of a Markdown table: `|   |   |` above `|---|---|`.
_EMPTY_HEADER = r"[\s|]*\|[\s|]*"
_HEADER_RULE = r"\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?\s*"


class LineKind(Enum):
    """The kind of a line, judged without its neighbours."""

    EMPTY = "nothing, or spaces"
    TITLE = "names what follows, as `Grid 01` or `Puzzle 3:` do"
    COMMENT = "begins with #"
    DASHES = "dashes and bars alone: a border, or a row of blanks"
    BORDER = "drawn between rows"
    CELLS = "cells, or what nobody can tell"


def kind_of(line: str) -> LineKind:
    """Return the kind of a plain line.

    >>> kind_of("Grid 01").name, kind_of("5 3 . | . 7 .").name, kind_of("+---+---+").name
    ('TITLE', 'CELLS', 'BORDER')
    """
    stripped = line.strip()
    if not stripped:
        return LineKind.EMPTY
    if is_title(line):
        return LineKind.TITLE
    if stripped[0] == "#":
        return LineKind.COMMENT
    if line.strip(_BORDER):  # fast path for most lines; the tests below are rarely needed
        return LineKind.CELLS
    if "-" in line and not line.strip("-| \t"):
        return LineKind.DASHES
    return LineKind.BORDER if is_border(line) else LineKind.CELLS


def is_data(line: str) -> bool:
    """Whether a line is neither empty nor a comment."""
    stripped = line.lstrip()
    return bool(stripped) and stripped[0] != "#"


def is_title(line: str) -> bool:
    """Whether a line is a title: it has a word that titles have, and no cells before it.

    `53..7....6..195.... # my hardest puzzle` is a puzzle with a comment.
    """
    has_letters = line.upper() != line.lower()
    if not has_letters or len(line.split(None, 1)[0]) >= FEWEST_CELLS:
        return False
    return re.match(_TITLE, line) is not None


def is_border(line: str) -> bool:
    """Whether a plain line is a border; one of only dashes and bars may be a row of blanks."""
    return not line.strip(_BORDER) and re.search(_LINE_OF, line) is not None


def plain(line: str) -> str:
    """Return the line with box drawing characters replaced by `|`, `-` and `+`, one by one."""
    return line if line.isascii() else line.translate(_PLAIN)


_IN_ORDER = r"\W*(?:0\W+)?1\W+2\W+3\W+4\W+5\W+6\W+7\W+8(?:\W+9)?\W*"


def is_doubtful_header(line: str, rows: Sequence[Sequence[int]]) -> bool:
    """Whether the line read as a board's first row may instead number its columns.

    If so, the last of nine rows would be lost, and another board read. Full rows are exempt, as a
    solution may begin with 1 to 9, and so are lines in which the digits touch.

    >>> is_doubtful_header("| 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 |", [range(1, 10), [0] * 9])
    True
    """
    is_in_order = list(rows[0]) in (list(range(1, 10)), list(range(9)))
    return is_in_order and all(0 in row for row in rows[1:]) and bool(re.fullmatch(_IN_ORDER, line))


def is_doubtful_list(cells: Sequence[int]) -> bool:
    """Whether 81 cells may instead be 27 givens, each as row, column and digit.

    Lists of givens are sorted by row or by column, and have no empty cells.

    >>> is_doubtful_list([n for row in range(1, 10) for n in [row, 1, 9, row, 4, 7, row, 7, 5]])
    True
    """
    is_whole = len(cells) == 81 and all(cells[2::3])
    # Such a list has givens in at least five rows.
    orders = [part for part in (cells[::3], cells[1::3]) if len(set(part)) > 4]
    # At most one given may be out of order, as where a second list begins.
    return is_whole and any(sum(map(gt, part, part[1:])) < 2 for part in orders)


def doubt_about(line: str, rows: Sequence[Sequence[int]]) -> str:
    """Return what a board may be instead, given its first row's line; empty if without doubt."""
    if is_doubtful_header(line, rows):
        return (
            "numbers in order may be the first row, or the names of columns above a board without "
            "a row; write the row without anything between its cells, or say --from rows"
        )
    if is_doubtful_list([cell for row in rows for cell in row]):
        return (
            "81 digits may be cells, or 27 givens with their rows and columns, one of them twice "
            "perhaps; write these as r1c3=9"
        )
    return ""


def is_empty_header(line: str, below: str) -> bool:
    """Whether a line is the empty header of a Markdown table, judged with the line below it.

    >>> is_empty_header("| | |", "|-|-|"), is_empty_header("|1| |", "|-|-|")
    (True, False)
    """
    is_empty = re.fullmatch(_EMPTY_HEADER, line) is not None
    return is_empty and re.fullmatch(_HEADER_RULE, below) is not None


_CELLS = r"(?:[0-9._*-][\s|,;]*){8}"
# `Thanks`, `hello,`; not with x, which is a blank, and not capitals, which are rows of letters.
_LONE_WORD = r"\s*[A-Za-z][a-wyz]+[,.]?\s*$"
_SMALL_LETTERS = "[a-wyz]{2}"
_WORD = "[A-Z]?[a-wyz]{3}"
# The longest lone sign: `--` above a name, `$` of a shell, three quotes of a program.
_LONGEST_SIGN = 3
_TOO_LONG = 30
# Characters of programs, tables and data that sentences do not have.
_IN_CODE = r"[\[\]{}=<>|\"]"


def is_sentence(line: str) -> bool:
    """Whether a line is words, such as a title or a question, and not a row of cells.

    >>> is_sentence("Can anybody solve this one?"), is_sentence("53..7.... from the newspaper")
    (True, False)
    """
    if re.search(_IN_CODE, line):
        return False
    words = re.findall(r"(?<!\S)[^\W\d_]{2,}[,.;:!?]*(?!\S)", line)
    is_said = line.rstrip().endswith((":", "!", "?")) or re.match(_LONE_WORD, line) is not None
    return (len(words) >= 2 or is_said) and not has_cells(line)


def has_cells(line: str) -> bool:
    """Whether a line has several cells side by side, as whole and damaged boards have."""
    return re.search(_CELLS, line) is not None


def are_words(text: str) -> bool:
    """Whether the lines of a text are words or lone signs, with at least one word, and no cells.

    >>> are_words("Thanks a lot!\\n--\\nBob"), are_words("--"), are_words("53..7....")
    (True, True, False)
    """
    lines = text.split("\n")
    is_said = any(is_sentence(line) and re.search(_SMALL_LETTERS, line) for line in lines)
    has_words = is_said or re.search(_WORD, text) is not None
    # A link or a hash is not a word.
    has_words = has_words and max(map(len, text.split())) < _TOO_LONG
    is_sign = len(text.strip()) <= _LONGEST_SIGN and not any(map(str.isalnum, text))
    return (has_words or is_sign) and not any(map(has_cells, lines))


_GREETING = r"(?i)(?:Hello|Hi|Hey|Dear|Good \w{3,9})\b[\w .]{0,40},?$"


def is_remark(line: str) -> bool:
    """Whether a line is a sentence with final punctuation, which column names do not have.

    >>> is_remark("Hello all, this is mine:"), is_remark("puzzle,solution,difficulty")
    (True, False)
    """
    shown = line.rstrip()
    return re.match(_GREETING, shown) is not None or (
        shown.endswith((":", "!", "?")) and is_sentence(line)
    )


# A rule that names a cell or a line, after a board or after another rule.
_RULE = r"(?:^|\s)[A-Za-z-]+:[^\s.]*(?:[rR]\d+(?:-\d+)?[cC]|row|col)\d"


def names_rule(text: str) -> bool:
    """Whether a line contains a rule as `--rule` takes it, or as printed below boards.

    >>> names_rule("killer:5=r1c1-2"), names_rule("forum: r1c1 is hard")
    (True, False)
    >>> names_rule("thermo: digits rise along the thermometer r1c1,r1c2"), names_rule("sum: 45")
    (True, False)
    """
    if ":" not in text:
        return False
    name, colon, sentence = text.strip().partition(": ")
    # Rule names that are everyday words stand in other texts too, but with no cells after them.
    is_own = is_unmistakable(name) or re.search(r"\br\d+c\d", sentence) is not None
    return bool(colon and name in RULES and is_own) or re.search(_RULE, text) is not None


def refuse_rules(lines: Sequence[str], source: str, first: int = 1) -> None:
    """Refuse rules beside a board, since without them it would be read as another puzzle."""
    for number, line in enumerate(lines, first):
        if names_rule(line):
            found = re.search(_RULE, line)
            name = "" if found is None else found[0].strip().partition(":")[0]
            near = "" if not name or is_rule(name.lower()) else suggest(name, RULES)
            meant = f"; did you mean {near}?" if near else ""
            message = f"satdoku does not read this rule among other text; give it by --rule{meant}"
            raise RuleError(message, source, number, 1)
