"""Hypothesis strategies for boards, puzzles and hints, shared by all tests."""

import string
import sys

from hypothesis import strategies as st

from satdoku.notation.hints import Hints
from satdoku.notation.spelling import Alphabet
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle

BOX_SHAPES = [(2, 2), (2, 3), (3, 2), (3, 3), (2, 4), (2, 5), (3, 4), (4, 4), (5, 5)]
CHARACTERS = st.sampled_from(string.printable) | (
    st.integers(0, 0xD7FF) | st.integers(0xE000, sys.maxunicode)
).map(chr)
"""Any character. Those of Hypothesis take each process two seconds before the first one."""

SYMBOLS = string.digits[1:] + string.ascii_uppercase + string.ascii_lowercase


def geometries(most_digits: int = 25) -> st.SearchStrategy[Geometry]:
    """Box shapes, square or not."""
    shapes = [Geometry(*shape) for shape in BOX_SHAPES]
    return st.sampled_from([shape for shape in shapes if shape.size <= most_digits])


@st.composite
def grids(draw: st.DrawFn, geometry: Geometry | None = None) -> Grid:
    """Boards with any digits anywhere, so usually without a solution; about half empty."""
    geometry = geometry or draw(geometries())
    random = draw(st.randoms(use_true_random=False))
    share = draw(st.sampled_from([0.0, 0.2, 0.5, 1.0]))
    digits = [
        random.randint(1, geometry.size) if random.random() < share else 0
        for _ in range(geometry.cell_count)
    ]
    return Grid(geometry, tuple(digits))


def words() -> st.SearchStrategy[str]:
    """Names and comments without anything that formats use as a separator."""
    return st.lists(st.sampled_from(["easy", "Nr", "by", "Ann", "hard", "x"]), max_size=3).map(
        " ".join
    )


@st.composite
def puzzles(draw: st.DrawFn, geometry: Geometry | None = None) -> Puzzle:
    """Puzzles with or without a name and a comment."""
    return Puzzle(draw(grids(geometry)), draw(words()), draw(words()))


@st.composite
def alphabets(draw: st.DrawFn, size: int) -> Alphabet:
    """Alphabets that are long enough for a board of `size` digits."""
    series = [name for name, most in (("1", 35), ("0", 36), ("A", 26)) if size <= most]
    spelled = "".join(draw(st.permutations(list(SYMBOLS[: max(size, 2)]))))
    return Alphabet(draw(st.sampled_from([*series, "numbers", spelled])))


@st.composite
def some_hints(draw: st.DrawFn, geometry: Geometry) -> Hints:
    """What a user may say about a board of this shape; the shape is always said."""
    alphabet = draw(st.none() | alphabets(geometry.size))
    return Hints(geometry, alphabet)
