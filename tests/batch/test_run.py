"""Order, equality and patience, whoever does the work."""

import gc
import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import pytest

from satdoku.batch.row import Row
from satdoku.batch.run import MOST_RECORDS, run
from satdoku.errors import SatdokuError, SolverError, UnlikeLinesError
from tests.batch.marked import Marked, Obedient, expected, make_records, texts
from tests.each import for_each
from tests.waiting import SOON

ROOT = Path(__file__).parents[2]


@for_each("jobs", [None, 1, 2, 3])
@for_each("count", [0, 1, 64, 65, 5000])
def test_rows_come_in_the_order_of_the_records(count: int, jobs: int | None) -> None:
    assert texts(run(Obedient(), make_records(count), jobs)) == expected(count)


def test_slow_records_do_not_change_the_order() -> None:
    marks = {f"n{n}": "sleep 0.05" for n in (1, 64, 65, 130, 200)}
    assert texts(run(Obedient(), make_records(300, **marks), 2)) == expected(300)


def test_a_run_that_grows_gives_the_same_rows() -> None:
    marks = {f"n{n}": "sleep 0.1" for n in range(1, 9)}
    assert texts(run(Obedient(), make_records(500, **marks))) == expected(500)


class Picky(Obedient):
    """Refuses records that nobody has looked at, from the second thousand on."""

    def answer(self, record: Marked, /) -> Row:
        if record.text == "unseen" and record.number > 1000:
            raise UnlikeLinesError("these are no lines")
        return super().answer(record)


@for_each("jobs", [1, 2])
def test_records_are_read_again_after_one_that_is_not_what_it_was_taken_for(jobs: int) -> None:
    unseen = {f"n{n}": "unseen" for n in range(1, 3001)}
    done: list[str] = []

    def again() -> Iterator[Marked]:
        yield from islice(make_records(2500), len(done), None)

    for row in run(Picky(), make_records(3000, **unseen), jobs, again=again):
        done.append(row.text)
    assert done == expected(2500)


class Signing(Obedient):
    """Says in the message which process answered."""

    def answer(self, record: Marked, /) -> Row:
        return super().answer(record)._replace(message=str(os.getpid()))


@pytest.mark.parametrize(
    ("first", "hard", "count"), [(1000, 5, 2000), (1, 4, 4)], ids=["behind easy ones", "alone"]
)
def test_hard_records_are_shared_out_though_they_were_taken_together(
    first: int, hard: int, count: int
) -> None:
    """They are one piece at first; a worker that is slow over it gives the rest back."""
    # On a busy machine, it takes seconds until another worker has begun.
    marks = {f"n{n}": "sleep 1.5" for n in range(first, first + hard)}
    rows = list(run(Signing(), make_records(count, **marks), 4))
    assert texts(rows) == expected(count)
    assert len({row.message for row in rows[first - 1 : first - 1 + hard]}) > 1


@pytest.mark.parametrize("jobs", [None, 1, 2])
def test_a_slow_producer_gets_each_answer_at_once(jobs: int | None) -> None:
    produced: list[int] = []

    def trickle() -> Iterator[Marked]:
        for record in make_records(5):
            time.sleep(0.2)
            produced.append(record.number)
            yield record

    for number, row in enumerate(run(Obedient(), trickle(), jobs)):
        assert row.text == f"{number + 1} unique\n"
        assert len(produced) == number + 1


@for_each("count", [0, 1, 2, 100])
@for_each("jobs", [None, 1, 2])
def test_an_error_of_the_input_comes_after_all_rows_before_it(jobs: int | None, count: int) -> None:
    def broken() -> Iterator[Marked]:
        yield from make_records(count)
        raise SatdokuError("the input broke off")

    rows = run(Obedient(), broken(), jobs)
    assert [next(rows).text for _ in range(count)] == expected(count)
    with pytest.raises(SatdokuError, match="broke off"):
        next(rows)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_the_answerer_comes_after_all_rows_before_it(jobs: int) -> None:
    rows = run(Obedient(), make_records(200, n100="refuse"), jobs)
    assert [next(rows).text for _ in range(99)] == expected(99)
    with pytest.raises(SolverError, match="refused"):
        next(rows)


