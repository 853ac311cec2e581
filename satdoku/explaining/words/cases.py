"""Sentences for clues that a machine reads, or whose cases are sets of digits."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, groupby

from satdoku.encoding.wider.machines import live_states
from satdoku.errors import join
from satdoku.explaining.board import Truth
from satdoku.explaining.step import Deduction
from satdoku.explaining.techniques.wider import Line
from satdoku.explaining.words.names import Names
from satdoku.explaining.words.ways import MOST_RESTS, MOST_SETS, only_ways, sets_kept
from satdoku.puzzle.constraints import (
    Allowed,
    Either,
    Enclosed,
    Machine,
    Sets,
    differing,
    digits_of,
    every_digit,
    mask_of,
)
from satdoku.puzzle.rules.reasons import can_fill
from satdoku.puzzle.rules.rule import lowest_of

# The most places of the two ends to list.
_MOST_ENDS = 3

# The most ways of a clue with a first digit to list: only its first cells matter.
_MOST_WAYS = 12

# Sentences for lines that a machine reads: which cells' candidates a step rests on.

# The most cells of a machine's line whose candidates are named; nobody keeps more in mind.
_MOST_CELLS_OF_MACHINES = 4


def tell_needed(names: Names, machine: Machine, masks: Mapping[int, int], step: Deduction) -> str:
    """Return the candidates of the cells that a machine step rests on; empty for too many.

    The step rests on a cell if the exclusions would not follow with all digits in it. The machine
    ignores that cells must differ; the result is empty if exclusions rest on that.
    """
    gone = [names.board.placements[candidate] for candidate in step.excludes]
    is_within = {cell for cell, _ in gone} <= set(machine.cells)
    if not is_within or len(set(machine.cells)) < len(machine.cells):
        return ""

    def excludes_all(assumed: Mapping[int, int]) -> bool:
        possible = _possible(machine, assumed)
        return not any(possible.get(cell, 0) >> digit & 1 for cell, digit in gone)

    assumed = dict(masks)
    if not excludes_all(assumed):
        return ""
    every = every_digit(names.board.puzzle.geometry.size)
    needed = []
    for cell in machine.cells:
        wider = {**assumed, cell: every}
        if excludes_all(wider):
            assumed = wider
        else:
            needed.append(cell)
    # Cells that still have all digits are not named.
    needed = [cell for cell in needed if masks[cell] != every]
    if len(needed) > _MOST_CELLS_OF_MACHINES:
        return ""
    return join([f"{names.cell(c)} {names.may_be(masks[c])}" for c in needed]) if needed else ""


def _possible(machine: Machine, masks: Mapping[int, int]) -> dict[int, int]:
    """Return, for each cell, the digits with which the machine can accept the line."""
    digits = [digits_of(masks[cell]) for cell in machine.cells]
    live = live_states(machine, digits)
    return {
        cell: mask_of(d for d in digits[n] if any(layer[s][d] in live[n + 1] for s in live[n]))
        for n, (cell, layer) in enumerate(zip(machine.cells, machine.layers, strict=True))
    }


# The most cells of a line of neighbours whose candidates are named.
_MOST_NEEDED = 4


def needed_along(names: Names, line: Line, step: Deduction) -> list[Truth]:
    """Return the cells of a line whose candidates the step rests on; empty for too many."""
    board, gone = names.board, mask_of(step.excludes)
    left, needed = step.before, []
    for truth in line.truths:
        wider = left | truth.members
        if sum(line.possible(board, wider)) & gone:
            needed.append(truth)
        else:
            left = wider
    return needed if len(needed) <= _MOST_NEEDED else []


# Sentences for clues whose cases are sets of digits: the first X digits, or enclosed digits


def tell_cases(names: Names, machine: Machine, masks: Mapping[int, int], step: Deduction) -> str:
    """Return the remaining cases of a clue as text; empty if they cannot be listed."""
    differ = differing(names.board.puzzle.constraints)
    cells = machine.cells
    if machine.cases_are_of_different and any(
        other not in differ[cell] for cell in cells for other in cells if other != cell
    ):
        return ""
    if isinstance(machine.by_cases, Enclosed):
        return _tell_enclosed(names, machine.by_cases, masks)
    return _tell_first(names, machine, masks, step) if isinstance(machine.by_cases, Either) else ""


def _first_digits(either: Either) -> dict[int, Sets | None] | None:
    """Return the sets of digits behind each first digit; None if the cases are of another kind.

    A first digit with nothing behind it has None.
    """
    found: dict[int, Sets | None] = {}
    for begins, *rest in either.choices:
        if not isinstance(begins, Allowed) or begins.digits.bit_count() != 1 or len(rest) > 1:
            return None
        behind = rest[0] if rest else None
        if isinstance(behind, Allowed):
            singles = tuple(1 << digit for digit in digits_of(behind.digits))
            behind = Sets((behind.cell,), singles, "")
        if not isinstance(behind, Sets | None):
            return None
        found[begins.digits.bit_length() - 1] = behind
    return found


def _tell_first(names: Names, machine: Machine, masks: Mapping[int, int], step: Deduction) -> str:
    """Say which digits cannot come first, and which ways are left for the others."""
    assert isinstance(machine.by_cases, Either), "asked before"
    behind = _first_digits(machine.by_cases)
    if not behind:
        return ""
    first = machine.cells[0]
    ways = [
        [digit, *rest]
        for digit, sets in behind.items()
        if masks[first] >> digit & 1
        for rest in ([[]] if sets is None else map(digits_of, sets_kept(sets, masks)))
    ]
    told = _tell_bounds(names, behind, masks[first])
    is_beside = any(names.board.placements[c].cell != first for c in step.excludes)
    if 0 < len(ways) <= (_MOST_WAYS if is_beside or not told else MOST_SETS):
        told += _tell_ways(names, machine.cells, ways)
        told += _tell_misfits(names, machine.cells, ways, step)
    elif not told or is_beside:
        told.append(f"none of the {len(ways)} combinations that are left allows what is excluded")
    return "; ".join(told)


def _tell_misfits(
    names: Names, cells: Sequence[int], ways: Sequence[Sequence[int]], step: Deduction
) -> Iterator[str]:
    """Yield which excluded digits, in cells behind the first, fit none of the ways, if few."""
    places = {cell: place for place, cell in enumerate(cells)}
    gone: dict[int, int] = {}
    for cell, digit in (names.board.placements[candidate] for candidate in step.excludes):
        place = places.get(cell, 0)
        if place and any(digit in way[1:] and place < len(way) for way in ways):
            gone[cell] = gone.get(cell, 0) | 1 << digit
    cells_with: dict[int, list[int]] = {}
    for cell, mask in gone.items():
        cells_with.setdefault(mask, []).append(cell)
    if 0 < len(cells_with) <= MOST_RESTS:
        for mask, alike in cells_with.items():
            here = f"{names.digits(digits_of(mask), 'or')} in {names.cells(alike, 'or')}"
            yield f"with {here} none of them fits"


def _tell_ways(names: Names, cells: Sequence[int], ways: Sequence[Sequence[int]]) -> Iterator[str]:
    """Yield for each first digit what the cells behind it hold, and in which order."""
    for first, each in groupby(ways, key=lambda way: way[0]):
        sets = [way[1:] for way in each]
        here, count = f"with {names.digit(first)} in {names.cell(cells[0])}", len(sets[0])
        behind = ",".join(map(names.cell, cells[1 : count + 1]))
        if count:
            only = only_ways(names, sets, len(sets))
            yield f"{here}, {behind} {'is' if count == 1 else 'are'} {only}"
        else:
            yield f"{names.cell(cells[0])} is {names.digit(first)}"


def _tell_bounds(names: Names, behind: Mapping[int, Sets | None], mask: int) -> list[str]:
    """Say which first digits, nearest to a possible one, have sums too low or too high."""
    geometry = names.board.puzzle.geometry
    lowest = lowest_of(names.board.puzzle.rules)
    numbers = range(lowest, lowest + geometry.size)
    digit, sets = next(iter(behind.items()))
    rest = digits_of(sets.sets[0]) if sets else []
    total = sum(each + lowest - 1 for each in (digit, *rest))
    low, high = "", ""
    for digit in digits_of(mask):
        number = digit + lowest - 1
        others = [other for other in numbers if other != number]
        if not 1 < number <= len(numbers):
            continue
        least = number + sum(others[: number - 1])
        most = number + sum(others[len(others) - number + 1 :])
        said = f"{number} digits that begin with {number} come to at"
        if most < total:
            low = f"{said} most {most}"
        elif least > total and not high:
            high = f"{said} least {least}"
    return [each for each in (low, high) if each]


def _tell_enclosed(names: Names, enclosed: Enclosed, masks: Mapping[int, int]) -> str:
    """Say which digits can lie between the ends, and where the ends can be."""
    cells, size = enclosed.cells, len(enclosed.cells)
    ends = (1, size)
    found: dict[tuple[int, int], list[int]] = {}
    for one, other in combinations(range(size), 2):
        here, there = masks[cells[one]], masks[cells[other]]
        if not any(here >> a & 1 and there >> b & 1 for a, b in (ends, ends[::-1])):
            continue
        inside = [masks[cell] for cell in cells[one + 1 : other]]
        outside = [masks[cell] for cell in (*cells[:one], *cells[other + 1 :])]
        rest = every_digit(size) & ~(1 << ends[0] | 1 << ends[1])
        kept = [
            each
            for each in enclosed.sets
            if each.bit_count() == len(inside)
            and can_fill(sorted(inside, key=int.bit_count), each)
            and can_fill(sorted(outside, key=int.bit_count), rest & ~each)
        ]
        if kept:
            found[one, other] = kept
    different = {digits for kept in found.values() for digits in kept}
    sets = sorted(different, key=lambda each: (each.bit_count(), digits_of(each)))
    told = []
    if sets and len(sets) <= MOST_SETS:
        only = only_ways(names, [digits_of(each) for each in sets if each])
        nothing = "nothing between them" if 0 in sets else ""
        told.append(" or ".join(each for each in (only, nothing) if each))
    low, high = (names.digit(end) for end in ends)
    if 0 < len(found) <= _MOST_ENDS:
        places = [f"{names.cell(cells[a])} and {names.cell(cells[b])}" for a, b in found]
        told.append(f"{low} and {high} are in {join(places, 'or')}")
    elif found:
        apart = {other - one for one, other in found}
        told.append(f"{low} and {high} are {names.spans(apart)} apart")
    return "; ".join(told)
