"""The rules as tools of a palette: the name of each, its input fields, and a small drawing."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from satdoku.errors import SatdokuError
from satdoku.picture.documents import svg_element
from satdoku.picture.figure import draw
from satdoku.picture.picture import Emphasis, picture_of
from satdoku.plugins import rule_names_of_packages
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import GROUPS, RULES, USUAL, names_elsewhere, require_rule_name
from satdoku.puzzle.rules.rule import Rule
from satdoku.serving.messages import read_puzzle
from satdoku.solving.limits import Limits

# The arguments of rules as data, for input forms: one field for each part
#
# A rule states its argument as a text such as `[SUM=]CELLS` (`Rule.form`). `choices_of` splits it
# into parts that state their type: cells to be drawn, a number to be typed, and so on.

# A word in capitals. `CELL,CELLS` and the like are one part, a list of cells.
_WORD = r"CELL(?:,CELL)*S?|[A-Z]+"
_KINDS = {
    "CELL": "cell",
    "CIRCLE": "cell",
    "CELL,CELL": "pair",
    "CELLS": "cells",
    "CELL,CELLS": "cells",
    "OTHERS": "cells",
    "LINE": "outside",
    "WAY": "way",
    "DIGITS": "digits",
    **dict.fromkeys(("SUM", "NUMBER", "COUNT", "FIRST", "LAST", "ROWS", "COLUMNS"), "number"),
}

# Kinds of parts that are cells, which are drawn on the board.
_ON_BOARD = ("cell", "pair", "cells", "line")


class Part(NamedTuple):
    """A part of an argument, with the text that stands before and after it.

    `kind` is the type of input: `cell`, `pair` and `cells` of the board, a `line` of cells, a row
    or column that is read from `outside`, the `way` of a diagonal, `regions` for all cells, a
    `number`, several `digits`, or any other `text`. `fixed` needs no input. If an optional part is
    empty, the texts before and after it are omitted too.
    """

    kind: str
    name: str
    told: str
    before: str = ""
    after: str = ""
    is_optional: bool = False


class Choice(NamedTuple):
    """One of several forms of an argument, such as a white or a black dot; `name` is its first
    word. A rule with one form has one choice without a name.
    """

    name: str
    told: str
    parts: tuple[Part, ...]

    @property
    def pattern(self) -> str:
        """Return a regular expression for arguments of this form, with a group for each part.

        Browsers read it too. Cells are matched as such, since one list of them ends at a slash.
        """
        texts = []
        for part in self.parts:
            value = "(.+?)"
            if part.kind == "fixed":
                value = "()"
            elif part.kind in _ON_BOARD:
                value = r"([rcA-Z\d,\s-]+)"
            text = f"{re.escape(part.before)}{value}{re.escape(part.after)}"
            texts.append(f"(?:{text})?" if part.is_optional else text)
        return "".join(texts)


def label_of(kind: type[Rule]) -> str:
    """Return what setters call one of a kind of rule, such as "cage" or "X-sum"."""
    own = vars(kind)
    return str(own.get("label") or own.get("heading") or kind.name.replace("-", " "))


def other_names_of(kind: type[Rule]) -> list[str]:
    """Return names of the rule in other places, so that people find it by them."""
    return names_elsewhere(kind.name)


def choices_of(kind: type[Rule], drawn: str = "") -> tuple[Choice, ...]:
    """Return the forms of the argument of a kind of rule; empty if it takes none.

    `drawn` is the first shape of the rule's drawing; it tells whether cells are drawn as a line, in
    order.

    >>> from satdoku.puzzle.rules.registry import RULES
    >>> [(part.kind, part.after) for part in choices_of(RULES["killer"])[0].parts]
    [('number', '='), ('cells', '')]
    """
    if not kind.example:
        return ()
    if not kind.form:
        return (Choice("", "", (_whole(kind),)),)
    # `CELL=DIGITS,CELL=DIGITS` repeats one part any number of times; the palette has one field for
    # it.
    forms = re.sub(r"^(.+),\1$", r"\1", kind.form).split("/")
    # Slashes separate forms only if there are three or more: `NUMBER/CELL,CELL` is a single form.
    if len(forms) < 3:
        forms = ["/".join(forms)]
    return tuple(_choice(form, kind, len(forms) > 1, drawn) for form in forms)


def _whole(kind: type[Rule]) -> Part:
    """Return the single part of an argument without words in its form: regions, or a free text."""
    rule = kind.parse(kind.example, kind.example_board)
    return Part("regions" if rule.stands_in_for_boxes else "text", kind.name, "")


def _choice(form: str, kind: type[Rule], is_one_of_several: bool, drawn: str) -> Choice:
    parts = tuple(_parts(form, kind, drawn))
    if not is_one_of_several:
        return Choice("", "", parts)
    return Choice(form.partition("=")[0], kind.parts.get(form, ""), parts)


def _parts(form: str, kind: type[Rule], drawn: str) -> Iterator[Part]:
    # A word in brackets is optional, together with the texts inside its brackets.
    groups = re.findall(r"\[[^]]*\]|[^][]+", form)
    parts = [part for group in groups for part in _group(group, kind, drawn)]
    yield from parts or [Part("fixed", form, "", before=form)]  # such as `all`, a whole form


def _group(group: str, kind: type[Rule], drawn: str) -> Iterator[Part]:
    """Yield the parts of one bracketed or unbracketed group; text between words belongs to the word
    before it.
    """
    texts, words = re.split(_WORD, group.strip("[]")), re.findall(_WORD, group)
    for number, word in enumerate(words):
        found = _KINDS.get(word, "text")
        yield Part(
            "line" if found == "cells" and drawn in ("line", "shaft") else found,
            word.lower(),
            kind.parts.get(word, ""),
            before=texts[0] if number == 0 else "",
            after=texts[number + 1],
            is_optional=group.startswith("["),
        )


Tool = dict[str, Any]

# Kinds of parts whose example values would appear in the sentence of a rule.
_TYPED = {"number", "digits", "text"}
_CELLS = r"\br\d+c\d+(?:,r\d+c\d+)*(?: and r\d+c\d+)?"
# The side of a cell in a drawing, and the width of the border, which is cut off.
_SIDE, _MARGIN = 42.0, 2.0
# Rules of the whole board are shown by the cells that a digit in the middle excludes.
_AROUND = Geometry(1, 5)
_MIDDLE, _DIGIT = 12, 2


def all_tools() -> Iterator[Tool]:
    """Yield a tool for each rule, those of plugins last; plugins that fail to load are left out."""
    for group, names in GROUPS.items():
        for name in names:
            # These rules are the board itself, which the entry "box" describes.
            if name not in ("rows", "columns", "boxes"):
                yield _tool(RULES[name], group)
    for name in rule_names_of_packages():
        try:
            yield _tool(require_rule_name(name), "of other packages")
        except SatdokuError:
            continue


def place(message: Mapping[str, Any], limits: Limits) -> Iterator[Tool]:
    """Yield what a rule adds to the rules of a puzzle, and which of these it replaces.

    It replaces the rule `instead`. Without that, dots and cells with one mark join the rule of
    their kind, or are removed from it if it has them already.
    """
    value, rule, instead = message.get("puzzle"), message.get("rule"), message.get("instead", "")
    if not (isinstance(rule, str) and isinstance(instead, str)):
        raise SatdokuError("the entries 'rule' and 'instead' are rules as text, such as odd:r1c1")
    rules = value.get("rules", []) if isinstance(value, Mapping) else None
    if not isinstance(rules, list):
        raise SatdokuError("the entry 'puzzle' is an object with 'box', 'cells' and a list 'rules'")
    texts = _read_alone(value, rule)
    name, _, argument = rule.partition(":")
    others = (str(each) for each in rules if each != instead)
    old = next((each for each in others if each.startswith(f"{name}:")), "")
    replaced = [instead] if instead else []
    joined = _joined(name, old.partition(":")[2], argument, bool(instead)) if old else None
    if joined is not None:
        replaced.append(old)
        texts = _read_alone(value, f"{name}:{joined}") if joined else []
    yield {"part": "placed", "rules": texts, "instead": replaced}


def _read_alone(value: Any, rule: str) -> list[str]:
    """Return a rule as puzzles have it; raise SatdokuError if it does not fit the board.

    The other rules are left out: whoever builds a puzzle may have one that is wrong.
    """
    return read_puzzle({**value, "rules": [rule]}).rule_texts


# Shapes of rules for single cells, such as odd ones: two rules of such a kind look like one.
_SETS = ("", "mark")


def _joined(name: str, old: str, new: str, is_edited: bool) -> str | None:
    """Return the argument of the one rule that two of a kind become, without what both have; None
    if they stay two rules.
    """
    kind = require_rule_name(name)
    drawn = _drawn(kind)
    choices = choices_of(kind, drawn)
    [first, *others] = choices[0].parts
    if first.kind == "regions":
        return new  # a puzzle has one such rule at most
    if is_edited:
        return None
    if len(choices) > 1:
        # A pair of cells has one dot, in whichever direction it was drawn.
        dot, *dots = (_dot(each, first.kind == "pair") for each in (new, *old.split("/")))
        kept = [text for text, (_, of) in zip(old.split("/"), dots, strict=True) if of != dot[1]]
        return "/".join(kept if dot in dots else [*kept, new])
    if others or first.kind != "cells" or drawn not in _SETS:
        return None
    had, has = old.split(","), new.split(",")
    return ",".join([*(c for c in had if c not in has), *(c for c in has if c not in had)])


def _dot(part: str, is_pair: bool) -> tuple[str, tuple[str, ...]]:
    """Return the colour and the cells of a dot; of other parts of an argument the text alone."""
    if not is_pair:
        return "", (part,)
    colour, _, cells = part.partition("=")
    return colour, tuple(sorted(cells.split(",")))


def _drawn(kind: type[Rule]) -> str:
    """Return the name of the first shape of a rule's drawing; empty if it has none."""
    if not kind.example:
        return ""
    board = kind.example_board
    shape = next(iter(kind.parse(kind.example, board).drawing(board)), None)
    return str(shape[0]) if shape else ""


