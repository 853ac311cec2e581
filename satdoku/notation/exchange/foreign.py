"""A puzzle of another program while it is read, and names of cells in other programs."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from math import isqrt
from typing import Any
from urllib.parse import quote as encode

from satdoku.errors import RuleError, SatdokuError, quote
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import UNPUBLISHED, Publication, Puzzle
from satdoku.puzzle.rules.arguments import DIAGONAL_STEPS
from satdoku.puzzle.rules.classic import Boxes, Columns, Rows, arrange
from satdoku.puzzle.rules.regions import LETTERS, read_regions
from satdoku.puzzle.rules.registry import RULES, read_unsettled
from satdoku.puzzle.rules.rule import Rule, adapt, board_of, lowest_of

LARGEST = 36
"""Size of the largest board that is read; a larger number in a link is a slip or an attack."""


# `True` is an `int` in Python, but not a size: so types are compared, here and below.
def geometry_of(size: object) -> Geometry:
    """Return the board of that size with the usual boxes; a RuleError for an invalid size."""
    if type(size) is not int or not 1 <= size <= LARGEST:
        raise RuleError(f"satdoku reads boards of the size 1 to {LARGEST}, not {quote(str(size))}")
    return Geometry.of_size(size)


@dataclass(repr=False, eq=False)
class ForeignBoard:
    """Givens, regions and rules as they are found; `program` is the program's name in messages.

    `regions` names the region of each cell, None for a cell in no region; if `regions` is None, the
    board has the usual boxes. `allowed` has the remaining digits of cells, counted from `lowest`; a
    cell in `given` has one. `rules` has rules with their places in the words of the program.
    `drawn` lists parts that were not read: drawings, and entries of no use here. `publication` has
    the author, the rules in words, and the drawings as they stand.
    """

    program: str
    geometry: Geometry
    lowest: int = 1
    allowed: dict[int, list[int]] = field(default_factory=dict)
    given: set[int] = field(default_factory=set)
    regions: Sequence[object] | None = None
    rules: list[tuple[Rule, str]] = field(default_factory=list)
    name: str = ""
    comment: str = ""
    drawn: list[str] = field(default_factory=list)
    publication: Publication = UNPUBLISHED

    @property
    def unread(self) -> str:
        """Return a sentence about parts that were not read; empty if there are none."""
        what = " and ".join(self.drawn)
        return f"satdoku does not read {what} in this puzzle of {self.program}" if what else ""

    @property
    def size(self) -> int:
        return self.geometry.size

    def set_lowest(self, lowest: int) -> None:
        """Let all digits count from another number than 1; called before any is added."""
        if lowest != 1:
            self.lowest = lowest
            self.add_rule("digits", f"{lowest}-{lowest + self.size - 1}", "digits")

    def add_digit(self, row: int, column: int, digit: Any) -> None:
        """Add a given by its row and column from 0; a RuleError for an invalid digit."""
        # Some programs write digits as text; penpa-edit always does.
        number = int(digit) if isinstance(digit, str) and digit.isdecimal() else digit
        cell = self.geometry.cell_at(row, column)
        assert cell is not None
        self.allow_at(cell, [number])
        self.given.add(cell)

    def allow(self, row: int, column: int, digits: Any) -> None:
        """Restrict a cell to these digits, in addition to earlier restrictions."""
        cell = self.geometry.cell_at(row, column)
        assert cell is not None
        self.allow_at(cell, digits)

    def allow_at(self, cell: int, digits: Any) -> None:
        """Restrict a cell, which may be beside the board, to these digits."""
        name, highest = self.geometry.name_of(cell), self.lowest + self.size - 1
        if not isinstance(digits, list):
            raise RuleError(f"the candidates of {name} are not a list of numbers")
        for digit in digits:
            if type(digit) is not int or not self.lowest <= digit <= highest:
                raise RuleError(
                    f"{quote(str(digit))} at {name} is not a digit {self.lowest}-{highest}"
                )
        # If a cell has a given and candidates, or two lists of candidates, both restrict it.
        self.allowed[cell] = [d for d in self.allowed.get(cell, digits) if d in digits]
        if not self.allowed[cell]:
            raise RuleError(f"no digit is left for {name}")

    def add_rule(self, name: str, argument: str, place: str) -> None:
        """Add a further rule; `place` is where it stands, in the words of the other program."""
        if name not in RULES:
            raise RuleError(f"{place}: satdoku has no rule {name!r}")
        with placed(place, name):
            text = f"{name}:{argument}" if argument else name
            self.rules.append((read_unsettled(text, self.geometry), place))

    def join_diagonals(self) -> None:
        """Replace two rules for single diagonals by the one rule that other formats know."""
        found = [each for each in self.rules if each[0].name == "diagonal"]
        if len({rule for rule, _ in found}) == 2:
            place = self.rules.index(found[0])
            both = read_unsettled("diagonals", self.geometry), found[0][1]
            others = [each for each in self.rules if each not in found]
            self.rules = [*others[:place], both, *others[place:]]

    def set_regions(self, names: Sequence[object]) -> None:
        """Set the name of each cell's region; boxes of an unusual shape stay boxes.

        Called before rules are read, which may depend on the boxes.
        """
        self.regions = names
        cells_of: dict[object, list[int]] = {}
        for cell, name in enumerate(names):
            cells_of.setdefault(name, []).append(cell)
        regions = set(map(tuple, cells_of.values()))
        board = self.geometry
        # Programs that know only boxes of 2x3 write boxes of 3x2 as regions. As boxes, formats
        # without regions can hold them, too.
        for rows in range(1, self.size + 1):
            if self.size % rows == 0:
                boxes = {"box_rows": rows, "box_columns": self.size // rows}
                geometry = replace(board, **boxes)
                if regions == {unit.cells for unit in geometry.boxes}:
                    self.geometry, self.regions = geometry, None

    def puzzle(self) -> Puzzle:
        """Return the puzzle; a RuleError if its parts do not fit together."""
        digits = {cell: self.allowed[cell][0] for cell in self.given}
        marks = {cell: each for cell, each in self.allowed.items() if cell not in self.given}
        if marks:
            self.add_rule("candidates", _candidates(marks, self.geometry), "candidates")
        # Some rules depend on others anywhere in the list, as sums do on digits from 0.
        unsettled = [rule for rule, _ in self.rules]
        further: list[Rule] = []
        for rule, place in self.rules:
            with placed(place, rule.name):
                further += adapt([rule], unsettled)
                further[-1].require_fit(board_of(rule, self.geometry))
        with placed():
            # Internally digits count from 1, whatever number they stand for.
            shifted = {cell: digit - self.lowest + 1 for cell, digit in digits.items()}
            grid = Grid.empty(self.geometry).with_digits(shifted)
            rules = arrange([Rows(), Columns(), *self._regions()])
            bare = Puzzle(grid, self.name, self.comment, rules, publication=self.publication)
            return bare.with_rules(further)

    def _regions(self) -> list[Rule]:
        """Return the boxes, or the regions in their place.

        If no cell lies in a region, a rule says that there are no boxes: files list only further
        rules, and without this rule the puzzle would be read with boxes. Hidden regions imply that
        there are no boxes.
        """
        if self.regions is None:
            return [Boxes()]
        numbers = count()
        letters: dict[object, str] = {None: "."}
        for name in self.regions:
            if name not in letters:
                # There are more letters than the largest board has regions. A layout with more
                # names is refused anyway, since its regions are smaller than rows.
                letters[name] = LETTERS[next(numbers) % len(LETTERS)]
        if len(letters) == 1 and any(rule.stands_in_for_boxes for rule, _ in self.rules):
            return []
        return [read_regions("".join(letters[name] for name in self.regions), self.geometry.core)]


Cell = Mapping[str, Any]


def looks_of(cells: Sequence[Cell], keys: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the entries of cells under `keys`, by cell number; cells without any are left out."""
    looks = ({key: cell[key] for key in keys if cell.get(key)} for cell in cells)
    return {str(place): look for place, look in enumerate(looks) if look}


