"""Relations of two cells, and regular expressions, as ISS packs them.

A relation is a bit for each two digits a and b, all b for the first a first, six bits to a sign;
zeros at the end are left out. Behind it stand names, as `_name`, and groups of cells with an empty
argument between them.
"""

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from satdoku.errors import RuleError, quote
from satdoku.notation.exchange.iss.items import Args, ArgsShape, DigitsShape, our_cells, their_cells
from satdoku.notation.exchange.names import without_loops
from satdoku.puzzle.rules.automaton import SIGN

SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
BITS = 6
"""How many bits a sign has."""


def read_pairs(packed: str, digits: Sequence[int]) -> list[tuple[int, int]]:
    """The pairs of digits that a packed relation allows."""
    wrong = next((sign for sign in packed if sign not in SIGNS), None)
    if wrong is not None:
        raise RuleError(f"{quote(wrong)} is no sign of a packed relation")
    # The first bit of a sign is its lowest, so each sign is turned round.
    bits = "".join(format(SIGNS.index(sign), f"0{BITS}b")[::-1] for sign in packed)
    size = len(digits)
    if "1" in bits[size * size :]:
        raise RuleError(f"this relation is of more than {size} digits")
    pairs = [(a, b) for a in digits for b in digits]
    return [pair for pair, bit in zip(pairs, bits, strict=False) if bit == "1"]


def write_pairs(allowed: Sequence[tuple[int, int]], digits: Sequence[int]) -> str:
    """The packed relation."""
    known = set(allowed)
    bits = "".join(str(int((a, b) in known)) for a in digits for b in digits).rstrip("0")
    groups = (bits[at : at + BITS].ljust(BITS, "0") for at in range(0, len(bits), BITS))
    return "".join(SIGNS[int(group[::-1], 2)] for group in groups)


def groups_of(args: Args) -> Iterator[list[str]]:
    """The groups of cells behind a relation."""
    yield from (group for _, group in named_groups_of(args))


def named_groups_of(args: Args) -> Iterator[tuple[str, list[str]]]:
    """The groups of cells behind a relation, each with its name, which may be empty."""
    name, group = "", list[str]()
    for arg in (*args, ""):
        if arg and not arg.startswith("_"):
            group.append(arg)
            continue
        if group:
            yield name, group
        name, group = arg.removeprefix("_"), []


_SWAPPED = str.maketrans("-_", "_-")


@dataclass(frozen=True)
class PairTables(DigitsShape):
    """A packed relation and groups of cells.

    Older strings have the last two signs the other way round, and another class for it.
    """

    is_old: bool = False
    may_loop: bool = False

    def read(self, args: Args, size: int) -> Iterator[str]:
        packed = args[0] if args else ""
        if self.is_old:
            packed = packed.translate(_SWAPPED)
        pairs = read_pairs(packed, self.digits(size))
        if not pairs:
            raise RuleError("this relation holds of no two digits")
        table = "/".join(f"{a}-{b}" for a, b in pairs)
        for group in groups_of(args[1:]):
            cells = our_cells(group, size)
            # Only neighbours matter of a relation along a line, so it may come back to a cell.
            for part in without_loops(cells) if self.may_loop else [cells]:
                yield f"{part}:{table}"

    def write(self, argument: str, size: int) -> list[list[str]]:
        if self.is_old:
            return []
        cells, _, table = argument.partition(":")
        entries = [entry.partition("-") for entry in table.split("/")]
        if not all(a.isdecimal() and b.isdecimal() for a, _, b in entries):
            return []  # an expression; whoever writes rules makes a table of it
        pairs = [(int(a), int(b)) for a, _, b in entries]
        packed = write_pairs(pairs, self.digits(size))
        return [[packed, "_", *their_cells(cells)]]


@dataclass(frozen=True)
class Expressions(ArgsShape):
    """A regular expression in base64, and groups of cells."""

    def read(self, args: Args, size: int) -> Iterator[str]:
        packed = args[0] if args else ""
        try:
            text = (
                unquote(packed)
                if "%" in packed
                else base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)).decode("ascii")
            )
        except ValueError:
            raise RuleError(f"{quote(packed)} is no packed expression") from None
        yield from (f"{our_cells(group, size)}:{text}" for group in groups_of(args[1:]))

    def write(self, argument: str, size: int) -> list[list[str]]:
        cells, _, text = argument.partition(":")
        if text.startswith(SIGN):
            return []  # an automaton, which is no expression
        packed = base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
        return [[packed, *their_cells(cells)]]
