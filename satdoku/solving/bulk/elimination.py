"""What the known digits leave open, worked out on whole boards at once."""

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import NamedTuple

from satdoku.solving.bulk.tables import Tables


class OpenBoard(NamedTuple):
    """Two fields with 1 for each candidate that is open, and for each that is placed.

    A candidate that is placed and excluded is neither: `has_clash` tells that this happened.
    """

    open_ones: int
    placed_ones: int
    has_clash: bool


def eliminate(tables: Tables, effects: Iterable[int]) -> OpenBoard:
    """The candidates that are left by all these effects together."""
    marks = reduce(or_, effects, 0)
    placed = marks >> 1 & tables.ones
    settled = (marks | placed) & tables.ones
    return OpenBoard(settled ^ tables.ones, placed, marks & placed != 0)


def count_hidden_singles(tables: Tables, open_ones: int) -> int:
    """How often a digit has one place left in a box."""
    for shifts in tables.box_shifts:
        # Bytes do not overflow: a box has fewer cells than a byte has values.
        open_ones += sum([open_ones >> shift for shift in shifts])
    return (open_ones & tables.box_ends).to_bytes(tables.width, "big").count(1)


def number_candidates(tables: Tables, open_ones: int) -> bytes:
    """A field, as bytes, of 1, 2, 3, ... for the open candidates, for at most 254 of them.

    A running sum over all bytes, by doubling: sums over 1, 2, 4, ... neighbours.
    """
    sums = open_ones
    for shift in tables.doubling_shifts:
        sums += sums >> shift
    mask = (open_ones << 8) - open_ones
    return (sums & mask | tables.separators).to_bytes(tables.width, "big")


def fill_grid(tables: Tables, ones: int) -> bytes:
    """The digits of the placed candidates, cell by cell; one a cell when all is well."""
    mask = (ones << 8) - ones
    return (mask & tables.digits).to_bytes(tables.width, "big").translate(None, b"\0")
