"""Solver and limits as keywords of every call; long calls tell how far they are."""

import inspect
import re
from collections.abc import Iterator
from itertools import count
from random import Random
from threading import Event, Thread, get_ident
from types import SimpleNamespace

import pytest

import satdoku
from satdoku import (
    Geometry,
    LimitReachedError,
    Limits,
    Progress,
    SatdokuError,
    Settings,
    UnsolvedError,
    Verdict,
)
from satdoku.api.calling import Reporter
from tests.boards import full_grid
from tests.commands import AMBIGUOUS, HARD, SMALL
from tests.each import for_each

WITH_SETTINGS = ["check", "check_frame", "check_many", "count", "solutions", "solve", "solve_many"]
WITH_LIMITS = [
    "candidates", "explain", "generate", "hint", "minimize", "rate", "rate_all", "smallest_clash",
    "walk",
]  # fmt: skip


def test_every_call_that_takes_settings_or_limits_takes_keywords() -> None:
    found: dict[str, set[str]] = {"settings": set(), "limits": set()}
    for name in satdoku.__all__:
        value = getattr(satdoku, name)
        if inspect.isfunction(value):
            parameters = inspect.signature(value).parameters
            kinds = {parameter.kind for parameter in parameters.values()}
            for wanted in found.keys() & parameters.keys():
                found[wanted].add(name)
                assert inspect.Parameter.VAR_KEYWORD in kinds, name
    assert found["settings"] >= set(WITH_SETTINGS)
    assert found["limits"] >= set(WITH_LIMITS)


def test_keywords_say_what_settings_say() -> None:
    keywords = satdoku.check(SMALL, solver="cadical195", encoding="extended", conflicts=10)
    whole = Settings("cadical195", "extended", limits=Limits(conflicts=10))
    assert keywords.solution == satdoku.check(SMALL, whole).solution
    assert keywords.statistics.solver == "cadical195"
    assert keywords.statistics.encoding == "extended"


def test_limits_are_heeded_in_every_kind_of_call() -> None:
    stopped = Event()
    stopped.set()
    assert satdoku.check(HARD, timeout=0).verdict is Verdict.UNDECIDED
    assert satdoku.check(HARD, stop=stopped).verdict is Verdict.UNDECIDED
    assert [str(each).split()[0] for each in satdoku.check_many([HARD], timeout=0)] == [
        "undecided:"
    ]
    assert satdoku.explain(HARD, timeout=0).verdict is Verdict.UNDECIDED
    assert satdoku.hint(HARD, timeout=0).outcome.verdict is Verdict.UNDECIDED
    assert not satdoku.count(AMBIGUOUS, stop=stopped).is_complete
    with pytest.raises(UnsolvedError, match="not decided within 0 s"):
        satdoku.solve(HARD, timeout=0)
    with pytest.raises((UnsolvedError, LimitReachedError)):
        satdoku.rate(HARD, timeout=0)
    with pytest.raises(LimitReachedError, match="stopped"):
        next(satdoku.solutions(AMBIGUOUS, stop=stopped))


def call_with(name: str, **keywords: object) -> None:
    """Make the call of that name about a puzzle, and take all that it yields."""
    several = {"check_many": [SMALL], "solve_many": [SMALL], "rate_all": [SMALL], "generate": 1}
    found = getattr(satdoku, name)(several.get(name, SMALL), **keywords)
    if isinstance(found, Iterator):
        list(found)


@pytest.mark.parametrize("name", ["timeout", "conflicts"])
def test_a_limit_below_0_is_a_value_error_of_every_call(name: str) -> None:
    limits = Limits(**{name: -1})  # type: ignore[arg-type]
    # A frame needs a package for tables.
    for call in {*WITH_SETTINGS, *WITH_LIMITS} - {"check_frame"}:
        with pytest.raises(ValueError, match=f"^{name}=-1 is below 0$"):
            call_with(call, **{name: -1})
        ready = {"limits": limits} if call in WITH_LIMITS else {"settings": Settings(limits=limits)}
        with pytest.raises(ValueError, match=f"^{name}=-1 is below 0$"):
            call_with(call, **ready)


def test_a_nul_is_no_part_of_a_puzzle() -> None:
    for text in (f"{HARD}\0", f"\0{HARD}", f"{HARD[:40]}\0{HARD[40:]}", f"{HARD} \0"):
        with pytest.raises(satdoku.FormatError, match="a NUL is no part of a puzzle") as caught:
            satdoku.parse(text)
        assert caught.value.column == text.index("\0") + 1


def test_what_is_no_puzzle_is_a_value_error_that_knows_its_place() -> None:
    with pytest.raises(ValueError, match="!") as caught:
        satdoku.parse("1.....2..3.....!")
    assert isinstance(caught.value, satdoku.FormatError)
    assert (caught.value.line, caught.value.column) == (1, 16)


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(TypeError, match=r"no keyword 'timout'; there are timeout, conflicts"):
        satdoku.check(SMALL, timout=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="no keyword 'solver'"):
        satdoku.explain(SMALL, solver="lingeling")  # type: ignore[call-arg]
    with pytest.raises(SatdokuError, match="settings= already says what timeout= would"):
        satdoku.check(SMALL, Settings(), timeout=3)
    with pytest.raises(SatdokuError, match="limits= already says what conflicts= would"):
        satdoku.rate(SMALL, Limits(), conflicts=3)
    with pytest.raises(SatdokuError, match="timeout='soon' is not a number"):
        satdoku.check(SMALL, timeout="soon")  # type: ignore[arg-type]


EMPTY = "." * 16


