"""Regions that the solver has to find, and clues about them (setters say chaos construction)."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import ClassVar, get_args

from satdoku.errors import SatdokuError, TooLargeError, quote
from satdoku.puzzle.constraints import Constraint, HiddenRegions, RegionClue, RegionWord, digits_of
from satdoku.puzzle.grid import EMPTY, Geometry
from satdoku.puzzle.rules.arguments import read_cell, read_cells, write_cells
from satdoku.puzzle.rules.rule import Clash, Drawing, Rule
from satdoku.puzzle.value import value

# Search for the divisions of a full grid into hidden regions, without SAT.
#
# A region has as many cells as there are digits. It is connected by sides, and no digit stands
# twice in it. The search takes the cell with the fewest free neighbours, tries all regions that
# contain it, and continues with the remaining cells.

Region = int
"""The cells of a region, as a mask: bit c stands for cell c."""

# Limit on the steps of one search. Grids of published puzzles take a few thousand steps, within a
# tenth of a second, or 300,000 if all clues are of kind `regions`; 2,000,000 take four seconds.
MOST_TRIED = 2_000_000


def find_divisions(
    geometry: Geometry,
    digits: Sequence[int],
    may_be: Callable[[Region], bool],
    may_begin: Callable[[Sequence[Region]], bool] = lambda _: True,
) -> Iterator[tuple[Region, ...]]:
    """Yield all divisions of a full grid into regions that `may_be` accepts.

    After each region `may_begin` is called with the regions so far; if it returns False, the search
    abandons this branch.
    """
    return _Search(geometry, digits, may_be, may_begin).divide((), (1 << geometry.cell_count) - 1)


class _Search:
    def __init__(
        self,
        geometry: Geometry,
        digits: Sequence[int],
        may_be: Callable[[Region], bool],
        may_begin: Callable[[Sequence[Region]], bool],
    ) -> None:
        self._size = geometry.size
        self._digits = [1 << digit for digit in digits]
        self._beside = [
            sum(1 << other for other in geometry.beside(cell))
            for cell in range(geometry.cell_count)
        ]
        self._may_be = may_be
        self._may_begin = may_begin
        self._tried = 0

    def divide(self, found: tuple[Region, ...], left: Region) -> Iterator[tuple[Region, ...]]:
        """Yield each division that consists of `found` and of regions that cover the cells in
        `left`.
        """
        if not left:
            yield found
            return
        for region in self._regions_with(self._most_enclosed(left), left):
            so_far, rest = (*found, region), left & ~region
            if self._may_begin(so_far) and self._falls_into_parts(rest):
                yield from self.divide(so_far, rest)

    def _most_enclosed(self, left: Region) -> Region:
        """Return the free cell with the fewest free neighbours, as few regions can contain it."""
        return 1 << min(digits_of(left), key=lambda cell: (self._beside[cell] & left).bit_count())

    def _regions_with(self, start: Region, left: Region) -> Iterator[Region]:
        """Yield all regions that contain the cell `start` and otherwise free cells, each once."""
        first = start.bit_length() - 1
        # Entries: a partial region, its digits, cells that may be added, and cells that may not.
        waiting = [(start, self._digits[first], self._beside[first] & left, ~left | start)]
        while waiting:
            region, seen, edge, closed = waiting.pop()
            if region.bit_count() == self._size:
                if self._may_be(region):
                    yield region
                continue
            self._count()
            while edge:
                bit = edge & -edge
                edge ^= bit
                cell = bit.bit_length() - 1
                # Later partial regions from this entry exclude the cell, so that each region is
                # found once.
                closed |= bit
                if not seen & self._digits[cell]:
                    further = (edge | self._beside[cell]) & ~closed
                    waiting.append((region | bit, seen | self._digits[cell], further, closed))

    def _falls_into_parts(self, left: Region) -> bool:
        """Whether each connected part of the free cells has a multiple of a region's size."""
        while left:
            part, edge = 0, left & -left
            while edge:
                part |= edge
                around = 0
                while edge:
                    bit = edge & -edge
                    edge ^= bit
                    around |= self._beside[bit.bit_length() - 1]
                edge = around & left & ~part
            if part.bit_count() % self._size:
                return False
            left &= ~part
        return True

    def _count(self) -> None:
        self._tried += 1
        if self._tried > MOST_TRIED:
            # Only this puzzle fails; other puzzles of the run are not affected.
            raise TooLargeError(
                f"more than {MOST_TRIED:,} ways to draw hidden regions were tried on a grid"
            )


