"""Orders of columns that are decided only as far as rows tell them apart.

Columns that are empty in all rows so far may still stand in any order; so may stacks that look the
same. Keeping them together saves trying all 1,296 orders of the columns of 9x9.

    Stacks ((((0, 1), (2,)),), (((3,), (4,), (5,)), ((6,), (7,), (8,))))
           first comes the stack of columns 0 to 2, with 2 behind 0 and 1 in any order;
           then the two other stacks, in any order
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from math import factorial, prod
from typing import NamedTuple

Class = tuple[int, ...]
"""Columns of a stack that cannot be told apart yet."""

Stack = tuple[Class, ...]
"""The columns of a stack, as far as their order is known."""

Stacks = tuple[tuple[Stack, ...], ...]
"""All stacks: those in an inner tuple cannot be told apart yet."""

Names = Mapping[int, int]
"""The new names of digits, as far as they are known."""


class Arranged(NamedTuple):
    """A row as it is written, with what it decides."""

    text: tuple[int, ...]
    stacks: Stacks
    names: dict[int, int]


def undecided(size: int, width: int) -> Stacks:
    """The stacks of a board before any row was looked at."""
    return (tuple((tuple(range(first, first + width)),) for first in range(0, size, width)),)


def count_orders(stacks: Stacks) -> int:
    """How many orders of the columns are still possible."""
    return prod(
        factorial(len(alike)) * prod(factorial(len(class_)) for stack in alike for class_ in stack)
        for alike in stacks
    )


def arrange(row: Sequence[int], stacks: Stacks, names: Names) -> Iterator[Arranged]:
    """All ways to write a row as small as possible.

    They all have the same text, and differ in the columns or in the names that new digits get.
    """
    partial = [Arranged((), (), dict(names))]
    for alike in stacks:
        partial = [whole for begun in partial for whole in _place_alike(row, alike, begun)]
    yield from partial


def _place_alike(row: Sequence[int], alike: tuple[Stack, ...], begun: Arranged) -> list[Arranged]:
    """Writes stacks that may stand in any order: the one with the smallest text comes first."""
    if len(alike) == 1:
        return [
            Arranged(begun.text + text, (*begun.stacks, (stack,)), names)
            for text, stack, names in _place_stack(row, alike[0], begun.names)
        ]
    # Stacks in which nothing is given stay alike.
    empty = tuple(stack for stack in alike if not any(row[c] for class_ in stack for c in class_))
    if empty:
        zeros = (0,) * sum(len(class_) for stack in empty for class_ in stack)
        begun = Arranged(begun.text + zeros, (*begun.stacks, empty), begun.names)
    others = [stack for stack in alike if stack not in empty]
    found = [begun] if not others else []
    for first in others:
        rest = tuple(stack for stack in others if stack is not first)
        for whole in _place_alike(row, (first,), begun):
            found += _place_alike(row, rest, whole) if rest else [whole]
    smallest = min(whole.text for whole in found)
    return [whole for whole in found if whole.text == smallest]


def _place_stack(
    row: Sequence[int], stack: Stack, names: dict[int, int]
) -> Iterator[tuple[tuple[int, ...], Stack, dict[int, int]]]:
    """Writes one stack: in each class empty cells, then digits with names, then new ones."""
    text: tuple[int, ...] = ()
    decided: list[Class] = []
    fresh: list[list[int]] = []
    highest = len(names)
    for class_ in stack:
        empty = tuple(column for column in class_ if not row[column])
        named = sorted((names[row[c]], c) for c in class_ if row[c] in names)
        new = [column for column in class_ if row[column] and row[column] not in names]
        if empty:
            decided.append(empty)
        decided += [(column,) for _, column in named]
        # The places of new digits are filled below, in every order.
        decided += [()] * len(new)
        fresh.append(new)
        text += (0,) * len(empty) + tuple(name for name, _ in named)
        text += tuple(range(highest + 1, highest + 1 + len(new)))
        highest += len(new)
    for order in _orders(fresh):
        columns = iter(order)
        given_names = dict(names)
        for column in order:
            given_names[row[column]] = len(given_names) + 1
        yield text, tuple(class_ or (next(columns),) for class_ in decided), given_names


def _orders(lists: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """All sequences that begin with the first list in some order, then the second, and so on."""
    if not lists:
        yield ()
        return
    for first in permutations(lists[0]):
        for rest in _orders(lists[1:]):
            yield first + rest
