"""Records are taken as they come: no more than are there, and none is lost."""

from collections.abc import Iterator

import pytest

from satdoku.batch import run as ledger
from satdoku.batch.run import Intake
from satdoku.errors import SatdokuError
from tests.batch.marked import Marked, make_records

ENOUGH = 1000


class Clock:
    """Stands in for `time`: a busy machine must not look like a slow producer here."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def thread_time(self) -> float:
        return 0.0


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(ledger, "time", clock)
    return clock


def take_all(intake: Intake[Marked], count: int, characters: int = ENOUGH) -> list[list[int]]:
    """The numbers of the records, in the portions in which they were taken."""
    portions = []
    while records := intake.take(count, characters):
        portions.append([record.number for record in records])
    return portions


def test_portions_have_the_size_asked_for() -> None:
    intake = Intake(make_records(10))
    assert take_all(intake, 4) == [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10]]
    assert intake.is_exhausted
    assert intake.error is None


def test_long_records_make_small_portions() -> None:
    records = [Marked(n, "x" * length) for n, length in enumerate((3, 3, 3, 20, 1, 1), 1)]
    assert take_all(Intake(records), 10, characters=8) == [[1, 2], [3], [4], [5, 6]]


def test_nothing_is_waited_for_behind_the_first() -> None:
    at_hand = iter([True, True, False, False, True, False])
    intake = Intake(make_records(7), lambda: next(at_hand))
    assert [len(intake.take(10, ENOUGH)) for _ in range(3)] == [3, 1, 2]


def test_whether_the_next_would_be_waited_for_is_known() -> None:
    is_there = True
    intake = Intake([Marked(1), Marked(2, "x" * 10), Marked(3)], lambda: is_there)
    assert not intake.would_wait
    assert len(intake.take(2, 5)) == 1
    is_there = False
    assert not intake.would_wait, "the second one was read, but did not fit"
    assert [record.number for record in intake.take(2, 5)] == [2]
    assert intake.would_wait


def test_a_slow_producer_is_noticed(clock: Clock) -> None:
    def trickle() -> Iterator[Marked]:
        for record in make_records(2):
            clock.now += 0.15
            yield record

    intake = Intake(trickle())
    assert len(intake.take(10, ENOUGH)) == 1
    assert intake.would_wait


@pytest.mark.parametrize("count", [0, 1, 4, 5])
def test_an_error_of_the_input_is_kept_behind_what_was_read(count: int) -> None:
    def broken() -> Iterator[Marked]:
        yield from make_records(count)
        raise SatdokuError("the input broke off")

    intake = Intake(broken())
    assert sum(map(len, take_all(intake, 2))) == count
    assert str(intake.error) == "the input broke off"


def test_what_is_given_back_is_taken_again_first() -> None:
    intake = Intake(make_records(5))
    first = intake.take(3, ENOUGH)
    intake.give_back(first[1:])
    assert take_all(intake, 2) == [[2, 3], [4, 5]]
    intake.give_back(first[2:])
    assert not intake.is_exhausted
    assert not intake.would_wait
    assert take_all(intake, 2) == [[3]]
    assert intake.is_exhausted


def test_what_is_given_back_comes_before_what_did_not_fit() -> None:
    intake = Intake([Marked(n, "x" * 4) for n in range(1, 6)])
    taken = intake.take(10, 8)
    assert [record.number for record in taken] == [1, 2]
    intake.give_back(taken[1:])
    assert take_all(intake, 10) == [[2, 3, 4, 5]]