_BESIDE = "-beside"
"""Suffix of a clue's word if the count leaves out the clue's own cell."""
_BOXES, _NO_BOXES = "boxes", "no-boxes"
# With more clues the sentence would be too long to read.
_MOST_CLUES_TOLD = 3
_DRAWN = {
    "count": "a square counts the cells of its region around it, itself included",
    "reach": "a circle counts the cells of its region along its arrows, itself included, up to the "
    "first of another region",
}
_SENTENCE = "every digit stands once in each of some regions that are to be found"


@value(frozen=True)
class HiddenRegionsRule(Rule):
    """The board divides into regions that are not drawn; each holds every digit once.

    A grid keeps the rule if at least one such division fits all clues. The offset of a clue is 1 if
    it does not count its own cell. `has_boxes` tells that the rule of boxes applies too.
    """

    name: ClassVar[str] = "hidden-regions"
    label: ClassVar[str] = "regions to be found"
    is_of_the_board: ClassVar[bool] = True
    example: ClassVar[str] = "reach=r1c1,r1c2,r1c3/same=r3c3,r4c3"
    form: ClassVar[str] = "count=CELLS/reach=CELLS/regions=CELL,CELLS/same=CELLS/apart=CELLS/boxes"
    counts: ClassVar[bool] = True
    parts = {
        "count=CELLS": "the first cell says how many of them lie in its region, itself included; "
        "count=CELL is about all cells around it",
        "reach=CELLS": "the first cell says how far its region reaches along them without a gap; "
        "further arms stand behind a +; reach=CELL is about all four directions",
        "count-beside, reach-beside": "the same without the cell itself",
        "regions=CELL,CELLS": "the first cell says in how many regions the others lie",
        "same=CELLS": "cells in one region",
        "apart=CELLS": "cells of which no two lie in the same one",
        "boxes": "there are boxes as well; without it, or with no-boxes, there are none",
    }

    clues: tuple[RegionClue, ...] = ()
    has_boxes: bool = False

    @property
    def stands_in_for_boxes(self) -> bool:
        return not self.has_boxes

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        # A word of letters alone begins the next clue, as names of cells contain digits.
        parts = re.split(r"/|[\s,]+(?=[a-z-]+(?!\w))", argument.lower())
        words = list(filter(None, map(str.strip, parts)))
        if not words:
            raise SatdokuError(f"a clue is missing, such as {cls.example}")
        if _BOXES in words and _NO_BOXES in words:
            raise SatdokuError(f"{_BOXES} and {_NO_BOXES} cannot both be")
        clues = [_read_clue(word, geometry) for word in words if word not in (_BOXES, _NO_BOXES)]
        return cls(tuple(dict.fromkeys(clues)), _BOXES in words)

    def argument(self, geometry: Geometry) -> str:
        words = [_write_clue(clue, geometry) for clue in self.clues]
        # Without any clue the argument says whether there are boxes, so that it is not empty.
        boxes = [_BOXES] if self.has_boxes else [] if words else [_NO_BOXES]
        return "/".join([*words, *boxes])

    def require_fit(self, geometry: Geometry) -> None:
        for clue in self.clues:
            if clue.word in ("same", "apart") and len(clue.cells) < 2:
                raise SatdokuError(f"{clue.word} is said of two cells or more, not of one")
            if clue.word == "reach" and sum(len(arm) - 1 for arm in clue.arms) >= len(clue.cells):
                name = geometry.name_of(clue.cells[0])
                raise SatdokuError(f"two arms from {name} have a cell in common")

    def sentence(self, geometry: Geometry) -> str:
        if len(self.clues) <= _MOST_CLUES_TOLD:
            words = [_tell(clue, geometry) for clue in self.clues]
        else:
            kinds = Counter(clue.word for clue in self.clues)
            words = [f"clues: {', '.join(f'{count} {word}' for word, count in kinds.items())}"]
        return "; ".join([_SENTENCE, *words])

    def cells(self, geometry: Geometry) -> Collection[int]:
        return range(geometry.cell_count)

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        for clue in filter(partial(_is_drawn, geometry), self.clues):
            if clue.word == "count":
                yield ("mark", clue.cells[:1], "square")
            else:
                # Setters draw an arrow that is just long enough to show the direction.
                yield from (("shaft", arm[:1], arm[1:2], True) for arm in clue.arms)

    def drawing_on(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Drawing]:
        yield from self.drawing(geometry)
        if EMPTY not in digits:
            for region in next(self.find_regions(geometry, digits), ()):
                yield ("border", tuple(digits_of(region)))

    def caption(self, geometry: Geometry) -> str:
        kinds = {clue.word for clue in self.clues if _is_drawn(geometry, clue)}
        meanings = (meaning for word, meaning in _DRAWN.items() if word in kinds)
        # The caption states all clues that are not drawn, however many they are.
        told = (_tell(clue, geometry) for clue in self.clues if not _is_drawn(geometry, clue))
        return "; ".join([_SENTENCE, *meanings, *told])

    def find_regions(
        self, geometry: Geometry, digits: Sequence[int]
    ) -> Iterator[tuple[Region, ...]]:
        """Yield all divisions of a full grid that fit the clues, each region as a mask of cells."""
        numbers = [self.value(digit) for digit in digits]
        if not all(_may_be_met(clue, numbers) for clue in self.clues):
            return iter(())
        tests = [_test_of(clue, numbers) for clue in self.clues if clue.word != "regions"]
        counts = [
            (sum(1 << cell for cell in clue.arms[1]), numbers[clue.cells[0]])
            for clue in self.clues
            if clue.word == "regions"
        ]
        return find_divisions(
            geometry,
            digits,
            lambda region: all(test(region) for test in tests),
            lambda regions: all(_may_count(regions, *count) for count in counts),
        )

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        # Check rows and columns first, as they need no search.
        lines = (*geometry.rows, *geometry.columns)
        if EMPTY in digits or any(len({digits[c] for c in u.cells}) < len(u.cells) for u in lines):
            return
        if next(self.find_regions(geometry, digits), None) is None:
            cells = tuple(range(geometry.cell_count))
            yield Clash(geometry, cells, tuple(digits), "which no regions fit with these clues")

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        # `shift` plus a digit of the board is the number that the digit counts as.
        shift = self.lowest - 1
        clues = tuple(clue._replace(offset=clue.offset + shift) for clue in self.clues)
        yield HiddenRegions(tuple(range(geometry.cell_count)), clues, self.sentence(geometry))


