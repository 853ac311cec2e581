"""Base of rules that read the digits of a line in order, and their machines (DFAs).

A rule defines states and transitions; they become a table with numbered states (`Machine`), in
which equivalent states are merged.
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import ClassVar, TypeVar, overload

from satdoku.errors import TooLargeError
from satdoku.puzzle.constraints import Constraint, Either, Enclosed, Machine
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.rules.group_rule import GroupRule

Layer = tuple[tuple[int, ...], ...]
Table = tuple[Layer, ...]
State = Hashable
_State = TypeVar("_State", bound=State)

MOST_STATES = 20_000
"""Limit on the states of all layers of a machine; larger formulas are too hard for any search."""


def build_layers(
    length: int,
    numbers: Iterable[int],
    start: _State,
    step: Callable[[_State, int], _State | None],
    is_end: Callable[[_State], bool],
) -> Table:
    """Return the layers of a machine for `length` cells; `numbers` are the numbers of the digits.

    `step` returns the state after a number, or None if the number may not follow; `is_end` tells
    whether a state after the last cell accepts.
    """
    before = [start]
    followers: list[list[list[int]]] = []
    count = 1
    for _ in range(length):
        # States are numbered in the order of discovery, so that a rule has the same table in every
        # process.
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
    """Merge equivalent states, from the last layer backwards, and return the table."""
    new_numbers = ends
    layers = []
    for rows in reversed(followers):
        kinds: dict[tuple[int, ...], int] = {}
        numbers = []
        for row in rows:
            mapped = tuple(-1 if after < 0 else new_numbers[after] for after in row)
            is_dead = all(after < 0 for after in mapped)
            numbers.append(-1 if is_dead else kinds.setdefault(mapped, len(kinds)))
        # A layer without reachable states has no rows, except that the first layer always has one.
        layers.append(tuple(kinds) or (tuple(-1 for _ in followers[0][0]),))
        new_numbers = numbers
    return tuple(reversed(layers))


class LazyTable(Sequence[Layer]):
    """A table that is built when it is first read; often a solver gets other constraints instead.

    Two are equal if the same function builds them from the same arguments.
    """

    def __init__(self, length: int, build: Callable[..., Table], *made_of: Hashable) -> None:
        self._length, self._build, self._made_of = length, build, made_of
        self._table: Table | None = None

    @property
    def table(self) -> Table:
        """Return the table itself."""
        if self._table is None:
            self._table = self._build(*self._made_of)
        return self._table

    def __reduce__(self) -> tuple[object, ...]:
        return LazyTable, (self._length, self._build, *self._made_of)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> Layer: ...
    @overload
    def __getitem__(self, place: slice) -> Table: ...
    def __getitem__(self, place: int | slice) -> Layer | Table:
        return self.table[place]

    def __iter__(self) -> Iterator[Layer]:
        return iter(self.table)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LazyTable):
            return NotImplemented
        return (self._build, self._made_of) == (other._build, other._made_of)

    def __hash__(self) -> int:
        return hash((self._build, self._made_of))


class MachineRule(GroupRule):
    """A rule about the digits of each group in order, stated as DFAs.

    The definition, `is_kept`, judges all numbers at once; a test compares it with the machines.
    Solvers are given the machines, and the check of certificates accepts them as the rule's
    meaning.
    """

    cases_are_of_different: ClassVar[bool] = True
    """Whether `by_cases` is valid only for cells that all hold different digits."""

    @abstractmethod
    def machines(self, geometry: Geometry) -> Sequence[tuple[tuple[int, ...], Sequence[Layer]]]:
        """Return the cells and the table of each machine."""

    def by_cases(
        self, geometry: Geometry, machine: int, cells: tuple[int, ...]
    ) -> Either | Enclosed | Machine | None:
        """Return a constraint equivalent to a machine that makes searches shorter, or None."""
        return None

    def machine_sentence(self, geometry: Geometry, machine: int) -> str:
        """Return the statement of one machine."""
        return self.sentence(geometry)

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        for number, (cells, layers) in enumerate(self.machines(geometry)):
            sentence = self.machine_sentence(geometry, number)
            cases = self.by_cases(geometry, number, cells)
            yield Machine(cells, layers, sentence, cases, self.cases_are_of_different)


class SteppedRule(MachineRule):
    """A rule whose machines are built from `start`, `step` and `is_end`, which work on numbers."""

    @abstractmethod
    def machine_key(self, geometry: Geometry) -> tuple[int, ...]:
        """Return the numbers, besides class and length, that determine `start`, `step` and
        `is_end`.
        """

    @classmethod
    @abstractmethod
    def start(cls, key: tuple[int, ...]) -> State:
        """Return the state before the first cell."""

    @classmethod
    @abstractmethod
    def step(cls, key: tuple[int, ...], state: State, number: int) -> State | None:
        """Return the state after a number; None if the number may not follow."""

    @classmethod
    @abstractmethod
    def is_end(cls, key: tuple[int, ...], state: State) -> bool:
        """Whether a state after the last cell accepts."""

    def machines(self, geometry: Geometry) -> Sequence[tuple[tuple[int, ...], Sequence[Layer]]]:
        # The key determines the table, so lines with the same clue share one table.
        key, values = self.machine_key(geometry), self.values(geometry)
        return [
            (cells, LazyTable(len(cells), _layers, type(self), key, len(cells), values))
            for cells in self.groups(geometry)
        ]


# Cached, as many lines have the same kind of clue with the same number.
@lru_cache(maxsize=256)
def _layers(kind: type[SteppedRule], key: tuple[int, ...], length: int, numbers: range) -> Table:
    step, is_end = partial(kind.step, key), partial(kind.is_end, key)
    return build_layers(length, numbers, kind.start(key), step, is_end)
