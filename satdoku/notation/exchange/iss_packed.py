"""Relations of two cells, and automata of regular expressions, as ISS packs them.

A relation is a bit for each two digits a and b, all b for the first a first, six bits to a sign;
zeros at the end are left out. Behind it stand names, as `_name`, and groups of cells with an empty
argument between them.

Automata are bits in base64, with a head, and the ways of one state after another. The head has the
form, how many bits name a state and how many digits there are; then how many states begin, how many
more may end, and which of those that begin may. States that begin come first, then those that may
end. In the first form a state says how many ways it has, and each by its digit and its state; in
the other it has a bit for each digit, and the state behind for each that is set.
"""

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import unquote

from satdoku.errors import RuleError, quote
from satdoku.notation.exchange.iss_items import Args, ArgsShape, our_cells, their_cells
from satdoku.puzzle.rules.regular import SIGN

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
    group: list[str] = []
    for arg in (*args, ""):
        if arg and not arg.startswith("_"):
            group.append(arg)
        elif group:
            yield group
            group = []


_SWAPPED = str.maketrans("-_", "_-")


@dataclass(frozen=True)
class PairTables(ArgsShape):
    """A packed relation and groups of cells; `first` is the lowest digit of the board.

    Older strings have the last two signs the other way round, and another class for it.
    """

    first: int = 1
    is_old: bool = False

    def counted_from(self, lowest: int) -> ArgsShape:
        return replace(self, first=lowest)

    def read(self, args: Args, size: int) -> Iterator[str]:
        packed = args[0] if args else ""
        if self.is_old:
            packed = packed.translate(_SWAPPED)
        pairs = read_pairs(packed, range(self.first, self.first + size))
        if not pairs:
            raise RuleError("this relation holds of no two digits")
        table = "/".join(f"{a}-{b}" for a, b in pairs)
        yield from (f"{our_cells(group, size)}:{table}" for group in groups_of(args[1:]))

    def write(self, argument: str, size: int) -> list[list[str]]:
        if self.is_old:
            return []
        cells, _, table = argument.partition(":")
        entries = [entry.partition("-") for entry in table.split("/")]
        if not all(a.isdecimal() and b.isdecimal() for a, _, b in entries):
            return []  # an expression; whoever writes rules makes a table of it
        pairs = [(int(a), int(b)) for a, _, b in entries]
        packed = write_pairs(pairs, range(self.first, self.first + size))
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


# The head of an automaton as ISS defines it: two bits for the form, four for each small number.
_FORM_BITS = 2
_FIELD_BITS = 4
# No puzzle has an automaton of such a length; a text that claims one would keep us for long.
_LONGEST = 20_000
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class _Bits:
    """Bits that are read from the first one on."""

    def __init__(self, data: bytes) -> None:
        self._bits = "".join(format(byte, "08b") for byte in data)
        self._at = 0

    @property
    def left(self) -> int:
        return len(self._bits) - self._at

    def read(self, count: int) -> int:
        if count > self.left:
            raise RuleError("what is packed of an automaton is cut short")
        self._at += count
        return int(self._bits[self._at - count : self._at] or "0", 2)


Way = tuple[int, int]
"""A digit, counted from 0, and the state behind it."""


def unpack_automaton(packed: str, lowest: int, size: int) -> str:
    """The automaton as our rule `machine` has it."""
    if len(packed) > _LONGEST:
        raise RuleError(f"an automaton of {len(packed):,} characters is not read")
    try:
        data = base64.b64decode(packed + "=" * (-len(packed) % 4), b"-_", validate=True)
    except ValueError:
        raise RuleError(f"{quote(packed)} is no packed automaton") from None
    bits = _Bits(data)
    is_dense = bits.read(_FORM_BITS)
    state_bits, digits = bits.read(_FIELD_BITS) + 1, bits.read(_FIELD_BITS) + 1
    if is_dense > 1 or digits > size:
        raise RuleError(f"this automaton is of {digits} digits, or of another form")
    starts, more_ends = bits.read(state_bits), bits.read(state_bits)
    # ISS writes the bits of the states that begin as one number, the first state as its lowest bit.
    ends = [bool(bits.read(1)) for _ in range(starts)][::-1] + [True] * more_ends
    ways = list(_dense(bits, digits, state_bits) if is_dense else _sparse(bits, digits, state_bits))
    # States without a way onward are left out at the end, and may be led to all the same.
    behind = max((state for each in ways for _, state in each), default=0)
    ways += [[] for _ in range(max(behind + 1, len(ends)) - len(ways))]
    if starts > 1:
        # Of several beginnings one is made, which has the ways of all of them.
        first = [way for each in ways[:starts] for way in each]
        ways, ends = [first, *ways], [any(ends[:starts]), *ends]
        ways = [[(digit, state + 1) for digit, state in each] for each in ways]
    return SIGN + ";".join(
        _state(each, number < len(ends) and ends[number], lowest)
        for number, each in enumerate(ways)
    )


def _sparse(bits: _Bits, digits: int, state_bits: int) -> Iterator[list[Way]]:
    # Zeros fill the last byte: they are too few for a state, or states without ways at the end.
    count_bits = bits.read(_FIELD_BITS)
    digit_bits = (digits - 1).bit_length()
    while count_bits and bits.left >= count_bits:
        count = bits.read(count_bits)
        yield [(bits.read(digit_bits), bits.read(state_bits)) for _ in range(count)]


def _dense(bits: _Bits, digits: int, state_bits: int) -> Iterator[list[Way]]:
    while bits.left >= digits:
        known = bits.read(digits)
        yield [(digit, bits.read(state_bits)) for digit in range(digits) if known >> digit & 1]


def _state(ways: list[Way], is_end: bool, lowest: int) -> str:
    """A state as our automata have it."""
    leading: dict[int, str] = {}
    for digit, state in sorted(set(ways)):
        leading[state] = leading.get(state, "") + _DIGITS[digit + lowest]
    return ("!" if is_end else "") + ",".join(f"{d}>{state}" for state, d in leading.items())


@dataclass(frozen=True)
class Automata(ArgsShape):
    """A packed automaton and groups of cells; `first` is the lowest digit of the board."""

    first: int = 1

    def counted_from(self, lowest: int) -> ArgsShape:
        return replace(self, first=lowest)

    def read(self, args: Args, size: int) -> Iterator[str]:
        text = unpack_automaton(args[0] if args else "", self.first, size)
        yield from (f"{our_cells(group, size)}:{text}" for group in groups_of(args[1:]))

    def write(self, argument: str, size: int) -> list[list[str]]:
        return []  # expressions are written as such
