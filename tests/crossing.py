"""Products of parameters: some cases in every run, all of them behind the marker `slow`."""

from collections.abc import Iterable
from itertools import product

import pytest


def crossed(step: int, **axes: Iterable[object]) -> pytest.MarkDecorator:
    """All combinations of the values of some axes, of which every `step`-th runs always.

    These are the cases whose places on the axes add up to a multiple of `step`. So each value of
    an axis comes up in them, as long as another axis has at least `step` values; what fails for one
    value fails there. The others are slow tests: they find what fails only for values together.
    """
    values = [list(axis) for axis in axes.values()]
    cases = []
    for places in product(*map(range, map(len, values))):
        case = [axis[place] for axis, place in zip(values, places, strict=True)]
        marks = [] if sum(places) % step == 0 else [pytest.mark.slow]
        cases.append(pytest.param(*case, marks=marks, id="-".join(map(_name_of, case))))
    return pytest.mark.parametrize(list(axes), cases)


def _name_of(value: object) -> str:
    return str(getattr(value, "value", value))
