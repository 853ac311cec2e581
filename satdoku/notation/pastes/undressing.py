"""What people copy along with a board, taken off its lines: quote marks, fences, tags, labels."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from satdoku.notation.exchange.seen import is_link
from satdoku.notation.line_kind import is_border, is_empty_header, is_sentence
from satdoku.notation.pastes.signs import with_dots, with_usual_signs

# `> 53..7....` in mail, `> > ` where it was quoted twice.
_QUOTED = re.compile(r"^\s*(?:>\s?)+")
# What stands before each line of a chat, `[12/03/24, 18:01:21] Ann: ` or `18:01 <ann> `, and of
# lines that were looked for in files, `puzzle.txt:7:`.
_TIME = r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:\s?[AaPp]\.?[Mm]\.?)?\]?"
_SPEAKER = re.compile(
    rf"\s*\[?[0-9]{{1,4}}[/.-][0-9]{{1,2}}[/.-][0-9]{{2,4}},?\s+{_TIME}\s*(?:-\s)?[^:<>]{{1,40}}:\s"
    rf"|\s*\[?{_TIME}\s+(?:<[^<>]{{1,40}}>|(?=[^:]*[A-Za-z])[^:<>]{{1,40}}:)\s|[\w./-]{{1,80}}\.[a-z]{{1,5}}:[0-9]{{1,3}}:"
)
# ``` and ~~~ begin and end code in Markdown; [code] and [/code] do in forums, <pre> in pages.
_FENCE = re.compile(r"\s*(?:`{3,8}|~{3,8})\s*\w*\s*$")
# `53..7....` among other words of Markdown.
_CODE = re.compile(r"`([^`]{4,200})`")
# A bound on what stands in a tag keeps the search short where thousands are never closed.
_TAG = re.compile(
    r"\[/?(?:code|quote|pre|sudoku|tt|spoiler|hidden)\b[^\]]{0,500}\]"
    r"|</?(?:pre|code|p|br|div|span|blockquote)\b[^>]{0,500}>",
    re.IGNORECASE,
)
# Some forums and programs have other signs for bars: `! . . 9 ! 7 4 8 ! . . . !`.
_BARRED = re.compile(r"\s*([!:])(?: [^!:]* [!:]){2,}\s*")

# A board in an address is not among the lines of another board. What stands before the sign is not
# part of the pattern: on a long word, looking for its beginning at every character takes minutes.
_LINK = re.compile(r"\S://\S|\?\w+=[0-9.]{81}")

# Labels of rows: 1, A, r1, R1, `row 1`, perhaps with a dot, a colon or a bracket behind.
_ROW_LABEL = re.compile(
    r"\s*(?:\|\s*)?\**(?:row\s*|r|\[)?([0-9]{1,2}|[A-Z])(?:,?\])?\**(?:[.:)]?\s|\s*[|,;&=:])",
    re.IGNORECASE,
)
_COLUMN_LABEL = re.compile(r"(?:col(?:umn)?_?|[cxv]|\[,)?([0-9]{1,2}|[A-Za-z])\]?$", re.IGNORECASE)


# A table in AMPL: `param p: 1 2 3 ... :=`, then lines that begin with their number, then `;`.
_AMPL = re.compile(r"^\s*(?:param\s+\w+\s*:(?!=)|(?:data|end)\s*;)|:=\s*$|;\s*$")


def undress(lines: Sequence[str]) -> list[str]:
    """The lines without quote marks, fences and tags, and with usual signs.

    >>> undress(["> [code]", "> 1□", "```"])
    ['', '1.', '']
    """
    bare = [_undress_line(line) for line in with_usual_signs(lines)]
    if any(line.lstrip().startswith("param ") for line in bare):
        bare = [_AMPL.sub("", line) for line in bare]
    shown = [n for n, line in enumerate(bare) if line.strip()]
    # Above a rule of Markdown the header is empty, if it is no row.
    if len(shown) > 1 and is_empty_header(bare[shown[0]], bare[shown[1]]):
        del bare[: shown[1] + 1]
    return _with_usual_bars(_with_usual_cells(bare))


def _undress_line(line: str) -> str:
    line = _QUOTED.sub("", line, count=1)
    spoken = _SPEAKER.match(line)
    if spoken:
        line = line[spoken.end() :]
    if _FENCE.match(line):
        return ""
    if "[" in line or "<" in line:
        line = _TAG.sub("", line)
    return _CODE.sub(r"\1", line)


# A cell in brackets, `[5] [ ]`; words and lines for an empty cell.
_BOXED = re.compile(r"[\[(]([ 0-9._xX*-]?)[\])]")
_EMPTY = re.compile(
    r"\b(?:blank|empty|space|nothing|unfilled|dot|dash)\b|(?<![^\s|,;])_{2,3}(?![^\s|,;])",
    re.IGNORECASE,
)
_FEWEST_CELLS = 16  # of the smallest board that people write
_USUAL_CELLS = 81  # of the usual one
_SPELLED = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_SPELLED_DIGIT = re.compile(rf"\b(?:{'|'.join(_SPELLED)})\b", re.IGNORECASE)


def _with_usual_cells(lines: list[str]) -> list[str]:
    """The lines with bare cells for such in brackets, and dots for words that say empty."""
    text = "\n".join(lines)
    if len(_HEX.findall(text)) >= _FEWEST_CELLS:
        text = _without_hex(text)
    if len(_EMPTY.findall(text)) >= _FEWEST_BLANKS:
        text = _EMPTY.sub(".", text)
    # Beside digits they are words of a sentence, such as one.
    if len(_SPELLED_DIGIT.findall(text)) >= _FEWEST_CELLS and not re.search("[0-9]", text):
        text = _SPELLED_DIGIT.sub(lambda word: str(_SPELLED.index(word[0].lower())), text)
    boxed = [_BOXED.findall(line) for line in text.split("\n")]
    count = sum(map(len, boxed))
    # As many on each line: so none is missing, and they are cells, whatever is beside them.
    has_digits = any(cell.isdigit() for cells in boxed for cell in cells)
    if count == _USUAL_CELLS and has_digits and len({len(cells) for cells in boxed if cells}) == 1:
        return ["".join(cell.strip() or "." for cell in cells) for cells in boxed]
    if count >= _FEWEST_CELLS and not _BOXED.sub("", text).strip(" \n|,"):
        text = _BOXED.sub(lambda match: f"{match[1].strip() or '.'} ", text)
    return text.split("\n")


# `0xB` in a program, and the wide blanks beside it.
_HEX = re.compile(r"\b0[xX]([0-9A-Fa-f]{1,2})\b")
_WIDE = re.compile(r"(?<!\S)([._*?-])\1+(?!\S)")


def _without_hex(text: str) -> str:
    """The text with B for 0xB, or with 11 where there are numbers up to 0x10."""
    numbers = [int(digits, 16) for digits in _HEX.findall(text)]
    is_series = max(numbers) < 16
    text = _WIDE.sub(r"\1", text)
    return _HEX.sub(lambda found: f"{int(found[1], 16):{'X' if is_series else 'd'}}", text)


def _with_usual_bars(lines: list[str]) -> list[str]:
    """The lines with bars in place of signs that stand at both ends of all rows, and in them."""
    for sign in "!:":
        drawn = [line for line in lines if sign in line]
        if len(drawn) >= 4 and all(map(_BARRED.fullmatch, drawn)):
            return [line.replace(sign, "|") for line in lines]
    return lines


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
    words = re.findall(r"\[,[0-9]+\]|[^\s|;,&\"'*+-]+", line)
    # What the labels of rows below it are called stands first; a row with all digits has a label.
    is_row = _COLUMN_LABEL.match(words[0]) or _ROW_LABEL.match(f"{line} ") if words else None
    if words and (words[0].lower() in ("row", "rows", "#") or not is_row):
        del words[0]
    matches = [_COLUMN_LABEL.match(word) for word in words]
    return len(words) >= 4 and _are_in_order([match[1] if match else "" for match in matches])


def _are_in_order(labels: Sequence[str]) -> bool:
    """Whether labels are 1, 2, 3 ..., or A, B, C ..., or 0, 1, 2 ..."""
    count = len(labels)
    numbers = [str(n) for n in range(1, count + 1)]
    letters = [chr(ord("A") + n) for n in range(min(count, 26))]
    found = [label.upper().lstrip("0") or label[:1] for label in labels]
    return found in (numbers, letters, [str(n) for n in range(count)])


def without_prose(lines: Sequence[str]) -> list[str] | None:
    """The lines with sentences emptied; None where there is no sentence.

    Rows of letters are one word, as in `ABC.DEF.`, and a name beside a board has cells before it.
    """
    found = ["" if is_sentence(with_dots(line)) or _NOISE.match(line) else line for line in lines]
    return found if found != list(lines) else None


# A date, what is typed into a shell, the types of columns in R, heads of tables there and of
# differences between files.
_NOISE = re.compile(
    r"\s*(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}/[0-9]{1,2}/[0-9]{2,4}|\$|\$ [a-z].*)\s*$"
    r"|\s*(?:<[a-z]{3}>\s*)+$|# A tibble: "
    r"|(?:diff --git|index [0-9a-f]|@@ |\+\+\+ |--- )"
)


def without_links(lines: Sequence[str]) -> list[str] | None:
    """The lines with those that have an address emptied; None where there is none."""
    found = ["" if _LINK.search(line) else line for line in lines]
    return found if found != list(lines) else None


# Mail programs break lines at 60 characters or later.
_FEWEST_WRAPPED = 60


def with_whole_links(lines: Sequence[str]) -> list[str] | None:
    """The lines with a link in one piece that mail broke into several; None where there is none.

    All pieces but the last are as long as the first line; in some mail each ends in a sign =.
    """
    bare = [_undress_line(line).strip() for line in lines]
    for number, line in enumerate(bare):
        before, _, link = line.rpartition(" ")
        if len(line) < _FEWEST_WRAPPED or not is_link(link):
            continue
        pieces = [link]
        for piece in bare[number + 1 :]:
            is_last = len(pieces) > 1 and len(pieces[-1]) < len(line)
            if is_last or not piece or " " in piece or len(piece) > len(line) or is_link(piece):
                break
            pieces.append(piece)
        if len(pieces) > 1:
            if all(piece.endswith("=") for piece in pieces[:-1]):
                pieces = [
                    piece[:-1].replace("=3D", "=") for piece in [*pieces[:-1], pieces[-1] + "="]
                ]
            return [*bare[:number], f"{before} {''.join(pieces)}", *bare[number + len(pieces) :]]
    return None


# What ends a label: `First row: ...`, `a) ...`, `row1 = ...`.
_MARKS = re.compile(
    r"(?=[^:=)]*[A-Za-z0-9])[^:=)0-9]{0,40}[0-9]{0,2}[^:=)0-9]{0,10}(?::|=|\))(?=[\s\"'\[{.0-9])"
)
# What stands before every line of a list, of a comment, of a difference between two files.
# Of BASIC, of every line of data: `10 DATA 5,3,0`. In Markdown each item of a list may be `1.`.
_PREFIX = re.compile(
    r"\s*(?:(?:[-+*#%;|$]+|//+)[ \t]*|1[.)][ \t]+(?=\S{4})|\.[ \t]+"
    r"|[0-9]{0,5}[ \t]*DATA[ \t]+)(?=\S)",
    re.IGNORECASE,
)


def without_marked_labels(lines: Sequence[str]) -> list[str] | None:
    """The lines behind labels that end in a mark, where nearly all lines have one; else None."""
    return _cut_alike(lines, _MARKS)


def without_prefix(lines: Sequence[str]) -> list[str] | None:
    """The lines without what stands before each of them, as in a list; None where not all have it.

    >>> without_prefix(["- 12", "- 3.", "- .4", "- .."])
    ['12', '3.', '.4', '..']
    """
    return _cut_alike(lines, _PREFIX)


def _cut_alike(lines: Sequence[str], pattern: "re.Pattern[str]") -> list[str] | None:
    shown = [line for line in lines if line.strip()]
    matches = [pattern.match(line) for line in shown]
    if len(shown) < 4 or not all(matches):
        return None
    return [line[match.end() :] for line, match in zip(shown, matches, strict=True) if match]


# A semicolon may part cells, and dashes may be some: a comment behind those has a word.
_COMMENT = re.compile(r"\s*(?:#|//|%|<!--|\(|(?<=\s)(?:;|--)\s*[A-Za-z]{2}).*$")


def without_comments(lines: Sequence[str]) -> list[str] | None:
    """The lines without the comments behind cells; None where there are none."""
    found = [
        _COMMENT.sub("", line) if re.match(r"[\s\"'|]*[0-9.]", line) else line for line in lines
    ]
    return found if found != list(lines) else None


def with_dots_for(lines: Sequence[str]) -> Iterator[list[str]]:
    """The lines with dots in place of a sign that may stand for a blank, whichever it is.

    An O beside digits is a zero. Any other sign is a blank only where there are no usual ones.
    """
    if any(map(is_link, lines)) or _OBJECT.match("\n".join(lines)):
        return  # what is packed in a link, and what keys are called, would be another
    # No sign of a border is a blank, or there would be rows of nothing.
    text = "\n".join(line for line in lines if not (is_border(line) and re.search("[|+]", line)))
    zeros = re.sub("[oO]", "0", text)
    if zeros != text and not re.search("[A-NP-Za-np-z]", text):
        yield zeros.split("\n")
    if any(re.search("[.0]", line) and not _WORD.search(line) for line in lines):
        return
    counts = Counter(text)
    for sign, count in counts.items():
        # A puzzle has more empty cells than full ones, as a rule.
        is_sign = not (sign.isspace() or sign.isdecimal() or sign in _BRACKETS)
        if count >= _FEWEST_BLANKS and is_sign:
            yield text.replace(sign, ".").split("\n")


_FEWEST_BLANKS = 9
_BRACKETS = "()[]{}<>"
_OBJECT = re.compile(r'\s*\[?\s*\{\s*"')
# Letters beside digits and dots may be digits of a larger board.
_WORD = re.compile(r"(?<![A-Za-z0-9.])[A-Za-z]{3,}(?![A-Za-z0-9])")
