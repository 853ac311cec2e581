"""Records are given to the answerer together, and each is answered in the time that there is."""

import time
from collections.abc import Iterator, Sequence
from itertools import count

import pytest

from satdoku.answering.output.ending import Ending
from satdoku.batch.row import Row
from satdoku.batch.run import (
    MOST_TOGETHER,
    Pace,
    answer_in_order,
    answer_records,
    with_grace,
)
from tests.batch.marked import Marked, Obedient, expected, make_records, texts
from tests.each import for_each


class Counting(Obedient):
    """Notes how many records it was given together."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: list[int] = []

    def answers(self, records: Sequence[Marked], /) -> Iterator[Row]:
        self.counts.append(len(records))
        return super().answers(records)


def test_all_records_are_answered_more_and_more_of_them_together() -> None:
    answerer = Counting()
    records = list(make_records(5000, n70="multiple"))
    # By this clock a look at it takes a microsecond, and nothing else takes any time.
    clock = map((1e-6).__mul__, count()).__next__
    rows, error = answer_records(answerer, records, 10, Pace(1, 0.5), clock=clock)
    assert error is None
    assert texts(rows) == expected(5000, n70="multiple")
    assert sum(answerer.counts) == 5000
    assert answerer.counts[0] == 1
    assert max(answerer.counts) == MOST_TOGETHER


def test_slow_records_are_given_a_few_at_a_time() -> None:
    pace = Pace(MOST_TOGETHER, 0.5)
    assert pace.records == MOST_TOGETHER
    pace.learn(1, 0.1)
    few = pace.records
    assert few < 100
    pace.learn(few, few * 0.001)
    assert few < pace.records < MOST_TOGETHER
    pace.learn(pace.records, 0.0)
    assert pace.records == MOST_TOGETHER


def test_records_that_are_too_many_together_are_answered_one_by_one() -> None:
    class Starving(Obedient):
        def answers(self, records: Sequence[Marked], /) -> Iterator[Row]:
            if len(records) > 1:
                raise MemoryError
            return super().answers(records)

    rows, error = answer_records(Starving(), list(make_records(100)), 10, Pace(MOST_TOGETHER, 0.5))
    assert (texts(rows), error) == (expected(100), None)


@for_each("mark", ["memory", "die", "large"])
@for_each("number", [1, 40, 100])
def test_a_record_that_is_too_much_is_given_up_and_the_others_are_answered(
    mark: str, number: int
) -> None:
    reasons = {"memory": "out of memory", "die": "the solver died", "large": "too large"}
    records = list(make_records(100, **{f"n{number}": mark}))
    told: list[int] = []
    rows, error = answer_records(Obedient(), records, 10, Pace(MOST_TOGETHER, 0.5), told.append)
    assert error is None
    assert texts(rows) == expected(100, **{f"n{number}": f"undecided: {reasons[mark]}"})
    assert told == list(range(100))


def test_a_row_is_worked_out_when_it_is_asked_for() -> None:
    rows = answer_in_order(Obedient(), list(make_records(3, n2="bug")))
    assert next(rows).text == "1 unique\n"
    with pytest.raises(ZeroDivisionError):
        next(rows)


@pytest.mark.parametrize("count", [1, 3])
def test_an_answerer_with_another_number_of_rows_is_a_bug(count: int) -> None:
    class Wrong(Obedient):
        def answers(self, records: Sequence[Marked], /) -> Iterator[Row]:
            return super().answers(list(make_records(count)))

    rows, error = answer_records(Wrong(), list(make_records(2)), 10, Pace(MOST_TOGETHER, 0.5))
    assert (len(rows), "ValueError" in str(error)) == (min(count, 2), count == 1)


def test_an_error_leaves_the_rows_before_it() -> None:
    rows, error = answer_records(
        Obedient(), list(make_records(100, n40="bug")), 10, Pace(MOST_TOGETHER, 0.5)
    )
    assert texts(rows) == expected(39)
    assert "ZeroDivisionError" in str(error)


class Clock(Obedient):
    """Time passes when a record asks for sleep, and not otherwise."""

    def __init__(self) -> None:
        super().__init__()
        self._now = 0.0

    def tell(self) -> float:
        return self._now

    def answer(self, record: Marked, /) -> Row:
        order, _, seconds = record.text.partition(" ")
        if order == "sleep":
            self._now += float(seconds)
        return Row(f"{record.number} unique\n", Ending.UNIQUE)


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
    """Told by a clock that only records move: a real one would make a busy machine fail."""
    clock = Clock()
    records = list(make_records(100, **sleeps))
    rows, error = answer_records(clock, records, 1.0, Pace(MOST_TOGETHER, 0.5), clock=clock.tell)
    assert error is None
    assert texts(rows) == expected(answered)


class Together(Clock):
    """Works out all records with the first one, in a second each."""

    def answers(self, records: Sequence[Marked], /) -> Iterator[Row]:
        self._now += len(records)
        return super().answers(records)


class Waiting(Obedient):
    """Works out all records with the first one, and waits where others would compute.

    So does a process on a busy machine: time goes by on the wall, and none of it is its own.
    """

    def __init__(self) -> None:
        super().__init__()
        self.worked_out = 0

    def answers(self, records: Sequence[Marked], /) -> Iterator[Row]:
        self.worked_out += len(records)
        time.sleep(0.3)
        return super().answers(records)

    def answer(self, record: Marked, /) -> Row:
        time.sleep(0.01)
        return super().answer(record)


def test_time_in_which_a_process_waits_ends_no_piece() -> None:
    answerer = Waiting()
    rows, _ = answer_records(answerer, list(make_records(40)), 0.1, Pace(40, 0.5))
    assert (texts(rows), answerer.worked_out) == (expected(40), 40)


def test_what_was_worked_out_together_is_not_lost() -> None:
    answerer, pace = Together(), Pace(40, 0.5)
    rows, _ = answer_records(answerer, list(make_records(100)), 1.0, pace, clock=answerer.tell)
    assert texts(rows) == expected(40)
    assert pace.records == 1


def test_hard_records_that_were_taken_together_do_not_wait_for_each_other() -> None:
    clock = Clock()
    records = list(make_records(100, n1="sleep 5", n2="sleep 5", n3="sleep 5"))
    rows, _ = answer_records(clock, records, 1.0, Pace(MOST_TOGETHER, 0.5), clock=clock.tell)
    assert texts(rows) == expected(2)


def test_each_index_is_told_before_its_record_is_worked_on() -> None:
    told: list[int] = []
    answer_records(
        Obedient(), list(make_records(100, n40="bug")), 10, Pace(MOST_TOGETHER, 0.5), told.append
    )
    assert told == list(range(40))


def test_long_limits_have_more_grace() -> None:
    assert with_grace(0.1) == 1.1
    assert with_grace(100) == 110
