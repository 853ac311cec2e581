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
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import groupby
from typing import NamedTuple
from urllib.parse import unquote

from satdoku.errors import RuleError, quote
from satdoku.notation.exchange.iss.items import Args, ArgsShape, our_cells, their_cells
from satdoku.notation.exchange.iss.packed import named_groups_of
from satdoku.puzzle.rules.regular import SIGN, parted

# The head as ISS defines it: two bits for the form, four for each small number.
_FORM_BITS = 2
_FIELD_BITS = 4
# No puzzle has an automaton of such a length; a text that claims one would keep us for long.
_LONGEST = 20_000
# So is it with the states of an automaton at each cell of a line.
_MOST_PLACES = 50_000
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_BREAK = "-"
KNOWN = " "
"""Stands before a digit in the place of a cell that is known to hold it; texts have no blanks."""
_END = "!"


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


class _Automaton(NamedTuple):
    """The ways of each state, of which the first begins, and whether it may end."""

    ways: list[list[Way]]
    ends: list[bool]

    def behind(self, states: set[int], signs: Sequence[int]) -> set[int]:
        """The states behind all these signs."""
        for sign in signs:
            states = {to for state in states for each, to in self.ways[state] if each == sign}
        return states

    def written(self, size: int, lowest: int) -> str:
        """The automaton as our rule `machine` has it.

        Without states that are not reached, and in the order in which ISS has them: the first one,
        those that may end, the others. So an automaton that is written is read as it was.
        """
        waiting, reached = [0], {0}
        while waiting:
            for sign, state in self.ways[waiting.pop()]:
                if sign < size and state not in reached:
                    reached.add(state)
                    waiting.append(state)
        order = sorted(reached, key=lambda state: (state != 0, not self.ends[state], state))
        number_of = {state: number for number, state in enumerate(order)}
        return SIGN + ";".join(
            _state(
                [(sign, number_of[to]) for sign, to in self.ways[state] if sign < size],
                self.ends[state],
                lowest,
            )
            for state in order
        )


def unpack_automaton(packed: str, lowest: int, size: int) -> str:
    """The automaton as our rule `machine` has it, for lines of one segment."""
    return _unpacked(packed, size).written(size, lowest)


def accepts(packed: str, names: Sequence[str], digits: Sequence[int]) -> bool:
    """Whether an automaton takes a line of digits that are all known, and of breaks."""
    known = _unpacked(packed, len(digits))
    signs, _ = _steps_of(names, len(digits), digits[0])
    return any(known.ends[state] for state in known.behind({0}, signs))


# Some are asked for each choice of the digits of variables.
@lru_cache(maxsize=8)
def _unpacked(packed: str, size: int) -> _Automaton:
    if len(packed) > _LONGEST:
        raise RuleError(f"an automaton of {len(packed):,} characters is not read")
    try:
        data = base64.b64decode(packed + "=" * (-len(packed) % 4), b"-_", validate=True)
    except ValueError:
        raise RuleError(f"{quote(packed)} is no packed automaton") from None
    bits = _Bits(data)
    is_dense = bits.read(_FORM_BITS)
    state_bits, signs = bits.read(_FIELD_BITS) + 1, bits.read(_FIELD_BITS) + 1
    if is_dense > 1 or signs > size + 1:
        raise RuleError(f"this automaton is of {signs} digits, or of another form")
    starts, more_ends = bits.read(state_bits), bits.read(state_bits)
    # ISS writes the bits of the states that begin as one number, the first state as its lowest bit.
    ends = [bool(bits.read(1)) for _ in range(starts)][::-1] + [True] * more_ends
    ways = list(_dense(bits, signs, state_bits) if is_dense else _sparse(bits, signs, state_bits))
    # States without a way onward are left out at the end, and may be led to all the same.
    behind = max((state for each in ways for _, state in each), default=0)
    ways += [[] for _ in range(max(behind + 1, len(ends)) - len(ways))]
    ends += [False] * (len(ways) - len(ends))
    if starts > 1:
        # Of several beginnings one is made, which has the ways of all of them.
        first = [way for each in ways[:starts] for way in each]
        ways, ends = [first, *ways], [any(ends[:starts]), *ends]
        ways = [[(sign, state + 1) for sign, state in each] for each in ways]
    return _Automaton(ways, ends)


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


def _state(ways: list[Way], is_end: bool, lowest: int) -> str:
    """A state as our automata have it."""
    leading: dict[int, str] = {}
    for digit, state in sorted(set(ways)):
        leading[state] = leading.get(state, "") + _DIGITS[digit + lowest]
    return (_END if is_end else "") + ",".join(f"{d}>{state}" for state, d in leading.items())


