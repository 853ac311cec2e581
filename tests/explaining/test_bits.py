"""All that truths exclude together, beside a brute-force judge."""

from itertools import product
from random import Random

from satdoku.explaining.bits import excluded_by


def by_definition(truths: list[int], links: list[int], left: int) -> int:
    """What no set of candidates that do not exclude each other can be joined to."""
    excluded = left
    lists = [[c for c in range(len(links)) if truth & left & 1 << c] for truth in truths]
    for choice in product(*lists):
        if not any(links[one] >> other & 1 for one in choice for other in choice):
            off = 0
            for chosen in choice:
                off |= links[chosen]
            excluded &= off
    return excluded


def test_as_every_choice_has_it() -> None:
    rng = Random(5)
    found = 0
    for _ in range(300):
        count = 12
        links = [0] * count
        for one in range(count):
            for other in range(one):
                if rng.random() < 0.4:
                    links[one] |= 1 << other
                    links[other] |= 1 << one
        left = rng.getrandbits(count)
        truths = [rng.getrandbits(count) & rng.getrandbits(count) for _ in range(3)]
        expected = by_definition(truths, links, left)
        assert excluded_by(truths, links, left) == expected
        found += expected not in (0, left)
    assert found > 30


def test_too_many_choices_are_not_looked_at() -> None:
    truths = [0b111 << 3 * number for number in range(12)]
    assert excluded_by(truths, [0] * 37, 1 << 36) is not None
    crossing = [0] * 33 + [1 << 36] * 3 + [0]
    assert excluded_by(truths, crossing, (1 << 37) - 1) is None
