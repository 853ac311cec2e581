"""Products of parameters: some cases in every run, all of them behind the marker `slow`."""

import functools
import inspect
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

import pytest

from tests.each import for_each

Cases = list[tuple[object, ...]]

keeps_slow = True
"""Whether slow cases are made at all; `conftest.py` says no where only the others are run.

To find and to deselect a case takes each worker a millisecond.
"""


def crossed(step: int, **axes: Iterable[object]) -> Callable[[Callable[..., None]], Any]:
    """Has a test try all combinations of the values of some axes, every `step`-th of them always.

    The others are a slow test: they find what fails only for values together.
    """
    shares = shared_out(step, *axes.values())
    # `for_each` takes the values of a single name as they are.
    always, others = ([c[0] for c in each] if len(axes) == 1 else each for each in shares)

    def decorate(test: Callable[..., None]) -> Any:
        names = ", ".join(axes)
        tests = {"always": for_each(names, always)(test), "others": for_each(names, others)(test)}

        @functools.wraps(tests["always"])
        def test_of_some(cases: str, **fixtures: Any) -> None:
            tests[cases](**fixtures)

        signature = inspect.signature(tests["always"])
        cases = inspect.Parameter("cases", inspect.Parameter.KEYWORD_ONLY)
        parameters = [*signature.parameters.values(), cases]
        test_of_some.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        del test_of_some.__wrapped__  # pytest would ask for its parameters
        return few_or_many("cases", "always", "others")(test_of_some)

    return decorate


def shared_out(step: int, *axes: Iterable[object]) -> tuple[Cases, Cases]:
    """The combinations that run always, and the others.

    The first are those whose places on the axes add up to a multiple of `step`. So each value of
    an axis comes up in them, as long as another axis has at least `step` values; what fails for one
    value fails there.
    """
    always: Cases = []
    others: Cases = []
    for placed in product(*map(enumerate, axes)):
        places, values = zip(*placed, strict=True)
        (others if sum(places) % step else always).append(values)
    return always, others


def sampled(step: int, names: str, values: Iterable[Any], **options: Any) -> pytest.MarkDecorator:
    """Parametrize a test: every `step`-th value runs always, the others are slow tests.

    For tests whose values are whole cases, where `crossed` and its single test would not do.
    """
    is_one = "," not in names
    cases = [
        pytest.param(*([value] if is_one else value), marks=[pytest.mark.slow] * bool(place % step))
        for place, value in enumerate(values)
        if keeps_slow or not place % step
    ]
    if not keeps_slow and "ids" in options and not callable(options["ids"]):
        options["ids"] = list(options["ids"])[::step]
    return pytest.mark.parametrize(names, cases, **options)


def few_or_many(name: str, few: object, many: object) -> pytest.MarkDecorator:
    """Parametrize a test by how many cases it tries: a few always, many as a slow test."""
    slow = [pytest.param(many, marks=pytest.mark.slow)] * keeps_slow
    return pytest.mark.parametrize(name, [few, *slow])
