"""What people copy along with a board, taken off its lines: quote marks, fences, tags, labels."""

import re
from collections.abc import Sequence

from satdoku.notation.sentences import is_sentence

# `> 53..7....` in mail, `> > ` where it was quoted twice.
_QUOTED = re.compile(r"^\s*(?:>\s?)+")
# ``` and ~~~ begin and end code in Markdown; [code] and [/code] do in forums, <pre> in pages.
_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})\s*\w*\s*$")
# A bound on what stands in a tag keeps the search short where thousands are never closed.
_TAG = re.compile(
    r"\[/?(?:code|quote|pre|sudoku|tt|spoiler|hidden)\b[^\]]{0,500}\]"
    r"|</?(?:pre|code|p|br|div|span|blockquote)\b[^>]{0,500}>",
    re.IGNORECASE,
)
_FULL_WIDTH = {0xFF10 + digit: str(digit) for digit in range(10)}
# Boxes and circles that stand for an empty cell where there is no keyboard for a dot.
_BLANK_SIGNS = dict.fromkeys("□▢■◻◼⬜⬛☐○◯\uff3f\uff0e・∙•◦", ".")
_SPACES = dict.fromkeys("\u3000\u2002\u2003\u2007\u2009\u202f", " ")
_SIGNS = str.maketrans({**_BLANK_SIGNS, **_SPACES}) | _FULL_WIDTH

# A board in an address is not among the lines of another board. What stands before the sign is not
# part of the pattern: on a long word, looking for its beginning at every character takes minutes.
_LINK = re.compile(r"\S://\S|\?\w+=[0-9.]{81}")

# Labels of rows: 1, A, r1, R1, `row 1`, perhaps with a dot, a colon or a bracket behind.
_ROW_LABEL = re.compile(
    r"\s*(?:\|\s*)?\**(?:row\s*|r)?([0-9]{1,2}|[A-Z])\**(?:[.:)]?\s|\s*\|)", re.IGNORECASE
)
_COLUMN_LABEL = re.compile(r"(?:col(?:umn)?|c)?([0-9]{1,2}|[A-Za-z])$", re.IGNORECASE)


def undress(lines: Sequence[str]) -> list[str]:
    """The lines without quote marks, fences and tags, and with usual signs; none is dropped.

    >>> undress(["> [code]", "> 1□", "```"])
    ['', '1.', '']
    """
    return [_undress_line(line) for line in lines]


def _undress_line(line: str) -> str:
    line = _QUOTED.sub("", line, count=1)
    if _FENCE.match(line):
        return ""
    if "[" in line or "<" in line:
        line = _TAG.sub("", line)
    return line if line.isascii() else line.translate(_SIGNS)


def without_labels(lines: Sequence[str]) -> list[str] | None:
    """The lines without the labels of columns above a board and of rows beside it.

    None where there are none: labels of columns are 1, 2, 3 ... or A, B, C ... all of them, labels
    of rows begin all lines with cells, in order. A line of labels is emptied, not dropped.
    """
    shown = [n for n, line in enumerate(lines) if re.search(r"[\w.]", line)]
    if not shown:
        return None
    # Labels of columns stand above a board, below it, or both.
    column_labels = {n for n in (shown[0], shown[-1]) if is_column_labels(lines[n])}
    labelled = [n for n in shown if n not in column_labels]
    labels = [_ROW_LABEL.match(lines[n] + " ") for n in labelled]
    found = list(lines)
    for number in column_labels:
        found[number] = ""
    # 4x4 is the smallest board, and fewer numbers in order may be cells.
    if len(labels) >= 4 and _are_in_order([match[1] if match else "" for match in labels]):
        for number, match in zip(labelled, labels, strict=True):
            assert match is not None
            found[number] = " " * match.end() + lines[number][match.end() :]
        return found
    return found if column_labels else None


def is_column_labels(line: str) -> bool:
    """Whether a line has nothing but the labels of columns, in order.

    >>> is_column_labels("   A B C  D E F"), is_column_labels("| | 1 | 2 | 3 | 4 |")
    (True, True)
    >>> is_column_labels("5 3 4 6 7 8 9 1 2")
    False
    """
    words = re.findall(r"[^\s|;,*+-]+", line)
    matches = [_COLUMN_LABEL.match(word) for word in words]
    return len(words) >= 4 and _are_in_order([match[1] if match else "" for match in matches])


def _are_in_order(labels: Sequence[str]) -> bool:
    """Whether labels are 1, 2, 3 ..., or A, B, C ..., or 0, 1, 2 ..."""
    count = len(labels)
    numbers = [str(n) for n in range(1, count + 1)]
    letters = [chr(ord("A") + n) for n in range(min(count, 26))]
    found = [label.upper() for label in labels]
    return found in (numbers, letters, [str(n) for n in range(count)])


def without_prose(lines: Sequence[str]) -> list[str] | None:
    """The lines with sentences emptied; None where there is no sentence.

    Rows of letters are one word, as in `ABC.DEF.`, and a name beside a board has cells before it.
    """
    found = ["" if is_sentence(line) else line for line in lines]
    return found if found != list(lines) else None


def without_links(lines: Sequence[str]) -> list[str] | None:
    """The lines with those that have an address emptied; None where there is none."""
    found = ["" if _LINK.search(line) else line for line in lines]
    return found if found != list(lines) else None