def _read_clue(text: str, geometry: Geometry) -> RegionClue:
    kind, sign, cells = (part.strip() for part in text.partition("="))
    offset = int(kind.endswith(_BESIDE))
    found = next(
        (word for word in get_args(RegionWord) if word == kind.removesuffix(_BESIDE)), None
    )
    if not sign or found is None or (offset and found not in ("count", "reach")):
        known = ", ".join(f"{word}=CELLS" for word in get_args(RegionWord))
        raise SatdokuError(f"{quote(text, 40)} is none of {known} and boxes")
    if found == "regions":
        # The cell with the number is listed again if it is counted too.
        first, _, counted = cells.partition(",")
        return RegionClue(found, ((read_cell(first, geometry),), read_cells(counted, geometry)))
    first, *further = cells.split("+")
    arm = read_cells(first, geometry)
    if found != "reach":
        if further:
            raise SatdokuError(f"only reach= has arms with a + between them, not {quote(kind)}")
        if found == "count" and len(arm) == 1:
            arm = _around(arm[0], geometry)
        return RegionClue(found, (arm,), offset)
    if not further and len(arm) == 1:
        return RegionClue(found, _all_ways(arm[0], geometry), offset)
    arms = [arm, *((arm[0], *read_cells(each, geometry)) for each in further)]
    return RegionClue(found, tuple(each for each in arms if len(each) > 1), offset)


