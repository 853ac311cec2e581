"""Choices that hit all sets, against trying all; shrinking, against the meaning of its words."""

from collections.abc import Collection, Sequence
from itertools import combinations
from random import Random

from satdoku.solving.assumptions import HittingSets, SmallestHittingSets, shrink
from satdoku.solving.limits import Budget

COUNT = 7


def random_sets(random: Random) -> list[list[int]]:
    return [
        sorted(random.sample(range(COUNT), random.randint(1, 4)))
        for _ in range(random.randint(1, 8))
    ]


def hitting(sets: list[list[int]]) -> list[set[int]]:
    """All choices that have an element of each set, the smallest ones first."""
    choices = (set(some) for size in range(COUNT + 1) for some in combinations(range(COUNT), size))
    return [choice for choice in choices if all(choice & set(each) for each in sets)]


def test_the_smallest_choice_is_the_smallest_there_is() -> None:
    random = Random(1)
    for _ in range(40):
        sets = random_sets(random)
        with SmallestHittingSets(COUNT, Budget()) as known:
            for number, each in enumerate(sets, 1):
                known.add(each)
                choices = hitting(sets[:number])
                found = known.smallest()
                assert found is not None
                assert set(found) in choices
                assert len(found) == len(choices[0]) == known.at_least


def test_of_the_smallest_choices_one_with_wanted_elements_is_found_if_there_is_one() -> None:
    random = Random(2)
    for _ in range(40):
        sets = random_sets(random)
        wanted, left, *_ = random.sample(range(COUNT), COUNT)
        with SmallestHittingSets(COUNT, Budget()) as known:
            for each in sets:
                known.add(each)
            known.smallest()
            found = known.smallest_with([wanted], [left])
            smallest = [choice for choice in hitting(sets) if len(choice) == known.at_least]
            fitting = [choice for choice in smallest if wanted in choice and left not in choice]
            assert (found is None) == (not fitting)
            assert found is None or set(found) in fitting


def test_excluded_choices_end_with_none() -> None:
    """So all of them are met, one after the other; larger ones than an excluded one go with it."""
    sets = [[0, 1], [1, 2], [3]]
    with HittingSets(4, Budget()) as known, SmallestHittingSets(4, Budget()) as smallest:
        for each in sets:
            known.add(each)
            smallest.add(each)
        known.prefer_many()
        assert known.any() == [0, 1, 2, 3]
        met = []
        while (found := smallest.smallest()) is not None:
            met.append(sorted(found))
            smallest.exclude(found)
        assert met == [[1, 3], [0, 2, 3]]


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
