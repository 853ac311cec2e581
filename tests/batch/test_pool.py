"""What a worker can suffer, and what it costs."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from satdoku import processes
from satdoku.answering.output.ending import Ending
from satdoku.batch.pool import Worker
from satdoku.batch.row import Row
from satdoku.batch.run import LARGEST, NoWorkersError, Piece, WorkerError, run
from satdoku.errors import SolverError
from tests.batch.marked import Marked, Obedient, expected, make_records, texts
from tests.crossing import sampled
from tests.waiting import SOON, is_running, wait_until

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

REASONS = {
    "exit": "undecided: its process ended with exit code 3",
    "kill": "undecided: its process was killed by SIGKILL",
}


@pytest.mark.parametrize(
    ("number", "mark"), [(1, "exit"), (64, "exit"), (65, "kill"), (200, "kill")]
)
def test_a_worker_that_dies_costs_one_record(mark: str, number: int) -> None:
    rows = texts(run(Obedient(), make_records(200, **{f"n{number}": mark}), 2))
    assert rows == expected(200, **{f"n{number}": REASONS[mark]})


@pytest.mark.parametrize(
    ("mark", "timeout", "reason"),
    [("exit", None, REASONS["exit"]), ("sleep 1000", 2, "undecided: still at work long after 2 s")],
)
def test_a_record_behind_a_slow_one_costs_no_other(
    mark: str, timeout: float | None, reason: str
) -> None:
    """Its worker goes on with it, though it was taken back and given to another one."""
    records = make_records(40, n17="sleep 1", n18=mark)
    assert texts(run(Obedient(timeout), records, 2)) == expected(40, n18=reason)


def test_many_workers_may_die() -> None:
    numbers = [f"n{n}" for n in range(1, 100, 20)]
    rows = texts(run(Obedient(), make_records(150, **dict.fromkeys(numbers, "exit")), 2))
    assert rows == expected(150, **dict.fromkeys(numbers, REASONS["exit"]))


@pytest.mark.parametrize("mark", ["sleep 1000", "deaf 1000"])
def test_a_worker_that_hangs_costs_one_record(mark: str) -> None:
    begin = time.monotonic()
    rows = texts(run(Obedient(timeout=0.2), make_records(200, n70=mark), 2))
    assert rows == expected(200, n70="undecided: still at work long after 0.2 s")
    assert time.monotonic() - begin < SOON


def test_a_record_within_its_limit_is_left_alone() -> None:
    rows = texts(run(Obedient(timeout=0.5), make_records(100, n7="sleep 1.2"), 2))
    assert rows == expected(100)


def test_a_spawned_worker_does_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "start_method", lambda: "spawn")
    rows = texts(run(Obedient(), make_records(200, n70="exit"), 2))
    assert rows == expected(200, n70=REASONS["exit"])


class Poison:
    """A record that ends whoever unpacks it."""

    text = ""

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return os._exit, (9,)


def test_workers_that_die_before_they_begin_end_the_run() -> None:
    records: list[Any] = [Poison(), Poison()]
    with pytest.raises(SolverError, match=r"die before they do anything .*exit code 9"):
        list(run(Obedient(), records, 2))


def test_a_bug_in_the_answerer_is_told_with_its_place() -> None:
    with pytest.raises(WorkerError, match=r"(?s)Traceback.*_obey.*ZeroDivisionError"):
        list(run(Obedient(), make_records(200, n70="bug"), 2))


class Measuring(Obedient):
    """Says how long a record is, at the same length."""

    def answer(self, record: Marked, /) -> Row:
        return Row(f"{record.number} {len(record.text)} {'x' * len(record.text)}", Ending.UNIQUE)


def test_a_huge_record_passes() -> None:
    records = [Marked(n, "y" * (3_000_000 if n % 5 == 0 else 10)) for n in range(1, 21)]
    rows = texts(run(Measuring(), records, 2))
    assert [row.split()[:2] for row in rows] == [[str(n), str(len(t))] for n, t in records]


def test_a_hard_record_holds_up_no_other(tmp_path: Path) -> None:
    """It ends when the one behind it is answered, which another worker has to do."""
    sign = tmp_path / "answered"
    records = make_records(15_000, n10001=f"await {sign}", n10002=f"touch {sign}")
    assert texts(run(Obedient(), records, 2)) == expected(15_000)


@pytest.mark.parametrize("mark", ["sleep 1000", "deaf 1000"])
def test_closing_ends_the_workers_within_a_second(mark: str) -> None:
    rows = run(Obedient(), make_records(10_000, n500=mark, n1500=mark), 2)
    next(rows)
    begin = time.monotonic()
    rows.close()
    assert time.monotonic() - begin < SOON
    assert multiprocessing.active_children() == []


SCRIPT = """
import sys
from satdoku.batch.run import run
from tests.batch.marked import Obedient, make_records
marks = {f"n{n}": f"pid {sys.argv[1]}" for n in (100, 200)}
try:
    for row in run(Obedient(), make_records(300, **marks), 2):
        pass
