"""Random choices that are the same in every version of Python.

Python promises that `Random.random()` gives the same numbers for the same seed for ever; of
`shuffle`, `sample` and `randrange` it does not. So everything here is made of `random()`.
"""

from collections.abc import Sequence
from hashlib import sha512
from random import Random
from typing import TypeVar

Item = TypeVar("Item")


def seed_words(seed: str, index: int) -> bytes:
    """What Python makes of the seed of a Chance: words of 32 bits, the lowest byte first.

    They are the key of the Mersenne twister, from which others can draw the same numbers.
    """
    text = f"{seed}:{index}".encode()
    number = int.from_bytes(text + sha512(text).digest(), "big")
    return number.to_bytes((number.bit_length() + 31) // 32 * 4, "little")


class Chance:
    """The random choices for one puzzle: number `index` of the run with this seed."""

    def __init__(self, seed: str, index: int) -> None:
        # A text as seed goes through SHA-512: neighbouring indexes have nothing in common.
        self._random = Random(f"{seed}:{index}").random

    def below(self, count: int) -> int:
        """A number from 0 to `count` - 1, all equally likely."""
        return int(self._random() * count)

    def choose(self, items: Sequence[Item]) -> Item:
        return items[int(self._random() * len(items))]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """The items in a random order, all orders equally likely."""
        result = list(items)
        random = self._random
        for place in range(len(result) - 1, 0, -1):
            other = int(random() * (place + 1))
            result[place], result[other] = result[other], result[place]
        return result
