"""One question to a solver that should not be interrupted, in a process of its own.

Elsewhere a solver searches in slices of 50 milliseconds, between which limits and Ctrl-C are looked
at. CaDiCaL does not bear that well: whenever it is asked again it begins its rhythm of restarts and
of changing phases anew. The published 64x64-1 it solved within 36,000 to 65,000 conflicts in one
go, three times out of three; in slices of one or three seconds four of five times it did not, with
up to 178,000 conflicts.
"""

import multiprocessing
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from satdoku.dimacs.status import Status
from satdoku.errors import SatdokuError
from satdoku.processes import Child, at_most
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.large.contender import Engine, contend
from satdoku.solving.limits import Budget

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


class Question(NamedTuple):
    """A solution is wanted beside the known ones, within so many conflicts."""

    puzzle: Puzzle
    engine: Engine
    candidates: Mapping[int, int] | None
    known: Sequence[Grid]
    patience: int


class Reply(NamedTuple):
    """What a solver says to a question, and what it counted."""

    status: Status
    solution: Grid | None = None
    counters: Mapping[str, int] = {}


def ask_apart(question: Question, budget: Budget) -> Reply:
    """Asks in a process that ends with the budget, and when Ctrl-C is pressed.

    A process that may start none, as those of a race or of Dask, asks itself.
    """
    if multiprocessing.current_process().daemon:
        return ask_here(question, budget)
    child: Child = Child(_answer, (question,), (), True)
    try:
        while not child.connection.poll(at_most(budget.seconds_to_wait)):
            budget.require()
        reply: Reply = child.connection.recv()
        return reply
    except EOFError:
        # It died, as a rule for want of memory. Others may still find the answer.
        return Reply(Status.UNKNOWN)
    finally:
        child.stop()


def ask_here(question: Question, budget: Budget) -> Reply:
    """Asks in this process; in slices only where a limit has to be kept."""
    engine = question.engine._replace(is_sliced=budget.can_end_early)
    with contend(question.puzzle, engine, budget, question.candidates) as contender:
        status = contender.find(question.known, budget, question.patience)
        solution = contender.solution() if status is Status.SATISFIABLE else None
        return Reply(status, solution, contender.counters())


def _answer(connection: "Connection", question: Question) -> None:
    try:
        # The parent knows when the time is up, and ends this process then.
        reply = ask_here(question, Budget())
    except (SatdokuError, MemoryError):
        reply = Reply(Status.UNKNOWN)
    connection.send(reply)
