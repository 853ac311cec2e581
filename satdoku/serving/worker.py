"""What a worker process does all its life: it reads a question, sends the parts of the answer."""

import gc
import json
import os
import sys
import time
from multiprocessing.connection import Connection
from typing import Any

from satdoku.serving.asks import answer
from satdoku.serving.messages import ASK, LAST, PART, READY, RECALL

# Bytes of memory that a worker may use: a 36x36 board with all its steps needs a fifth of it.
_MOST_MEMORY = 3 << 30
# Looking into the pipe takes some microseconds, and solvers ask more often than anybody could wait.
_SECONDS_BETWEEN_LOOKS = 0.002


class Recall:
    """The event `stop` of the limits: set when the question that is being answered was recalled."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._number = ""
        self._is_set = False
        self._looked = 0.0

    def begin(self, number: str) -> None:
        """Notes which question is answered from now on."""
        self._number, self._is_set = number, False

    def is_set(self) -> bool:
        now = time.perf_counter()
        if self._is_set or now - self._looked < _SECONDS_BETWEEN_LOOKS:
            return self._is_set
        self._looked = now
        while self._connection.poll():
            # While a question is answered, nothing but recalls comes. One that was sent when its
            # question had ended already is about an earlier number, and means nothing.
            what, _, number = self._connection.recv_bytes().decode().partition(" ")
            self._is_set |= what == RECALL and number == self._number
        return self._is_set


def work(connection: Connection, niceness: int) -> None:
    """Answers questions until the pipe closes."""
    _limit(niceness)
    # What was imported before the fork stays shared, as no collection writes to it.
    gc.freeze()
    recall = Recall(connection)
    connection.send_bytes(READY)
    while True:
        try:
            what, _, rest = connection.recv_bytes().decode().partition(" ")
        except EOFError:
            return
        if what == ASK:
            number, _, text = rest.partition(" ")
            recall.begin(number)
            _answer(connection, json.loads(text), recall)


def _answer(connection: Connection, question: Any, recall: Recall) -> None:
    """Sends each part as soon as it is known, and then that there are no more."""
    for part in answer(question, recall):
        connection.send_bytes(PART + _text(question, part))
        if recall.is_set():
            break
    connection.send_bytes(LAST + _text(question, {"done": True}))


def _text(question: Any, part: dict[str, Any]) -> bytes:
    return json.dumps({"id": question.get("id"), **part}, separators=(",", ":")).encode()


def _limit(niceness: int) -> None:
    """Keeps a worker from taking the machine away from the page."""
    if sys.platform == "win32":
        return
    import resource

    os.nice(niceness)
    # Ends the question with MemoryError, and not the machine with swapping.
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