@cache  # each page that is opened asks for all of them
def _tool(kind: type[Rule], group: str) -> Tool:
    board = kind.example_board
    rule = kind.parse(kind.example, board) if kind.example else kind()
    drawn = _drawn(kind)
    choices = choices_of(kind, drawn)
    return {
        "name": kind.name,
        "group": group,
        "label": label_of(kind),
        "told": _told(kind, rule, choices),
        "also": other_names_of(kind),
        "usual": USUAL.index(kind.name) + 1 if kind.name in USUAL else 0,
        "example": kind.example,
        "form": kind.form,
        "parts": dict(kind.parts),
        "drawn": drawn,
        "choices": [
            {
                **choice._asdict(),
                "parts": [part._asdict() for part in choice.parts],
                "pattern": choice.pattern,
            }
            for choice in choices
        ],
        "picture": _unspoken(_picture(rule, board) or _initials(kind)),
    }


def _told(kind: type[Rule], rule: Rule, choices: tuple[Choice, ...]) -> str:
    """Return the meaning of the rule in words, without cells and numbers of its example."""
    board = kind.example_board
    if kind.told and "{" in kind.told:
        return re.sub(r"{\w+}", "N", kind.told)
    # With a single kind of clue outside, numbers need no letter.
    caption = re.sub("^[a-z] outside", "numbers outside", rule.caption(board))
    caption = caption or rule.sentence(board)
    if len(choices) > 1 and kind.told is None:
        caption = caption.partition(";")[0]  # each choice has words of its own
    typed = {part.kind for choice in choices for part in choice.parts} & _TYPED
    if kind.told is None and typed:
        return "; ".join(f"{word.lower()}: {told}" for word, told in kind.parts.items())
    return re.sub(_CELLS, "these cells", re.sub(rf"(?: at| from|(?<=cells)) {_CELLS}", "", caption))


