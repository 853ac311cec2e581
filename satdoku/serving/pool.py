"""Pool of worker processes, each of which answers one question at a time.

A worker that ignores a recall is killed. Each worker has a place with a thread of this process,
which starts the worker, receives its messages, and starts a new one if it has died and questions
wait. Solvers in threads of this process would block the page, as python-sat holds the interpreter
lock for up to 200 ms; besides, only a process can be killed.
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

# How long a worker may take to react to a recall. Nearly all react within 50 ms. A kill costs the
# next question a new process; with a shorter time, a busy machine would kill workers all the time.
_SECONDS_OF_GRACE = 0.5
# Nearly all recalled workers stop within this time; only then another worker is started for a
# waiting question. So one user who types needs a single worker.
_SECONDS_TO_HEED = 0.03
# Workers that are idle for this long end, except one that is kept for the next key. A worker takes
# about 20 MB, and starting one about ten milliseconds.
_SECONDS_IDLE = 30.0
# Time beyond its limit after which a question is killed, for code that does not check limits.
_SECONDS_BEYOND_LIMIT = 2.0
# Long questions leave the processor to questions that are asked while a user types.
_NICENESS_OF_SLOW = 10

# Modules that workers need and that `asks` imports late: imported once, and shared by all forks.
_PRELOADED = (
    "satdoku.serving.asks",
    "satdoku.serving.making",
    "satdoku.serving.live",
    "satdoku.answering.checker",
    "satdoku.answering.rater",
    "satdoku.answering.twins",
    "satdoku.answering.counter",
    "satdoku.answering.explainer",
    "satdoku.answering.reducer",
    "satdoku.solving.kept",
    "satdoku.solving.session",
    "satdoku.solving.counting",
    "satdoku.solving.formulas",
    "satdoku.solving.bulk",
    "pysat.solvers",
)

_DIED = '{"id":%d,"undecided":"the solver died"}', '{"id":%d,"done":true}'


class Job:
    """A question, and the callback for the parts of its answer; `is_last` is set on the final part.

    `number` counts the runs of the job: a job that was put back is answered again from the
    beginning, and the first `told` parts are not sent again.
    """

    def __init__(self, question: PageQuestion, tell: Callable[[str, bool], None]) -> None:
        self.question = question
        self.number = 0
        self.tell = tell
        self.told = 0
        self.is_put_back = False
        self._heard = 0

    def begin(self, number: int) -> None:
        """Record the start of a run."""
        self.number, self.is_put_back, self._heard = number, False, 0

    def hear(self, text: str) -> None:
        """Pass on a part, unless an earlier run has sent it."""
        self._heard += 1
        if self._heard > self.told:
            self.told = self._heard
            self.tell(text, False)


class _Place:
    """A place for a worker process, which is started again when needed."""

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
        """Whether the worker will soon be free: it is starting, or was just recalled."""
        if self.job is None:
            return not self.is_ready
        return self.job.is_put_back or self._pool.loop.time() < self._recalled + _SECONDS_TO_HEED

    def begin(self, job: Job) -> None:
        """Send a question to the worker."""
        self.job, self.last_run = job, job.number
        self._send(f"{ASK} {job.number} {job.question.text}")

    def recall(self) -> None:
        """Ask the worker to stop, and kill it if it does not react."""
        job = self.job
        if job is not None:
            self._recalled = self._pool.loop.time()
            self._send(f"{RECALL} {job.number}")
            self._pool.loop.call_later(_SECONDS_OF_GRACE, self.kill_over, job, job.number)

    def put_back(self) -> None:
        """Ask the worker to stop; its job returns to the queue and is answered later."""
        if self.job is not None:
            self.job.is_put_back = True
            self.recall()

    def kill(self) -> None:
        """Kill the worker now."""
        if self._child is not None:
            with suppress(ValueError, OSError):  # the process has ended already
                self._child.process.kill()

    def join(self, seconds: float) -> None:
        """Wait until the thread has seen the end of its worker."""
        self._thread.join(seconds)

    def kill_over(self, job: Job, number: int) -> None:
        """Kill the worker if it is still busy with this run."""
        if self.job is job and job.number == number:
            self.kill()

    def _send(self, text: str) -> None:
        if self._child is not None:
            # If the worker has died, its thread finds out.
            with suppress(OSError, ValueError):
                self._child.connection.send_bytes(text.encode())

    def _live(self) -> None:
        """Run the thread of the place: start a worker and receive its messages until the worker
        ends.
        """
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
        with suppress(RuntimeError):  # the event loop is closed, as the server has ended
            self._pool.loop.call_soon_threadsafe(heard, *args)


class QuestionPool:
    """Queue of questions for a limited number of workers, which are started on demand.

    If all workers are busy, a question that has sent its first part, such as a verdict, is put back
    in favour of a question that has sent nothing yet. So twenty users who type all see their
    verdicts, and longer answers follow when there is time.
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
        """Start a first worker before any question arrives."""
        if not self._places:
            self._places.append(_Place(self, self._niceness))

    def ask(self, job: Job) -> None:
        """Queue a question for the next free worker."""
        self._line.append(job)
        self._hand_out()

    def recall(self, job: Job) -> None:
        """Cancel a question whose answer is no longer wanted."""
        job.tell = _not_heard
        for line in (self._line, self._put_back):
            if job in line:
                line.remove(job)
        job.is_put_back = False  # cancelled, not put back
        for place in self._places:
            if place.job is job:
                place.recall()
                # By then, most recalled workers are free; otherwise waiting questions go to another
                # worker.
                self.loop.call_later(_SECONDS_TO_HEED, self._hand_out)

    def heard(self, place: _Place, message: bytes) -> None:
        """Pass on a message of a worker."""
        if message == READY:
            place.is_ready = True
            self.loop.call_later(self._seconds_idle, self._retire, place, place.last_run)
        elif place.job is not None:
            self._hear_of(place, place.job, message)
        self._hand_out()

    def _hear_of(self, place: _Place, job: Job, message: bytes) -> None:
        text = message[1:].decode()
        if not message.startswith(LAST):
            # A job that is put back may report that it was stopped: drop that message.
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
        """Tell the waiting client that the worker has died."""
        self._places.remove(place)
        lost = [place.job] if place.job is not None else []
        if has_started and lost and lost[0].is_put_back:
            self._put_back.append(lost.pop())
        if not has_started:
            # A further worker would not start either, so all waiting questions get this answer.
            lost += [*self._line, *self._put_back]
            self._line.clear()
            self._put_back.clear()
        for job in lost:
            for text, is_last in zip(_DIED, (False, True), strict=True):
                job.tell(text % job.question.id, is_last)
        if not self.is_closed:
            self._hand_out()

    def close(self) -> None:
        """End all workers."""
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
        """End a worker that has been idle since this run; a pool of quick questions keeps one."""
        is_needed = place.last_run != number or not place.is_free
        # A worker that was just ended keeps its place until the process has ended, but is not
        # ready.
        is_last = sum(each.is_ready for each in self._places) < 2 and not self._niceness
        if place in self._places and not is_needed and not is_last:
            place.is_ready = False
            place.kill()

    def _make_room(self) -> None:
        """For each waiting job, start a worker or put back a running job."""
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
        """Whether a job may be put back; long jobs would never end if they were restarted."""
        if job is None or self._niceness or job.tell is _not_heard:
            return False
        return job.told > 0 and not job.is_put_back


def preload() -> None:
    """Import common modules once in the fork server, which forks the workers."""
    if _start_method() == "forkserver":
        # The list of rules is the first question of every page.
        rules = {place.partition(".")[0] for group in GROUPS.values() for place in group.values()}
        multiprocessing.get_context("forkserver").set_forkserver_preload(
            [*_PRELOADED, *sorted(f"satdoku.puzzle.rules.{name}" for name in rules)]
        )


def _start_method() -> str:
    """Return the start method; this process has threads, so it must not be forked itself."""
    return "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"


def _not_heard(text: str, is_last: bool) -> None:
    pass
