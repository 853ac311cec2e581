"""One question to a solver that should not be interrupted, in a process of its own.

Elsewhere a solver searches in slices of 50 milliseconds, between which limits and Ctrl-C are looked
at. CaDiCaL does not bear that well: whenever it is asked again it begins its rhythm of restarts and
of changing phases anew. The published 64x64-1 it solved within 36,000 to 65,000 conflicts in one
go, three times out of three; in slices of one or three seconds four of five times it did not, with
up to 178,000 conflicts.
"""

import multiprocessing
from typing import TYPE_CHECKING

from satdoku.batch.processors import available_processors
from satdoku.encoding.files.status import Status
from satdoku.errors import SatdokuError
from satdoku.processes import Child, at_most
from satdoku.solving.large.contender import ContenderQuestion, Reply, contend
from satdoku.solving.limits import Budget

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


class Asked:
    """A question that a process of its own is at work on."""

    def __init__(self, question: ContenderQuestion) -> None:
        self._child: Child = Child(_answer, (question,), (), True)

    def wait(self, budget: Budget) -> Reply:
        """The reply; LimitReachedError when the budget ends before."""
        try:
            while not self._child.connection.poll(at_most(budget.seconds_to_wait)):
                budget.require()
            reply: Reply = self._child.connection.recv()
            return reply
        except EOFError:
            # It died, as a rule for want of memory. Others may still find the answer.
            return Reply(Status.UNKNOWN)

    def stop(self) -> None:
        """Ends the process, whether or not it has replied."""
        self._child.stop()


def ask_apart(question: ContenderQuestion, budget: Budget) -> Reply:
    """Asks in a process that ends with the budget, and when Ctrl-C is pressed.

    A process that may start none, as those of a race or of Dask, asks itself.
    """
    if multiprocessing.current_process().daemon:
        return ask_here(question, budget)
    asked = Asked(question)
    try:
        return asked.wait(budget)
    finally:
        asked.stop()


def has_idle_core() -> bool:
    """Whether a second process may be expected to slow nobody down.

    Workers of a run, of a race or of Dask are as many as there are cores, as a rule.
    """
    return multiprocessing.parent_process() is None and available_processors() > 1


def ask_here(question: ContenderQuestion, budget: Budget) -> Reply:
    """Asks in this process; in slices only where a limit has to be kept."""
    engine = question.engine._replace(is_sliced=budget.can_end_early)
    with contend(question.puzzle, engine, budget, question.candidates) as contender:
        status = contender.find(question.known, budget, question.patience)
        solution = contender.solution() if status is Status.SATISFIABLE else None
        return Reply(status, solution, contender.counters())


def _answer(connection: "Connection", question: ContenderQuestion) -> None:
    try:
        # The parent knows when the time is up, and ends this process then.
        reply = ask_here(question, Budget())
    except (SatdokuError, MemoryError):
        reply = Reply(Status.UNKNOWN)
    connection.send(reply)
