"""The cases of a product that run always have every value of every axis."""

from itertools import product

from tests.crossing import crossed, shared_out
from tests.each import for_each


@for_each("lengths, step", [((5, 11), 5), ((10, 5), 5), ((3, 4), 3)])
def test_each_value_runs_always_somewhere(lengths: tuple[int, int], step: int) -> None:
    first, second = map(range, lengths)
    always, others = shared_out(step, first, second)
    assert sorted(always + others) == sorted(product(first, second))
    assert len(always) <= len(first) * len(second) // step + 1
    assert {one for one, _ in always} == set(first)
    assert {other for _, other in always} == set(second)


def test_both_shares_are_tried() -> None:
    tried = []

    @crossed(2, left="ab", right=[1, 2])
    def check(left: str, right: int, fixture: int) -> None:
        tried.append((left, right, fixture))

    check(cases="always", fixture=3)
    assert tried == [("a", 1, 3), ("b", 2, 3)]
    check(cases="others", fixture=4)
    assert tried[2:] == [("a", 2, 4), ("b", 1, 4)]
