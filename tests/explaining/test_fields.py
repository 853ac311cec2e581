"""Truths side by side in one integer, compared with truths that are counted one by one."""

from random import Random

from satdoku.explaining.fields import Fields, Remains
from tests.each import for_each

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
