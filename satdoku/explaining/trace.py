"""What a conclusion rests on: the steps of a way that lead to it, and no others."""

from collections.abc import Iterable
from dataclasses import replace

from satdoku.explaining.board import candidates_of
from satdoku.explaining.step import Step, Taken
from satdoku.explaining.way import Way
from satdoku.puzzle.constraints import mask_of


def without_idle_steps(way: Way) -> Way:
    """The way without the exclusions that no placement and no dead end rests on."""
    if all(step.places is not None for step in way.steps):
        return way
    wanted = [step.number for step in way.steps if step.places is not None]
    needed = _behind(way, [*wanted, *way.dead_end_rests_on])
    return _keep(way, sorted(needed))


def argument_of(way: Way) -> Way:
    """The steps that lead to the way's dead end, each as near as can be to its use."""
    return _keep(way, _in_order_of_use(way, way.dead_end_rests_on))


def why_placed(way: Way, cell: int) -> Way | None:
    """What the digit of a cell rests on; None where no step places one."""
    placements = way.board.placements
    for step in way.steps:
        if step.places is not None and placements[step.places].cell == cell:
            return _up_to(way, step)
    return None


def why_excluded(way: Way, candidate: int) -> Way | None:
    """What the exclusion of a candidate rests on; None where no step excludes it."""
    for step in way.steps:
        links = 0 if step.places is None else way.board.links[step.places]
        if candidate in step.excludes or links >> candidate & 1:
            return _up_to(way, step)
    return None


def _up_to(way: Way, step: Step) -> Way:
    """The part of a way that ends with a step, and is whole as such."""
    kept = _keep(way, _in_order_of_use(way, (step.number,)))
    return replace(kept, dead_end=None, dead_end_rests_on=(), is_full=False, is_complete=True)


def _behind(way: Way, numbers: Iterable[int]) -> set[int]:
    """Some steps and all that they rest on."""
    needed: set[int] = set()
    waiting = list(numbers)
    while waiting:
        number = waiting.pop()
        if number not in needed:
            needed.add(number)
            waiting += way.steps[number - 1].rests_on
    return needed


def _in_order_of_use(way: Way, numbers: Iterable[int]) -> list[int]:
    """The same, so that each step comes after what it rests on and otherwise as late as can be.

    In the order in which steps were found they jump about the board.
    """
    ordered: list[int] = []
    seen: set[int] = set()
    # Entries are visited twice: first their own supports are put on top of them, then they are due.
    waiting = [(number, False) for number in sorted(numbers, reverse=True)]
    while waiting:
        number, is_due = waiting.pop()
        if is_due:
            ordered.append(number)
        elif number not in seen:
            seen.add(number)
            waiting.append((number, True))
            rests_on = way.steps[number - 1].rests_on
            waiting += [(support, False) for support in reversed(rests_on)]
    return ordered


def _keep(way: Way, numbers: list[int]) -> Way:
    """The way with these steps only, in this order, counted anew."""
    if numbers == list(range(1, len(way.steps) + 1)):
        return way
    new = {number: place for place, number in enumerate(numbers, 1)}

    kept = [way.steps[number - 1] for number in numbers]
    # Whatever a kept step rests on is kept too, so nothing asks for the others any more.
    taken = kept[0].taken.only(numbers) if kept else Taken()
    steps = tuple(step._replace(number=n, taken=taken) for n, step in enumerate(kept, 1))
    rests_on = tuple(sorted(new[number] for number in way.dead_end_rests_on))
    return replace(way, steps=steps, dead_end_rests_on=rests_on)


def excluded_by(way: Way) -> dict[int, int]:
    """For each candidate that a step names as excluded, the number of the first such step."""
    numbers: dict[int, int] = {}
    for step in way.steps:
        for candidate in step.excludes:
            numbers.setdefault(candidate, step.number)
    return numbers


def every_exclusion(way: Way) -> dict[int, int]:
    """For each candidate that is gone at the end of a way, the number of the step that took it."""
    numbers: dict[int, int] = {}
    for step in way.steps:
        gone = step.excludes
        if step.places is not None:
            gone = tuple(candidates_of(way.board.links[step.places] & way.board.every_candidate))
        for candidate in gone:
            numbers.setdefault(candidate, step.number)
    return numbers


def digits_after(way: Way, count: int) -> list[int]:
    """The digits of the board after so many steps, cell by cell."""
    digits = list(way.board.puzzle.grid.digits)
    for step in way.steps[:count]:
        if step.places is not None:
            cell, digit = way.board.placements[step.places]
            digits[cell] = digit
    return digits


def left_after(way: Way, count: int) -> int:
    """The candidates that so many steps leave."""
    left = way.board.every_candidate
    for step in way.steps[:count]:
        left &= ~mask_of(step.excludes)
        if step.places is not None:
            left &= ~way.board.links[step.places]
    return left
