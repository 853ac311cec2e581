"""Automata as ISS packs them: bits in base64, with a header and the transitions of each state.

The header has the form, the bits of a state number and the number of symbols; then how many states
are starts, how many more accept, and which of the starts accept. Starts come first, then other
accepting states. In the first form, each state has the number of its transitions, then symbol and
next state of each; in the second, a bit for each symbol, then the next state for each set bit.

Symbols are the digits, and one more for the break between segments of a line, a `-` among its
cells.
"""

import base64
import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from satdoku.errors import RuleError, quote
from satdoku.notation.exchange.iss.items import (
    Args,
    ArgsShape,
    DigitsShape,
    groups_of,
    named_groups_of,
    our_cells,
    their_cells,
)
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.rules.automaton import SIGN, Automaton, Places, Way, parted, read_automaton

# The header as ISS defines it: two bits for the form, four for each small number.
_FORM_BITS = 2
_FIELD_BITS = 4
# No puzzle has a longer automaton; reading one would take very long.
_LONGEST = 20_000
# Limit on the states at all cells of a line, for the same reason.
_MOST_PLACES = 50_000
_TOO_LONG = "this line of {} cells takes too many states"
_BREAK = "-"


class _Bits:
    """A reader of bits in order."""

    def __init__(self, data: bytes) -> None:
        self._bits = "".join(format(byte, "08b") for byte in data)
        self._at = 0

    @property
    def left(self) -> int:
        return len(self._bits) - self._at

    def read(self, count: int) -> int:
        if count > self.left:
            raise RuleError("the packed automaton is cut short")
        self._at += count
        return int(self._bits[self._at - count : self._at] or "0", 2)


def counts_like_first(packed: str, length: int, digits: range) -> int | None:
    """Return how the first symbol of a line counts the symbols that equal the second one.

    0 means that the second symbol itself is counted, 1 that it is not, and None that the automaton
    means something else.
    """
    known = _unpacked(packed, digits)
    behind = cache(lambda states, sign: known.behind(states, (sign,)))
    # States of the automaton, the first symbol, the second one, and the count so far.
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


# Cached: some automata are read again for each choice of the digits of variables.
@lru_cache(maxsize=8)
def _unpacked(packed: str, digits: range) -> Automaton:
    """Return the automaton over these digits and the next number, which is the break."""
    if len(packed) > _LONGEST:
        raise RuleError(f"satdoku does not read an automaton of {len(packed):,} characters")
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
    # ISS writes the bits of the starts as one number, with the first state as its lowest bit.
    may_end = [bool(bits.read(1)) for _ in range(starts)][::-1] + [True] * more_ends
    unpacked = (_dense if is_dense else _sparse)(bits, signs, state_bits)
    ways = [[(sign + digits[0], state) for sign, state in each] for each in unpacked]
    # States without transitions are left out at the end, but transitions may lead to them.
    behind = max((state for each in ways for _, state in each), default=0)
    ways += [[] for _ in range(max(behind + 1, len(may_end)) - len(ways))]
    ends = [state for state, is_end in enumerate(may_end) if is_end]
    if starts > 1:
        # Several starts are merged into one, which has the transitions of all of them.
        first = [way for each in ways[:starts] for way in each]
        ways = [[(digit, state + 1) for digit, state in each] for each in [first, *ways]]
        ends = [*([0] if any(may_end[:starts]) else []), *(state + 1 for state in ends)]
    return Automaton(ways, ends)