def _along(known: _Automaton, cells: Sequence[str], size: int, lowest: int) -> _Automaton:
    """The automaton for just one line, which reads its cells once each and nothing else.

    A break between segments, a digit that is known, and a cell that stands there several times in a
    row, are read at once with the cell before; so a state knows how many cells lie behind it.
    """
    if len(known.ways) * len(cells) > _MOST_PLACES:
        raise RuleError(f"this line of {len(cells)} cells takes too many states")
    leading, steps = _steps_of(cells, size, lowest)
    # At each cell the same states are met again.
    behind = cache(lambda state, *signs: sorted(known.behind({state}, signs)))
    # The numbers of the states so far by those of the automaton; all that begin are the first one.
    before = dict.fromkeys(known.behind({0}, leading), 0)
    ways: list[list[Way]] = [[]]
    for times, signs in steps:
        after: dict[int, int] = {}
        for state, number in before.items():
            for digit in range(size):
                for to in behind(state, *[digit] * times, *signs):
                    if to not in after:
                        after[to] = len(ways)
                        ways.append([])
                    ways[number].append((digit, after[to]))
        before = after
    ends = {number for state, number in before.items() if known.ends[state]}
    return _Automaton(ways, [number in ends for number in range(len(ways))])


def _steps_of(
    cells: Sequence[str], size: int, lowest: int
) -> tuple[list[int], list[tuple[int, list[int]]]]:
    """The signs that a line begins with; for each cell how often it stands, and signs behind."""
    leading, steps = list[int](), list[tuple[int, list[int]]]()
    for cell, same in groupby(cells):
        times = len(list(same))
        if is_cell(cell):
            steps.append((times, []))
        else:
            sign = size if cell == _BREAK else int(cell.removeprefix(KNOWN)) - lowest
            (steps[-1][1] if steps else leading).extend([sign] * times)
    return leading, steps


def is_cell(name: str) -> bool:
    """Whether a name in a line is neither a break nor a digit that is known."""
    return name != _BREAK and not name.startswith(KNOWN)


def pack_automaton(text: str, lowest: int, size: int) -> str:
    """An automaton of ours in the first form of ISS."""
    states = parted(text)[1].split(";")
    ends = [state.startswith(_END) for state in states]
    order = sorted(range(len(states)), key=lambda state: (state != 0, not ends[state], state))
    number_of = {state: number for number, state in enumerate(order)}
    ways = [list(_ways_of(states[state], lowest, size)) for state in order]
    most = max(map(len, ways))
    bits_of_state, bits_of_count = max(1, (len(states) - 1).bit_length()), most.bit_length()
    if bits_of_state > 1 << _FIELD_BITS or bits_of_count >= 1 << _FIELD_BITS:
        raise RuleError(f"ISS has no automata of {len(states):,} states")
    bits_of_digit = (size - 1).bit_length()
    more_ends = sum(ends[1:])
    written = [
        f"{0:0{_FORM_BITS}b}{bits_of_state - 1:0{_FIELD_BITS}b}{size - 1:0{_FIELD_BITS}b}",
        f"{1:0{bits_of_state}b}{more_ends:0{bits_of_state}b}{ends[0]:b}",
        f"{bits_of_count:0{_FIELD_BITS}b}",
    ]
    for each in ways:
        written.append(f"{len(each):0{bits_of_count}b}")
        written += (
            f"{digit:0{bits_of_digit}b}{number_of[to]:0{bits_of_state}b}" for digit, to in each
        )
    bits = "".join(written)
    data = bytes(int(bits[at : at + 8].ljust(8, "0"), 2) for at in range(0, len(bits), 8))
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _ways_of(state: str, lowest: int, size: int) -> Iterator[Way]:
    """The ways of a state by the digits that the board has, counted from 0."""
    for way in filter(None, state.removeprefix(_END).split(",")):
        leading, _, behind = way.partition(">")
        for sign in leading:
            digit = int(sign, 36) - lowest
            if 0 <= digit < size:
                yield digit, int(behind)


def _named(text: str, name: str) -> str:
    """An automaton with the name that ISS has for it, as far as it is letters and digits."""
    words = re.findall(r"[A-Za-z0-9.-]+", unquote(name))
    return f"{SIGN}{'_'.join(words)}:{text.removeprefix(SIGN)}" if words else text


@dataclass(frozen=True)
class Automata(ArgsShape):
    """A packed automaton and groups of cells; `first` is the lowest digit of the board."""

    first: int = 1

    def counted_from(self, lowest: int) -> ArgsShape:
        return replace(self, first=lowest)

    def read(self, args: Args, size: int) -> Iterator[str]:
        known = _unpacked(args[0] if args else "", size)
        text = known.written(size, self.first)
        for name, group in named_groups_of(args[1:]):
            once = [cell for cell, _ in groupby(group) if is_cell(cell)]
            if not once:
                raise RuleError("cells are missing")
            if len(once) == len(group):
                yield f"{our_cells(group, size)}:{_named(text, name)}"
            else:
                own = _along(known, group, size, self.first).written(size, self.first)
                yield f"{our_cells(once, size)}:{_named(own, name)}"

    def write(self, argument: str, size: int) -> list[list[str]]:
        cells, _, text = argument.partition(":")
        if not text.startswith(SIGN):
            return []  # an expression, which is written as such
        name = parted(text)[0].replace("_", "%20")
        return [[pack_automaton(text, self.first, size), f"_{name}", *their_cells(cells)]]
