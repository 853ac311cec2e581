"""Relations of two cells in words: every sentence is read back, and has to mean its table."""

import random
import re
from collections.abc import Callable

import pytest

from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.rules.own import read_expression, words_of
from satdoku.puzzle.rules.registry import read_rule

NINE = range(1, 10)
Holds = Callable[[int, int], object]


def table_of(holds: Holds, numbers: range = NINE) -> frozenset[tuple[int, int]]:
    return frozenset((a, b) for a in numbers for b in numbers if holds(a, b))


@pytest.mark.parametrize(
    ("relation", "words"),
    [
        ("a=b", "{} and {} are equal"),
        ("a!=b", "{} and {} are different"),
        ("abs(a-b)=2", "{} and {} differ by 2"),
        ("abs(a-b)>=2", "{} and {} differ by at least 2"),
        ("1<=abs(a-b)<=4", "{} and {} differ by 1 to 4"),
        ("abs(a-b)!=1", "{} and {} do not differ by 1"),
        ("abs(a-b)!=3 and a!=b", "{} and {} are different, and do not differ by 3"),
        ("(a-b)%2=0", "{} and {} are both even or both odd"),
        ("(a+b)%2=1", "{} and {} are an even and an odd digit"),
        ("a<b and (b-a)%2=0", "{} is less than {}, by an even number"),
        ("b-a>=2", "{} is less than {}, by at least 2"),
        ("a>=b", "{} is not less than {}"),
        ("a>b and (a-b)%2=1", "{} is greater than {}, by an odd number"),
        ("a+b in 5,10", "{} and {} sum to 5 or 10"),
        ("a+b!=10", "{} and {} do not sum to 10"),
        ("a*b=12", "{} and {} have the product 12"),
        ("a=2*b or b=2*a", "{} and {} have the ratio 2"),
        ("a=3*b", "{} is 3 times {}"),
        ("b=2*a", "{} is half of {}"),
        ("min(a,b)<5 and max(a,b)>5 and a!=5 and b!=5", "{} and {} are one of 1 to 4 and one of 6"),
        ("b-a!=1", ""),
        ("a*b%3=0", ""),
        ("a+b>0", ""),
        ("a+b>20", ""),
    ],
)
def test_a_simple_relation_has_words(relation: str, words: str) -> None:
    found = words_of(table_of(read_expression(relation)), NINE)
    assert found.startswith(words) if words else not found


def numbers_in(text: str, pattern: str) -> list[int] | None:
    found = re.search(rf"{pattern} ((?:\d+(?:, | or )?)+)", text)
    return [int(each) for each in re.findall(r"\d+", found[1])] if found else None


def amount(words: str, of: Callable[[int, int], int], verb: str) -> Holds:
    """What words say of a sum, a product or a difference."""
    for bound, is_kept in (("at least", int.__ge__), ("at most", int.__le__)):
        limits = numbers_in(words, f"{verb} {bound}")
        if limits is not None:
            return lambda a, b: is_kept(of(a, b), limits[0])
    span = re.search(rf"{verb} (\d+) to (\d+)", words)
    if span:
        return lambda a, b: int(span[1]) <= of(a, b) <= int(span[2])
    listed = numbers_in(words, verb)
    assert listed, words
    return lambda a, b: (of(a, b) in listed) is ("do not" not in words)


def order_of(order: re.Match[str], words: str) -> Holds:
    """What words say of two cells in this order."""
    how: Holds = lambda a, b: True  # noqa: E731
    if "even" in words or "odd" in words:
        how = lambda a, b: (a - b) % 2 == ("odd" in words)  # noqa: E731
    elif ", by " in words:
        how = amount(words, lambda a, b: abs(a - b), ", by")
    way = 1 if order[2] == "less" else -1
    return lambda a, b: ((a - b) * way < 0) is (not order[1]) and how(a, b)


AMOUNTS: dict[str, Callable[[int, int], int]] = {
    "differ by": lambda a, b: abs(a - b),
    "sum to": int.__add__,
    "have the product": int.__mul__,
}
PLAIN: dict[str, Holds] = {
    "{} and {} are equal": lambda a, b: a == b,
    "{} and {} are different": lambda a, b: a != b,
    "{} and {} are both even or both odd": lambda a, b: a % 2 == b % 2,
    "{} and {} are an even and an odd digit": lambda a, b: a % 2 != b % 2,
}


def meaning_of(words: str) -> Holds:
    """The relation that words state, read without the code that writes them."""
    if words.startswith("{} and {} are different, and "):
        rest = meaning_of(words.replace("are different, and ", ""))
        return lambda a, b: a != b and rest(a, b)
    order = re.match(r"\{\} is (not )?(less|more|greater) than \{\}", words)
    if order:
        return order_of(order, words)
    verb = next(filter(words.__contains__, AMOUNTS), "")
    return amount(words, AMOUNTS[verb], verb) if verb else PLAIN[words]


MEASURES: list[Callable[[int, int], int]] = [
    int.__add__,
    int.__sub__,
    int.__mul__,
    lambda a, b: abs(a - b),
    lambda a, b: b - a,
]
OF_ANOTHER_KIND = ("ratio", "one of", "half", " times ", "twice")


def test_words_mean_what_the_table_says() -> None:
    chance = random.Random(8)
    worded = 0
    for _ in range(1500):
        low = chance.choice([0, 1])
        numbers = range(low, low + chance.choice([4, 6, 9]))
        some = chance.sample(range(-8, 19), chance.randint(1, 12))
        some += chance.choice([[], range(chance.randint(1, 9), 20), range(-9, 0)])
        of = chance.choice(MEASURES)
        allowed = frozenset((a, b) for a in numbers for b in numbers if of(a, b) in some)
        words = words_of(allowed, numbers)
        if words and not any(each in words for each in OF_ANOTHER_KIND):
            assert table_of(meaning_of(words), numbers) == allowed, words
            worded += 1
    assert worded > 300


def test_a_table_of_pairs_is_told_in_words() -> None:
    board = Geometry()
    table = "/".join(f"{a}-{b}" for a, b in sorted(table_of(lambda a, b: abs(a - b) > 1)))
    assert read_rule(f"pair:r1c1,r1c2:{table}", board).sentence(board) == (
        "neighbours on r1c1,r1c2 differ by at least 2"
    )
    assert read_rule(f"each-pair:r1c1,r1c2:{table}", board).sentence(board) == (
        "any two cells of r1c1,r1c2 differ by at least 2"
    )
    rising = "/".join(f"{a}-{b}" for a, b in sorted(table_of(lambda a, b: a < b)))
    assert read_rule(f"pair:r1c1,r1c2:{rising}", board).sentence(board) == (
        "on r1c1,r1c2, each cell is less than the next"
    )
    # What has no words is counted, unless it is short.
    odd = "/".join(f"{a}-{b}" for a, b in sorted(table_of(lambda a, b: a * b % 3 == 1)))
    assert read_rule(f"pair:r1c1,r1c2:{odd}", board).sentence(board) == (
        "neighbours on r1c1,r1c2 hold one of 18 pairs of digits"
    )
    assert read_rule("pair:r1c1,r1c2:1-5/5-9/2-2", board).sentence(board) == (
        "neighbours a and b on r1c1,r1c2: 1-5/5-9/2-2"
    )
