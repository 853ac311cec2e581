"""Clauses by their numbers, and by what stands in them.

Most proofs of puzzles delete nothing and need no RAT. So the two tables that answer to these are
made when they are first asked for: without them a clause takes a third of the memory.
"""

from collections.abc import Iterable, Sequence


class ClauseIndex:
    """Clauses numbered from 1 in the order of their coming; those removed keep their numbers."""

    def __init__(self, clauses: Iterable[Sequence[int]]) -> None:
        self._clauses: list[Sequence[int]] = []
        self._removed: set[int] = set()
        self._numbers_of: dict[frozenset[int], list[int]] | None = None
        self._numbers_with: dict[int, list[int]] | None = None
        for clause in clauses:
            self.add(clause)

    def __getitem__(self, number: int) -> Sequence[int]:
        return self._clauses[number - 1]

    def numbers(self) -> Iterable[int]:
        """The numbers of all clauses that are not removed."""
        return (n for n in range(1, len(self._clauses) + 1) if n not in self._removed)

    def add(self, literals: Sequence[int]) -> int:
        """Takes a clause in and returns its number."""
        if 0 in literals:
            raise ValueError("0 is not a literal")
        self._clauses.append(literals)
        number = len(self._clauses)
        if self._numbers_of is not None:
            self._numbers_of.setdefault(frozenset(literals), []).append(number)
        if self._numbers_with is not None:
            self._note_literals(self._numbers_with, number)
        return number

    def remove(self, literals: Iterable[int]) -> int | None:
        """Removes one copy of a clause, whatever the order of its literals; None: it has none."""
        if self._numbers_of is None:
            self._numbers_of = {}
            for number in self.numbers():
                self._numbers_of.setdefault(frozenset(self[number]), []).append(number)
        numbers = self._numbers_of.get(frozenset(literals))
        if not numbers:
            return None
        number = numbers.pop()
        self._removed.add(number)
        return number

    def numbers_with(self, literal: int) -> Sequence[int]:
        """The numbers of the clauses that have a literal."""
        if self._numbers_with is None:
            self._numbers_with = {}
            for number in self.numbers():
                self._note_literals(self._numbers_with, number)
        # What was removed leaves the table here, so that it is passed over once only.
        found = [n for n in self._numbers_with.get(literal, ()) if n not in self._removed]
        self._numbers_with[literal] = found
        return found

    def _note_literals(self, table: dict[int, list[int]], number: int) -> None:
        for literal in set(self[number]):
            table.setdefault(literal, []).append(number)