except KeyboardInterrupt:
    sys.exit(130)
"""


def start_script(folder: Path) -> "subprocess.Popen[bytes]":
    """A run whose two workers hang; their ids are the names of the files in `folder`."""
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(folder)],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    wait_until(lambda: len(list(folder.iterdir())) == 2)
    return process


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@sampled(
    2,
    "number, code",
    [(signal.SIGINT, 130), (signal.SIGTERM, -15), (signal.SIGKILL, -9), (signal.SIGHUP, -1)],
)
def test_workers_end_with_their_parent(number: int, code: int, tmp_path: Path) -> None:
    process = start_script(tmp_path)
    pids = [int(path.name) for path in tmp_path.iterdir()]
    assert all(map(is_running, pids))
    begin = time.monotonic()
    process.send_signal(number)
    assert process.wait(SOON) == code
    assert time.monotonic() - begin < SOON
    wait_until(lambda: not any(map(is_running, pids)))
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()


class SlowToBegin(Obedient):
    """Takes so long over each batch that the last record before it looks as if it hung."""

    def answers(self, records: Sequence[Marked], /) -> Iterator[Row]:
        time.sleep(0.8)
        yield from super().answers(records)


@pytest.mark.parametrize("number", [4, pytest.param(300, marks=pytest.mark.slow)])
def test_the_first_of_many_records_may_take_longer_than_a_piece(number: int) -> None:
    assert texts(run(SlowToBegin(), make_records(number), 2)) == expected(number)


class Beginning(list[float]):
    """What a worker notes, read just as it begins: between pieces at first, then at a record."""

    def __iter__(self) -> Iterator[float]:
        return iter((0.0, -1.0, 0.0))


def test_a_worker_that_begins_while_it_is_looked_at_is_at_no_record() -> None:
    worker: Worker[Marked] = Worker(Obedient(), [])
    try:
        worker.pieces.append(Piece(0, list(make_records(10))))
        worker._in_work = Beginning([0.0, 0.0, 0.0])
        assert worker.index_in_work is None
        assert worker.take_rest() is None
    finally:
        worker.end()


def test_what_was_taken_back_and_answered_all_the_same_is_not_written_twice() -> None:
    """A worker may have been past the end of its time when its rest was taken back."""
    worker: Worker[Marked] = Worker(Obedient(), [])
    try:
        records = list(make_records(10, n8="bug"))
        for start in (0, 10):
            assert worker.send(Piece(start, records))
        worker.pieces[0] = worker.pieces[0].part(0, 4)
        piece, rows, error = worker.receive() or pytest.fail("it was not recalled")
        assert (len(piece.records), texts(rows), error) == (4, expected(4), None)
        _, rows, error = worker.receive() or pytest.fail("it was not recalled")
        assert texts(rows) == expected(7)
        assert isinstance(error, WorkerError)
    finally:
        worker.end()


class Counted(Obedient):
    """Works out all records with the first one, waits meanwhile, and counts what it works out."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._file = folder / "worked out"

    def answers(self, records: Sequence[Marked], /) -> Iterator[Row]:
        with self._file.open("a") as stream:
            stream.write(f"{len(records)}\n")
        time.sleep(0.8)
        return super().answers(records)

    @property
    def count(self) -> int:
        return sum(map(int, self._file.read_text().split()))


