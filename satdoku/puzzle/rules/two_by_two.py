"""Every two by two cells hold digits of each of three kinds: global entropy, global modular."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.constraints import Constraint, Some, mask_of
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.arguments import write_cells
from satdoku.puzzle.rules.group_rule import GroupRule


class GlobalEntropy(GroupRule):
    """Every two by two cells hold a low, a middle and a high digit."""

    name: ClassVar[str] = "global-entropy"
    example_board: ClassVar[Geometry] = Geometry(2, 3)
    counts: ClassVar[bool] = False

    def sentence(self, geometry: Geometry) -> str:
        return "every 2x2 cells hold a low, a middle and a high digit"

    def require_fit(self, geometry: Geometry) -> None:
        if geometry.size % 3:
            raise SatdokuError(f"{geometry.size} digits are not three groups of the same size")

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        size = geometry.size
        return [
            (cell, cell + 1, cell + size, cell + size + 1)
            for cell in range(geometry.cell_count - size)
            if geometry.column_of(cell) + 1 < size
        ]

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        # The third of the digits that each is in: 0, 1 or 2.
        return len({(number - 1) * 3 // geometry.size for number in numbers}) == 3

    def reason(self, geometry: Geometry) -> str:
        return f"but {self.sentence(geometry)}"

    def kinds(self, geometry: Geometry) -> Iterator[tuple[str, int]]:
        """What the cells hold one of each: a name for messages, and the digits as a mask."""
        third = geometry.size // 3
        for number, kind in enumerate(("low", "middle", "high")):
            yield f"a {kind} digit", mask_of(range(number * third + 1, (number + 1) * third + 1))

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        for cells in self.groups(geometry):
            for kind, mask in self.kinds(geometry):
                sentence = f"{write_cells(cells, geometry)} hold {kind}"
                yield Some(tuple((cell, mask) for cell in cells), sentence)


class GlobalModular(GlobalEntropy):
    """Every two by two cells hold digits of all three remainders by 3."""

    name: ClassVar[str] = "global-modular"

    def sentence(self, geometry: Geometry) -> str:
        return "every 2x2 cells hold digits with all three remainders by 3"

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        return len({number % 3 for number in numbers}) == 3

    def kinds(self, geometry: Geometry) -> Iterator[tuple[str, int]]:
        # Three in a row have all remainders, wherever digits count from.
        for first in (1, 2, 3):
            digits = range(first, geometry.size + 1, 3)
            yield f"one of {', '.join(map(str, digits))}", mask_of(digits)
