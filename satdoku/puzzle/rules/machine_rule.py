"""Rules that read the digits of a line one after the other, and the tables made of them.

A rule says what a state is and where a digit leads; that becomes a table with numbers for the
states (`Machine`), in which states that nothing tells apart are one.
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import ClassVar, TypeVar

from satdoku.errors import TooLargeError
from satdoku.puzzle.constraints import Constraint, Either, Enclosed, Machine
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.group_rule import GroupRule

Table = tuple[tuple[tuple[int, ...], ...], ...]
State = Hashable
_State = TypeVar("_State", bound=State)

MOST_STATES = 20_000
"""A machine with more states in all its layers makes a formula that no search gets through."""


def build_layers(
    length: int,
    numbers: Iterable[int],
    start: _State,
    step: Callable[[_State, int], _State | None],
    is_end: Callable[[_State], bool],
) -> Table:
    """The layers of a machine for so many cells; `numbers` is what the digits count as, in order.

    `step` has the state behind a number, or None where that may not follow; `is_end` says of a
    state behind the last cell whether that is right.
    """
    before = [start]
    followers: list[list[list[int]]] = []
    count = 1
    for _ in range(length):
        # Numbered as they are met, so the same rule gives the same table in every process.
        places: dict[_State, int] = {}
        rows = []
        for state in before:
            row = [-1]
            for number in numbers:
                after = step(state, number)
                row.append(-1 if after is None else places.setdefault(after, len(places)))
            rows.append(row)
        followers.append(rows)
        before = list(places)
        count += len(before)
        if count > MOST_STATES:
            raise TooLargeError(f"this takes more than {MOST_STATES:,} states")
    ends = [0 if is_end(state) else -1 for state in before]
    return _merged(followers, ends)


def _merged(followers: list[list[list[int]]], ends: list[int]) -> Table:
    """The table, from its last layer backwards, in which states that lead on alike are one."""
    new_numbers = ends
    layers = []
    for rows in reversed(followers):
        kinds: dict[tuple[int, ...], int] = {}
        numbers = []
        for row in rows:
            mapped = tuple(-1 if after < 0 else new_numbers[after] for after in row)
            is_dead = all(after < 0 for after in mapped)
            numbers.append(-1 if is_dead else kinds.setdefault(mapped, len(kinds)))
        # A layer that no state reaches has no rows, the first always has one.
        layers.append(tuple(kinds) or (tuple(-1 for _ in followers[0][0]),))
        new_numbers = numbers
    return tuple(reversed(layers))


class MachineRule(GroupRule):
    """A rule about the digits of each group in their order, which machines can read.

    The definition of the rule, `is_kept`, looks at all numbers at once; a test compares the two.
    Solvers are given the machines, and the check of certificates takes them as what the rule says.
    """

    cases_are_of_different: ClassVar[bool] = True
    """Whether `by_cases` is right only for cells of which no two hold the same digit."""

    @abstractmethod
    def machines(self, geometry: Geometry) -> Sequence[tuple[tuple[int, ...], Table]]:
        """The cells of each machine, and its table."""

    def by_cases(
        self, geometry: Geometry, machine: int, cells: tuple[int, ...]
    ) -> Either | Enclosed | Machine | None:
        """What says the same as one of the machines, which reads these cells, and searches shorter.

        None where nothing does.
        """
        return None

    def machine_sentence(self, geometry: Geometry, machine: int) -> str:
        """What one of the machines says."""
        return self.sentence(geometry)

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        for number, (cells, layers) in enumerate(self.machines(geometry)):
            sentence = self.machine_sentence(geometry, number)
            cases = self.by_cases(geometry, number, cells)
            yield Machine(cells, layers, sentence, cases, self.cases_are_of_different)


class SteppedRule(MachineRule):
    """A rule whose machines are made from its `start`, `step` and `is_end`, which take numbers."""

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

    def machines(self, geometry: Geometry) -> Sequence[tuple[tuple[int, ...], Table]]:
        # The key has all that tables depend on, so lines with the same clue share one.
        key, values = self.machine_key(geometry), self.values(geometry)
        return [
            (cells, _layers(type(self), key, len(cells), values)) for cells in self.groups(geometry)
        ]


# Clues of a kind come again on many lines.
@lru_cache(maxsize=256)
def _layers(kind: type[SteppedRule], key: tuple[int, ...], length: int, numbers: range) -> Table:
    step, is_end = partial(kind.step, key), partial(kind.is_end, key)
    return build_layers(length, numbers, kind.start(key), step, is_end)