def add_looks(cells: Sequence[dict[str, Any]], looks: object, keys: Iterable[str]) -> None:
    """Put the looks of cells, as `looks_of` returns them, back into their entries.

    Anything else in `looks`, which may come from a file, is ignored.
    """
    for place, cell in enumerate(cells):
        look = looks.get(str(place)) if isinstance(looks, Mapping) else None
        if isinstance(look, Mapping):
            cell |= {key: look[key] for key in keys if key in look}


def address_of(site: str, text: str, safe: str = "") -> str:
    """Return an address that ends with an encoded text; `safe` signs in it stay as they are."""
    return site + encode(text, safe=safe)


def text_of(entries: Mapping[str, Any], key: str) -> str:
    """Return an entry as text; empty if there is none."""
    return str(entries.get(key) or "")


def is_solution(digits: object, puzzle: Puzzle) -> bool:
    """Whether a list of digits, as numbers or text, fills the board by all rules of the puzzle."""
    found = [str(digit) for digit in digits] if isinstance(digits, list | str) else []
    size, lowest = puzzle.geometry.size, lowest_of(puzzle.rules)
    if len(found) != size * size or not all(digit.isdecimal() for digit in found):
        return False
    grid = tuple(int(digit) - lowest + 1 for digit in found)
    fits = all(1 <= digit <= size for digit in grid)
    return fits and not find_fault(Grid(puzzle.geometry, grid), puzzle)


