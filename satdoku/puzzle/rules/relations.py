"""A table of pairs of numbers in words: the relation of two cells that allows just these pairs.

Setters write relations as tables, and nobody reads forty pairs. Most tables say something simple,
such as that two cells differ by an even number. The relations that have words are tried one by one.
"""

import operator
from collections.abc import Callable, Iterator, Sequence, Set

from satdoku.errors import join

Pairs = Set[tuple[int, int]]
Measure = Callable[[int, int], int]

# The most numbers to list, as in "sum to 4, 7 or 9".
_MOST_LISTED = 4


def words_of(allowed: Pairs, numbers: Sequence[int]) -> str:
    """Return what two cells with one of these pairs are, a template for their names.

    `numbers` are all that a cell may count as. Empty for a relation that has no simple words.

    >>> words_of({(1, 3), (3, 1)}, range(1, 4))
    '{} and {} differ by 2'
    """
    others = {(a, b) for a in numbers for b in numbers} - allowed
    if not allowed or not others:
        return ""
    return next(filter(None, _every(allowed, others, numbers)), "")


def _every(allowed: Pairs, others: Pairs, numbers: Sequence[int]) -> Iterator[str]:
    """Yield the words of each kind of relation that fits, or nothing in its place."""
    for measure, say in _KINDS:
        yes, no = ({measure(a, b) for a, b in pairs} for pairs in (allowed, others))
        if yes.isdisjoint(no):
            yield say(yes, no)
    for factor in range(2, max(numbers) + 1):
        yield from _ratio(allowed, others, factor)
    yield _classes(allowed)


def _differ(yes: Set[int], no: Set[int]) -> str:
    """Return words for two cells whose difference is in `yes`, or else would be in `no`."""
    if {0} in (yes, no):
        return f"{{}} and {{}} are {'equal' if 0 in yes else 'different'}"
    if all(n % 2 == 0 for n in yes) and all(n % 2 for n in no):
        return "{} and {} are both even or both odd"
    if all(n % 2 for n in yes) and all(n % 2 == 0 for n in no):
        return "{} and {} are an even and an odd digit"
    told = _listed("differ by", yes, no)
    if 0 in no and len(yes) > 2 and " at least " not in told:
        if max(yes) < min(no - {0}):
            return f"{{}} and {{}} differ by 1 to {max(yes)}"
        if len(yes) > _MOST_LISTED:
            told = _listed("differ by", yes, no - {0})
            told = told and f"are different, and {told}"
    return told and f"{{}} and {{}} {told}"


def _listed(verb: str, yes: Set[int], no: Set[int]) -> str:
    """Return `sum to 5`, `sum to at least 5` or `do not sum to 5`; empty if that is long."""
    if len(yes) > 1 and min(yes) > max(no):
        return f"{verb} at least {min(yes)}"
    if len(yes) > 1 and max(yes) < min(no):
        return f"{verb} at most {max(yes)}"
    if len(no) < len(yes) and len(no) <= _MOST_LISTED:
        return f"do not {verb} {_or(no)}"
    return f"{verb} {_or(yes)}" if len(yes) <= _MOST_LISTED else ""


def _or(numbers: Set[int]) -> str:
    return join([str(number) for number in sorted(numbers)], "or")


def _of_both(verb: str) -> Callable[[Set[int], Set[int]], str]:
    def say(yes: Set[int], no: Set[int]) -> str:
        told = _listed(verb, yes, no)
        return told and f"{{}} and {{}} {told}"

    return say


def _order(yes: Set[int], no: Set[int]) -> str:
    """Return words for two cells that differ in this order: `{} is less than {}, by 2`."""
    signs = ("less", "more", yes, no), ("greater", "less", {-n for n in yes}, {-n for n in no})
    for order, against, ours, others in signs:
        if min(ours) > 0:
            return _by(order, ours, others)
        if min(ours) == 0 and max(others) < 0:
            return f"{{}} is not {against} than {{}}"
    return ""


def _by(order: str, yes: Set[int], no: Set[int]) -> str:
    """Return how much less, or greater, a cell is; `yes` are numbers above 0."""
    no = {n for n in no if n > 0}
    told = f"{{}} is {order} than {{}}"
    if not no:
        return told
    for odd, parity in enumerate(("even", "odd")):
        if all(n % 2 == odd for n in yes) and all(n % 2 != odd for n in no):
            return f"{told}, by an {parity} number"
    how = _listed("by", yes, no)
    return f"{told}, {how}" if how.startswith("by ") else ""


_KINDS: tuple[tuple[Measure, Callable[[Set[int], Set[int]], str]], ...] = (
    (lambda a, b: abs(a - b), _differ),
    (lambda a, b: b - a, _order),
    (operator.add, _of_both("sum to")),
    (operator.mul, _of_both("have the product")),
)


def _ratio(allowed: Pairs, others: Pairs, factor: int) -> Iterator[str]:
    """Yield words for two cells one of which is, or is not, so many times the other."""
    every = allowed | others
    first = {(a, b) for a, b in every if a == factor * b}
    second = {(a, b) for a, b in every if b == factor * a}
    for pairs, verb in ((allowed, "have"), (others, "do not have")):
        if pairs == first | second:
            yield f"{{}} and {{}} {verb} the ratio {factor}"
    if allowed == first:
        yield f"{{}} is {'twice' if factor == 2 else f'{factor} times'} {{}}"
    if allowed == second:
        yield "{} is half of {}" if factor == 2 else f"{factor} times {{}} is {{}}"


def _classes(allowed: Pairs) -> str:
    """Return words for two cells with numbers of two kinds, one of each kind."""
    beside: dict[frozenset[int], set[int]] = {}
    for a in {a for a, _ in allowed}:
        beside.setdefault(frozenset(b for one, b in allowed if one == a), set()).add(a)
    if len(beside) != 2:
        return ""
    (one, its), (other, those) = beside.items()
    if its != other or those != one or one & other:
        return ""
    first, second = sorted((sorted(one), sorted(other)))
    return f"{{}} and {{}} are one of {_span(first)} and one of {_span(second)}"


def _span(numbers: Sequence[int]) -> str:
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    return join([str(number) for number in numbers])
