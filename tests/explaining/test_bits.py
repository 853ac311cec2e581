"""What truths exclude together, and what is left of all at once, beside plain counting."""

from itertools import product
from random import Random

from satdoku.explaining.board import Fields, Remains, excluded_by
from tests.each import for_each


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


MEMBERS = range(1, 31)


def random_truths(rng: Random) -> list[list[int]]:
    """Truths of no member, one or several, each member in some of them or in none."""
    return [sorted(rng.sample(MEMBERS, rng.choice((0, 1, 1, 2, 3, 9)))) for _ in range(25)]


@for_each("seed", range(20))
def test_it_is_known_of_which_truths_nothing_and_of_which_one_member_is_left(seed: int) -> None:
    rng = Random(seed)
    truths = random_truths(rng)
    truths_of = [[n for n, truth in enumerate(truths) if m in truth] for m in range(31)]
    # Some members are linked to others, both ways, and members of the same truth always are.
    linked = {frozenset(rng.sample(MEMBERS, 2)) for _ in range(20)}
    linked |= {frozenset((one, other)) for t in truths for one in t for other in t if one != other}
    links = [sum(1 << n for n in MEMBERS if frozenset((m, n)) in linked) for m in range(31)]
    remains = Remains(Fields(truths, truths_of, links))
    left, placed = set(MEMBERS), set[int]()
    for turn in range(12):
        open_truths = {n: t for n, t in enumerate(truths) if not placed & set(t)}
        count = {n: len(left & set(truth)) for n, truth in open_truths.items()}
        empty, single = remains.narrow()
        assert empty == [n for n in count if count[n] == 0]
        assert single == [n for n in count if count[n] == 1]
        candidate = rng.choice(sorted(left - placed))
        if turn % 3:
            left.remove(candidate)
            remains.exclude([candidate])
        else:
            left -= {n for n in MEMBERS if links[candidate] >> n & 1}
            placed.add(candidate)
            remains.place([candidate])
        if not left - placed:
            break


def test_a_board_without_truths_has_none_that_is_narrow() -> None:
    assert Remains(Fields([], [], [])).narrow() == ([], [])
