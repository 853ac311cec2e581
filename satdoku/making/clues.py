"""Which clues a puzzle needs: cages, lines, dots, and whatever else speaks of some cells."""

from dataclasses import replace

from satdoku.making.minimizer import Minimized
from satdoku.puzzle.chance import Chance
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget, LimitReachedError
from satdoku.solving.questions import check
from satdoku.solving.settings import Settings

# They say how the board is made, and all others depend on them.
_OF_THE_BOARD = ("regions", "digits")


def clues_of(puzzle: Puzzle) -> list[Rule]:
    """The rules that could be left out one by one: those that name cells, lines or numbers."""
    return [
        rule
        for rule in puzzle.further_rules
        if rule.argument(puzzle.geometry) and rule.name not in _OF_THE_BOARD
    ]


def drop_clues(found: Minimized, seed: str, budget: Budget) -> Minimized:
    """A puzzle without the clues that it does not need; other seeds lead to others.

    A given that was needed beside all clues is needed beside fewer, so givens go first and none
    has to be looked at again.
    """
    puzzle = found.puzzle
    for clue in Chance(seed, 0).shuffled(clues_of(puzzle)):
        fewer = replace(puzzle, rules=tuple(rule for rule in puzzle.rules if rule is not clue))
        outcome = check(fewer, Settings(limits=budget.rest()))
        if outcome.verdict is Verdict.UNDECIDED:
            raise LimitReachedError(outcome.reason)
        if outcome.verdict is Verdict.UNIQUE:
            puzzle = fewer
    return replace(found, puzzle=puzzle)