class Stopper:
    """Sets an event when so many are done."""

    def __init__(self, most: int) -> None:
        self.event = Event()
        self.told: list[Progress] = []
        self._most = most

    def __call__(self, progress: Progress) -> None:
        self.told.append(progress)
        if progress.done >= self._most:
            self.event.set()


@pytest.fixture
def every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a clock of our own a minute passes between any two looks."""
    clock = SimpleNamespace(monotonic=count(0.0, 60.0).__next__)
    monkeypatch.setattr("satdoku.api.calling.time", clock)


@pytest.mark.usefixtures("every_time")
def test_counting_tells_how_many_it_has_met() -> None:
    told: list[Progress] = []
    assert satdoku.count(EMPTY, limit=100, progress=told.append).number == 100
    done = [progress.done for progress in told]
    assert done == sorted(done)
    assert (len(set(done)) > 2, done[-1], told[-1].total) == (True, 100, 100)


@pytest.mark.usefixtures("every_time")
def test_counting_ends_when_its_caller_has_seen_enough() -> None:
    stopper = Stopper(5)
    settings = Settings(limits=Limits(stop=stopper.event))
    found = satdoku.count("." * 81, settings=settings, progress=stopper)
    assert found.reason == "stopped on request"
    assert not found.is_complete
    assert found.number == stopper.told[-1].done >= 5


@pytest.mark.usefixtures("every_time")
@pytest.mark.parametrize("distinct", [None, "isomorphic"])
def test_making_puzzles_tells_how_many_and_ends_silently(distinct: str | None) -> None:
    stopper = Stopper(3)
    box, limits = Geometry(2, 3), Limits(stop=stopper.event)
    made = list(
        satdoku.generate(1000, seed=1, box=box, distinct=distinct, limits=limits, progress=stopper)
    )
    assert len(made) == 3
    assert [progress.done for progress in stopper.told] == [1, 2, 3, 3]
    assert {progress.total for progress in stopper.told} == {1000}


def test_it_is_told_ten_times_a_second_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a clock of our own: each answer takes a hundredth of a second."""
    clock = SimpleNamespace(monotonic=count(0.0, 0.01).__next__)
    monkeypatch.setattr("satdoku.api.calling.time", clock)
    told: list[Progress] = []
    assert list(Reporter(told.append, 1000).follow(range(1000))) == list(range(1000))
    assert 80 <= len(told) <= 101
    assert told[-1][:2] == (1000, 1000)


def test_it_is_told_in_the_thread_that_reads_the_answers() -> None:
    threads: list[int] = []

    def read() -> None:
        calls = (
            lambda tell: satdoku.check_many([SMALL] * 3, jobs=2, progress=tell),
            lambda tell: satdoku.rate_all([SMALL], progress=tell),
            lambda tell: satdoku.generate(1, box=Geometry(2, 2), progress=tell),
        )
        for call in calls:
            list(call(lambda progress: threads.append(get_ident())))

    thread = Thread(target=read)
    thread.start()
    thread.join()
    assert set(threads) == {thread.ident}


def test_a_puzzle_that_costs_too_much_is_an_error_as_before() -> None:
    limits = Limits(timeout=1e-9, stop=Event())
    with pytest.raises(LimitReachedError, match="not decided within"):
        list(satdoku.generate(1, seed=1, limits=limits))


def test_rating_tells_how_many() -> None:
    told: list[Progress] = []
    assert len(list(satdoku.rate_all([SMALL, EMPTY], progress=told.append))) == 2
    assert told[-1][:2] == (2, 2)
    list(satdoku.rate_all(iter([SMALL]), progress=told.append))
    assert told[-1][:2] == (1, None)


@pytest.mark.usefixtures("every_time")
def test_minimizing_tells_how_many_givens_are_tested() -> None:
    told: list[Progress] = []
    # Of 9x9 the compiled library deletes givens too fast for anybody to look on.
    full = full_grid(Random(1), Geometry(2, 4))
    thin = satdoku.minimize(full, seed="told", progress=told.append)
    done = [progress.done for progress in told]
    assert done == sorted(done)
    assert len(set(done)) > thin.givens  # each of them was tested, and further ones
    assert {progress.total for progress in told} == {64} == {done[-1]}
    assert thin == satdoku.minimize(full, seed="told")


@pytest.mark.usefixtures("every_time")
def test_minimizing_to_the_fewest_tells_bounds_that_come_closer() -> None:
    told: list[Progress] = []
    fewest = satdoku.minimize(satdoku.solve(SMALL), fewest=True, progress=told.append).givens
    lower = [progress.done for progress in told]
    upper = [progress.total or 0 for progress in told]
    assert lower == sorted(lower)
    assert upper == sorted(upper, reverse=True)
    assert (lower[0], lower[-1], upper[-1]) == (0, fewest, fewest)
    assert len({*lower}) > 2


@for_each(
    "name, arguments, keywords, told",
    [
        ("check_array", (bytes(81),), {"box": "3x3"}, "box='3x3' is no Geometry"),
        ("check", (SMALL, {"solver": "lingeling"}), {}, "is no Settings, such as Settings("),
        ("parse", (SMALL,), {"rules": [5]}, "5 in rules= is no text, such as 'killer:"),
        ("augment", (SMALL, -1), {}, "count=-1 is less than 0"),
    ],
)
def test_a_value_of_another_type_is_told_by_its_argument(
    name: str, arguments: tuple[object, ...], keywords: dict[str, object], told: str
) -> None:
    with pytest.raises(SatdokuError, match=re.escape(told)):
        getattr(satdoku, name)(*arguments, **keywords)
