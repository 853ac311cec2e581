"""Words that somebody wrote around a board: how to tell them from rows of cells."""

import re

_CELLS = re.compile(r"(?:[0-9._*-][\s|,;]*){8}")
# `Thanks`, `hello,`; x is a blank, and rows of letters are capitals.
_LONE_WORD = re.compile(r"\s*[A-Za-z][a-wyz]+[,.]?\s*$")
_SMALL_LETTERS = re.compile("[a-wyz]{2}")
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
    return (len(words) >= 2 or is_said) and not _has_cells(line)


def _has_cells(line: str) -> bool:
    return _CELLS.search(line) is not None


def is_prose(text: str) -> bool:
    """Whether a text of some lines is words alone, such as a greeting or a signature.

    >>> is_prose("Thanks a lot!\\n--\\nBob"), is_prose("53..7....")
    (True, False)
    """
    lines = text.split("\n")
    has_words = any(is_sentence(line) and _SMALL_LETTERS.search(line) for line in lines)
    return has_words and not any(map(_has_cells, lines))


def is_remark(line: str) -> bool:
    """Whether a line is a sentence with its mark at the end; names of columns have none.

    >>> is_remark("Hello all, this is mine:"), is_remark("puzzle,solution,difficulty")
    (True, False)
    """
    return line.rstrip().endswith((":", "!", "?")) and is_sentence(line)