def _initials(kind: type[Rule]) -> str:
    """Return the first letters of a rule's name as SVG."""
    letters = "".join(word[:1] for word in re.split(r"\W+", label_of(kind))[:2]).upper()
    place = 'x="5" y="6.8" font-size="5" font-weight="600" text-anchor="middle"'
    text = f'<text {place} fill="currentColor">{letters}</text>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">{text}</svg>'


def _unspoken(svg: str) -> str:
    """Return a drawing that screen readers pass over, as the name of the rule is beside it."""
    svg = re.sub(r"<(title|desc).*?</\1>| aria-labelledby=\"[^\"]*\"", "", svg, flags=re.DOTALL)
    return svg.replace("<svg ", '<svg aria-hidden="true" ', 1)


def _picture(rule: Rule, board: Geometry) -> str:
    """Return a drawing of the example as SVG, cut to its cells; empty if nothing can be drawn."""
    cells = sorted(rule.cells(board)) if type(rule).example else []
    shapes = list(rule.drawing(board))
    if shapes:
        outside = next((shape[1:4] for shape in shapes if shape[0] == "outside"), None)
        return _cut(Puzzle(Grid.empty(board)).with_rules([rule]), cells, rule.name, outside=outside)
    if 0 < len(cells) < board.cell_count:
        return _cut(Puzzle(Grid.empty(board)), cells, rule.name, marked=cells)
    if excluded := _excluded_around(rule):
        middle = Grid.empty(_AROUND).with_digits({_MIDDLE: _DIGIT})
        return _cut(Puzzle(middle), [], rule.name, marked=excluded)
    return ""