def test_workers_that_wait_for_a_processor_are_left_with_their_records(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As on a busy machine, where nearly everything was answered several times."""
    monkeypatch.setattr("satdoku.batch.pool.seconds_of_runner", lambda process: 0.0)
    answerer = Counted(tmp_path)
    assert texts(run(answerer, make_records(150), 2)) == expected(150)
    assert answerer.count == 150


def raising(error: OSError) -> Any:
    def fail(*arguments: object, **options: object) -> None:
        raise error

    return fail


NO_PLACE = FileNotFoundError(2, "No such file or directory", "/dev/shm")


def test_no_file_in_shared_memory_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    if processes.start_method() != "fork":
        pytest.skip("others need one")
    monkeypatch.setattr("multiprocessing.heap.Arena.__init__", raising(NO_PLACE))
    monkeypatch.setattr("multiprocessing.synchronize.SemLock.__init__", raising(NO_PLACE))
    assert texts(run(Obedient(), make_records(200), 2)) == expected(200)


class Lengthy(Obedient):
    """Answers each record as a block whose text is long, in part too long for shared memory."""

    def answer(self, record: Marked, /) -> Row:
        return super().answer(record)._replace(text=lengthy(record.number), records=2000)


def lengthy(number: int) -> str:
    letter = "é" if number % 7 == 3 else str(number % 10)
    return letter * (LARGEST // (3 if number % 5 else 1) + number % 3)


@pytest.mark.parametrize(
    ("method", "kept"),
    [("fork", 1), ("fork", 40), pytest.param("spawn", 40, marks=pytest.mark.slow)],
)
def test_long_texts_come_whole_whether_or_not_they_are_in_shared_memory(
    method: str, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("satdoku.batch.pool.start_method", lambda: method)
    monkeypatch.setattr("satdoku.batch.run.MOST_RECORDS", 4)
    monkeypatch.setattr("satdoku.batch.run._FIRST_RECORDS", 2)
    rows: deque[Row] = deque()
    shared = 0
    for number, row in enumerate(run(Lengthy(), make_records(60, n20="kill"), 2), 1):
        rows.append(row)
        shared += row.shared is not None
        if len(rows) == kept or number == 60:
            for index, each in enumerate(rows, number + 1 - len(rows)):
                text = each.text if each.shared is None else str(each.shared.data, "ascii")
                assert text == (KILLED if index == 20 else lengthy(index))
            rows.clear()
    assert (shared > 0) == (method == "fork")


KILLED = expected(20, n20=REASONS["kill"])[-1]


def test_where_no_worker_can_be_started_one_process_does_the_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(processes, "start_method", lambda: "spawn")
    monkeypatch.setattr("satdoku.batch.pool.start_method", lambda: "spawn")
    monkeypatch.setattr("multiprocessing.heap.BufferWrapper.__init__", raising(NO_PLACE))
    monkeypatch.setattr("satdoku.batch.run.available_processors", lambda: 2)
    told: list[str] = []
    records = make_records(100, n1="sleep 0.4", n2="sleep 0.1")
    assert texts(run(Obedient(), records, tell=told.append)) == expected(100)
    assert len(told) == 1
    assert "no worker process can be started (/dev/shm: No such file" in told[0]
    with pytest.raises(NoWorkersError, match="no worker process can be started"):
        next(run(Obedient(), make_records(100), 2))


def test_the_workers_that_can_be_started_do_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    start = Worker.__init__

    def start_one(self: Worker[Marked], answerer: Any, siblings: Sequence[Worker[Marked]]) -> None:
        if siblings:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        start(self, answerer, siblings)

    monkeypatch.setattr(Worker, "__init__", start_one)
    told: list[str] = []
    assert texts(run(Obedient(), make_records(300), 3, tell=told.append)) == expected(300)
    assert told == [
        "no further worker process can be started (Resource temporarily unavailable);"
        " those that were started continue: 1"
    ]
