"""Solver and limits may be given as keywords to every call that takes settings or limits."""

import inspect
from threading import Event

import pytest

import satdoku
from satdoku import LimitReachedError, Limits, SatdokuError, Settings, UnsolvedError, Verdict
from tests.commands import AMBIGUOUS, HARD, SMALL

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
