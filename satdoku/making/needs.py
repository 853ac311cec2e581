"""The steps that a wanted puzzle must have: some in its explanation, and its hardest one."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from satdoku.errors import SatdokuError, quote
from satdoku.explaining.explain import Scope, explain
from satdoku.explaining.step import Level, Technique, technique_named
from satdoku.puzzle.puzzle import Puzzle

# The hardest technique that each level allows; this is also the order of the techniques.
_LAST_OF = {
    Level.SINGLES: Technique.NAKED_SINGLE,
    Level.BASIC: Technique.HALL_SET,
    Level.CHAINS: Technique.GROUPED_CHAIN,
    Level.PATTERNS: Technique.FINNED_MUTANT_JELLYFISH,
}
_ORDER = list(Technique)


class Need(NamedTuple):
    """How many steps of a technique are wanted: `low` or more, and up to `high` if it is set."""

    technique: Technique
    low: int = 1
    high: int | None = None


class Needs(NamedTuple):
    """The wanted steps of an explanation; without `hardest`, further steps may have any level."""

    needs: tuple[Need, ...] = ()
    hardest: Technique | None = None

    def are_met_by(self, puzzle: Puzzle) -> bool:
        """Whether the explanation of a puzzle with one solution is as wanted."""
        way = explain(puzzle, Scope(self._level)).way
        if not way.is_full:
            return False
        count = Counter(step.technique for step in way.steps)
        if self.hardest is not None and max(count, key=_ORDER.index) is not self.hardest:
            return False
        return all(
            low <= count[technique] and (high is None or count[technique] <= high)
            for technique, low, high in self.needs
        )

    @property
    def _level(self) -> Level:
        """Return the level of the explanation to compute: that of the hardest wanted step."""
        if self.hardest is None:
            return Level.ALL
        place = _ORDER.index(self.hardest)
        allowed = (level for level, last in _LAST_OF.items() if place <= _ORDER.index(last))
        return next(allowed, Level.ALL)


def read_needs(texts: Iterable[str], hardest: str | None) -> Needs | None:
    """Read wishes such as `x-wing`, `xy-wing:2` (at least two), `naked-pair:1-3`; may be None."""
    needs = tuple(map(_read_need, texts))
    if not needs and hardest is None:
        return None
    found = None if hardest is None else technique_named(hardest)
    for need in needs:
        if found is not None and need.low and _ORDER.index(need.technique) > _ORDER.index(found):
            raise SatdokuError(f"{need.technique.value} is harder than the hardest, {found.value}")
    return Needs(needs, found)


def _read_need(text: str) -> Need:
    name, colon, counts = text.partition(":")
    low, hyphen, high = counts.partition("-")
    numbers = [low, *([high] if hyphen else [])]
    if colon and not all(number.isdecimal() and len(number) < 5 for number in numbers):
        raise SatdokuError(f"{quote(text)} is not a wish; write x-wing, x-wing:2 or x-wing:1-3")
    if not colon:
        return Need(technique_named(name))
    if hyphen and int(high) < int(low):
        raise SatdokuError(f"no number of steps is between {low} and {high}")
    return Need(technique_named(name), int(low), int(high) if hyphen else None)
