"""An answerer that does what the text of a record tells it to do, and records for it."""

import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from satdoku.answering.output.ending import Ending
from satdoku.batch.row import Row
from satdoku.errors import SolverDiedError, SolverError, TooLargeError
from tests.waiting import wait_until


class Marked(NamedTuple):
    """A record; `number` counts from 1."""

    number: int
    text: str = ""


class Obedient:
    """Answers a record with its number, unless its text asks for something worse.

    A record is answered when its row is asked for, by `answer`, which some tests replace.
    """

    def __init__(self, timeout: float | None = None) -> None:
        self.timeout = timeout

    def answers(self, records: Sequence[Marked], /) -> Iterator[Row]:
        return map(self.answer, records)

    def answer(self, record: Marked, /) -> Row:
        if record.text:
            _obey(record.text)
        if record.text == "multiple":
            reject = f"{record.number}\tnot unique\n"
            return Row(f"{record.number} multiple\n", Ending.MULTIPLE, "not unique", reject)
        return Row(f"{record.number} unique\n", Ending.UNIQUE)

    def give_up(self, record: Marked, /, reason: str) -> Row:
        return Row(f"{record.number} undecided: {reason}\n", Ending.UNDECIDED)


def _obey(text: str) -> None:
    order, _, detail = text.partition(" ")
    if order in _ORDERS:
        _ORDERS[order](detail)


def _kill(detail: str) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _run_out_of_memory(detail: str) -> None:
    raise MemoryError


def _die(detail: str) -> None:
    raise SolverDiedError("the solver died")


def _be_too_large(detail: str) -> None:
    raise TooLargeError("too large")


def _refuse(detail: str) -> None:
    raise SolverError("refused")


def _sleep_deaf(seconds: str) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(float(seconds))


def _hang_with_pid(folder: str) -> None:
    Path(folder, str(os.getpid())).touch()
    time.sleep(1000)


def _wait_for(path: str) -> None:
    wait_until(Path(path).exists)


_ORDERS: dict[str, Callable[[str], object]] = {
    "exit": lambda detail: os._exit(3),
    "kill": _kill,
    "memory": _run_out_of_memory,
    "die": _die,
    "large": _be_too_large,
    "refuse": _refuse,
    "bug": lambda detail: 1 // 0,
    "sleep": lambda detail: time.sleep(float(detail)),
    "deaf": _sleep_deaf,
    "pid": _hang_with_pid,
    "touch": lambda path: Path(path).touch(),
    "await": _wait_for,
}


def make_records(count: int, **marks: str) -> Iterator[Marked]:
    """Records 1 to `count`; `n7="exit"` marks the seventh."""
    for number in range(1, count + 1):
        yield Marked(number, marks.get(f"n{number}", ""))


def texts(rows: Iterable[Row]) -> list[str]:
    return [row.text for row in rows]


def expected(count: int, **others: str) -> list[str]:
    """The texts of good records, but for some: `n7="undecided"`."""
    return [f"{n} {others.get(f'n{n}', 'unique')}\n" for n in range(1, count + 1)]
