"""Automata over digits as text: `@12>1,3>0;!1>1`.

Behind `@` stand the states, the first of which is the start. A state has its ways, each as the
digits that lead it and the number of the state behind, counted from 0; `!` before them says that
the line may end there. Digits from 10 on are letters, A for 10. Of several ways with the same digit
each may be gone.
"""

from collections import defaultdict
from collections.abc import Collection

from satdoku.errors import SatdokuError, quote

SIGN = "@"
"""What tells an automaton from a regular expression."""

_LONGEST = 100_000
_MOST_STATES = 4_096
_END = "!"

Places = frozenset[int]


class Automaton:
    """An automaton that was read: where it begins, and where digits lead."""

    def __init__(self, text: str, digits: Collection[int]) -> None:
        states = text.removeprefix(SIGN).split(";")
        if len(text) > _LONGEST or len(states) > _MOST_STATES:
            raise SatdokuError(
                f"an automaton has at most {_MOST_STATES:,} states and {_LONGEST:,} characters"
            )
        self.start: Places = frozenset({0})
        self._ends = frozenset(n for n, state in enumerate(states) if state.startswith(_END))
        self._ways: list[dict[int, set[int]]] = []
        for state in states:
            ways: defaultdict[int, set[int]] = defaultdict(set)
            for way in filter(None, state.removeprefix(_END).split(",")):
                leading, _, behind = way.partition(">")
                if not (leading.isalnum() and leading.isascii() and behind.isdecimal()):
                    raise SatdokuError(f"{quote(way)} is not digits and a state such as 12>1")
                if len(behind) > len(states) or int(behind) >= len(states):
                    raise SatdokuError(f"{quote(way)} leads to no state, there are {len(states)}")
                for digit in (int(sign, 36) for sign in leading):
                    if digit in digits:
                        ways[digit].add(int(behind))
            self._ways.append(dict(ways))

    def step(self, places: Places, digit: int) -> Places | None:
        """The states behind a digit; None where there are none."""
        found = [self._ways[place].get(digit, ()) for place in places]
        after = frozenset(state for each in found for state in each)
        return after or None

    def is_end(self, places: Places) -> bool:
        """Whether the line may end at one of the states."""
        return not self._ends.isdisjoint(places)

    def accepts(self, digits: Collection[int]) -> bool:
        """Whether a whole line of digits is right."""
        places: Places | None = self.start
        for digit in digits:
            places = self.step(places, digit) if places is not None else None
        return places is not None and self.is_end(places)
