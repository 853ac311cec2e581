"""An event in the limits ends whatever is running, as if a limit were reached."""

import pickle
import threading
import time
from collections.abc import Callable, Iterator
from itertools import groupby

import pytest

import satdoku
from satdoku.errors import SatdokuError
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.questions import check, count, find_solutions
from satdoku.solving.solvers import Settings
from tests.boards import HARD, TOO_HARD
from tests.commands import SMALL
from tests.each import for_each
from tests.waiting import SOON


class After:
    """An event that is set when it has been looked at so many times."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def is_set(self) -> bool:
        self.looks -= 1
        return self.looks < 0


@pytest.fixture
def event() -> Iterator[threading.Event]:
    """An event that is set a moment later, by another thread."""
    event = threading.Event()
    timer = threading.Timer(0.2, event.set)
    timer.start()
    yield event
    timer.join()


@pytest.mark.parametrize("solver", ["auto", "glucose4", "lingeling", "stable-cadical"])
def test_an_event_ends_a_check_of_any_kind(solver: str) -> None:
    """In slices, in a process of its own, and where several methods take turns."""
    started = time.monotonic()
    outcome = check(TOO_HARD, Settings(solver=solver, limits=Limits(stop=After(2))))
    assert time.monotonic() - started < SOON
    assert (outcome.verdict, outcome.reason) == (Verdict.UNDECIDED, "stopped on request")


def test_an_event_ends_a_race(event: threading.Event) -> None:
    settings = Settings(portfolio=("minicard", "cadical195"), limits=Limits(stop=event))
    assert check(TOO_HARD, settings).reason == "stopped on request"


@for_each("looks", [0, 1, 3])
@for_each(
    "call",
    [
        lambda limits: count(TOO_HARD, settings=Settings(limits=limits)).reason,
        lambda limits: check(TOO_HARD, Settings(limits=limits)).reason,
        lambda limits: check(TOO_HARD, Settings(limits=Budget(limits).rest())).reason,
    ],
)
def test_it_is_looked_at_in_every_slice(looks: int, call: Callable[[Limits], object]) -> None:
    try:
        found = call(Limits(stop=After(looks)))
    except LimitReachedError as error:
        found = str(error)
    assert "stopped on request" in str(found)


def test_solutions_end_with_an_error() -> None:
    stop = threading.Event()
    found = find_solutions(satdoku.parse("." * 81), Settings(limits=Limits(stop=stop)))
    next(found)
    stop.set()
    with pytest.raises(LimitReachedError, match="stopped on request"):
        for _ in found:
            pass


def test_minimizing_ends_with_the_error_for_what_is_known_by_then() -> None:
    """Nothing is known of a puzzle that may have several solutions; of others only the givens."""
    errors: list[Exception] = []
    for looks in range(100):
        try:
            satdoku.minimize(SMALL, limits=Limits(stop=After(looks)))
            break
        except (satdoku.UnsolvedError, LimitReachedError) as error:
            errors.append(error)
    assert [kind for kind, _ in groupby(map(type, errors))] == [
        satdoku.UnsolvedError,
        LimitReachedError,
    ]
    assert "stopped on request" in str(errors[0])


def test_an_event_that_is_not_set_changes_nothing() -> None:
    with_event = check(HARD, Settings(limits=Limits(stop=threading.Event())))
    assert with_event.solution == check(HARD).solution


def test_limits_travel_without_their_event() -> None:
    limits = pickle.loads(pickle.dumps(Limits(2.0, 3, threading.Event())))
    assert limits == Limits(2.0, 3)


def test_what_is_no_event_is_refused() -> None:
    with pytest.raises(SatdokuError, match="is not an event"):
        Settings(limits=Limits(stop=True))  # type: ignore[arg-type]
