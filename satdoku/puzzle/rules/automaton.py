"""Automata that read the digits of a line, and their text: `@12>1,3>0;!1>1`.

The states stand behind `@`, perhaps with a name before them; the first one is the start. A state
has its ways, each as the digits that lead it and the number of the state behind, counted from 0;
`!` before them says that the line may end there. Digits from 10 on are letters, A for 10. Of
several ways with the same digit each may be gone.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from satdoku.errors import SatdokuError, quote
from satdoku.puzzle.rules.arguments import DIGITS
from satdoku.puzzle.rules.regular import LineReader, Places

SIGN = "@"
"""What tells an automaton from a regular expression."""
_END = "!"

# Programs write automata, so more is taken than anybody would type; what a line of a board makes of
# the states is bounded once more, by `MOST_STATES` of `machine_rule.py`.
_LONGEST_AUTOMATON = 100_000
_MOST_STATES = 4_096

Way = tuple[int, int]
"""A digit, and the state behind it."""


class Automaton(LineReader):
    """The ways of each state, of which the first is the start, and the states that may end."""

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
        """The states behind all these digits, which may be none."""
        found = frozenset(states)
        for digit in digits:
            found = frozenset(to for state in found for to in self._behind[state].get(digit, ()))
        return found

    def is_end(self, places: Places) -> bool:
        return not self.ends.isdisjoint(places)

    def __str__(self) -> str:
        """The text that `read_automaton` takes."""
        return SIGN + ";".join(map(self._written, range(len(self.ways))))

    def _written(self, state: int) -> str:
        leading: defaultdict[int, str] = defaultdict(str)
        for digit, behind in self.ways[state]:
            leading[behind] += DIGITS[digit]
        ways = (f"{digits}>{behind}" for behind, digits in leading.items())
        return (_END if state in self.ends else "") + ",".join(ways)


def parted(text: str) -> tuple[str, str]:
    """The name of an automaton, which may be empty, and its states.

    >>> parted("@rising:12>1,3>0;!1>1")
    ('rising', '12>1,3>0;!1>1')
    """
    name, _, states = text.removeprefix(SIGN).rpartition(":")
    return name, states


def read_automaton(text: str, digits: Collection[int]) -> Automaton:
    """The automaton over these digits; a SatdokuError says what is not understood.

    >>> str(read_automaton("@2>1,1>1,7>0;!", range(1, 5)))
    '@12>1;!'
    """
    states = parted(text)[1].split(";")
    if len(text) > _LONGEST_AUTOMATON or len(states) > _MOST_STATES:
        raise SatdokuError(
            f"an automaton has at most {_MOST_STATES:,} states and {_LONGEST_AUTOMATON:,} signs"
        )
    # An automaton may be made for larger boards; their digits lead nowhere here.
    ways = [[way for way in _ways_of(state, len(states)) if way[0] in digits] for state in states]
    return Automaton(ways, [n for n, state in enumerate(states) if state.startswith(_END)])


def _ways_of(state: str, count: int) -> Iterator[Way]:
    """The ways that the text of a state names; there are `count` states."""
    for way in filter(None, state.removeprefix(_END).split(",")):
        leading, _, behind = way.partition(">")
        if not (leading.isalnum() and leading.isascii() and behind.isdecimal()):
            raise SatdokuError(f"{quote(way)} is not digits and a state such as 12>1")
        # Python refuses to read numbers that are very long.
        if len(behind) > count or int(behind) >= count:
            raise SatdokuError(f"{quote(way)} leads to no state; the last is {count - 1}")
        yield from ((int(sign, 36), int(behind)) for sign in leading)
