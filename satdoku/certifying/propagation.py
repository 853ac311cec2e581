"""Unit propagation: when all literals of a clause but one are false, that one is true.

What follows from the clauses alone stays on the trail for good, so that each question starts from
there. And clauses are visited rarely. Of a clause of two literals, each is implied by the other's
becoming false. A longer clause is *watched* at two of its literals that are not false: while both
stay so, it implies nothing; when one becomes false another takes over, and if there is none, the
other watched literal is implied. Taking assignments back never breaks this.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence


class ClauseDatabase:
    """The clauses in force, and the trail of the literals that they make true.

    >>> database = ClauseDatabase([(1,), (-1, 2), (-2, 3, 4)])
    >>> database.implies([2]), database.implies([3]), database.implies([4, 3])
    (True, False, True)
    """

    def __init__(self, clauses: Iterable[Sequence[int]]) -> None:
        # For each clause what is left of it to propagate, once a copy; emptied on deletion.
        self._rests: defaultdict[frozenset[int], list[list[int]]] = defaultdict(list)
        self._implied: defaultdict[int, list[int]] = defaultdict(list)  # by a true literal
        self._watching: defaultdict[int, list[list[int]]] = defaultdict(list)  # a false literal
        self._trail: list[int] = []
        self._true: set[int] = set()
        self._settled = 0  # so much of the trail has been propagated
        self.propagations = 0
        self.is_refuted = False
        for clause in sorted(clauses, key=len):  # units first: they shorten the others
            self.add(clause)
        self.settle()

    def add(self, literals: Iterable[int]) -> None:
        """Puts a clause in force; outside of a check, so what is false now is false for good."""
        clause = frozenset(literals)
        if 0 in clause:
            raise ValueError("0 is not a literal")
        true = self._true
        rest: list[int] = []
        if true.isdisjoint(clause):
            rest = [literal for literal in clause if -literal not in true]
            self._attach(rest)
        self._rests[clause].append(rest)

    def _attach(self, rest: list[int]) -> None:
        if len(rest) > 2:
            self._watching[rest[0]].append(rest)
            self._watching[rest[1]].append(rest)
        elif len(rest) == 2:
            self._implied[-rest[0]].append(rest[1])
            self._implied[-rest[1]].append(rest[0])
        elif rest:
            self._assign(rest[0])
        else:
            self.is_refuted = True

    def delete(self, literals: Iterable[int]) -> bool:
        """Takes one copy of a clause out of force; False if it is not there or forces a literal."""
        clause = frozenset(literals)
        false = sum(-literal in self._true for literal in clause)
        forces = false == len(clause) - 1 and not self._true.isdisjoint(clause)
        if forces or clause not in self._rests:
            return False
        rest = self._rests[clause].pop()
        if not self._rests[clause]:
            del self._rests[clause]
        if len(rest) == 2:
            self._implied[-rest[0]].remove(rest[1])
            self._implied[-rest[1]].remove(rest[0])
        rest.clear()
        return True

    def settle(self) -> None:
        """Propagates what the clauses alone make true, for good."""
        self.is_refuted = self.is_refuted or not self._propagate(self._settled)
        self.propagations += len(self._trail) - self._settled
        self._settled = len(self._trail)

    def implies(self, literals: Iterable[int]) -> bool:
        """Whether propagation shows that one of the literals holds: making all false conflicts."""
        start = len(self._trail)
        has_conflict = not self._assume_false(literals) or not self._propagate(start)
        self.propagations += len(self._trail) - start
        self._true.difference_update(self._trail[start:])
        del self._trail[start:]
        return has_conflict

    def clauses_with(self, literal: int) -> list[frozenset[int]]:
        """The clauses in force that have the literal; looks through all of them."""
        return [clause for clause in self._rests if literal in clause]

    def _assume_false(self, literals: Iterable[int]) -> bool:
        for literal in literals:
            if literal in self._true:
                return False
            if -literal not in self._true:
                self._assign(-literal)
        return True

    def _assign(self, literal: int) -> None:
        self._true.add(literal)
        self._trail.append(literal)

    def _propagate(self, start: int) -> bool:
        """Follows the trail from `start`, cheap clauses of two first; False on a contradiction."""
        true, trail, implied = self._true, self._trail, self._implied
        visited = start
        while visited < len(trail):
            while start < len(trail):
                for literal in implied[trail[start]]:
                    if -literal in true:
                        return False
                    if literal not in true:
                        true.add(literal)
                        trail.append(literal)
                start += 1
            if not self._visit_watchers(-trail[visited]):
                return False
            visited += 1
        return True

    def _visit_watchers(self, false: int) -> bool:
        """Finds each clause that watches `false` another literal to watch, or its last one."""
        watchers = self._watching[false]
        self._watching[false] = staying = []
        for position, rest in enumerate(watchers):
            if not rest:
                continue  # deleted
            if rest[0] == false:
                rest[0], rest[1] = rest[1], false
            other = rest[0]
            if other not in self._true and self._moves_watch(rest):
                continue
            staying.append(rest)
            if -other in self._true:
                staying += watchers[position + 1 :]
                return False
            if other not in self._true:
                self._assign(other)
        return True

    def _moves_watch(self, rest: list[int]) -> bool:
        """Swaps the second watched literal for one that is not false, if there is one."""
        for index in range(2, len(rest)):
            literal = rest[index]
            if -literal not in self._true:
                rest[1], rest[index] = literal, rest[1]
                self._watching[literal].append(rest)
                return True
        return False