def _all_ways(cell: int, geometry: Geometry) -> tuple[tuple[int, ...], ...]:
    """Return the cells from one cell to the border, in each of the four directions."""
    column = geometry.column_cells(geometry.column_of(cell))
    row = geometry.row_cells(geometry.row_of(cell))
    arms = []
    for line in (row, column):
        place = line.index(cell)
        arms += [tuple(line[place::-1]), tuple(line[place:])]
    # On a board of one cell no arm is longer than one cell.
    return tuple(arm for arm in arms if len(arm) > 1) or ((cell,),)


def _around(cell: int, geometry: Geometry) -> tuple[int, ...]:
    """Return a cell and the cells that touch it."""
    touching = (c for c in range(geometry.cell_count) if geometry.touch(c, cell))
    return (cell, *(other for other in touching if other != cell))


def _is_drawn(geometry: Geometry, clue: RegionClue) -> bool:
    """Whether a drawing shows all of a clue, so that the caption can omit its cells."""
    if clue.offset or clue.word not in _DRAWN:
        return False
    first = clue.cells[0]
    if clue.word == "count":
        return set(clue.cells) == set(_around(first, geometry))
    return all(arm in _all_ways(first, geometry) for arm in clue.arms)


def _write_clue(clue: RegionClue, geometry: Geometry) -> str:
    first, *further = clue.arms
    if clue.word == "regions":
        return f"{clue.word}={write_cells((*first, *further[0]), geometry)}"
    cells = [write_cells(first, geometry), *(write_cells(arm[1:], geometry) for arm in further)]
    return f"{clue.word}{_BESIDE if clue.offset else ''}={'+'.join(cells)}"


def _tell(clue: RegionClue, geometry: Geometry) -> str:
    """Return the meaning of a clue, for sentences."""
    cells = write_cells(clue.cells, geometry)
    if clue.word == "same":
        return f"{cells} lie in one of them"
    if clue.word == "apart":
        return f"no two of {cells} lie in the same one"
    first = geometry.name_of(clue.cells[0])
    if clue.word == "regions":
        return f"{first} says in how many of them {write_cells(clue.arms[1], geometry)} lie"
    besides = f", {first} not counted" if clue.offset else ""
    if clue.word == "count":
        return f"{first} says how many of {cells} lie in its own{besides}"
    ways = " and ".join(write_cells(arm, geometry) for arm in clue.arms)
    return f"{first} says how far its own reaches along {ways}{besides}"


def _may_be_met(clue: RegionClue, numbers: Sequence[int]) -> bool:
    """Whether some division could match the number in the clue's cell."""
    if clue.word in ("same", "apart"):
        return True
    counted = clue.arms[1] if clue.word == "regions" else clue.cells
    return 1 <= numbers[clue.cells[0]] + clue.offset <= len(counted)


def _test_of(clue: RegionClue, numbers: Sequence[int]) -> Callable[[Region], bool]:
    """Return the test of a single region that a clue implies."""
    cells = sum(1 << cell for cell in clue.cells)
    if clue.word == "same":
        return lambda region: region & cells in (0, cells)
    if clue.word == "apart":
        return lambda region: (region & cells).bit_count() < 2
    first, number = 1 << clue.cells[0], numbers[clue.cells[0]] + clue.offset
    if clue.word == "count":
        return lambda region: not region & first or (region & cells).bit_count() == number
    if clue.word == "reach":
        return lambda region: not region & first or _reached(region, clue.arms) == number
    raise AssertionError(f"{clue.word} is not said of a region alone")


def _may_count(regions: Sequence[Region], cells: int, number: int) -> bool:
    """Whether the cells can lie in `number` regions if only these regions are known so far."""
    count = sum(1 for region in regions if region & cells)
    left = (cells & ~sum(regions)).bit_count()
    return count + (left > 0) <= number <= count + left


def _reached(region: Region, arms: Sequence[Sequence[int]]) -> int:
    """Return how many cells of the arms lie in the region, each arm up to its first cell outside
    it.
    """
    count = 1
    for arm in arms:
        for cell in arm[1:]:
            if not region >> cell & 1:
                break
            count += 1
    return count
