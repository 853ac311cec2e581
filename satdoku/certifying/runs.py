"""Whether clauses about the states of machines say nothing but what the machines do.

A clause is broken where its literals are all false: then a machine is in certain states behind
certain cells, and these hold certain digits. It is justified when nothing leads through the machine
like that. Only the cells between the first and the last state are looked at, since what a machine
does there does not depend on how it got there.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from satdoku.encoding.meanings import State
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.either import EitherRule
from satdoku.puzzle.rules.machine_rule import MachineRule, Table
from satdoku.puzzle.rules.rule import Rule


class Run(NamedTuple):
    """The cells that a machine reads, and where their digits lead."""

    cells: tuple[int, ...]
    layers: Table

    @property
    def is_dead(self) -> bool:
        """Whether the machine comes to no end, whatever it reads."""
        return all(after < 0 for after in self.layers[0][0][1:])


class Reader:
    """A machine of a rule, asked backwards: what leads to a state."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.cells = run.cells
        self._layers = run.layers

    def excludes(
        self, literals: Sequence[tuple[bool, State]], digits: Mapping[int, Sequence[int]]
    ) -> bool:
        """Whether no run that is kept is like that.

        Each state is one that the machine is in, or (False) one that it is not in; where cells
        have `digits`, they hold one of these.
        """
        last = len(self.cells)
        # Meanings come from whoever wrote the file, and may speak of cells that are not there.
        if any(not 0 <= each.behind <= last for _, each in literals):
            return False
        places = [each.behind for _, each in literals]
        known = [n for n, cell in enumerate(self.cells) if cell in digits]
        if not places and not known:
            return False
        # Cells whose digits are known matter as far as they are next to one of the states.
        first, end = min(places or known), max(places or [known[-1] + 1])
        first, end = first - (first - 1 in known), end + (end in known)
        # States that some run comes through, though perhaps none with the digits before them: more
        # states than there may be, so nothing is excluded that should not be.
        states = self._open(first, literals)
        for place in range(first, end):
            layer = self._layers[place]
            leading = digits.get(self.cells[place])
            # Without a state left no run is like that; -1, where a machine ends, is never live.
            reached: set[int] = set()
            for state in states:
                row = layer[state]
                reached.update(row[1:] if leading is None else [row[d] for d in leading])
            states = self._open(place + 1, literals) & reached
            if not states:
                return True
        return not states

    def _open(self, place: int, literals: Sequence[tuple[bool, State]]) -> set[int]:
        """The states that a run may be in behind so many cells."""
        found = set(self._live[place])
        for is_in, each in literals:
            if each.behind == place:
                found = found & {each.state} if is_in else found - {each.state}
        return found

    @cached_property
    def _live(self) -> list[set[int]]:
        """The states behind each number of cells that runs come through."""
        live = [{0}]
        for layer in self._layers:
            live.append({after for state in live[-1] for after in layer[state][1:]} - {-1})
        return live


def runs_of(rules: Sequence[Rule], geometry: Geometry) -> list[Run]:
    """The machines of some rules, in their order."""
    return [
        Run(*each)
        for rule in rules
        for part in (chain(*rule.choices) if isinstance(rule, EitherRule) else [rule])
        if isinstance(part, MachineRule)
        for each in part.machines(geometry)
    ]
