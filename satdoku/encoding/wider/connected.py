"""Cells that hang together, counts of different digits, and hidden regions.

Of the cells that hang together the first one, in their order, is the root. A cell is reached in a
number of steps if it, or a cell beside it, is reached in one step less. Each shaded cell has to be
reached.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise

from satdoku.encoding.variables import TRUE
from satdoku.encoding.wider.write import Kit
from satdoku.puzzle.constraints import Connected, Distinct, HiddenRegions, RegionClue
from satdoku.puzzle.grid import Geometry


def write(constraint: Connected | Distinct | HiddenRegions, kit: Kit) -> None:
    """Add a constraint about the cells of an area."""
    if isinstance(constraint, Connected):
        write_connected(constraint, kit)
    elif isinstance(constraint, Distinct):
        write_distinct(constraint, kit)
    else:
        write_hidden_regions(constraint, kit)


def write_connected(constraint: Connected, kit: Kit) -> None:
    """Add that the cells that hold a digit of the mask hang together, and that there is one."""
    cells = constraint.cells
    inside = [kit.within(cell, constraint.mask) for cell in cells]
    kit.add(*inside)
    roots = _firsts(inside, kit)
    place_of = {cell: place for place, cell in enumerate(cells)}
    beside = [[place_of[other] for other in others] for others in constraint.beside]
    _write_steps(inside, roots, beside, kit)
    if kit.notes is None:
        for known in kit.areas:
            _write_halves(known, constraint, kit)
        kit.areas.append(constraint)
    # A shaded cell that is not alone has a shaded cell beside it.
    for one, other in combinations(range(len(cells)), 2) if len(cells) <= _FEW else ():
        near = [inside[each] for each in beside[one]]
        kit.add(-inside[one], -inside[other], *near)


# With more cells, clauses about each two of them would number in the thousands.
_FEW = 40


def _firsts(inside: list[int], kit: Kit) -> list[int]:
    """Return for each cell whether it is the first that is inside."""
    roots, none_before = [], TRUE
    for literal in inside:
        first, none = kit.fresh(), kit.fresh()
        kit.add(-first, literal)
        kit.add(-first, none_before)
        kit.add(first, -literal, -none_before)
        kit.add(-none, none_before)
        kit.add(-none, -literal)
        kit.add(none, -none_before, literal)
        roots.append(first)
        none_before = none
    return roots


def _longest_way(beside: list[list[int]]) -> int:
    """Return an upper bound for the number of cells of a shortest way between two cells.

    A shortest way touches itself nowhere. So K cells on it have 2K + 2 sides that do not lead along
    it, and each leads out of the area or to one of the other cells, which have four sides.
    """
    outer = sum(4 - len(others) for others in beside)
    return min(len(beside), (4 * len(beside) + outer - 2) // 6)


def _write_steps(inside: list[int], reached: list[int], beside: list[list[int]], kit: Kit) -> None:
    for _ in range(_longest_way(beside) - 1):
        following = [kit.fresh() for _ in inside]
        for place, number in enumerate(following):
            kit.add(-number, inside[place])
            ways = (reached[place], *(reached[other] for other in beside[place]))
            kit.add(-number, *ways)
            # Who reads the formula gets one model a solution; a search is as fast without.
            for way in ways if kit.notes is not None else ():
                kit.add(number, -inside[place], -way)
        reached = following
    for literal, last in zip(inside, reached, strict=True):
        kit.add(-literal, last)


def _write_halves(one: Connected, other: Connected, kit: Kit) -> None:
    """Add what follows if both of two areas of the same cells hang together.

    If each cell belongs to one of them, as in yin-yang puzzles, no 2x2 cells are chequered. On a
    plane, two ways that join the cells across would cross.
    """
    if one.cells != other.cells or one.mask & other.mask:
        return
    is_all = all(
        (one.mask | other.mask) >> digit & 1
        for cell in one.cells
        for digit in kit.open_digits(cell)
    )
    if not is_all:
        return
    near = dict(zip(one.cells, one.beside, strict=True))
    for cell in one.cells:
        for first, second in combinations(near[cell], 2):
            # The cell across from `cell`, which shares sides with both of its neighbours.
            across = set(near[first]).intersection(near[second]) - {cell}
            for far in across:
                if far > cell:
                    square = [kit.within(c, one.mask) for c in (cell, far, first, second)]
                    a, b, c, d = square
                    kit.add(-a, -b, c, d)
                    kit.add(a, b, -c, -d)


def write_distinct(constraint: Distinct, kit: Kit) -> None:
    """Add that the control's number is how many digits are present among the counted cells."""
    present = (kit.present(frozenset(constraint.counted), n) for n in range(1, kit.size + 1))
    kit.add_count(constraint.control, constraint.offset, (n for n in present if n != -TRUE))