def _sparse(bits: _Bits, signs: int, state_bits: int) -> Iterator[list[Way]]:
    # Zeros fill the last byte: they are too few for a state, or are states without transitions.
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
    """Return the automaton over these digits, without unreachable states, in the order of ISS.

    The order is the start, the accepting states, the others, so that reading gives the same
    automaton.
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
    """Return the automaton for one line, which reads each of its cells once.

    A break between segments, or a cell that was read before, is read at once with the cell in front
    of it; so a state implies how many cells were read. A new state is a state of the automaton and
    the digits of the cells that will be read again.
    """
    if len(known.ways) * len(cells) > _MOST_PLACES:
        raise RuleError(_TOO_LONG.format(len(cells)))
    leading, steps = _steps_of(cells, digits)
    # Cached, as the same states occur at each cell.
    behind = cache(known.behind)
    before: dict[_Place, int] = {(known.behind({0}, leading), ()): 0}
    ways: list[list[Way]] = [[]]
    for further, kept in steps:
        after: dict[_Place, int] = {}
        for (states, memory), number in before.items():
            for digit in digits:
                seen = (*memory, digit)
                read = (digit, *(seen[~each] if each < 0 else each for each in further))
                left = tuple([seen[place] for place in kept])
                place = behind(states, read), left
                if place not in after:
                    after[place] = len(ways)
                    ways.append([])
                ways[number].append((digit, after[place]))
            if len(ways) > _MOST_PLACES:
                raise RuleError(_TOO_LONG.format(len(cells)))
        before = after
    return _merged(ways, {number for (states, _), number in before.items() if known.is_end(states)})


def _merged(ways: list[list[Way]], ends: set[int]) -> Automaton:
    """Return the automaton without dead states; states with the same transitions are merged.

    No state leads to one with a lower number.
    """
    number_of: dict[int, int] = {}
    kinds: dict[tuple[bool, tuple[Way, ...]], int] = {}
    for state in reversed(range(len(ways))):
        left = tuple((digit, number_of[to]) for digit, to in ways[state] if to in number_of)
        if left or state in ends or state == 0:
            number_of[state] = kinds.setdefault((state in ends, left), len(kinds))
    # The start got the highest number but has to come first, so numbers are reversed.
    last = len(kinds) - 1
    merged = [[(digit, last - to) for digit, to in each] for _, each in reversed(kinds)]
    return Automaton(merged, [last - n for n, (is_end, _) in enumerate(kinds) if is_end])


_Place = tuple[Places, tuple[int, ...]]
"""States of an automaton, and the digits that it will read again."""


def _steps_of(
    cells: Sequence[str], digits: range
) -> tuple[list[int], list[tuple[list[int], list[int]]]]:
    """Return the symbols before a line's first cell, and two lists for each cell.

    The first list has the symbols to read after the cell: breaks, and `~n` for the digit of the
    remembered cell number n. The cell itself is the last remembered one. The second list has the
    numbers of the cells that remain remembered.
    """
    leading, steps = list[int](), list[tuple[list[int], list[int]]]()
    last_of = {cell: place for place, cell in enumerate(cells)}
    remembered = list[str]()
    for place, cell in enumerate(cells):
        if not is_cell(cell):
            (steps[-1][0] if steps else leading).append(digits.stop)
        elif cell in remembered:
            steps[-1][0].append(~remembered.index(cell))
        else:
            _forget(steps, remembered, last_of, place)
            remembered.append(cell)
            steps.append(([], []))
    return leading, steps


def _forget(
    steps: list[tuple[list[int], list[int]]],
    remembered: list[str],
    last_of: dict[str, int],
    place: int,
) -> None:
    """Note in the last step which cells are read again from `place` on, and keep only these."""
    if steps:
        kept = [n for n, cell in enumerate(remembered) if last_of[cell] >= place]
        steps[-1][1].extend(kept)
        remembered[:] = [remembered[n] for n in kept]


def is_cell(name: str) -> bool:
    """Whether a name in a line is a cell, and no break."""
    return name != _BREAK


def pack_automaton(known: Automaton, digits: range) -> str:
    """Return an automaton over these digits in the first form of ISS."""
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
    """Return an automaton with the name that ISS has for it, reduced to letters and digits."""
    words = re.findall(r"[A-Za-z0-9.-]+", _unquoted(name))
    return f"{SIGN}{'_'.join(words)}:{text.removeprefix(SIGN)}" if words else text


class Automata(DigitsShape):
    """A packed automaton and groups of cells."""

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        digits = self.digits(board)
        known = _unpacked(args[0] if args else "", digits)
        text = str(_ordered(known, digits))
        for name, group in named_groups_of(args[1:]):
            once = list(dict.fromkeys(filter(is_cell, group)))
            if not once:
                raise RuleError("cells are missing")
            own = text
            if len(once) < len(group):
                own = str(_ordered(_along(known, group, digits), digits))
            yield f"{our_cells(once, board)}:{_named(own, name)}"

    def write(self, argument: str, board: Geometry) -> list[list[str]]:
        cells, _, text = argument.partition(":")
        if not text.startswith(SIGN):
            return []  # an expression, which is written as such
        name = parted(text)[0].replace("_", "%20")
        digits = self.digits(board)
        packed = pack_automaton(read_automaton(text, digits), digits)
        return [[packed, f"_{name}", *their_cells(cells)]]


def from_within(total: int, begun: int, digits: range) -> Automaton:
    """Return the automaton of a loop whose first cell is inside a part.

    The part's digits before that cell are at the loop's end and sum to `begun`. A state is the sum
    of the current part without `begun`, counted from 0 in each part; so start and end agree.
    """
    return Automaton(
        [
            [(d, (grown + d) % total) for d in digits if (begun + grown) % total + d <= total]
            for grown in range(total)
        ],
        [0],
    )


class Expressions(ArgsShape):
    """A regular expression in base64, and groups of cells."""

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        packed = args[0] if args else ""
        try:
            text = (
                _unquoted(packed)
                if "%" in packed
                else base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)).decode("ascii")
            )
        except ValueError:
            raise RuleError(f"{quote(packed)} is no packed expression") from None
        yield from (f"{our_cells(group, board)}:{text}" for group in groups_of(args[1:]))

    def write(self, argument: str, board: Geometry) -> list[list[str]]:
        cells, _, text = argument.partition(":")
        if text.startswith(SIGN):
            return []  # an automaton, which is no expression
        packed = base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
        return [[packed, *their_cells(cells)]]


def _unquoted(text: str) -> str:
    """Return a text with the characters that stand for `%20` and the like.

    `urllib.parse` does the same, but its import takes longer than to read a string.
    """
    return re.sub(
        "(?:%[0-9A-Fa-f]{2})+",
        lambda part: bytes.fromhex(part[0].replace("%", "")).decode("utf-8", "replace"),
        text,
    )
