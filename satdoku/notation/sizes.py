"""Which boards there are: by the number of their cells, by their size, by their boxes."""

import re
from collections import Counter
from functools import lru_cache
from itertools import pairwise
from math import isqrt

from satdoku.errors import FormatError, count_of
from satdoku.puzzle.geometry import Geometry

FEWEST_CELLS = 16
"""4x4 is the smallest board with boxes; whatever is shorter than its cells is no whole puzzle."""

LARGEST_SIZE = 1000
"""Nobody asks for more; a board of this size has a million cells."""


def has_boxes(size: int) -> bool:
    """Whether a board of `size` digits has boxes that are neither rows nor columns."""
    return size > 3 and any(size % rows == 0 for rows in range(2, isqrt(size) + 1))


# 9x9 first: it is what nearly everybody means.
_USUAL_SIZES = (9, 4, 6, 8, 12, 16, 25)
_FEWEST_OF_LARGE = 132  # a row less than 12x12 has


@lru_cache(maxsize=1024)  # asked for every line of a collection, nearly always about 81
def size_of_count(count: int, wanted: int | None = None) -> int | None:
    """The size of the board with that many cells, None if there is none (or not the wanted one).

    >>> size_of_count(36), size_of_count(35), size_of_count(36, wanted=9)
    (6, None, None)
    """
    size = isqrt(count)
    is_possible = has_boxes(size) if wanted is None else size == wanted
    return size if size * size == count and is_possible else None


def nearest_size(count: int, wanted: int | None, highest: int = 0) -> int:
    """The size of the board that somebody likely meant by so many cells, if none is wanted.

    No board is smaller than its `highest` digit.

    >>> nearest_size(80, None), nearest_size(17, None), nearest_size(3, None)
    (9, 4, 9)
    >>> nearest_size(17, None, highest=5), nearest_size(230, None), nearest_size(10**7, None)
    (9, 15, 1000)
    """
    if wanted is not None:
        return wanted
    # A row too few or too many is a damaged board of a usual size; less than that is a part of 9x9.
    usual = [size for size in _USUAL_SIZES if size >= highest and abs(size * size - count) <= size]
    if usual or count < _FEWEST_OF_LARGE:
        return usual[0] if usual else 9
    root = min(isqrt(count), LARGEST_SIZE)
    # Every even size from 4 on has boxes of two rows: so the nearest board is that of the root, or
    # of one of its neighbours.
    near = range(max(4, root - 1), min(max(4, root) + 1, LARGEST_SIZE) + 1)
    return min(filter(has_boxes, near), key=lambda size: abs(size * size - count))


def count_fault(count: int, size: int) -> str:
    """What is wrong with that many cells."""
    return f"{count_of(count, 'cell')} found, expected {size * size} for {size}x{size}"


def speaks_of(message: str, size: int) -> bool:
    """Whether one of these sentences is about boards of that size.

    >>> speaks_of(count_fault(80, 9), 9), speaks_of(row_fault(3, 8, 9), 6)
    (True, False)
    """
    return message.endswith((f" {size}", f" {size}x{size}", f" 1-{size} or a blank"))


NO_BOARD = "no board found; one of 9x9 has 9 rows of 9 cells"
"""What is said in place of sizes that nobody meant, such as 29x29 of nine lines of 29 words."""


def is_meant(size: int, rows: int) -> bool:
    """Whether somebody may have meant a board of that size by so many rows with so many cells.

    >>> is_meant(9, 7), is_meant(29, 9), is_meant(3, 4)
    (True, False, False)
    """
    return size in _USUAL_SIZES or (size > 3 and abs(size - rows) <= 2)


def speaks_of_no_board(message: str) -> bool:
    """Whether a sentence is about a size that boards have not.

    >>> speaks_of_no_board("a board of 2x2 has no boxes"), speaks_of_no_board(count_fault(80, 9))
    (True, False)
    """
    size = re.search(r"(?<!boxes of )\b([0-9]+)x\1\b", message)
    return size is not None and not has_boxes(int(size[1]))


def row_fault(number: int, count: int, size: int) -> str:
    """What is wrong with the `number`-th row, which has that many cells.

    >>> row_fault(3, 8, 9)
    '8 cells found in row 3, expected 9'
    """
    return f"{count_of(count, 'cell')} found in row {number}, expected {size}"


def decide_geometry(size: int, wanted: Geometry | None, shown: Geometry | None = None) -> Geometry:
    """The box shape: as the text shows it, as the user wants it, or the usual one."""
    if wanted is not None and wanted.size != size:
        raise FormatError(
            f"a board of {size}x{size} found, "
            f"but boxes of {wanted} make {wanted.size}x{wanted.size}"
        )
    geometry = agreed_geometry(wanted, shown)
    if geometry is None and not has_boxes(size):
        raise FormatError(
            f"a board of {size}x{size} has no boxes but its rows or columns; "
            f"if that is meant, say --box 1x{size}"
        )
    return geometry or Geometry.of_size(size)


def agreed_geometry(wanted: Geometry | None, shown: Geometry | None) -> Geometry | None:
    """The box shape that the user wants, or that the text shows; they must not contradict."""
    if wanted is not None and shown not in (None, wanted):
        raise FormatError(f"the text shows boxes of {shown}, but --box says {wanted}")
    return wanted or shown


# Letters and digits are enough for the regions of 36x36; no setter needs half of that.
_LARGEST_WITH_REGIONS = 36


def size_with_regions(count: int) -> int:
    """The size of the board that has so many cells and regions in place of boxes, 0 if none has."""
    size = isqrt(count)
    return size if size * size == count and 2 <= size <= _LARGEST_WITH_REGIONS else 0


# A region that has lost a cell to another is a slip; more than two cells are another text.
_LOST = 2


def shows_regions(word: str, count: int) -> bool:
    """Whether a word beside so many cells is a layout of regions, and no second board.

    Each region has as many cells as there are regions, and neighbours in a row are often of the
    same one, as digits of a board never are.
    """
    size = size_with_regions(count)
    # Every cell would be its own neighbour on a board that is smaller.
    if len(word) != count or size < 4 or not word.isalnum():
        return False
    counts = Counter(word)
    if len(counts) != size or any(abs(each - size) > _LOST for each in counts.values()):
        return False
    rows = [word[at : at + size] for at in range(0, count, size)]
    return sum(a == b for row in rows for a, b in pairwise(row)) >= size