@contextmanager
def placed(place: str = "", rule: str = "") -> Iterator[None]:
    """Name the place of faults in the words of the other program, without our rule's name."""
    try:
        yield
    except SatdokuError as error:
        fault = str(error).removeprefix(f"the rule {rule}: ")
        raise RuleError(f"{place}: {fault}" if place else fault) from None


def _candidates(marks: Mapping[int, Sequence[int]], geometry: Geometry) -> str:
    """Return the candidates of some cells as the argument of our rule."""
    return ",".join(
        f"{geometry.name_of(cell)}={'/'.join(map(str, digits))}" for cell, digits in marks.items()
    )


def cells_board(cells: str, program: str) -> ForeignBoard:
    """Return the board of a text with a character for each cell; dots and zeros are blanks."""
    foreign = ForeignBoard(program, geometry_of(isqrt(len(cells))))
    for place, cell in enumerate(cells):
        if cell not in ".0":
            foreign.add_digit(*divmod(place, foreign.size), cell)
    return foreign


# Names of cells and lines in f-puzzles and ISS (`R1C1`), and in our arguments.

# Two digits are enough, as boards are not larger; clues outside are one cell further.
_CELL = "[Rr]([0-9]{1,2})[Cc]([0-9]{1,2})"


def row_and_column(name: object) -> tuple[int, int]:
    """Return the row and column of a cell, counted from 1; outside it is 0 or size + 1.

    >>> row_and_column("R0C4")
    (0, 4)
    """
    match = re.fullmatch(_CELL, name) if isinstance(name, str) else None
    if match is None:
        raise RuleError(f"{quote(str(name))} is not a cell such as R1C1")
    return int(match[1]), int(match[2])


def our_cell(name: object, size: int) -> str:
    """Return the name that our arguments give a cell; a RuleError if it is not on the board."""
    row, column = row_and_column(name)
    if not (1 <= row <= size and 1 <= column <= size):
        raise RuleError(f"{quote(str(name))} is not on a board of {size}x{size}")
    return f"r{row}c{column}"


def our_cells(names: object, size: int) -> str:
    """Return cells of another program as an argument of our rules lists them: `r1c1,r1c2`."""
    if not isinstance(names, list | tuple) or not names:
        raise RuleError(f"{quote(str(names))} is not a list of cells")
    return ",".join(our_cell(name, size) for name in names)


def their_cells(cells: str) -> list[str]:
    """Return the cells of one of our arguments, as other programs name them."""
    return [cell.upper() for cell in cells.split(",") if cell]


def our_line(name: object, size: int) -> str:
    """Return the row or column of a clue outside, and its end: `col4` or `col4.up`.

    >>> our_line("R0C4", 9), our_line("R10C4", 9), our_line("R2C10", 9)
    ('col4', 'col4.up', 'row2.left')
    """
    row, column = row_and_column(name)
    if row in (0, size + 1) and 1 <= column <= size:
        return f"col{column}" + (".up" if row else "")
    if column in (0, size + 1) and 1 <= row <= size:
        return f"row{row}" + (".left" if column else "")
    raise RuleError(f"{name} is not beside a board of {size}x{size}")


def their_place(line: str, size: int) -> str:
    """Return the place outside of the board where the clue of a line stands."""
    name, _, end = line.partition(".")
    far = size + 1 if end in ("up", "left") else 0
    number = name[len("row") :]
    return f"R{number}C{far}" if name.startswith("row") else f"R{far}C{number}"


def our_diagonal(name: object, direction: object, size: int) -> str:
    """Return where a diagonal begins on the board, and its direction: `r1c3.dl`."""
    row, column = row_and_column(name)
    way = str(direction).lower()
    if direction != way.upper() or way not in DIAGONAL_STEPS:
        raise RuleError(f"{quote(str(direction))} is no direction such as DR")
    down, right = DIAGONAL_STEPS[way]
    row, column = row + down, column + right
    if not (1 <= row <= size and 1 <= column <= size):
        raise RuleError(f"{name} leads {direction}, and is not on a board of {size}x{size} then")
    return f"r{row}c{column}.{way}"


def without_loops(cells: str) -> list[str]:
    """Split a line into parts without repeated cells; each begins where the one before ends.

    >>> without_loops("r1c1,r1c2,r2c1,r1c1")
    ['r1c1,r1c2,r2c1', 'r2c1,r1c1']
    """
    parts: list[list[str]] = [[]]
    for cell in cells.split(","):
        if cell in parts[-1]:
            parts.append(parts[-1][-1:])
        parts[-1].append(cell)
    return [",".join(part) for part in parts]
