"""Worker processes that answer questions, one each at a time; a recalled one that goes on is
killed.

Each worker has a place, with a thread here that starts the process, hears it, and starts another
one when it has died and somebody waits. Python-sat holds the interpreter for up to 200 ms, so
solvers in threads of this process would keep the page waiting; a process can also be killed.
"""

import asyncio
import multiprocessing
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from math import inf
from typing import Any

from satdoku.processes import Child
from satdoku.puzzle.rules.registry import GROUPS
from satdoku.serving.messages import ASK, LAST, READY, RECALL, PageQuestion, begin_work

# How long a worker may take to heed a recall. Nearly all do within 50 ms; a kill costs the next
# question a new process, and with less patience a busy machine would do nothing else.
_SECONDS_OF_GRACE = 0.5
# Nearly all end so soon; only then is another worker started for a question that waits. One person
# who types has one worker, and not a second one from the first key that overtakes an answer.
_SECONDS_TO_HEED = 0.03
# A worker takes some 20 MB, and to start one some ten milliseconds: those that nobody asked for so
# long end, but for one that waits for the next key.
_SECONDS_IDLE = 30.0
# Limits end a question by themselves, and this only what does not hear them.
_SECONDS_BEYOND_LIMIT = 2.0
# Long questions give way to what is asked while somebody types.
_NICENESS_OF_SLOW = 10

# What workers need and `asks` does not import at once: loaded once, it is shared by all of them.
_PRELOADED = (
    "satdoku.serving.asks",
    "satdoku.serving.making",
    "satdoku.serving.live",
    "satdoku.answering.checker",
    "satdoku.answering.classifiers",
    "satdoku.answering.counter",
    "satdoku.answering.explainer",
    "satdoku.answering.reducer",
    "satdoku.solving.loading",
    "satdoku.solving.counting",
    "satdoku.solving.formulas",
    "satdoku.solving.bulk",
    "pysat.solvers",
)

_DIED = '{"id":%d,"undecided":"the solver died"}', '{"id":%d,"done":true}'


class Job:
    """A question on its way, and who hears the parts of its answer; `is_last` comes once.

    `number` says which run it is: a job that was put back is answered again from the beginning, and
    the parts that were told already, `told`, are not told twice.
    """

    def __init__(self, question: PageQuestion, tell: Callable[[str, bool], None]) -> None:
        self.question = question
        self.number = 0
        self.tell = tell
        self.told = 0
        self.is_put_back = False
        self._heard = 0

    def begin(self, number: int) -> None:
        """Begins its next run."""
        self.number, self.is_put_back, self._heard = number, False, 0

    def hear(self, text: str) -> None:
        """Tells a part, unless that was done in a run before."""
        self._heard += 1
        if self._heard > self.told:
            self.told = self._heard
            self.tell(text, False)


class _Place:
    """A worker process, or the next one in its place."""

    def __init__(self, pool: "QuestionPool", niceness: int) -> None:
        self._pool = pool
        self._niceness = niceness
        self._child: Child | None = None
        self.job: Job | None = None
        self.is_ready = False
        self.last_run = 0
        self._recalled = -inf
        self._thread = threading.Thread(target=self._live, daemon=True)
        self._thread.start()

    @property
    def is_free(self) -> bool:
        return self.is_ready and self.job is None

    @property
    def is_coming(self) -> bool:
        """Whether it is about to be free: it starts, or is asked to stop since a moment."""
        if self.job is None:
            return not self.is_ready
        return self.job.is_put_back or self._pool.loop.time() < self._recalled + _SECONDS_TO_HEED

    def begin(self, job: Job) -> None:
        """Has the worker answer a question."""
        self.job, self.last_run = job, job.number
        self._send(f"{ASK} {job.number} {job.question.text}")

    def recall(self) -> None:
        """Asks the worker to stop, and ends it where it does not."""
        job = self.job
        if job is not None:
            self._recalled = self._pool.loop.time()
            self._send(f"{RECALL} {job.number}")
            self._pool.loop.call_later(_SECONDS_OF_GRACE, self.kill_over, job, job.number)

    def put_back(self) -> None:
        """Asks the worker to stop for now."""
        if self.job is not None:
            self.job.is_put_back = True
            self.recall()

    def kill(self) -> None:
        """Ends the worker now."""
        if self._child is not None:
            with suppress(ValueError, OSError):  # it has gone meanwhile
                self._child.process.kill()

    def join(self, seconds: float) -> None:
        """Waits until the thread has seen the end of its worker."""
        self._thread.join(seconds)

    def kill_over(self, job: Job, number: int) -> None:
        """Ends a run that goes on although it should not."""
        if self.job is job and job.number == number:
            self.kill()

    def _send(self, text: str) -> None:
        if self._child is not None:
            # A worker that died is heard of by its thread.
            with suppress(OSError, ValueError):
                self._child.connection.send_bytes(text.encode())

    def _live(self) -> None:
        """What the thread does: it starts a worker and hears it until it dies."""
        try:
            child = Child(begin_work, (self._niceness,), (), False, _start_method())
        except Exception:
            self._tell_pool(self._pool.place_ended, self, False)
            return
        self._child = child
        has_started = False
        with suppress(EOFError, OSError):
            while not self._pool.is_closed:
                message = child.connection.recv_bytes()
                has_started = True
                self._tell_pool(self._pool.heard, self, message)
        child.end(0)
        self._tell_pool(self._pool.place_ended, self, has_started)

    def _tell_pool(self, heard: Callable[..., None], *args: Any) -> None:
        with suppress(RuntimeError):  # the loop is closed: the server has ended
            self._pool.loop.call_soon_threadsafe(heard, *args)


