"""The candidates of every cell: as a board for eyes, or as one line for programs."""

from collections.abc import Sequence

from satdoku.picture.making import picture_of
from satdoku.picture.text import frame
from satdoku.puzzle.puzzle import Puzzle


def render_candidates(
    puzzle: Puzzle, digits: Sequence[Sequence[int]], is_ascii: bool = False
) -> str:
    """A board with all candidates of each cell side by side, and a line end.

    `digits` has the candidates of each cell. Above nine digits there is a comma between two.
    """
    names = [list(map(puzzle.name_of_digit, found)) for found in digits]
    return draw_texts(puzzle, names, is_ascii)


def draw_texts(puzzle: Puzzle, names: Sequence[Sequence[str]], is_ascii: bool = False) -> str:
    """The same for candidates by their names, or by whatever stands for them."""
    between = "" if puzzle.geometry.size < 10 else ","
    texts = [between.join(found) or "-" for found in names]
    width = max(map(len, texts))
    centred = [text.center(width) for text in texts]
    return "\n".join(frame(picture_of(puzzle), centred, width, is_ascii)) + "\n"


def write_candidates(puzzle: Puzzle, digits: Sequence[Sequence[int]]) -> str:
    """All candidates on one line, N places a cell: the digit where it is one, else a dot.

    On 9x9 that is the usual line of 729 characters; above nine digits there are spaces between.
    """
    every = range(1, puzzle.geometry.size + 1)
    between = "" if puzzle.geometry.size < 10 else " "
    places = [
        puzzle.name_of_digit(digit) if digit in found else "."
        for found in digits
        for digit in every
    ]
    return between.join(places) + "\n"
