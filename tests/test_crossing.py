"""The cases of a product that run always have every value of every axis."""

import pytest

from tests.crossing import crossed


@pytest.mark.parametrize(("lengths", "step"), [((5, 11), 5), ((10, 5), 5), ((3, 4), 3)])
def test_each_value_runs_always_somewhere(lengths: tuple[int, int], step: int) -> None:
    first, second = map(range, lengths)
    _, cases = crossed(step, first=first, second=second).args
    always = [case.values for case in cases if not case.marks]
    assert len(cases) == len(first) * len(second)
    assert len(always) <= len(cases) // step + 1
    assert {one for one, _ in always} == set(first)
    assert {other for _, other in always} == set(second)
