"""Records are prepared together and answered one by one, in the time that there is."""

import time
from collections.abc import Sequence

import pytest

from satdoku.batch.work import MOST_TOGETHER, Pace, answer_records, with_grace
from tests.batch.marked import Marked, Obedient, expected, make_records, texts


class Preparing(Obedient):
    """Notes how many records it was given to prepare."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: list[int] = []

    def prepare(self, records: Sequence[Marked], /) -> Sequence[Marked]:
        self.counts.append(len(records))
        return [record._replace(text=record.text.removeprefix("prepared ")) for record in records]


def test_what_was_prepared_is_answered() -> None:
    answerer = Preparing()
    records = list(make_records(5000, n70="prepared multiple"))
    rows, error = answer_records(answerer, records, 10, Pace(first=1))
    assert error is None
    assert texts(rows) == expected(5000, n70="multiple")
    assert sum(answerer.counts) == 5000
    assert answerer.counts[0] == 1
    assert max(answerer.counts) == MOST_TOGETHER


def test_slow_records_are_prepared_a_few_at_a_time() -> None:
    pace = Pace()
    assert pace.records == MOST_TOGETHER
    pace.learn(1, 0.1)
    few = pace.records
    assert few < 100
    pace.learn(few, few * 0.001)
    assert few < pace.records < MOST_TOGETHER
    pace.learn(pace.records, 0.0)
    assert pace.records == MOST_TOGETHER


def test_records_that_cannot_be_prepared_are_answered_all_the_same() -> None:
    class Starving(Obedient):
        def prepare(self, records: Sequence[Marked], /) -> Sequence[Marked]:
            raise MemoryError

    rows, error = answer_records(Starving(), list(make_records(100)), 10, Pace())
    assert (texts(rows), error) == (expected(100), None)


def test_an_error_leaves_the_rows_before_it() -> None:
    rows, error = answer_records(Obedient(), list(make_records(100, n40="bug")), 10, Pace())
    assert texts(rows) == expected(39)
    assert "ZeroDivisionError" in str(error)


@pytest.mark.parametrize(
    ("sleeps", "answered"),
    [
        # Half of the time was not enough for half of the records.
        ({"n2": "sleep 0.6"}, 2),
        # It was, and so the second half gets its half of the time too.
        ({"n90": "sleep 0.6"}, 100),
        ({"n90": "sleep 1.1"}, 90),
    ],
)
def test_time_that_runs_out_leaves_the_rest(sleeps: dict[str, str], answered: int) -> None:
    begin = time.monotonic()
    rows, error = answer_records(Obedient(), list(make_records(100, **sleeps)), 1.0, Pace())
    assert error is None
    assert texts(rows) == expected(answered)
    assert time.monotonic() - begin < 1.5


def test_each_index_is_told_before_it_is_tried() -> None:
    told: list[int] = []
    answer_records(Obedient(), list(make_records(100, n40="bug")), 10, Pace(), told.append)
    assert told == list(range(40))


def test_long_limits_have_more_grace() -> None:
    assert with_grace(0.1) == 1.1
    assert with_grace(100) == 110