def _excluded_around(rule: Rule) -> list[int]:
    """Return the cells of a 5x5 board that may not hold some digit if a 2 is in the middle."""
    digits = range(1, _AROUND.size + 1)
    return [
        cell
        for cell in range(_AROUND.cell_count)
        if cell != _MIDDLE
        and any(rule.forbids_both(_AROUND, _MIDDLE, _DIGIT, cell, digit) for digit in digits)
    ]


def _cut(
    puzzle: Puzzle,
    cells: Sequence[int],
    name: str,
    *,
    marked: Sequence[int] = (),
    outside: tuple[int, int, int] | None = None,
) -> str:
    """Return the drawing of a puzzle, cut to a square around some cells, or to a clue `outside`."""
    picture = picture_of(puzzle, marked=dict.fromkeys(marked, Emphasis.USED))
    figure = draw(replace(picture, captions=(), sentences=(), title=""))
    text = svg_element(figure, f"tool-{name}-")
    size = puzzle.geometry.size
    if outside is not None:
        # Centre on the clue, its border cell and the cell behind that.
        cell, side = outside[0], 3 * _SIDE
        edge = (figure.width - size * _SIDE) / 2
        spots = (edge + _SIDE * (at - 1) for at in (cell % size, cell // size))
        left, top = (min(max(spot, 0.0), figure.width - side) for spot in spots)
    elif cells:
        rows, columns = [cell // size for cell in cells], [cell % size for cell in cells]
        count = max(max(rows) - min(rows) + 1, max(columns) - min(columns) + 1, 2)
        left, top = (_SIDE * min(*lines, size - count) for lines in (columns, rows))
        side = _SIDE * count + 2 * _MARGIN
    else:
        return text
    view = f'viewBox="{left:g} {top:g} {side:g} {side:g}"'
    return re.sub('viewBox="[^"]*"', view, text, count=1)
