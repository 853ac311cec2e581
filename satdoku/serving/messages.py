"""What a client asks: one JSON object a question, read with bounds on everything in it."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from satdoku.errors import SatdokuError

QUICK = frozenset({"about", "read", "look", "board", "write"})
"""What is asked while somebody types. All else goes to other workers, so as not to stand in line
before it."""

SLOW = frozenset(
    {"hint", "walk", "why", "count", "minimize", "complete", "scramble", "generate", "draw", "live"}
)
"""What is asked by a click, and may take long."""

LANES = ("live", "walk", "make", "board", "about")
"""The strands of a connection: a new question in one of them ends the question before it."""

READY, PART, LAST = b"r", b"p", b"l"
"""The first byte of what a worker sends: it may be asked; a part of an answer; the last part."""

ASK, RECALL = "ask", "recall"
"""How what a worker is sent begins; the number of the question follows."""

LONGEST_ID = 1 << 53
"""The whole numbers that JavaScript knows exactly end here."""

USUAL_SECONDS, MOST_SECONDS = 20.0, 60.0
"""How long a question may take where it does not say, and where it does."""


class PageQuestion(NamedTuple):
    """As much of a message as the server has to know, which hands its text on to a worker."""

    id: int
    lane: str
    ask: str
    seconds: float
    text: str

    @property
    def is_slow(self) -> bool:
        """Whether it is for the workers of long questions."""
        return self.ask in SLOW


def read_question(text: str) -> PageQuestion:
    """The question of a message; SatdokuError says what is wrong with it."""
    message = _read_object(text)
    found = message.get("id", 0)
    if not (_is_int(found) and 0 <= found < LONGEST_ID):
        raise SatdokuError("the entry 'id' is a whole number from 0 on")
    ask = message.get("ask")
    if not (isinstance(ask, str) and ask in QUICK | SLOW):
        raise SatdokuError(f"the entry 'ask' is one of: {', '.join(sorted(QUICK | SLOW))}")
    lane = message.get("lane", LANES[0])
    if lane not in LANES:
        raise SatdokuError(f"the entry 'lane' is one of: {', '.join(LANES)}")
    return PageQuestion(found, lane, ask, seconds_of(message), text)


def seconds_of(message: Mapping[str, Any]) -> float:
    """How long a question may take."""
    seconds = message.get("seconds", USUAL_SECONDS)
    if type(seconds) not in (int, float) or not 0 < seconds <= MOST_SECONDS:
        raise SatdokuError(f"the entry 'seconds' is a number up to {MOST_SECONDS:g}")
    return float(seconds)


def _read_object(text: str) -> Mapping[str, Any]:
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise SatdokuError("a message is a JSON object") from None
    if not isinstance(message, dict):
        raise SatdokuError("a message is a JSON object")
    return message


def _is_int(value: object) -> bool:
    # True is an int to Python, and no number to anybody else.
    return type(value) is int
