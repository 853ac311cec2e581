"""From the signs of a pasted text to usual ones: digits of any script, any blanks, markup."""

import re
import unicodedata
from collections.abc import Sequence
from html import unescape

from satdoku.notation.line_kind import plain

# Signs that stand in words of people and programs, and never for a cell.
_QUOTES = dict.fromkeys("“”„«»″", '"') | dict.fromkeys("\u2018\u2019\u201a\u2032", "'")
# Marks of direction, joiners, variants of emoji, keycaps, control characters: nothing to be seen.
_INVISIBLE = {"Cc", "Cf", "Mn", "Me", "Cs", "Co", "Cn"}
# What is none of the above, and is no letter, is drawn in an empty cell: a box, a circle, a cross.
_DRAWN = {"So", "Sm", "Sc", "Sk", "Po"}

_NAMES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_SHORTCODE = re.compile(r":(\w+): ?")
_FEWEST_SHORTCODES = 16  # the smallest board has so many cells
# Line ends and tabs as programs write them in a string.
_ESCAPED = re.compile(r"\\r\\n|\\n(?![a-z])|\\r(?![a-z])")

# In LaTeX: `\textbf{9}` is a 9, and `\begin{tabular}{|c|c|}`, `\hline` and `\\` are no cells.
_TEX = re.compile(r"\\(?:hline|\\|begin\b|[ck]?line\b|node\b|setrow\b)")
_TEX_ROW = re.compile(r"\\setrow\s*\{[0-9]\}")
_TEX_STYLED = re.compile(r"\\[a-z]+\{([^{}]{1,2})\}", re.IGNORECASE)
_TEX_COMMAND = re.compile(r"\\(?:begin|end)(?:\{[^{}]*\}|\[[^\]]*\])*|\\[a-z]+|\\\\|[${}]|\|\.\s*$")

_TAG = re.compile(r"</?(?:t[dr]|div|input|span|li|br|p|button)\b[^>]{0,500}>", re.IGNORECASE)


# What programs write for nothing.
_NOTHING = re.compile(r"\b(?:None|null|nil|nan|NaN|NA|NULL|Null|undefined|Nothing)\b")
# As numpy shows a row of floats.
_FLOATS = re.compile(r"[^0-9.]*(?:[0-9]\.[^0-9.]+)+")
_FLOAT = re.compile(r"(?<![^\s,;|\[(])([0-9])\.0(?![^\s,;|\])])")


def with_usual_signs(lines: Sequence[str]) -> list[str]:
    """The lines of a text as they would be in ASCII, and with tables in place of markup.

    >>> with_usual_signs(["①②…", "\\u200b۳\\u00a0□", "5&nbsp;6"])
    ['12...', '3 .', '5 6']
    """
    text = "\n".join(lines)
    if not text.isascii() or not text.isprintable():
        text = text.translate({ord(sign): _usual_sign(sign) for sign in set(text)})
    if len(_SHORTCODE.findall(text)) >= _FEWEST_SHORTCODES:
        text = _SHORTCODE.sub(_read_shortcode, text)
    if len(_TAG.findall(text)) > 1:
        # Imported here: few pastes are of this kind.
        from satdoku.notation.paste_markup import read_markup

        text = read_markup(text)
    if "&" in text:
        text = unescape(text).replace("\u00a0", " ")
    if _TEX.search(text):
        text = _without_tex(text)
    return _ESCAPED.sub("\n", text).split("\n")


def _usual_sign(sign: str) -> str:
    """A sign of ASCII that means the same in a cell, or around it.

    >>> [_usual_sign(sign) for sign in "９⑨٩九░│…"]
    ['9', '9', '9', '9', '.', '|', '...']
    """
    if sign in "\n\t" or (sign.isascii() and sign.isprintable()):
        return sign
    drawn = _QUOTES.get(sign) or plain(sign)
    usual = drawn if drawn.isascii() else unicodedata.normalize("NFKC", sign)
    if usual.isascii() and usual.isprintable():
        return usual
    category = unicodedata.category(sign)
    # 0 to 9 in all scripts, and circles with digits in them.
    number = unicodedata.numeric(sign, -1)
    if number in range(10):
        return str(int(number))
    if category in _INVISIBLE:
        return ""
    if category[0] == "Z":
        return " "
    return "." if category in _DRAWN else sign


def _read_shortcode(match: "re.Match[str]") -> str:
    """`:seven:` is a 7, and any other picture is a blank."""
    name = match[1].removeprefix("number_").lower()
    return str(_NAMES.index(name)) if name in _NAMES else "."


def _without_tex(text: str) -> str:
    text = _TEX_ROW.sub("", text).replace("{}", ".")
    lines = text.split("\n")
    bare = (_TEX_COMMAND.sub("", _TEX_STYLED.sub(r"\1", line)) for line in lines)
    # A line of commands alone is none of the drawing; an empty one would be a gap in it.
    return "\n".join(new for new, old in zip(bare, lines, strict=True) if new.strip() or not old)


def with_dots(text: str) -> str:
    """The text with dots for what programs write for nothing, and 9 for 9.0.

    >>> with_dots("NaN 9.0 None")
    '. 9 .'
    """
    if _FLOATS.fullmatch(text):
        text = text.replace(".", "")
    return _FLOAT.sub(r"\1", _NOTHING.sub(".", text))
