"""The position of an explanation: remaining candidates, placed ones, and which step excluded which.

Steps of a single truth are found here too: singles, for truths with one candidate left, and locked
candidates, for truths whose members all exclude the same candidate. If in box 2 the 7 must be in
row 1, no other cell of row 1 has a 7 (pointing); or vice versa, from a row to the rest of a box
(claiming).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from satdoku.encoding.variables import Placement
from satdoku.explaining.board import LINES, Board, Remains, Truth, candidates_of, linked_to_all
from satdoku.explaining.step import Deduction, Story, Strong, Taken, Technique
from satdoku.puzzle.constraints import mask_of


class Finding(NamedTuple):
    """A deduction in a position: it places a candidate, or excludes some.

    A chain also has its links, a net its stories.
    """

    technique: Technique
    truths: tuple[Truth, ...]
    places: int | None = None
    excludes: tuple[int, ...] = ()
    chain: tuple[Strong, ...] = ()
    stories: tuple[Story, ...] = ()


class Trail:
    """The steps on a board so far, and their results.

    `left` is the mask of the candidates not excluded, `placed` of those that hold. `taken` records
    which step excluded which candidate.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.left = board.every_candidate
        self.placed = 0
        self.steps: list[Deduction] = []
        self.taken = Taken()

    def apply(self, finding: Finding) -> Deduction:
        """Apply a finding and return it as a step."""
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

    def step_of(self, finding: Finding) -> Deduction:
        """Return a finding as the next step, without applying it."""
        number, left = len(self.steps) + 1, self.left
        technique, truths, places, excludes, chain, stories = finding
        return Deduction(
            number, technique, truths, left, places, excludes, chain, stories, self.taken
        )


class Position(Trail):
    """A board after some steps, with its open truths kept up to date.

    `open_in` counts for each unit the truths without a member that is known to hold; the last
    number is for the cells.
    """

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        self.open_in = board.tables.truths_in.copy()
        self._remains = Remains(board.tables.fields)
        self._full = 0
        self._place(candidates_of(board.givens))
        self._open_truths = list(board.truths)

    @property
    def is_full(self) -> bool:
        """Whether every cell has its digit."""
        return not self.open_in[-1]

    @property
    def open_truths(self) -> list[Truth]:
        """Return the truths without a member that is known to hold."""
        if len(self._open_truths) > sum(self.open_in):
            known = self.placed | self.board.givens
            self._open_truths = [t for t in self._open_truths if not t.members & known]
        return self._open_truths

    def sort_out(self) -> tuple[Truth | None, list[Truth]]:
        """Return a truth with no member left (or None), and all truths with one member left."""
        truths = self.board.truths
        empty, single = self._remains.narrow()
        return truths[empty[0]] if empty else None, [truths[number] for number in single]

    def apply(self, finding: Finding) -> Deduction:
        """Apply a finding and return it as a step."""
        step = super().apply(finding)
        if step.places is None:
            self._remains.exclude(step.excludes)
        else:
            self._place((step.places,))
        return step

    def lead_on(self, near: Placement | None, most: int) -> Placement | None:
        """Place up to `most` singles in turn, each the easiest of the position at that point.

        Ties go to singles in a unit of the last placement, `near` at first; then to those of its
        digit; then to the lowest number of the truth. Return the last placement.
        """
        board, tables, steps, remains = self.board, self.board.tables, self.steps, self._remains
        truths, links, placements = board.truths, board.links, board.placements
        unit_of, ease, open_in = tables.unit_of, tables.ease, self.open_in
        areas, lines = tables.by_ease
        around = () if near is None else tables.around(near)
        for number in range(len(steps) + 1, len(steps) + most + 1):
            found = remains.nearest((self._full, areas, lines), around)
            if found < 0:
                break
            # The work of `apply`, inlined for speed: most puzzles have little but singles.
            left, truth, unit = self.left, truths[found], unit_of[found]
            candidate = (truth.members & left).bit_length() - 1
            name = _NAMES[0 if unit >= 0 and open_in[unit] == 1 else ease[found]]
            steps.append(Deduction(number, name, (truth,), left, candidate, (), (), (), self.taken))
            gone = links[candidate] & left
            self.left = left ^ gone
            self.placed |= 1 << candidate
            self.taken.gone.append(gone)
            self._place((candidate,))
            near = placements[candidate]
            around = tables.around(near)
        return near

    def _place(self, candidates: Sequence[int]) -> None:
        """Close the truths of candidates that hold from here on."""
        self._remains.place(candidates)
        tables, open_in = self.board.tables, self.open_in
        for candidate in candidates:
            for unit in tables.units_of[candidate]:
                open_in[unit] -= 1
                if open_in[unit] == 1:
                    self._full |= tables.guards_in[unit]


