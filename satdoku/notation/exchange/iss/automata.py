"""Automata as ISS packs them: bits in base64, with a head, and the ways of one state after another.

The head has the form, how many bits name a state and how many signs there are; then how many
states begin, how many more may end, and which of those that begin may. States that begin come
first, then those that may end. In the first form a state says how many ways it has, and each by its
sign and its state; in the other it has a bit for each sign, and the state behind for each that is
set.

Signs are the digits, and one more for what parts the segments of a line, a `-` among its cells.
"""

import base64
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from urllib.parse import unquote

from satdoku.errors import RuleError, quote
from satdoku.notation.exchange.iss.items import (
    Args,
    DigitsShape,
    named_groups_of,
    our_cells,
    their_cells,
)
from satdoku.puzzle.rules.automaton import SIGN, Automaton, Way, parted, read_automaton

# The head as ISS defines it: two bits for the form, four for each small number.
_FORM_BITS = 2
_FIELD_BITS = 4
# No puzzle has an automaton of such a length; a text that claims one would keep us for long.
_LONGEST = 20_000
# So is it with the states of an automaton at each cell of a line.
_MOST_PLACES = 50_000
_BREAK = "-"
KNOWN = " "
"""Stands before a digit in the place of a cell that is known to hold it; texts have no blanks."""


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


def accepts(packed: str, names: Sequence[str], digits: range) -> bool:
    """Whether an automaton takes a line of digits that are all known, and of breaks."""
    read, _ = _steps_of(names, digits)
    return _unpacked(packed, digits).accepts(read)


def counts_like_first(packed: str, length: int, digits: range) -> int | None:
    """Whether an automaton says of lines of that length: so many signs are like the second one.

    The first sign says how many, the second one itself included: then it is 0. It is 1 where the
    second one is not included, and None for an automaton that says something else.
    """
    known = _unpacked(packed, digits)
    behind = cache(lambda states, sign: known.behind(states, (sign,)))
    # States of the automaton, the first sign, the second one, and how many were like it.
    reached = {
        (known.behind(known.start, (first, second)), first, second, 1)
        for first in digits
        for second in digits
    }
    for _ in range(length - 2):
        reached = {
            (behind(states, sign), first, second, count + (sign == second))
            for states, first, second, count in reached
            for sign in digits
        }
    for offset in (0, 1):
        if all(known.is_end(each) == (n + offset == count) for each, n, _, count in reached):
            return offset
    return None


# Some are asked for each choice of the digits of variables.
@lru_cache(maxsize=8)
def _unpacked(packed: str, digits: range) -> Automaton:
    """The automaton over these digits, and over the one behind them, which is the break."""
    if len(packed) > _LONGEST:
        raise RuleError(f"an automaton of {len(packed):,} characters is not read")
    try:
        data = base64.b64decode(packed + "=" * (-len(packed) % 4), b"-_", validate=True)
    except ValueError:
        raise RuleError(f"{quote(packed)} is no packed automaton") from None
    bits = _Bits(data)
    is_dense = bits.read(_FORM_BITS)
    state_bits, signs = bits.read(_FIELD_BITS) + 1, bits.read(_FIELD_BITS) + 1
    if is_dense > 1 or signs > len(digits) + 1:
        raise RuleError(f"this automaton is of {signs} digits, or of another form")
    starts, more_ends = bits.read(state_bits), bits.read(state_bits)
    # ISS writes the bits of the states that begin as one number, the first state as its lowest bit.
    may_end = [bool(bits.read(1)) for _ in range(starts)][::-1] + [True] * more_ends
    unpacked = (_dense if is_dense else _sparse)(bits, signs, state_bits)
    ways = [[(sign + digits[0], state) for sign, state in each] for each in unpacked]
    # States without a way onward are left out at the end, and may be led to all the same.
    behind = max((state for each in ways for _, state in each), default=0)
    ways += [[] for _ in range(max(behind + 1, len(may_end)) - len(ways))]
    ends = [state for state, is_end in enumerate(may_end) if is_end]
    if starts > 1:
        # Of several beginnings one is made, which has the ways of all of them.
        first = [way for each in ways[:starts] for way in each]
        ways = [[(digit, state + 1) for digit, state in each] for each in [first, *ways]]
        ends = [*([0] if any(may_end[:starts]) else []), *(state + 1 for state in ends)]
    return Automaton(ways, ends)


def _sparse(bits: _Bits, signs: int, state_bits: int) -> Iterator[list[Way]]:
    # Zeros fill the last byte: they are too few for a state, or states without ways at the end.
    count_bits = bits.read(_FIELD_BITS)
    sign_bits = (signs - 1).bit_length()
    while count_bits and bits.left >= count_bits:
        count = bits.read(count_bits)
        yield [(bits.read(sign_bits), bits.read(state_bits)) for _ in range(count)]


def _dense(bits: _Bits, signs: int, state_bits: int) -> Iterator[list[Way]]:
    while bits.left >= signs:
        known = bits.read(signs)
        yield [(sign, bits.read(state_bits)) for sign in range(signs) if known >> sign & 1]


