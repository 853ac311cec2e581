"""What is to be seen of a puzzle while it is being set: the verdict, and what lies behind it.

The parts come in the order of what they take, and each is told as soon as it is known: a key that
is pressed meanwhile ends the rest.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from satdoku.explaining.clash import find_repairs, find_smallest_clash
from satdoku.explaining.true_candidates import count_candidates
from satdoku.minimizing.minimizer import Minimizer
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.symmetry import Symmetry
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.rating.rater import LARGEST_SIZE, rate_all
from satdoku.serving.boards import read_puzzle
from satdoku.solving.limits import Budget, Limits
from satdoku.solving.questions import check, count
from satdoku.solving.settings import Settings

Part = dict[str, Any]

# Solutions are counted so far: what a person wants to know is whether there are two or thousands.
_MOST_COUNTED = 10_000
_SECONDS_TO_COUNT = 1.0
# As other tools do: a candidate with eight solutions is far from being the only one.
_MOST_A_CANDIDATE = 8

WANTS = ("symmetry", "count", "candidates", "rating", "needless", "why")
"""What may be told besides the verdict."""


def look(message: Mapping[str, Any], limits: Limits) -> Iterator[Part]:
    """The verdict on a puzzle, and of its reasons those that were asked for."""
    puzzle = read_puzzle(message.get("puzzle"))
    budget = Budget(limits)
    outcome = check(puzzle, Settings(limits=limits))
    yield _verdict(outcome)
    wanted = message.get("want", list(WANTS))
    found = {
        Verdict.UNIQUE: _of_unique,
        Verdict.MULTIPLE: _of_several,
        Verdict.NONE: _of_none,
    }.get(outcome.verdict)
    if "symmetry" in wanted:
        yield _symmetries(puzzle)
    if found is not None:
        yield from found(outcome, budget, wanted)


def _verdict(outcome: Outcome) -> Part:
    puzzle = outcome.puzzle
    part: Part = {
        "part": "verdict",
        "verdict": outcome.verdict.value,
        "givens": len(puzzle.givens),
    }
    if outcome.reason:
        part["reason"] = outcome.reason
    for name, grid in zip(("solution", "second"), outcome.solutions, strict=True):
        if grid is not None:
            part[name] = list(grid.digits)
    if outcome.second is not None:
        part["differences"] = list(outcome.differences)
    if outcome.clashes:
        part["clashes"] = [
            {"cells": list(clash.cells), "text": clash.describe(puzzle.name_of_digit)}
            for clash in outcome.clashes
        ]
    return part


def _symmetries(puzzle: Puzzle) -> Part:
    """Which symmetries the pattern of givens has; of no givens nothing is said."""
    givens = set(puzzle.givens)
    names = [
        symmetry.value
        for symmetry in Symmetry
        if symmetry is not Symmetry.NONE
        and givens
        and all(
            givens.issuperset(orbit) or givens.isdisjoint(orbit)
            for orbit in symmetry.orbits(puzzle.geometry)
        )
    ]
    return {"part": "symmetry", "names": names}


def _of_unique(outcome: Outcome, budget: Budget, wanted: list[str]) -> Iterator[Part]:
    puzzle = outcome.puzzle
    if "candidates" in wanted and outcome.solution is not None:
        yield _candidates([{digit: 1} for digit in outcome.solution.digits], True)
    if "rating" in wanted and puzzle.geometry.size <= LARGEST_SIZE:
        [rated] = rate_all([puzzle], budget.rest())
        if rated.rating is not None:
            yield {
                "part": "rating",
                "number": rated.rating.number,
                "level": rated.rating.level.value,
                "text": rated.rating.sentence,
            }
    if "needless" in wanted:
        with Minimizer(limits=budget.rest()) as minimizer:
            yield {"part": "needless", "cells": minimizer.find_redundant(outcome)}


def _of_several(outcome: Outcome, budget: Budget, wanted: list[str]) -> Iterator[Part]:
    if "count" in wanted:
        rest = budget.rest()
        seconds = min(_SECONDS_TO_COUNT, rest.timeout or _SECONDS_TO_COUNT)
        settings = Settings(limits=Limits(seconds, stop=rest.stop))
        found = count(outcome.puzzle, _MOST_COUNTED, settings)
        budget.require()
        yield {"part": "count", "number": found.number, "complete": found.is_complete}
    if "candidates" in wanted:
        counted = count_candidates(outcome.puzzle, _MOST_A_CANDIDATE, budget)
        budget.require()
        yield _candidates(counted.numbers, counted.is_complete)


def _of_none(outcome: Outcome, budget: Budget, wanted: list[str]) -> Iterator[Part]:
    puzzle = outcome.puzzle
    if "why" not in wanted:
        return
    smallest = find_smallest_clash(puzzle, budget)
    budget.require()
    if smallest is not None:
        yield {
            "part": "clash",
            "cells": list(smallest.cells),
            "proven": smallest.is_proven,
            "at_least": smallest.at_least,
        }
    repairs = find_repairs(puzzle, budget)
    budget.require()
    yield {
        "part": "repairs",
        "unique": [[list(change) for change in changes] for changes in repairs.unique],
        "others": repairs.others,
        "drop": [list(cells) for cells in repairs.dropped],
        "complete": repairs.is_complete,
    }


def _candidates(numbers: list[dict[int, int]], is_complete: bool) -> Part:
    """For each cell its true candidates, and how many solutions have each, up to the cap."""
    return {
        "part": "candidates",
        "cells": [[[digit, found[digit]] for digit in sorted(found)] for found in numbers],
        "cap": _MOST_A_CANDIDATE,
        "complete": is_complete,
    }
