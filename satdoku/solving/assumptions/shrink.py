"""Making a set small: taking elements away, one after the other, while the rest is enough."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def shrink(
    items: Iterable[Item],
    is_enough: Callable[[Sequence[Item], Item], Collection[Item] | None],
) -> list[Item]:
    """Items that are enough together, while none of them can be missed.

    `items` are enough; the last ones are tried first, so those that come first stay longest.
    `is_enough` is asked whether the rest is enough without one item. It answers None if not, and
    otherwise which of the rest are: all of them, or fewer where a solver has told so. More items
    must never be less than enough.

    >>> shrink([1, 2, 3, 4, 5], lambda rest, item: rest if sum(rest) >= 6 else None)
    [3, 2, 1]
    """
    untried, needed = list(items), list[Item]()
    while untried:
        item = untried.pop()
        rest = [*needed, *untried]
        found = is_enough(rest, item)
        if found is None:
            needed.append(item)
        elif len(found) < len(rest):
            untried = [other for other in untried if other in found]
            needed = [other for other in needed if other in found]
    return needed