def _ordered(known: Automaton, digits: range) -> Automaton:
    """The same over these digits, without states that are not reached, and as ISS orders states.

    The first one, those that may end, the others: so what is written is read as it was.
    """
    waiting, reached = [0], {0}
    while waiting:
        found = {to for digit, to in known.ways[waiting.pop()] if digit in digits} - reached
        reached |= found
        waiting += found
    order = sorted(reached, key=lambda state: (state != 0, state not in known.ends, state))
    number_of = {state: number for number, state in enumerate(order)}
    return Automaton(
        [
            [(digit, number_of[to]) for digit, to in known.ways[state] if digit in digits]
            for state in order
        ],
        [number_of[state] for state in known.ends & reached],
    )


def _along(known: Automaton, cells: Sequence[str], digits: range) -> Automaton:
    """The automaton for just one line, which reads its cells once each and nothing else.

    A break between segments, a digit that is known, and a cell that stands there several times in a
    row, are read at once with the cell before; so a state knows how many cells lie behind it.
    """
    if len(known.ways) * len(cells) > _MOST_PLACES:
        raise RuleError(f"this line of {len(cells)} cells takes too many states")
    leading, steps = _steps_of(cells, digits)
    # At each cell the same states are met again.
    behind = cache(lambda state, *read: sorted(known.behind({state}, read)))
    # The numbers of the states so far by those of the automaton; all that begin are the first one.
    before = dict.fromkeys(known.behind({0}, leading), 0)
    ways: list[list[Way]] = [[]]
    for times, further in steps:
        after: dict[int, int] = {}
        for state, number in before.items():
            for digit in digits:
                for to in behind(state, *[digit] * times, *further):
                    if to not in after:
                        after[to] = len(ways)
                        ways.append([])
                    ways[number].append((digit, after[to]))
        before = after
    return Automaton(ways, [number for state, number in before.items() if state in known.ends])


def _steps_of(cells: Sequence[str], digits: range) -> tuple[list[int], list[tuple[int, list[int]]]]:
    """What a line has before its first cell; for each cell how often it stands, and what is behind.

    That is digits that are known, and breaks.
    """
    leading, steps = list[int](), list[tuple[int, list[int]]]()
    for cell, same in groupby(cells):
        times = len(list(same))
        if is_cell(cell):
            steps.append((times, []))
        else:
            read = digits.stop if cell == _BREAK else int(cell.removeprefix(KNOWN))
            (steps[-1][1] if steps else leading).extend([read] * times)
    return leading, steps


def is_cell(name: str) -> bool:
    """Whether a name in a line is neither a break nor a digit that is known."""
    return name != _BREAK and not name.startswith(KNOWN)


def pack_automaton(known: Automaton, digits: range) -> str:
    """An automaton over these digits in the first form of ISS."""
    ordered = _ordered(known, digits)
    count, more_ends = len(ordered.ways), len(ordered.ends - {0})
    bits_of_state = max(1, (count - 1).bit_length())
    bits_of_count = max(map(len, ordered.ways)).bit_length()
    bits_of_digit = (len(digits) - 1).bit_length()
    if bits_of_state > 1 << _FIELD_BITS or bits_of_count >= 1 << _FIELD_BITS:
        raise RuleError(f"ISS has no automata of {count:,} states")
    written = [
        f"{0:0{_FORM_BITS}b}{bits_of_state - 1:0{_FIELD_BITS}b}{len(digits) - 1:0{_FIELD_BITS}b}",
        f"{1:0{bits_of_state}b}{more_ends:0{bits_of_state}b}{0 in ordered.ends:b}",
        f"{bits_of_count:0{_FIELD_BITS}b}",
    ]
    for each in ordered.ways:
        written.append(f"{len(each):0{bits_of_count}b}")
        written += (
            f"{digit - digits[0]:0{bits_of_digit}b}{to:0{bits_of_state}b}" for digit, to in each
        )
    bits = "".join(written)
    data = bytes(int(bits[at : at + 8].ljust(8, "0"), 2) for at in range(0, len(bits), 8))
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _named(text: str, name: str) -> str:
    """An automaton with the name that ISS has for it, as far as it is letters and digits."""
    words = re.findall(r"[A-Za-z0-9.-]+", unquote(name))
    return f"{SIGN}{'_'.join(words)}:{text.removeprefix(SIGN)}" if words else text


@dataclass(frozen=True)
class Automata(DigitsShape):
    """A packed automaton and groups of cells."""

    def read(self, args: Args, size: int) -> Iterator[str]:
        digits = self.digits(size)
        known = _unpacked(args[0] if args else "", digits)
        text = str(_ordered(known, digits))
        for name, group in named_groups_of(args[1:]):
            once = [cell for cell, _ in groupby(group) if is_cell(cell)]
            if not once:
                raise RuleError("cells are missing")
            own = text
            if len(once) < len(group):
                own = str(_ordered(_along(known, group, digits), digits))
            yield f"{our_cells(once, size)}:{_named(own, name)}"

    def write(self, argument: str, size: int) -> list[list[str]]:
        cells, _, text = argument.partition(":")
        if not text.startswith(SIGN):
            return []  # an expression, which is written as such
        name = parted(text)[0].replace("_", "%20")
        digits = self.digits(size)
        packed = pack_automaton(read_automaton(text, digits), digits)
        return [[packed, f"_{name}", *their_cells(cells)]]