def find_singles(position: Position, single: Sequence[Truth]) -> Iterator[Finding]:
    """Yield all singles of a position, the easiest to see first, each candidate once.

    `single` are the truths of which one candidate is left.
    """
    seen = 0
    for rank, truth in sorted((_rank(position, truth), truth) for truth in single):
        candidate = truth.members & position.left
        # The last candidate of a cell is often also the last of its digit in a unit; yield it once.
        if not seen & candidate:
            seen |= candidate
            yield Finding(_NAMES[rank], (truth,), candidate.bit_length() - 1)


def _rank(position: Position, truth: Truth) -> int:
    """Return how hard a single is to see: 0 for a unit's last empty cell, else `Tables.ease`."""
    unit = position.board.tables.unit_of[truth.number]
    if unit >= 0 and position.open_in[unit] == 1:
        return 0
    return position.board.tables.ease[truth.number]


# Techniques by `_rank`.
_NAMES = (
    Technique.FULL_HOUSE,
    Technique.HIDDEN_SINGLE,
    Technique.HIDDEN_SINGLE,
    Technique.NAKED_SINGLE,
)


class Locked:
    """The search for locked candidates on one board; `find` may be called again after each step."""

    def __init__(self, position: Position) -> None:
        self._position = position
        # The members left of each truth when it was last found to exclude nothing. While they stay
        # the same, it still excludes nothing, since the candidates outside only become fewer.
        self._tried = [0] * len(position.board.truths)

    def find_for_cells(self) -> Finding | None:
        """Return the first cell whose digits all exclude the same candidate elsewhere, or None.

        None without a rule about pairs of cells, such as a dot between them.
        """
        if not self._position.board.pairs:
            return None
        return self._find_in([t for t in self._position.open_truths if t.unit is None])

    def find(self) -> Finding | None:
        """Return the first truth whose members all exclude the same candidates, or None."""
        return self._find_in(self._position.open_truths)

    def every(self) -> Iterator[Finding]:
        """Yield each truth whose members all exclude the same candidates."""
        position = self._position
        for truth in position.open_truths:
            members = truth.members & position.left
            common = linked_to_all(members, position.board.links, position.left)
            if common and members.bit_count() > 1:
                technique = _name(position.board, truth, position.left, common)
                yield Finding(technique, (truth,), excludes=tuple(candidates_of(common)))

    def _find_in(self, truths: Sequence[Truth]) -> Finding | None:
        position, tried = self._position, self._tried
        left, links = position.left, position.board.links
        for truth in truths:
            members = truth.members & left
            # A truth with one member is a single, which `find_singles` yields.
            if members == tried[truth.number] or members.bit_count() == 1:
                continue
            common = linked_to_all(members, links, left)
            if common:
                technique = _name(position.board, truth, left, common)
                return Finding(technique, (truth,), excludes=tuple(candidates_of(common)))
            tried[truth.number] = members
        return None


def _name(board: Board, truth: Truth, left: int, excluded: int) -> Technique:
    """Return the technique: pointing or claiming between a line and an area, else a general name.

    A truth of a cell excludes by a rule about pairs of cells.
    """
    if truth.unit is None:
        return Technique.BOUNDS
    shared = _units_shared(board, truth.members & left | excluded)
    if truth.unit.kind in LINES:
        return Technique.CLAIMING if shared - set(LINES) else Technique.LOCKED
    return Technique.POINTING if shared & set(LINES) else Technique.LOCKED


def _units_shared(board: Board, candidates: int) -> set[str]:
    """Return the kinds of the units that contain all these candidates."""
    constraints = board.puzzle.constraints
    shared: set[int] | None = None
    for candidate in candidates_of(candidates):
        units = set(constraints.units_of[board.placements[candidate].cell])
        shared = units if shared is None else shared & units
    return {constraints.units[index].kind for index in shared or ()}