@pytest.mark.parametrize(
    ("order", "reason"),
    [("memory", "out of memory"), ("large", "too large"), ("die", "the solver died")],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_what_one_record_is_to_blame_for_costs_that_one(jobs: int, order: str, reason: str) -> None:
    rows = texts(run(Obedient(), make_records(100, n5=order), jobs))
    assert rows == expected(100, n5=f"undecided: {reason}")


class Untraced(Obedient):
    """Answers elsewhere without counting memory, which makes a copy of this process slow."""

    def __init__(self) -> None:
        super().__init__()
        self._home = os.getpid()

    def answers(self, records: Sequence[Marked], /) -> Iterator[Row]:
        if os.getpid() != self._home:
            tracemalloc.stop()
        return super().answers(records)


def test_memory_does_not_grow_with_the_number_of_records() -> None:
    count = 40_000
    assert texts(run(Obedient(), make_records(200), 2)) == expected(200)
    tracemalloc.start()
    rows = run(Untraced(), make_records(count), 2)
    assert sum(1 for _ in islice(rows, count)) == count
    # With the last row out nothing is under way: what is held now was kept of the records, but for
    # up to 2,000 tuples of each length that Python keeps for the next ones until it collects.
    gc.collect()
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert next(rows, None) is None
    assert held < count, "a byte a record or more"
    assert peak < 8_000_000


def test_memory_does_not_grow_while_a_hard_record_holds_up_the_others() -> None:
    taken = 0

    def counted() -> Iterator[Marked]:
        nonlocal taken
        for record in make_records(20_000, n1="sleep 1"):
            taken += 1
            yield record

    rows = run(Obedient(), counted(), 2)
    next(rows)
    assert taken <= 2 * 4 * MOST_RECORDS
    assert sum(1 for _ in rows) == 19_999


def test_a_reader_that_goes_ends_the_run_quietly(tmp_path: Path) -> None:
    code = """
import sys
from satdoku.answering.output.output import stream_output
from satdoku.batch.row import Row
from satdoku.batch.run import run
from tests.batch.marked import Obedient, make_records
try:
    with stream_output(sys.stdout) as output:
        for row in run(Obedient(), make_records(10**8), int(sys.argv[1])):
            output.write(row)
except BrokenPipeError:
    import os
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.exit(41)
"""
    for jobs in ("1", "2"):
        process = subprocess.Popen(
            [sys.executable, "-c", code, jobs],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
        )
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"1 unique\n"
        process.stdout.close()
        assert process.wait(SOON) == 41
        assert process.stderr.read() == b""
        process.stderr.close()


def test_one_record_needs_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    # Where nothing runs for a while, it is not known whether another record follows.
    monkeypatch.setattr("satdoku.batch.run._MOST_SECONDS", SOON)
    (row,) = run(Signing(), make_records(1), 2)
    assert row.message == str(os.getpid())


def test_a_hard_record_alone_needs_no_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it took: nobody knows whether there is anything behind it."""
    monkeypatch.setattr("satdoku.batch.run._run_in_pool", pytest.fail)
    rows = run(Obedient(), make_records(1, n1="sleep 0.5"))
    assert texts(rows) == expected(1)


@pytest.mark.parametrize("slow", [1, 2, 3, 4])
def test_long_records_keep_their_order_when_workers_begin(slow: int) -> None:
    """Of such records a few are taken together; the one that is too much for that is held."""
    records = [Marked(n, "x" * 100_000) for n in range(1, 9)]
    records[slow - 1] = Marked(slow, "sleep 0.5".ljust(100_000))
    assert texts(run(Obedient(), records)) == expected(8)
