"""What rules about several cells exclude, alone and together, as docs/rating.md defines it.

Every way to fill the cells is tried, so it is for few cells. It shares no code with the package.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations
from typing import NamedTuple

Candidate = tuple[int, int]
See = Callable[[int, int], bool]


class Rule(NamedTuple):
    """Cells and which digits keep the rule; `amount` is their sum, where it states one."""

    cells: Sequence[int]
    is_kept: Callable[[Sequence[int]], bool]
    amount: int | None = None
    is_cage: bool = False


def excluded(
    size: int, units: Sequence[Sequence[int]], rules: Sequence[Rule], board: set[Candidate], n: int
) -> set[Candidate]:
    """What is excluded with refutations of n steps; among the units come rows, then columns."""

    def see(one: int, other: int) -> bool:
        return any(one in unit and other in unit for unit in units)

    known = [*rules, *rules_of_45(size, units, rules)]
    scopes: list[tuple[set[int], list[Rule]]] = [(set(rule.cells), [rule]) for rule in known]
    if n > 1:
        scopes += with_units(units, known)
        scopes += pairs(known, see, board)
    gone: set[Candidate] = set()
    for cells, together in scopes:
        shown: set[Candidate] = set()
        for x in board:
            if x not in shown:
                filled = fill(cells, together, see, without(board, x, see))
                shown |= set(filled.items()) if filled else set()
                gone |= set() if filled else {x}
    return gone


def without(board: set[Candidate], assumed: Candidate, see: See) -> set[Candidate]:
    cell, digit = assumed
    return {
        (c, d) for c, d in board if (d == digit if c == cell else not (d == digit and see(c, cell)))
    }


def fill(
    cells: set[int], rules: Sequence[Rule], see: See, board: set[Candidate]
) -> dict[int, int] | None:
    """Some way to fill the cells that keeps the rules; None where there is none."""
    order = sorted(cells, key=lambda cell: sum(c == cell for c, _ in board))

    def go_on(filled: dict[int, int]) -> dict[int, int] | None:
        for rule in rules:
            if filled.keys() >= set(rule.cells) and not rule.is_kept(
                [filled[c] for c in rule.cells]
            ):
                return None
        if len(filled) == len(order):
            return filled
        cell = order[len(filled)]
        for c, d in board:
            if c == cell and not any(d == digit and see(c, o) for o, digit in filled.items()):
                found = go_on({**filled, cell: d})
                if found:
                    return found
        return None

    return go_on({})


def with_units(
    units: Sequence[Sequence[int]], rules: Sequence[Rule]
) -> Iterator[tuple[set[int], list[Rule]]]:
    for unit in units:
        meeting = [rule for rule in rules if len(set(rule.cells) & set(unit)) > 1]
        if meeting:
            yield set(unit).union(*(rule.cells for rule in meeting)), meeting


def pairs(
    rules: Sequence[Rule], see: See, board: set[Candidate]
) -> Iterator[tuple[set[int], list[Rule]]]:
    for one, other in combinations(rules, 2):
        first, second = set(one.cells), set(other.cells)
        seen = [
            sum(any(see(a, b) for b in those) for a in these)
            for these, those in ((first, second), (second, first))
        ]
        cells = first | second
        is_open = [cell for cell in cells if sum(c == cell for c, _ in board) > 1]
        if (first & second or max(seen) > 1) and len(is_open) <= 12:
            yield cells, [one, other]


def rules_of_45(size: int, units: Sequence[Sequence[int]], rules: Sequence[Rule]) -> Iterator[Rule]:
    cages = apart([rule for rule in rules if rule.is_cage], set())
    taken = {cell for rule in rules if rule.is_cage for cell in rule.cells}
    cages += apart([r for r in rules if r.amount is not None and not r.is_cage], taken)
    areas = [[unit] for unit in units]
    for lines in (units[:size], units[size : 2 * size]):
        for count in (2, 3):
            areas += [list(lines[n : n + count]) for n in range(size - count + 1)]
    seen = set()
    for area in areas:
        inside = set(chain(*area))
        meeting = [cage for cage in cages if inside & set(cage.cells)]
        for chosen in (
            [cage for cage in meeting if inside >= set(cage.cells)],
            meeting,
            [cage for cage in meeting if 2 * len(inside & set(cage.cells)) > len(cage.cells)],
        ):
            covered = {cell for cage in chosen for cell in cage.cells}
            innies, outies = sorted(inside - covered), sorted(covered - inside)
            amount = sum(range(1, size + 1)) * len(area) - sum(cage.amount or 0 for cage in chosen)
            key = (*innies, -1, *outies)
            if chosen and 1 <= len(innies) + len(outies) <= 4 and key not in seen:
                seen.add(key)
                count = len(innies)

                def adds_up(
                    digits: Sequence[int], count: int = count, amount: int = amount
                ) -> bool:
                    return sum(digits[:count]) - sum(digits[count:]) == amount

                yield Rule([*innies, *outies], adds_up)


def apart(rules: Sequence[Rule], taken: set[int]) -> list[Rule]:
    """Those of some sums that share no cell with any other, or with what is taken."""
    others = [[set(other.cells) for other in rules if other is not rule] for rule in rules]
    return [
        rule
        for rule, rest in zip(rules, others, strict=True)
        if not set(rule.cells) & taken.union(*rest)
    ]
