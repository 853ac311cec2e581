"""How far an explanation has come: what is left, what is placed, which step took what away.

What single truths say is found here too: singles are truths of which a single candidate is left,
and locked candidates truths whose members all exclude the same one elsewhere. In box 2 the 7 must
be in row 1, so no other cell of row 1 has a 7 (pointing); or the other way round, from a row to the
rest of a box (claiming).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from satdoku.explaining.bits import Remains, linked_to_all
from satdoku.explaining.board import LINES, Board, Truth, candidates_of
from satdoku.explaining.step import Step, Story, Strong, Taken, Technique
from satdoku.puzzle.constraints import mask_of


class Finding(NamedTuple):
    """A deduction that holds in a position: it places a candidate, or excludes some.

    Chains and nets say beside it how they run.
    """

    technique: Technique
    truths: tuple[Truth, ...]
    places: int | None = None
    excludes: tuple[int, ...] = ()
    chain: tuple[Strong, ...] = ()
    stories: tuple[Story, ...] = ()


class Trail:
    """Steps on a board, and what they come to.

    `left` is the mask of the candidates that are not excluded, `placed` of those that hold. `taken`
    tells which step took which candidate away.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.left = board.every_candidate
        self.placed = 0
        self.steps: list[Step] = []
        self.taken = Taken()

    def apply(self, finding: Finding) -> Step:
        """Makes a step of a finding and carries it out."""
        step = self.step_of(finding)
        self.steps.append(step)
        if step.places is None:
            gone = mask_of(step.excludes) & self.left
        else:
            gone = self.board.links[step.places] & self.left
            self.placed |= 1 << step.places
        self.left ^= gone
        self.taken.add(gone)
        return step

    def step_of(self, finding: Finding) -> Step:
        """A finding as the next step, which is not carried out."""
        number, left = len(self.steps) + 1, self.left
        technique, truths, places, excludes, chain, stories = finding
        return Step(number, technique, truths, left, places, excludes, chain, stories, self.taken)


class Position(Trail):
    """A board after some steps, which knows what follows at once.

    `open_in` counts for each unit the truths of which no member is known to hold; the last number
    is for the cells.
    """

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        self.open_in = board.tables.truths_in.copy()
        self._remains = Remains(board.tables.fields)
        self._place(candidates_of(board.givens))
        self._open_truths = list(board.truths)

    @property
    def is_full(self) -> bool:
        """Whether every cell has its digit."""
        return not self.open_in[-1]

    @property
    def open_truths(self) -> list[Truth]:
        """The truths of which no member is known to hold."""
        if len(self._open_truths) > sum(self.open_in):
            known = self.placed | self.board.givens
            self._open_truths = [t for t in self._open_truths if not t.members & known]
        return self._open_truths

    def sort_out(self) -> tuple[Truth | None, list[Truth]]:
        """A truth that nothing is left of, if there is one, and the truths with one member left."""
        truths = self.board.truths
        empty, single = self._remains.narrow()
        return truths[empty[0]] if empty else None, [truths[number] for number in single]

    def apply(self, finding: Finding) -> Step:
        """Makes a step of a finding and carries it out."""
        step = super().apply(finding)
        if step.places is None:
            self._remains.exclude(step.excludes)
        else:
            self._place((step.places,))
        return step

    def _place(self, candidates: Sequence[int]) -> None:
        """Passes over the truths of candidates that hold from here on."""
        self._remains.place(candidates)
        open_in, units_of = self.open_in, self.board.tables.units_of
        for candidate in candidates:
            for unit in units_of[candidate]:
                open_in[unit] -= 1


def find_singles(position: Position, single: Sequence[Truth]) -> Iterator[Finding]:
    """All singles of a position, the easiest to see first, each candidate once.

    `single` are the truths of which one candidate is left. The position is looked at
    when the first single is asked for; steps made of the first ones do not change the rest.
    """
    board, left, tables = position.board, position.left, position.board.tables
    ease, unit_of, units_of = tables.ease, tables.unit_of, tables.units_of
    open_digits = position.open_in.copy()
    # The last number is for the cells, and a digit is never the last one of these.
    open_digits[-1] = 0
    ranked = sorted(
        [(0 if open_digits[unit_of[n]] == 1 else ease[n], n) for n in [t.number for t in single]]
    )
    seen = 0
    for rank, index in ranked:
        truth = board.truths[index]
        candidate = truth.members & left
        # One that is the last of its cell is often the last of its digit as well, and placed once.
        if seen & candidate:
            continue
        seen |= candidate
        number = candidate.bit_length() - 1
        # Singles before this one may have left its unit a single empty cell.
        name = _NAMES[0 if open_digits[unit_of[index]] == 1 else rank]
        yield Finding(name, (truth,), number)
        for unit in units_of[number]:
            open_digits[unit] -= 1


# By how hard they are to see, as `Tables.ease` has it; 0 is for the last empty cell of a unit.
_NAMES = (
    Technique.FULL_HOUSE,
    Technique.HIDDEN_SINGLE,
    Technique.HIDDEN_SINGLE,
    Technique.NAKED_SINGLE,
)


class Locked:
    """The search for locked candidates on one board; `find` may be asked again after each step."""

    def __init__(self, position: Position) -> None:
        self._position = position
        # What was left of each truth when it excluded nothing. As long as the same is left, it
        # excludes nothing: there are only ever fewer candidates that it could exclude.
        self._tried = [0] * len(position.board.truths)

    def find_for_cells(self) -> Finding | None:
        """The first cell of which all digits exclude the same in others.

        Only what is said of two cells makes that possible: of cells with a dot between them, say.
        """
        if not self._position.board.pairs:
            return None
        return self._find_in([t for t in self._position.open_truths if t.unit is None])

    def find(self) -> Finding | None:
        """The first truth whose members all exclude the same candidates."""
        return self._find_in(self._position.open_truths)

    def _find_in(self, truths: Sequence[Truth]) -> Finding | None:
        position, tried = self._position, self._tried
        left, links = position.left, position.board.links
        for truth in truths:
            members = truth.members & left
            # One member alone is a single, which whoever lists all steps has told by then.
            if members == tried[truth.number] or members.bit_count() == 1:
                continue
            common = linked_to_all(members, links, left)
            if common:
                technique = _name(position.board, truth, left, common)
                return Finding(technique, (truth,), excludes=tuple(candidates_of(common)))
            tried[truth.number] = members
        return None


def _name(board: Board, truth: Truth, left: int, excluded: int) -> Technique:
    """Pointing and claiming are between a line and another unit; the rest has one common name.

    What the digits of a cell all exclude, some rule about pairs of cells does.
    """
    if truth.unit is None:
        return Technique.BOUNDS
    shared = _units_shared(board, truth.members & left | excluded)
    if truth.unit.kind in LINES:
        return Technique.CLAIMING if shared - set(LINES) else Technique.LOCKED
    return Technique.POINTING if shared & set(LINES) else Technique.LOCKED


def _units_shared(board: Board, candidates: int) -> set[str]:
    """The kinds of the units in which all these candidates lie."""
    constraints = board.puzzle.constraints
    shared: set[int] | None = None
    for candidate in candidates_of(candidates):
        units = set(constraints.units_of[board.placements[candidate].cell])
        shared = units if shared is None else shared & units
    return {constraints.units[index].kind for index in shared or ()}
