"""What connections over WebSockets ask: those of the API, and those of the live protocol."""

import json
from collections.abc import Callable
from typing import Any

from satdoku.errors import SatdokuError
from satdoku.serving.messages import LONGEST_ID, MOST_SECONDS, PageQuestion, read_question
from satdoku.serving.pool import Job, QuestionPool
from satdoku.serving.websocket import WebSocket

LIVE_PORT = 4545
"""Where editors look for a solver."""

LIVE_ORIGINS = frozenset({"https://f-puzzles.com", "https://www.f-puzzles.com"})
"""The pages that may ask there; `--origin` adds others."""

# What is asked after every change of a board.
_QUICK = frozenset({"check", "solve", "truecandidates"})


class QuestionSession:
    """The questions of one connection: of each lane the newest."""

    def __init__(self, socket: WebSocket, pool_for: Callable[[PageQuestion], QuestionPool]) -> None:
        self._socket = socket
        self._pool_for = pool_for
        self._jobs: dict[str, Job] = {}

    def take(self, text: str) -> None:
        """Asks what a message says, in place of what its lane asked before."""
        try:
            question = read_question(text)
        except SatdokuError as error:
            self._socket.send(json.dumps({"id": 0, "error": str(error), "done": True}))
            return
        self._end(question.lane)
        # The last part says so itself.
        job = Job(question, lambda part, _: self._socket.send(part))
        self._jobs[question.lane] = job
        self._pool_for(question).ask(job)

    def close(self) -> None:
        """Ends what was asked."""
        for lane in list(self._jobs):
            self._end(lane)

    def _end(self, lane: str) -> None:
        job = self._jobs.pop(lane, None)
        if job is not None:
            self._pool_for(job.question).recall(job)


class LiveSession:
    """The newest question of a connection; each ends the one before it."""

    def __init__(self, socket: WebSocket, pool_for: Callable[[PageQuestion], QuestionPool]) -> None:
        self._socket = socket
        self._pool_for = pool_for
        self._job: Job | None = None

    def take(self, text: str) -> None:
        """Asks what a message says; what is none of ours gets no answer, as the protocol wants."""
        try:
            message: Any = json.loads(text)
        except (ValueError, RecursionError):
            return
        if not isinstance(message, dict) or not _is_nonce(message.get("nonce")):
            return
        nonce: int = message["nonce"]
        self.close()
        if message.get("command") == "cancel":
            self._send(nonce, {"type": "canceled"})
        elif message.get("dataType") == "fpuzzles":
            self._ask(nonce, message)

    def close(self) -> None:
        """Ends the question that is being answered."""
        job, self._job = self._job, None
        if job is not None:
            self._pool_for(job.question).recall(job)
            self._send(job.question.id, {"type": "canceled"})

    def _ask(self, nonce: int, message: dict[str, Any]) -> None:
        asked = {**message, "ask": "live", "seconds": MOST_SECONDS}
        is_quick = message.get("command") in _QUICK
        # "look" stands for all that is answered by quick workers.
        kind = "look" if is_quick else "live"
        question = PageQuestion(nonce, "live", kind, MOST_SECONDS, json.dumps(asked))

        def hear(text: str, _: bool) -> None:
            part = json.loads(text)
            # Answered, though its worker may not be free yet: there is nothing to cancel any more.
            if self._job is job and not part.get("reply", {}).get("inProgress"):
                self._job = None
            if "reply" in part:
                self._send(nonce, part["reply"])
            elif "error" in part or "undecided" in part:
                reason = part.get("error") or f"undecided: {part['undecided']}"
                self._send(nonce, {"type": "invalid", "message": reason})

        job = self._job = Job(question, hear)
        self._pool_for(question).ask(job)

    def _send(self, nonce: int, reply: dict[str, Any]) -> None:
        self._socket.send(json.dumps({"nonce": nonce, **reply}))


def _is_nonce(value: object) -> bool:
    return type(value) is int and 0 <= value < LONGEST_ID
