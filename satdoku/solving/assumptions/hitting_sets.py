"""Sets that become known one by one, and few elements that have at least one of each.

>>> with SmallestHittingSets(4, Budget()) as sets:
...     for each in ({0, 1}, {1, 2}, {2, 3}):
...         sets.add(each)
...     len(sets.smallest() or ()), sets.at_least
(2, 2)

`shrink` makes a set small: elements go, one after the other, while the rest is enough.
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
    """How many of some literals hold, so that a question may assume a bound.

    For bounds below `most`; `highest` is the highest variable that is taken.
    """

    def __init__(self, session: Session, literals: Sequence[int], most: int, highest: int) -> None:
        # python-sat's cardinality module takes 15 ms to import, and few questions need it.
        from pysat.card import ITotalizer

        self._count = len(literals)
        with ITotalizer(lits=list(literals), ubound=most, top_id=highest) as totalizer:
            session.add_clauses(totalizer.cnf.clauses)
            self._outputs = list(totalizer.rhs)
            self.highest: int = max(highest, totalizer.top_id)

    def at_most(self, number: int) -> list[int]:
        """The assumptions under which no more than so many hold."""
        return [] if number >= self._count else [-self._outputs[number]]


class HittingSets(Closable):
    """Sets over the elements 0..n-1, and choices that have one element of each."""

    def __init__(self, count: int, budget: Budget, solver: str = _SOLVER) -> None:
        self._budget = budget
        self._variables = range(1, count + 1)
        self._session = Session(find_solver(solver), with_assumptions=True)
        # Every variable is mentioned, so that each is in the model.
        self._session.add_clauses([[v, -v] for v in self._variables])

    def prefer_many(self) -> None:
        """Has the solver try choices of many elements first."""
        self._session.suggest(list(self._variables))

    def add(self, elements: Iterable[int]) -> None:
        """One more set that must be hit."""
        self._session.add_clause([element + 1 for element in elements])

    def exclude(self, elements: Iterable[int]) -> None:
        """Forbids a choice, and every larger one that contains it."""
        self._session.add_clause([-element - 1 for element in elements])

    def any(self) -> list[int] | None:
        """A choice, or None where nothing hits all sets."""
        return self._choose([])

    def _choose(self, assumptions: list[int]) -> list[int] | None:
        status = self._session.solve(self._budget, assumptions=assumptions)
        if status is not Status.SATISFIABLE:
            return None
        return [v - 1 for v in self._session.model() if 0 < v <= len(self._variables)]

    def close(self) -> None:
        self._session.close()


class SmallestHittingSets(HittingSets):
    """Also finds choices with as few elements as possible; `at_least` is known of their number."""

    def __init__(self, count: int, budget: Budget) -> None:
        super().__init__(count, budget)
        self._bound = Bound(self._session, self._variables, max(count - 1, 1), count)
        self.at_least = 0

    def smallest(self) -> list[int] | None:
        """A smallest choice; `at_least` is its size then. None where nothing hits all sets."""
        while (chosen := self.smallest_with()) is None and self.at_least < len(self._variables):
            self.at_least += 1
        return chosen

    def smallest_with(
        self, wanted: Iterable[int] = (), left: Iterable[int] = ()
    ) -> list[int] | None:
        """A choice of `at_least` elements, the wanted ones among them and without the left ones."""
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
    """Items that are enough together, while none of them can be missed.

    `items` are enough; the last ones are tried first, so those that come first stay longest.
    `is_enough` is asked whether the rest is enough without one item. It answers None if not, and
    otherwise which of the rest are: all of them, or fewer where a solver has told so. More items
    must never be less than enough.

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
