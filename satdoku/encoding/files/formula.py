"""What is asked of a formula, in whichever format it comes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from satdoku.encoding.constraint import Clause


@dataclass(frozen=True, slots=True)
class Linear:
    """A constraint of OPB: a weighted sum of variables that reaches a bound, or equals it.

    >>> print(Linear(((1, 5), (-1, 7)), ">=", 0))
    +1 x5 -1 x7 >= 0 ;
    """

    terms: tuple[tuple[int, int], ...]
    relation: str
    bound: int

    def is_broken(self, is_false: Callable[[int], bool]) -> bool:
        """Whether it does not hold when those variables are true that `is_false` is not true of."""
        total = sum(weight for weight, variable in self.terms if not is_false(variable))
        return total != self.bound if self.relation == "=" else total < self.bound

    def __str__(self) -> str:
        terms = " ".join(f"{weight:+} x{variable}" for weight, variable in self.terms)
        return f"{terms} {self.relation} {self.bound} ;"


class Formula(Protocol):
    """A formula, held in memory or read as it is needed."""

    @property
    def variables(self) -> int: ...

    @property
    def comments(self) -> tuple[str, ...]:
        """The first comments, at least those before the first constraint."""

    def numbered_clauses(self) -> Iterator[tuple[Clause | Linear, int]]:
        """All that has to hold, with its line; line 0 where nothing is known of lines."""