class QuestionPool:
    """Questions in line for at most so many workers, which start when they are needed.

    Where all are busy, one whose question has told its first part, such as a verdict, is put back
    for a question that has told nothing yet: twenty people who type see their verdicts, and what
    takes long is told when there is time.
    """

    def __init__(self, most: int, is_slow: bool, seconds_idle: float = _SECONDS_IDLE) -> None:
        self.loop = asyncio.get_running_loop()
        self.is_closed = False
        self._most = most
        self._seconds_idle = seconds_idle
        self._niceness = _NICENESS_OF_SLOW if is_slow else 0
        self._line: deque[Job] = deque()
        self._put_back: deque[Job] = deque()
        self._places: list[_Place] = []
        self._count = 0

    def start(self) -> None:
        """Has a first worker ready before somebody asks."""
        if not self._places:
            self._places.append(_Place(self, self._niceness))

    def ask(self, job: Job) -> None:
        """Has a question answered when a worker is free."""
        self._line.append(job)
        self._hand_out()

    def recall(self, job: Job) -> None:
        """Ends a question: nobody wants to hear its answer any more."""
        job.tell = _not_heard
        for line in (self._line, self._put_back):
            if job in line:
                line.remove(job)
        job.is_put_back = False  # it ends now
        for place in self._places:
            if place.job is job:
                place.recall()
                # Whoever waits then goes to another worker.
                self.loop.call_later(_SECONDS_TO_HEED, self._hand_out)

    def heard(self, place: _Place, message: bytes) -> None:
        """Passes on what a worker said."""
        if message == READY:
            place.is_ready = True
            self.loop.call_later(self._seconds_idle, self._retire, place, place.last_run)
        elif place.job is not None:
            self._hear_of(place, place.job, message)
        self._hand_out()

    def _hear_of(self, place: _Place, job: Job, message: bytes) -> None:
        text = message[1:].decode()
        if not message.startswith(LAST):
            # What ends because it is put back may say that it was stopped.
            if not job.is_put_back:
                job.hear(text)
            return
        place.job = None
        self.loop.call_later(self._seconds_idle, self._retire, place, job.number)
        if job.is_put_back:
            self._put_back.append(job)
        else:
            job.tell(text, True)

    def place_ended(self, place: _Place, has_started: bool) -> None:
        """Tells who waited for a worker that it died."""
        self._places.remove(place)
        lost = [place.job] if place.job is not None else []
        if has_started and lost and lost[0].is_put_back:
            self._put_back.append(lost.pop())
        if not has_started:
            # The next one would not start either, and nobody would ever hear why.
            lost += [*self._line, *self._put_back]
            self._line.clear()
            self._put_back.clear()
        for job in lost:
            for text, is_last in zip(_DIED, (False, True), strict=True):
                job.tell(text % job.question.id, is_last)
        if not self.is_closed:
            self._hand_out()

    def close(self) -> None:
        """Ends all workers."""
        self.is_closed = True
        places = list(self._places)
        for place in places:
            place.kill()
        for place in places:
            place.join(0.3)

    def _hand_out(self) -> None:
        while self._line or self._put_back:
            place = next((place for place in self._places if place.is_free), None)
            if place is None:
                self._make_room()
                return
            job = (self._line or self._put_back).popleft()
            self._count += 1
            job.begin(self._count)
            place.begin(job)
            seconds = job.question.seconds + _SECONDS_BEYOND_LIMIT
            self.loop.call_later(seconds, place.kill_over, job, job.number)

    def _retire(self, place: _Place, number: int) -> None:
        """Ends a worker that nobody has asked since a run; quick ones have one left."""
        is_needed = place.last_run != number or not place.is_free
        # One that was just ended is among the places until its process has gone, and not ready.
        is_last = sum(each.is_ready for each in self._places) < 2 and not self._niceness
        if place in self._places and not is_needed and not is_last:
            place.is_ready = False
            place.kill()

    def _make_room(self) -> None:
        """Starts a worker, or has one put back what it answers, for each job that waits."""
        coming = sum(place.is_coming for place in self._places)
        waiting = len(self._line) + len(self._put_back)
        if coming < waiting and len(self._places) < self._most:
            self._places.append(_Place(self, self._niceness))
            return
        for place in self._places:
            if coming < len(self._line) and self._may_put_back(place.job):
                place.put_back()
                coming += 1

    def _may_put_back(self, job: Job | None) -> bool:
        """Whether a job may be answered anew; long ones would never end."""
        if job is None or self._niceness or job.tell is _not_heard:
            return False
        return job.told > 0 and not job.is_put_back


def preload() -> None:
    """Has the process that workers are forked from import once what all of them need."""
    if _start_method() == "forkserver":
        # The page asks what rules there are before anything else.
        rules = {place.partition(".")[0] for group in GROUPS.values() for place in group.values()}
        multiprocessing.get_context("forkserver").set_forkserver_preload(
            [*_PRELOADED, *sorted(f"satdoku.puzzle.rules.{name}" for name in rules)]
        )


def _start_method() -> str:
    """This process has threads, so it cannot be forked itself."""
    return "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"


def _not_heard(text: str, is_last: bool) -> None:
    pass
