"""The arguments of rules as data, for input forms: one field for each part.

A rule states its argument as a text such as `[SUM=]CELLS` (`Rule.form`). `choices_of` splits it
into parts that state their type: cells to be drawn, a number to be typed, and so on.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from satdoku.puzzle.rules.registry import names_elsewhere
from satdoku.puzzle.rules.rule import Rule

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
