"""Messages of a client: one JSON object per question, with a puzzle as the API writes it.

All entries are checked against limits, since a message may come from any program on this machine.
The server reads only the entries that it needs to schedule the question, and a worker reads the
puzzle.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from satdoku.errors import SatdokuError
from satdoku.notation.rule_entries import publication_entries, read_publication, read_rule_entries
from satdoku.picture.documents import shape_object
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import lowest_of
from satdoku.puzzle.rules.single_cells import Candidates

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

ASKS = {
    "about": ("asks", False),
    "read": ("asks", False),
    "look": ("looking", False),
    "clashes": ("looking", False),
    "board": ("asks", False),
    "place": ("tools", False),
    "write": ("asks", False),
    "facts": ("facts", True),
    "hint": ("looking", True),
    "walk": ("looking", True),
    "why": ("looking", True),
    "count": ("making", True),
    "minimize": ("making", True),
    "complete": ("making", True),
    "scramble": ("making", True),
    "generate": ("making", True),
    "draw": ("asks", True),
    "qr": ("asks", False),
    "certify": ("making", True),
    "live": ("live", True),
}
"""The questions: the module whose function of that name answers, and whether the answer may take
long.

Questions that may take long are asked by a click. They go to other workers than the questions that
the page asks while the user types.
"""

LANES = ("live", "play", "walk", "make", "board", "about")
"""The lanes of a connection: a new question in a lane cancels the question before it."""

READY, PART, LAST = b"r", b"p", b"l"
"""The first byte of a worker's message: ready for a question; part of an answer; last part."""

ASK, RECALL = "ask", "recall"
"""The first word of a message to a worker; the number of the question follows."""

LONGEST_ID = 1 << 53
"""Largest message id: JavaScript represents whole numbers up to here exactly."""

USUAL_SECONDS, MOST_SECONDS = 20.0, 60.0
"""The default time limit of a question in seconds, and the largest one."""


class PageQuestion(NamedTuple):
    """The entries of a message that the server needs; it passes the whole text on to a worker."""

    id: int
    lane: str
    ask: str
    seconds: float
    text: str

    @property
    def is_slow(self) -> bool:
        """Whether the question is for the workers of long questions."""
        _, is_slow = ASKS[self.ask]
        return is_slow


def read_question(text: str) -> PageQuestion:
    """Return the question in a message; a SatdokuError says what is wrong with it."""
    message = _read_object(text)
    found = message.get("id", 0)
    if not (_is_int(found) and 0 <= found < LONGEST_ID):
        raise SatdokuError("the entry 'id' is a whole number from 0 on")
    ask = message.get("ask")
    if not (isinstance(ask, str) and ask in ASKS):
        raise SatdokuError(f"the entry 'ask' is one of: {', '.join(sorted(ASKS))}")
    lane = message.get("lane", LANES[0])
    if lane not in LANES:
        raise SatdokuError(f"the entry 'lane' is one of: {', '.join(LANES)}")
    return PageQuestion(found, lane, ask, seconds_of(message), text)


def seconds_of(message: Mapping[str, Any], usual: float = USUAL_SECONDS) -> float:
    """Return the seconds that a question may take."""
    seconds = message.get("seconds", usual)
    if type(seconds) not in (int, float) or not 0 < seconds <= MOST_SECONDS:
        raise SatdokuError(f"the entry 'seconds' is a number above 0 and up to {MOST_SECONDS:g}")
    return float(seconds)


def whole_number(value: object, name: str, most: int = 1_000_000) -> int:
    """Return the value of an entry, a whole number of 1 or more."""
    if type(value) is not int or not 1 <= value <= most:
        raise SatdokuError(f"the entry {name!r} is a whole number from 1 to {most:,}")
    return value


def _read_object(text: str) -> Mapping[str, Any]:
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise SatdokuError("a message is a JSON object") from None
    if not isinstance(message, dict):
        raise SatdokuError("a message is a JSON object")
    return message


def _is_int(value: object) -> bool:
    # `True` is an `int` in Python, but not a number in JSON.
    return type(value) is int


# Limits on messages. A side of 36: larger boards do not fit on a page. A 25x25 puzzle has at most a
# given and a rule for each cell; a rule that names all cells of 36x36 has some 9,000 characters.
_MOST_DIGITS = 36
_MOST_RULES, _LONGEST_RULE = 700, 10_000
LONGEST_NAME, LONGEST_RULES_TEXT, LONGEST_DRAWINGS = 1_000, 20_000, 150_000


def begin_work(connection: "Connection", niceness: int) -> None:
    """Turn this process into a worker."""
    # Imported here: the server itself needs no solver, and is ready before its workers. This
    # function is not in a module of the server, as a worker would then import that too.
    from satdoku.serving.asks import work

    work(connection, niceness)


