"""Words that somebody wrote around a board: how to tell them from rows of cells."""

import re

_CELLS = re.compile(r"(?:[0-9._*-][\s|,;]*){8}")
# `Thanks`, `hello,`; x is a blank, and rows of letters are capitals.
_LONE_WORD = re.compile(r"\s*[A-Za-z][a-wyz]+[,.]?\s*$")
_SMALL_LETTERS = re.compile("[a-wyz]{2}")
_WORD = re.compile("[A-Z]?[a-wyz]{3}")
# `--` above a name, `$` of a shell, three quotes of a program.
_LONGEST_SIGN = 3
_TOO_LONG = 30
# What programs, tables and data have, and sentences have not.
_IN_CODE = re.compile(r"[\[\]{}=<>|\"]")


def is_sentence(line: str) -> bool:
    """Whether a line is words, such as a title or a question, and no row of cells.

    >>> is_sentence("Can anybody solve this one?"), is_sentence("53..7.... from the newspaper")
    (True, False)
    """
    if _IN_CODE.search(line):
        return False
    words = re.findall(r"(?<!\S)[^\W\d_]{2,}[,.;:!?]*(?!\S)", line)
    is_said = line.rstrip().endswith((":", "!", "?")) or _LONE_WORD.match(line) is not None
    return (len(words) >= 2 or is_said) and not has_cells(line)


def has_cells(line: str) -> bool:
    """Whether a line has cells side by side, as whole and damaged boards have."""
    return _CELLS.search(line) is not None


def are_words(text: str) -> bool:
    """Whether a text of some lines has words or lone signs and no cells, as below a board.

    >>> are_words("Thanks a lot!\\n--\\nBob"), are_words("--"), are_words("53..7....")
    (True, True, False)
    """
    lines = text.split("\n")
    is_said = any(is_sentence(line) and _SMALL_LETTERS.search(line) for line in lines)
    has_words = is_said or _WORD.search(text) is not None
    # A link, or a hash, is no word.
    has_words = has_words and max(map(len, text.split())) < _TOO_LONG
    is_sign = len(text.strip()) <= _LONGEST_SIGN and not any(map(str.isalnum, text))
    return (has_words or is_sign) and not any(map(has_cells, lines))


def is_remark(line: str) -> bool:
    """Whether a line is a sentence with its mark at the end; names of columns have none.

    >>> is_remark("Hello all, this is mine:"), is_remark("puzzle,solution,difficulty")
    (True, False)
    """
    return line.rstrip().endswith((":", "!", "?")) and is_sentence(line)
