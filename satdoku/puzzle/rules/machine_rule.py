"""Rules that read the digits of a line one after the other."""

from abc import abstractmethod
from collections.abc import Iterator
from functools import lru_cache

from satdoku.puzzle.constraints import Constraint, Machine
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.machines import State, Table, build_layers
from satdoku.puzzle.rules.group_rule import GroupRule


class MachineRule(GroupRule):
    """A rule about the digits of each group in their order.

    `step` and `is_end` are what solvers are given, on the numbers that digits count as; the
    definition of the rule, `is_kept`, looks at all numbers at once.
    """

    @abstractmethod
    def machine_key(self, geometry: Geometry) -> tuple[int, ...]:
        """The numbers that `start`, `step` and `is_end` depend on, besides kind and length."""

    @classmethod
    @abstractmethod
    def start(cls, key: tuple[int, ...]) -> State:
        """The state before the first cell."""

    @classmethod
    @abstractmethod
    def step(cls, key: tuple[int, ...], state: State, number: int) -> State | None:
        """The state behind a number; None where it may not follow."""

    @classmethod
    @abstractmethod
    def is_end(cls, key: tuple[int, ...], state: State) -> bool:
        """Whether a state behind the last cell keeps the rule."""

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        key = self.machine_key(geometry)
        for cells in self.groups(geometry):
            layers = _layers(type(self), key, len(cells), geometry.size, self.lowest)
            yield Machine(cells, layers, self.sentence(geometry))


# Clues of a kind come again on many lines.
@lru_cache(maxsize=256)
def _layers(
    kind: type[MachineRule], key: tuple[int, ...], length: int, size: int, lowest: int
) -> Table:
    shift = lowest - 1
    return build_layers(
        length,
        size,
        kind.start(key),
        lambda state, digit: kind.step(key, state, digit + shift),
        lambda state: kind.is_end(key, state),
    )