def read_puzzle(value: object) -> Puzzle:
    """Return the puzzle of an object such as {"box": [3, 3], "cells": [5, 3, 0, ...], "rules": []}.

    The object may also have a "name", an "author", a "rules_text", and "drawings" of another
    program.
    """
    if not isinstance(value, Mapping):
        raise SatdokuError("the entry 'puzzle' is an object with 'box' and 'cells'")
    geometry = read_box(value.get("box", [3, 3]))
    cells = value.get("cells")
    # A program that does not know how many cells a named board has leaves the list out.
    is_empty = cells is None and not geometry.is_plain
    digits = [0] * geometry.cell_count if is_empty else cells
    puzzle = Puzzle(Grid(geometry, read_digits(digits, "cells")))
    texts = (("name", LONGEST_NAME), ("author", LONGEST_NAME), ("rules_text", LONGEST_RULES_TEXT))
    for entry, most in texts:
        text = value.get(entry, "")
        if not isinstance(text, str) or len(text) > most:
            raise SatdokuError(f"the entry {entry!r} is a text of at most {most:,} characters")
    if len(json.dumps(value.get("drawings"))) > LONGEST_DRAWINGS:
        raise SatdokuError(f"the entry 'drawings' has at most {LONGEST_DRAWINGS:,} characters")
    puzzle = replace(puzzle, name=value.get("name", ""), publication=read_publication(value))
    rules = value.get("rules", [])
    if not isinstance(rules, list) or len(rules) > _MOST_RULES:
        raise SatdokuError(f"the entry 'rules' is a list of at most {_MOST_RULES}")
    if any(len(str(rule)) > _LONGEST_RULE for rule in rules):
        raise SatdokuError(f"a rule has at most {_LONGEST_RULE:,} characters")
    return puzzle.with_rules(read_rule_entries({"rules": rules}, geometry))


def read_box(value: object) -> Geometry:
    """Return the board whose boxes have so many rows and columns, or that a text describes."""
    if isinstance(value, str):
        if len(value) > _LONGEST_RULE:
            raise SatdokuError(f"the entry 'box' has at most {_LONGEST_RULE:,} characters")
        geometry = Geometry.parse(value)
        if geometry.cell_count > _MOST_DIGITS**2:
            raise SatdokuError(f"boards here have at most {_MOST_DIGITS**2:,} cells")
        return geometry
    is_pair = isinstance(value, list) and len(value) == 2 and all(type(n) is int for n in value)
    if not (isinstance(value, list) and is_pair and min(value) > 0):
        raise SatdokuError("the entry 'box' is two numbers, such as [3, 3], or a text")
    rows, columns = value
    if rows * columns > _MOST_DIGITS:
        raise SatdokuError(
            f"boards here have at most {_MOST_DIGITS}x{_MOST_DIGITS} cells, "
            f"and boxes of {rows}x{columns} make {rows * columns}x{rows * columns}"
        )
    return Geometry(rows, columns)


def read_digits(value: object, name: str) -> tuple[int, ...]:
    """Return the digits of a board, 0 for an empty cell."""
    if not isinstance(value, list) or not all(type(digit) is int for digit in value):
        raise SatdokuError(f"the entry {name!r} is a list of numbers, 0 for an empty cell")
    return tuple(value)


def read_digits_at(value: object, name: str, puzzle: Puzzle) -> dict[int, list[int]]:
    """Return lists of digits by cell, such as {"0": [1, 2]}; empty if there are none."""
    cells = {str(cell): cell for cell in range(puzzle.geometry.cell_count)}
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(
        cell in cells and isinstance(digits, list) and digits and all(map(_is_int, digits))
        for cell, digits in value.items()
    ):
        raise SatdokuError(f'the entry {name!r} is an object such as {{"0": [1, 2]}}')
    return {cells[cell]: digits for cell, digits in value.items()}


def read_marks(value: object, puzzle: Puzzle) -> Candidates | None:
    """Return the rule that states marks such as {"0": [1, 2]}, digits by cell; None if there are
    none.
    """
    digits_at = read_digits_at(value, "marks", puzzle)
    if not digits_at:
        return None
    # The rule lists numbers, which begin at 0 if digits do.
    lowest = lowest_of(puzzle.rules)
    marks = Candidates.of(
        {cell: [digit + lowest - 1 for digit in digits] for cell, digits in digits_at.items()}
    ).beside(puzzle.rules)
    marks.require_fit(puzzle.geometry)
    return cast(Candidates, marks)


def puzzle_entries(puzzle: Puzzle) -> dict[str, Any]:
    """Return the object that `read_puzzle` reads; empty texts are left out."""
    return {
        **shape_object(puzzle.geometry),
        "cells": list(puzzle.grid.digits),
        "rules": puzzle.rule_texts,
        "name": puzzle.name,
        **publication_entries(puzzle),
    }


def bounded(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle with texts cut to the length that messages may have, and long drawings
    removed.
    """
    about = puzzle.publication
    is_long = len(json.dumps(about.drawings)) > LONGEST_DRAWINGS - LONGEST_NAME
    return replace(
        puzzle,
        name=puzzle.name[:LONGEST_NAME],
        publication=replace(
            about,
            author=about.author[:LONGEST_NAME],
            rules_text=about.rules_text[:LONGEST_RULES_TEXT],
            drawings={} if is_long else about.drawings,
        ),
    )
