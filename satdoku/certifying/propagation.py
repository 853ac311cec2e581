"""Unit propagation: when all literals of a clause but one are false, that one is true.

What follows from the clauses alone stays on the trail for good, so that each question starts from
there. And clauses are visited rarely. Of a clause of two literals, each is implied by the other's
becoming false. A longer clause is *watched* at two of its literals that are not false: while both
stay so, it implies nothing; when one becomes false another takes over, and if there is none, the
other watched literal is implied. Taking assignments back never breaks this.

Clauses are numbered from 1 in the order in which they came, deleted ones included, and each literal
remembers the clause that made it true: from these numbers the hints of a proof are made.

Most proofs of puzzles delete nothing and need no RAT. So clauses by what stands in them, two tables
that answer to these, are made when they are first asked for: without them a clause takes a third of
the memory.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence


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


# How many clauses go by between two looks at the clock: some milliseconds.
_BETWEEN_LOOKS = 1024

_ASSUMED = 0
"""In place of a clause's number: the literal was made true for the sake of the question."""


class ClauseDatabase:
    """The clauses in force, and the trail of the literals that they make true.

    >>> database = ClauseDatabase([(1,), (-1, 2), (-2, 3, 4)])
    >>> database.implies([2]), database.implies([3]), database.implies([4, 3])
    (True, False, True)
    """

    def __init__(
        self, clauses: Iterable[Sequence[int]], require_time: Callable[[], None] = lambda: None
    ) -> None:
        """`require_time` is called now and then while clauses come in; it may raise an error."""
        self._index = ClauseIndex(clauses)
        # By a true literal: the clauses of two literals that it makes units, with what they imply.
        self._implied: defaultdict[int, dict[int, int]] = defaultdict(dict)
        self._watching: defaultdict[int, list[int]] = defaultdict(list)  # by a false literal
        # What is left of a longer clause to propagate; the first two literals are watched.
        self._rests: dict[int, list[int]] = {}
        self._trail: list[int] = []
        self._true: set[int] = set()
        self._reasons: dict[int, int] = {}
        self._settled = 0  # so much of the trail has been propagated
        self.refuting_clause = 0
        """The clause that the others leave without a literal to make it true; 0: there is none."""
        # Units first: they shorten the others.
        numbers = sorted(self._index.numbers(), key=lambda number: len(self.literals(number)))
        for place, number in enumerate(numbers):
            if place % _BETWEEN_LOOKS == 0:
                require_time()
            self._attach(number)
        self.settle()

    @property
    def is_refuted(self) -> bool:
        """Whether the clauses contradict each other by propagation alone."""
        return self.refuting_clause != 0

    def literals(self, number: int) -> Sequence[int]:
        """The literals of a clause by its number."""
        return self._index[number]

    @property
    def facts(self) -> Sequence[int]:
        """The literals that the clauses alone make true, in the order of their derivation."""
        return self._trail

    def reason(self, literal: int) -> int:
        """The number of the clause that made a fact true."""
        return self._reasons[literal]

    def add(self, literals: Sequence[int]) -> int:
        """Puts a clause in force and numbers it.

        Outside of a check, so what is false now is false for good.
        """
        number = self._index.add(literals)
        self._attach(number)
        return number

    def _attach(self, number: int) -> None:
        true = self._true
        clause = dict.fromkeys(self.literals(number))  # some solvers write a literal twice
        if not true.isdisjoint(clause):
            return
        rest = [literal for literal in clause if -literal not in true]
        if len(rest) > 2:
            self._rests[number] = rest
            self._watching[rest[0]].append(number)
            self._watching[rest[1]].append(number)
        elif len(rest) == 2:
            self._implied[-rest[0]][number] = rest[1]
            self._implied[-rest[1]][number] = rest[0]
        elif rest:
            self._assign(rest[0], number)
        elif not self.refuting_clause:
            self.refuting_clause = number

    def delete(self, literals: Sequence[int]) -> bool:
        """Takes one copy of a clause out of force; False if it is not there or forces a literal."""
        false = sum(-literal in self._true for literal in set(literals))
        forces = false == len(set(literals)) - 1 and not self._true.isdisjoint(literals)
        number = None if forces else self._index.remove(literals)
        if number is None:
            return False
        if number in self._rests:
            del self._rests[number]  # `_visit_watchers` passes over what has no rest
        else:
            for literal in literals:
                self._implied[-literal].pop(number, None)
        return True

    def settle(self) -> None:
        """Propagates what the clauses alone make true, for good."""
        if not self.refuting_clause:
            self.refuting_clause = self._propagate(self._settled)
        self._settled = len(self._trail)

    def implies(self, literals: Iterable[int]) -> bool:
        """Whether propagation shows that one of the literals holds: making all false conflicts."""
        start = len(self._trail)
        has_conflict = self._find_conflict(literals) is not None
        self._take_back(start)
        return has_conflict

    def explain(self, literals: Iterable[int]) -> list[int] | None:
        """Like `implies`, with the numbers of the clauses that show it, in the order of their use.

        Facts are taken for granted: they are not explained again.
        """
        start = len(self._trail)
        conflict = self._find_conflict(literals)
        used = None if conflict is None else self._trace(conflict, start)
        self._take_back(start)
        return used

    def clauses_with(self, literal: int) -> list[Sequence[int]]:
        """The clauses in force that have the literal."""
        return [self.literals(number) for number in self._index.numbers_with(literal)]

    def _find_conflict(self, literals: Iterable[int]) -> int | None:
        """The clause that cannot be true while all literals are false, `_ASSUMED` if two of them
        are negations of each other, None if there is no conflict."""
        start = len(self._trail)
        for literal in literals:
            if literal in self._true:
                return self._reasons[literal]
            if -literal not in self._true:
                self._assign(-literal, _ASSUMED)
        return self._propagate(start) or None  # no clause has the number 0

    def _trace(self, conflict: int, start: int) -> list[int]:
        """The clauses that lead to a conflict, found by going back from it along the trail."""
        if conflict == _ASSUMED:
            return []
        used = [conflict]
        wanted = set(self.literals(conflict))
        for literal in reversed(self._trail[start:]):
            if -literal in wanted and self._reasons[literal] != _ASSUMED:
                used.append(self._reasons[literal])
                wanted.update(self.literals(self._reasons[literal]))
        used.reverse()
        return used

    def _take_back(self, start: int) -> None:
        self._true.difference_update(self._trail[start:])
        del self._trail[start:]

    def _assign(self, literal: int, reason: int) -> None:
        self._true.add(literal)
        self._trail.append(literal)
        self._reasons[literal] = reason

    def _propagate(self, start: int) -> int:
        """Follows the trail from `start`, cheap clauses of two first.

        Returns the number of a clause whose literals are all false, or 0.
        """
        true, trail, implied, reasons = self._true, self._trail, self._implied, self._reasons
        visited = start
        while visited < len(trail):
            while start < len(trail):
                for number, literal in implied[trail[start]].items():
                    if literal not in true:
                        if -literal in true:
                            return number
                        true.add(literal)
                        trail.append(literal)
                        reasons[literal] = number
                start += 1
            conflict = self._visit_watchers(-trail[visited])
            if conflict:
                return conflict
            visited += 1
        return 0

    def _visit_watchers(self, false: int) -> int:
        """Finds each clause that watches `false` another literal to watch, or its last one."""
        watchers = self._watching[false]
        self._watching[false] = staying = []
        for position, number in enumerate(watchers):
            rest = self._rests.get(number)
            if rest is None:
                continue  # deleted
            if rest[0] == false:
                rest[0], rest[1] = rest[1], false
            other = rest[0]
            if other not in self._true and self._moves_watch(number, rest):
                continue
            staying.append(number)
            if -other in self._true:
                # A conflict: those that were not visited go on watching.
                staying += watchers[position + 1 :]
                return number
            if other not in self._true:
                self._assign(other, number)
        return 0

    def _moves_watch(self, number: int, rest: list[int]) -> bool:
        """Swaps the second watched literal for one that is not false, if there is one."""
        for index in range(2, len(rest)):
            literal = rest[index]
            if -literal not in self._true:
                rest[1], rest[index] = literal, rest[1]
                self._watching[literal].append(number)
                return True
        return False