# Hidden regions: a variable for each cell and region, and steps that keep a region connected
#
# Every digit is once in each row and once in each region. The region of the lowest digit in row k
# is called region k, so that no two models name the same regions differently. Constraints on two
# cells with the same digit are stated by digits of lines: a variable for each digit, line and
# region says that the line's digit lies in the region. On 9x9 these are 1,458 variables, in place
# of 260,000 clauses about pairs of cells.
#
# A region is connected if a path leads from its lowest digit to each of its cells, by steps to a
# neighbour of the same region. Variables say which cells are reached within each number of steps.

_LOWEST = 1
# On larger boards, clauses about cells far apart would number in the millions.
_LARGEST_WITH_FAR_CELLS = 16


def write_hidden_regions(constraint: HiddenRegions, kit: Kit) -> None:
    """Add that the cells fall into regions that have every digit and fit the clues."""
    regions = _Regions(kit)
    regions.write_digits()
    regions.write_steps()
    regions.write_shapes()
    for clue in constraint.clues:
        regions.write_clue(clue)


class _Regions:
    def __init__(self, kit: Kit) -> None:
        self._kit = kit
        # The shape of boxes does not matter here.
        self._board = Geometry.of_size(kit.size)
        self._cells = range(self._board.cell_count)
        self._regions = range(kit.size)
        # Entry [c][k]: cell c lies in region k.
        self._lies_in = [[kit.fresh() for _ in self._regions] for _ in self._cells]
        self._same: dict[tuple[int, int], int] = {}

    def write_digits(self) -> None:
        """Add that each cell lies in one region, and that each region has every digit once."""
        kit, lies_in = self._kit, self._lies_in
        for cell in self._cells:
            self._add_exactly_one(lies_in[cell])
            lowest, row = kit.literal(cell, _LOWEST), self._board.row_of(cell)
            kit.add(-lowest, lies_in[cell][row])
        for lines in (self._board.rows, self._board.columns):
            for digit in range(1, kit.size + 1):
                self._write_lines([line.cells for line in lines], digit)

    def _write_lines(self, lines: Sequence[Sequence[int]], digit: int) -> None:
        """Add that the digit of each line lies in a different region."""
        kit = self._kit
        places = [[kit.fresh() for _ in self._regions] for _ in lines]
        for cells, place in zip(lines, places, strict=True):
            self._add_exactly_one(place)
            for cell in cells:
                literal = kit.literal(cell, digit)
                for lies_here, lies_in in zip(place, self._lies_in[cell], strict=True):
                    kit.add(-literal, -lies_in, lies_here)
                    kit.add(-literal, lies_in, -lies_here)
        for each in zip(*places, strict=True):
            self._add_exactly_one(each)

    def _add_exactly_one(self, literals: Sequence[int]) -> None:
        self._kit.add(*literals)
        self._kit.add_at_most_one(literals)

    def write_steps(self) -> None:
        """Add that each cell is reached from the lowest digit of its region."""
        kit = self._kit
        beside = [list(self._board.beside(cell)) for cell in self._cells]
        reached = [kit.literal(cell, _LOWEST) for cell in self._cells]
        # With size - 1 steps a path reaches all cells of a region, however it winds.
        for steps in range(1, kit.size):
            is_last = steps == kit.size - 1
            following = [TRUE if is_last else kit.fresh() for _ in self._cells]
            for cell in self._cells:
                ways = [reached[cell]]
                for other in beside[cell]:
                    way = self._both(reached[other], self._is_same(cell, other))
                    kit.add(-way, following[cell])
                    ways.append(way)
                kit.add(-reached[cell], following[cell])
                kit.add(-following[cell], *ways)
            reached = following

    def write_shapes(self) -> None:
        """Add redundant clauses on a few cells at once, which solvers would learn late.

        Eight published puzzles take two fifths of the conflicts with them, and two that were
        undecided after a minute take four and seven seconds.
        """
        kit = self._kit
        for cell in self._cells if kit.size > 1 else ():
            # Each cell has a neighbour in its region; so has each pair of cells.
            beside = list(self._board.beside(cell))
            kit.add(*(self._is_same(cell, other) for other in beside))
            for other in beside:
                # In regions of two cells the pair is the whole region.
                if other < cell or kit.size == 2:
                    continue
                around = [self._is_same(cell, each) for each in beside if each != other]
                next_to = (each for each in self._board.beside(other) if each != cell)
                around += (self._is_same(other, each) for each in next_to)
                kit.add(-self._is_same(cell, other), *around)
        for cell in self._cells:
            self._write_square(cell)
            if kit.size <= _LARGEST_WITH_FAR_CELLS:
                for other in range(cell):
                    self._write_far(cell, other)

    def _write_square(self, cell: int) -> None:
        """Add that if three sides within a 2x2 square join equal regions, the fourth does too."""
        size = self._kit.size
        row, column = divmod(cell, size)
        if row + 1 == size or column + 1 == size:
            return
        right, below, across = cell + 1, cell + size, cell + size + 1
        sides = [(cell, right), (right, across), (below, across), (cell, below)]
        same = [self._is_same(*side) for side in sides]
        for one in same:
            self._kit.add(one, *(-other for other in same if other != one))

    def _write_far(self, one: int, other: int) -> None:
        """Add that cells farther apart than a region is long lie in different regions."""
        size = self._kit.size
        if abs(one // size - other // size) + abs(one % size - other % size) >= size:
            for first, second in zip(self._lies_in[one], self._lies_in[other], strict=True):
                self._kit.add(-first, -second)

    def _both(self, one: int, other: int) -> int:
        """Return the literal of "both are true"."""
        if TRUE in (one, other):
            return other if one == TRUE else one
        if -TRUE in (one, other):
            return -TRUE
        kit, both = self._kit, self._kit.fresh()
        kit.add(-both, one)
        kit.add(-both, other)
        kit.add(both, -one, -other)
        return both

    def _is_same(self, one: int, other: int) -> int:
        """Return the literal of "two cells lie in the same region"."""
        if one == other:
            return TRUE
        cells = min(one, other), max(one, other)
        known = self._same.get(cells)
        if known is None:
            kit = self._kit
            known = self._same[cells] = kit.fresh()
            for first, second in zip(self._lies_in[one], self._lies_in[other], strict=True):
                kit.add(-known, -first, second)
                kit.add(-known, first, -second)
                kit.add(known, -first, -second)
            # Redundant, but it propagates earlier that a region has no digit twice.
            for digit in range(1, kit.size + 1):
                kit.add(-known, -kit.literal(one, digit), -kit.literal(other, digit))
        return known

    def write_clue(self, clue: RegionClue) -> None:
        cells = clue.cells
        if clue.word == "same":
            for one, other in pairwise(cells):
                self._kit.add(self._is_same(one, other))
        elif clue.word == "apart":
            for one, other in combinations(cells, 2):
                self._kit.add(-self._is_same(one, other))
        elif clue.word == "count":
            self._write_count(clue, [self._is_same(cells[0], each) for each in cells[1:]])
        elif clue.word == "reach":
            self._write_count(clue, [each for arm in clue.arms for each in self._along(arm)])
        else:
            counted = clue.arms[1]
            new = [self._is_apart(cell, counted[:place]) for place, cell in enumerate(counted)]
            self._write_count(clue, new[1:])

    def _along(self, arm: Sequence[int]) -> Iterable[int]:
        """Yield for each later cell of an arm: its first cell's region has all cells up to here."""
        so_far = TRUE
        for cell in arm[1:]:
            so_far = self._both(so_far, self._is_same(arm[0], cell))
            yield so_far

    def _is_apart(self, cell: int, others: Sequence[int]) -> int:
        """Return the literal of "the cell lies in the region of none of the others"."""
        kit, apart = self._kit, self._kit.fresh()
        same = [self._is_same(cell, other) for other in others]
        for each in same:
            kit.add(-apart, -each)
        kit.add(apart, *same)
        return apart

    def _write_count(self, clue: RegionClue, literals: Sequence[int]) -> None:
        """Add that the digit with the clue equals 1 plus the number of true literals."""
        self._kit.add_count(clue.cells[0], clue.offset - 1, literals)
