"""The steps of an explanation for other programs: cells and digits, no candidate numbers."""

from satdoku.encoding.variables import Placement
from satdoku.explaining.step import Deduction, Technique, Way
from satdoku.explaining.words.names import Names


class Step:
    """One step of an explanation: it places a digit in a cell, or excludes digits from cells.

    Cells are counted from 0, row by row; digits are those of a `Grid`.
    """

    __slots__ = ("_deduction", "_way")

    def __init__(self, way: Way, deduction: Deduction) -> None:
        self._way = way
        self._deduction = deduction

    @property
    def number(self) -> int:
        """The number of the step in its explanation, from 1."""
        return self._deduction.number

    @property
    def technique(self) -> Technique:
        """The technique of the step."""
        return self._deduction.technique

    @property
    def placement(self) -> Placement | None:
        """The cell and the digit that the step places; None for one that only excludes."""
        places = self._deduction.places
        return None if places is None else self._way.board.placements[places]

    @property
    def exclusions(self) -> tuple[Placement, ...]:
        """The cells and digits that the step excludes; empty for one that places a digit."""
        placements = self._way.board.placements
        return tuple(placements[candidate] for candidate in self._deduction.excludes)

    @property
    def size(self) -> int:
        """Return the number of cells and units that the step combines: its difficulty."""
        return self._deduction.size

    @property
    def rests_on(self) -> tuple[int, ...]:
        """The numbers of the earlier steps that this one needs."""
        return self._deduction.rests_on

    @property
    def assumes_unique(self) -> bool:
        """Whether the step uses that the puzzle has only one solution."""
        return self._deduction.assumes_unique

    def __repr__(self) -> str:
        step, names = self._deduction, Names(self._way.board)
        settled = (
            names.without(step.excludes) if step.places is None else names.candidate(step.places)
        )
        return f"<Step {step.number}: {step.technique.value}, {settled}>"

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Step) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[object, ...]:
        return self.number, self.technique, self.placement, self.exclusions, self.size


def steps_of(way: Way | None) -> tuple[Step, ...]:
    """Return the steps of a way; empty if `way` is None."""
    return () if way is None else tuple(Step(way, deduction) for deduction in way.steps)


def source_of(step: Step) -> tuple[Way, Deduction]:
    """Return a step's way and its deduction there, for modules that word or draw the step."""
    return step._way, step._deduction
