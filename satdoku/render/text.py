"""A board in a terminal: boxed, givens told from found digits, marked cells told from both."""

from collections.abc import Collection

from satdoku.notation.drawings.frame import board_width, draw_board
from satdoku.notation.spelling import USUAL, Spelling, align
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle

_GIVEN = "\033[1m"
_FOUND = "\033[36m"
_MARKED = "\033[7m"
_PLAIN = "\033[0m"
_BETWEEN = "   "


def render_grid(
    puzzle: Puzzle,
    solution: Grid | None = None,
    colour: bool = False,
    marked: Collection[int] = frozenset(),
    spelling: Spelling = USUAL,
) -> str:
    """A puzzle, or its solution, as a boxed board with a line end.

    Givens are bold and found digits cyan where there is colour; marked cells have a star behind
    them, with or without colour.
    """
    return "\n".join(_board_lines(puzzle, solution, colour, marked, spelling)) + "\n"


def render_side_by_side(
    puzzle: Puzzle,
    first: Grid,
    second: Grid,
    colour: bool = False,
    width: int = 80,
    spelling: Spelling = USUAL,
) -> str:
    """Two solutions with the cells in which they differ marked; one above the other when narrow."""
    marked = frozenset(first.differences(second))
    left = _board_lines(puzzle, first, colour, marked, spelling)
    right = _board_lines(puzzle, second, colour, marked, spelling)
    board = board_width(first.geometry, _cell_width(first, second, spelling=spelling))
    if 2 * board + len(_BETWEEN) > width:
        return "\n".join([*left, "", *right]) + "\n"
    return "\n".join(f"{a}{_BETWEEN}{b}" for a, b in zip(left, right, strict=True)) + "\n"


def _cell_width(*grids: Grid, spelling: Spelling) -> int:
    return max(len(text) for grid in grids for text in spelling.texts(grid))


def _board_lines(
    puzzle: Puzzle,
    solution: Grid | None,
    colour: bool,
    marked: Collection[int],
    spelling: Spelling,
) -> list[str]:
    grid = solution or puzzle.grid
    texts = align(spelling.texts(grid))
    width = len(texts[0])
    if colour:
        styles = [
            _style_of(digit, given)
            for digit, given in zip(grid.digits, puzzle.grid.digits, strict=True)
        ]
        texts = [_colour(text, styles[n], n in marked) for n, text in enumerate(texts)]
    return draw_board(grid.geometry, texts, width, frozenset(marked))


def _style_of(digit: int, given: int) -> str:
    if digit == EMPTY:
        return ""
    return _GIVEN if given != EMPTY else _FOUND


def _colour(text: str, style: str, is_marked: bool) -> str:
    """The text in its style; the spaces before it stay plain, so that nothing is underlaid."""
    style = (_MARKED if is_marked else "") + style
    padding = text[: len(text) - len(text.lstrip())]
    return f"{padding}{style}{text.lstrip()}{_PLAIN}" if style else text
