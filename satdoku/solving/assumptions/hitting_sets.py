"""Hitting sets of sets that are found one by one, and minimal subsets by deletion.

>>> with SmallestHittingSets(4, Budget()) as sets:
...     for each in ({0, 1}, {1, 2}, {2, 3}):
...         sets.add(each)
...     len(sets.smallest() or ()), sets.at_least
(2, 2)

`shrink` deletes elements in turn while the rest is enough.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeVar

from satdoku.encoding.choices import Status
from satdoku.solving.limits import Budget
from satdoku.solving.session import Closable, Session
from satdoku.solving.solvers import find_solver

# It starts fastest, and the formulas are small.
_SOLVER = "minicard"


class Bound:
    """A counter of some literals, so that a bound on their number can be assumed.

    It supports bounds below `most`; `highest` is the highest variable that it uses.
    """

    def __init__(self, session: Session, literals: Sequence[int], most: int, highest: int) -> None:
        # python-sat's cardinality module takes 15 ms to import, and is rarely needed.
        from pysat.card import ITotalizer

        self._count = len(literals)
        with ITotalizer(lits=list(literals), ubound=most, top_id=highest) as totalizer:
            session.add_clauses(totalizer.cnf.clauses)
            self._outputs = list(totalizer.rhs)
            self.highest: int = max(highest, totalizer.top_id)

    def at_most(self, number: int) -> list[int]:
        """Return the assumptions for at most `number` true literals."""
        return [] if number >= self._count else [-self._outputs[number]]


class HittingSets(Closable):
    """Sets over the elements 0..n-1, and their hitting sets."""

    def __init__(self, count: int, budget: Budget, solver: str = _SOLVER) -> None:
        self._budget = budget
        self._variables = range(1, count + 1)
        self._session = Session(find_solver(solver), with_assumptions=True)
        # Tautologies mention every variable, so that each is in the model.
        self._session.add_clauses([[v, -v] for v in self._variables])

    def prefer_many(self) -> None:
        """Let the solver try large hitting sets first."""
        self._session.suggest(list(self._variables))

    def add(self, elements: Iterable[int]) -> None:
        """Add a set that must be hit."""
        self._session.add_clause([element + 1 for element in elements])

    def exclude(self, elements: Iterable[int]) -> None:
        """Forbid a hitting set, and every superset of it."""
        self._session.add_clause([-element - 1 for element in elements])

    def any(self) -> list[int] | None:
        """Return a hitting set, or None if there is none."""
        return self._choose([])

    def _choose(self, assumptions: list[int]) -> list[int] | None:
        status = self._session.solve(self._budget, assumptions=assumptions)
        if status is not Status.SATISFIABLE:
            return None
        return [v - 1 for v in self._session.model() if 0 < v <= len(self._variables)]

    def close(self) -> None:
        self._session.close()


class SmallestHittingSets(HittingSets):
    """Also finds the smallest hitting sets; `at_least` is a lower bound on their size."""

    def __init__(self, count: int, budget: Budget) -> None:
        super().__init__(count, budget)
        self._bound = Bound(self._session, self._variables, max(count - 1, 1), count)
        self.at_least = 0

    def smallest(self) -> list[int] | None:
        """Return a smallest hitting set, of size `at_least`; None if there is none."""
        while (chosen := self.smallest_with()) is None and self.at_least < len(self._variables):
            self.at_least += 1
        return chosen

    def smallest_with(
        self, wanted: Iterable[int] = (), left: Iterable[int] = ()
    ) -> list[int] | None:
        """Return a hitting set of `at_least` elements, with `wanted` and without `left` ones."""
        return self._choose(
            [
                *(element + 1 for element in wanted),
                *(-element - 1 for element in left),
                *self._bound.at_most(self.at_least),
            ]
        )


Item = TypeVar("Item")


def shrink(
    items: Iterable[Item],
    is_enough: Callable[[Sequence[Item], Item], Collection[Item] | None],
) -> list[Item]:
    """Return a minimal subset of the items that is still enough (deletion).

    `items` must be enough; the last ones are tried first, so the first ones are kept longest.
    `is_enough` gets the rest and the item that was left out. It returns None if the rest is not
    enough, and otherwise a subset of it that is: the whole rest, or fewer if a solver returned a
    core. Supersets of enough items must be enough.

    >>> shrink([1, 2, 3, 4, 5], lambda rest, item: rest if sum(rest) >= 6 else None)
    [3, 2, 1]
    """
    untried, needed = list(items), list[Item]()
    while untried:
        item = untried.pop()
        rest = [*needed, *untried]
        found = is_enough(rest, item)
        if found is None:
            needed.append(item)
        elif len(found) < len(rest):
            untried = [other for other in untried if other in found]
            needed = [other for other in needed if other in found]
    return needed
