"""Finite automata and regular expressions that read the digits of a line.

An automaton is written `@12>1,3>0;!1>1`. The states follow `@`, with an optional name before them;
the first state is the start. A state lists its transitions: the digits, and the number of the next
state, counted from 0. `!` marks an accepting state. Digits from 10 on are letters, A for 10.
Several transitions with the same digit make the automaton nondeterministic.
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import NoReturn

from satdoku.errors import SatdokuError, quote
from satdoku.puzzle.rules.arguments import DIGITS

# Regular expressions over the digits of a line: `[1-3]*9.*`, `(12|21)+`.  The syntax has digits,
# `.`, `[135-7]`, `[^9]`, brackets, `|`, `*`, `+`, `?` and `{2,4}`. Digits from 10 on are written in
# angle brackets, `<12>`. An expression becomes a nondeterministic automaton (Thompson's
# construction) whose states are called places here. A state of the line is the set of places that
# can be reached, so each digit is read once. Only the number of places can explode; it is bounded.

# Most characters: a longer expression is a program, and no reader could tell what it asks.
_LONGEST_EXPRESSION = 200
# Limit on places: `((.{9}){9}){9}` is short, but has 729 parts; each part is parsed again, and each
# step visits all places.
_MOST_PLACES = 400
# Each bracket takes four nested calls, and Python's stack allows about two hundred brackets.
_MOST_BRACKETS = 50

Places = frozenset[int]
"""A set of states: places of an expression, or states of an automaton, by number."""


class LineReader(ABC):
    """A nondeterministic automaton that reads the digits of a line; `start` is its first set of
    states.
    """

    start: Places

    @abstractmethod
    def step(self, places: Places, digit: int) -> Places | None:
        """Return the set of states after a digit; None if the set would be empty."""

    @abstractmethod
    def is_end(self, places: Places) -> bool:
        """Whether one of these states accepts."""

    def accepts(self, digits: Iterable[int]) -> bool:
        """Whether the reader accepts a whole line of digits."""
        places: Places | None = self.start
        for digit in digits:
            places = self.step(places, digit) if places is not None else None
        return places is not None and self.is_end(places)


class Expression(LineReader):
    """A parsed regular expression: an automaton whose places have free transitions (without a
    digit) or transitions by digits.
    """

    def __init__(self, text: str, digits: Collection[int]) -> None:
        # An empty expression would match only an empty line, and no board has one.
        if not text:
            raise SatdokuError("the expression is missing")
        if len(text) > _LONGEST_EXPRESSION:
            raise SatdokuError(
                f"an expression has at most {_LONGEST_EXPRESSION} characters, not {len(text)}"
            )
        self._text = text
        self._digits = frozenset(digits)
        self._at = 0
        # For each place: where its free transitions lead, and (in `_read`) the digits that lead on
        # from the place, with the next place.
        self._free: list[list[int]] = []
        self._read: list[tuple[frozenset[int], int] | None] = []
        begin, end = self._any_of(0)
        if self._at < len(text):
            self._fail()
        self._end = end
        self.start = self._closed({begin})

    def step(self, places: Places, digit: int) -> Places | None:
        reads = (self._read[place] for place in places)
        after = {read[1] for read in reads if read is not None and digit in read[0]}
        return self._closed(after) if after else None

    def is_end(self, places: Places) -> bool:
        return self._end in places

    def _closed(self, places: Collection[int]) -> Places:
        """Return these places and all that free transitions reach from them."""
        found, waiting = set(places), list(places)
        while waiting:
            for place in self._free[waiting.pop()]:
                if place not in found:
                    found.add(place)
                    waiting.append(place)
        return frozenset(found)

    def _place(self) -> int:
        if len(self._free) >= _MOST_PLACES:
            raise SatdokuError(f"the expression {quote(self._text)} repeats too much")
        self._free.append([])
        self._read.append(None)
        return len(self._free) - 1

    def _fault(self, what: str, hint: str = "") -> SatdokuError:
        return SatdokuError(f"{what} in the expression {self._text!r}{hint}")

    def _fail(self) -> NoReturn:
        rest = self._text[self._at : self._at + 10]
        what = repr(rest) if rest else "the end"
        # In automata, and on boards written as a line, letters are digits from 10 on.
        hint = "; digits from 10 on stand in angles, <12>" if rest[:1].isalpha() else ""
        raise self._fault(f"{what} is not understood", hint)

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    # Each method that parses a part returns the places at which the part begins and ends.

    def _any_of(self, depth: int) -> tuple[int, int]:
        if depth > _MOST_BRACKETS:
            raise SatdokuError("the brackets of the expression are nested too deeply")
        begin, end = self._place(), self._place()
        while True:
            first, last = self._sequence(depth)
            self._free[begin].append(first)
            self._free[last].append(end)
            if self._peek() != "|":
                return begin, end
            self._at += 1

    def _sequence(self, depth: int) -> tuple[int, int]:
        begin = end = self._place()
        while self._peek() not in ("", "|", ")"):
            first, last = self._repeated(depth)
            self._free[end].append(first)
            end = last
        return begin, end

    def _repeated(self, depth: int) -> tuple[int, int]:
        at = self._at
        begin, end = self._atom(depth)
        behind = self._at
        sign = self._peek()
        if sign in ("*", "+", "?"):
            self._at += 1
            least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
        elif sign == "{":
            least, most = self._bounds()
        else:
            return begin, end
        # Repeat the parse of the part for each repetition that the count allows.
        after = self._at
        if most == 0:
            empty = self._place()
            return empty, empty
        pieces = [(begin, end)]
        for _ in range(1, max(least, most or 1, 1)):
            self._at = at
            pieces.append(self._atom(depth))
            assert self._at == behind
        self._at = after
        return self._joined(pieces, least, most)

    def _joined(
        self, pieces: list[tuple[int, int]], least: int, most: int | None
    ) -> tuple[int, int]:
        """Join repetitions of a piece; the line may leave them after the first `least`.

        If `most` is None, the last piece may repeat any number of times.
        """
        begin, end = self._place(), self._place()
        self._free[begin].append(pieces[0][0])
        if least == 0:
            self._free[begin].append(end)
        for number, (_, last) in enumerate(pieces, 1):
            if number < len(pieces):
                self._free[last].append(pieces[number][0])
            if number >= least:
                self._free[last].append(end)
        if most is None:
            self._free[pieces[-1][1]].append(pieces[-1][0])
        return begin, end

    def _bounds(self) -> tuple[int, int | None]:
        close = self._text.find("}", self._at)
        low, comma, high = self._text[self._at + 1 : max(close, 0)].partition(",")
        is_open = comma and not high
        if close < 0 or not low.isdecimal() or not (is_open or not comma or high.isdecimal()):
            self._fail()
        if len(low) > 3 or len(high) > 3:
            raise SatdokuError(f"the expression {quote(self._text)} repeats too much")
        self._at = close + 1
        most = None if is_open else int(high or low)
        if most is not None and most < int(low):
            self._fail()
        return int(low), most

    def _atom(self, depth: int) -> tuple[int, int]:
        sign = self._peek()
        if sign == "(":
            self._at += 1
            inside = self._any_of(depth + 1)
            if self._peek() != ")":
                self._fail()
            self._at += 1
            return inside
        digits = self._class() if sign == "[" else self._one()
        begin, end = self._place(), self._place()
        self._read[begin] = (digits, end)
        return begin, end

    def _one(self) -> frozenset[int]:
        if self._peek() == ".":
            self._at += 1
            return self._digits
        return frozenset([self._digit()])

    def _digit(self) -> int:
        text = self._peek()
        width = 1
        if text == "<":
            close = self._text.find(">", self._at)
            text = self._text[self._at + 1 : max(close, 0)]
            width = len(text) + 2
        if not text.isdecimal() or len(text) > 3:
            self._fail()
        digit = int(text)
        if digit not in self._digits:
            raise self._fault(f"{digit} is no digit of this board,")
        self._at += width
        return digit

    def _class(self) -> frozenset[int]:
        self._at += 1
        is_inverse = self._peek() == "^"
        self._at += is_inverse
        found: set[int] = set()
        while self._peek() != "]":
            first = last = self._digit()
            if self._peek() == "-":
                self._at += 1
                last = self._digit()
            # An empty range is a typing error; read as "no digit" it would make the puzzle
            # impossible.
            if last < first:
                raise self._fault(f"{first}-{last} runs backwards")
            found.update(range(first, last + 1))
        self._at += 1
        digits = self._digits - found if is_inverse else frozenset(found)
        if not digits:
            raise self._fault("a pair of brackets allows no digit")
        return digits


SIGN = "@"
"""The first character of an automaton, by which it differs from a regular expression."""
_END = "!"

# Most characters of an automaton. Programs write automata, so this is more than anybody would type.
# `MOST_STATES` of `machine_rule.py` limits the states for a line of a board.
_LONGEST_AUTOMATON = 100_000
_MOST_STATES = 4_096

Way = tuple[int, int]
"""A transition: a digit and the next state."""


class Automaton(LineReader):
    """Numbered states with their transitions (the first is the start), and the accepting states."""

    def __init__(self, ways: Iterable[Iterable[Way]], ends: Iterable[int]) -> None:
        self.start = frozenset({0})
        self.ends = frozenset(ends)
        self.ways = [sorted(set(each)) for each in ways]
        self._behind: list[defaultdict[int, list[int]]] = []
        for each in self.ways:
            behind: defaultdict[int, list[int]] = defaultdict(list)
            for digit, state in each:
                behind[digit].append(state)
            self._behind.append(behind)

    def step(self, places: Places, digit: int) -> Places | None:
        return self.behind(places, (digit,)) or None

    def behind(self, states: Collection[int], digits: Iterable[int]) -> Places:
        """Return the states after all these digits; empty if no transition fits."""
        found = frozenset(states)
        for digit in digits:
            found = frozenset(to for state in found for to in self._behind[state].get(digit, ()))
        return found

    def is_end(self, places: Places) -> bool:
        return not self.ends.isdisjoint(places)

    def __str__(self) -> str:
        """Return the text that `read_automaton` takes."""
        return SIGN + ";".join(map(self._written, range(len(self.ways))))

    def _written(self, state: int) -> str:
        leading: defaultdict[int, str] = defaultdict(str)
        for digit, behind in self.ways[state]:
            leading[behind] += DIGITS[digit]
        ways = (f"{digits}>{behind}" for behind, digits in leading.items())
        return (_END if state in self.ends else "") + ",".join(ways)


def parted(text: str) -> tuple[str, str]:
    """Split the text of an automaton into its name, which may be empty, and its states.

    >>> parted("@rising:12>1,3>0;!1>1")
    ('rising', '12>1,3>0;!1>1')
    """
    name, _, states = text.removeprefix(SIGN).rpartition(":")
    return name, states


def read_automaton(text: str, digits: Collection[int]) -> Automaton:
    """Return the automaton over these digits; a SatdokuError quotes what cannot be parsed.

    >>> str(read_automaton("@2>1,1>1,7>0;!", range(1, 5)))
    '@12>1;!'
    """
    states = parted(text)[1].split(";")
    if len(text) > _LONGEST_AUTOMATON or len(states) > _MOST_STATES:
        raise SatdokuError(
            f"an automaton has at most {_MOST_STATES:,} states and {_LONGEST_AUTOMATON:,} signs"
        )
    # An automaton may be made for larger boards; transitions by digits that this board does not
    # have are dropped.
    ways = [[way for way in _ways_of(state, len(states)) if way[0] in digits] for state in states]
    return Automaton(ways, [n for n, state in enumerate(states) if state.startswith(_END)])


def _ways_of(state: str, count: int) -> Iterator[Way]:
    """Yield the transitions in the text of one state; `count` is the number of states."""
    for way in filter(None, state.removeprefix(_END).split(",")):
        leading, _, behind = way.partition(">")
        if not (leading.isalnum() and leading.isascii() and behind.isdecimal()):
            raise SatdokuError(f"{quote(way)} is not digits and a state such as 12>1")
        # The length is compared first, because Python refuses to parse very long numbers.
        if len(behind) > count or int(behind) >= count:
            raise SatdokuError(f"{quote(way)} leads to no state; the last is {count - 1}")
        yield from ((int(sign, 36), int(behind)) for sign in leading)
