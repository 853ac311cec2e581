"""Shrinking, against the meaning of its words."""

from collections.abc import Collection, Sequence
from random import Random

from satdoku.solving.assumptions.shrink import shrink


def test_what_is_left_is_enough_and_nothing_of_it_can_be_missed() -> None:
    """Some items are enough when they contain one of several cores."""
    random = Random(1)
    for told_core in (False, True):
        for _ in range(100):
            cores = [set(random.sample(range(10), random.randint(1, 5))) for _ in range(4)]

            def core_of(items: Collection[int], cores: list[set[int]] = cores) -> set[int] | None:
                return next((core for core in cores if core <= set(items)), None)

            def is_enough(
                rest: Sequence[int], item: int, told_core: bool = told_core
            ) -> Collection[int] | None:
                assert item not in rest
                core = core_of(rest)
                return rest if core and not told_core else core

            left = shrink(range(10), is_enough)
            assert len(left) == len(set(left))
            assert core_of(left) is not None
            assert all(core_of(set(left) - {item}) is None for item in left)


def test_the_first_items_stay_longest() -> None:
    assert shrink("abcd", lambda rest, _: rest if len(rest) >= 2 else None) == ["b", "a"]


def test_nothing_is_left_of_what_nothing_is_enough_for() -> None:
    assert shrink([1, 2, 3], lambda rest, _: rest) == []
