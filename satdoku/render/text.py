"""A board in a terminal: boxed, givens told from found digits, marked cells told from both."""

from collections.abc import Collection, Iterator

from satdoku.notation.drawings.frame import board_width, draw_board
from satdoku.notation.spelling import USUAL, Spelling, align, spelling_by_symbols
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.boxes import Boxes
from satdoku.puzzle.rules.regions import NO_REGION
from satdoku.render.region_frame import draw_regions, region_board_width

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
    is_ascii: bool = False,
) -> str:
    """A puzzle, or its solution, as a boxed board with its rules below it, and a line end.

    Givens are bold and found digits cyan where there is colour; marked cells have a star behind
    them, with or without colour. Borders of irregular regions are drawn with box characters unless
    `is_ascii`.
    """
    spelling = spelling_by_symbols(puzzle, spelling)
    lines = _board_lines(puzzle, solution, colour, marked, spelling, is_ascii)
    return "\n".join([*lines, *rule_lines(puzzle)]) + "\n"


def render_side_by_side(
    puzzle: Puzzle,
    first: Grid,
    second: Grid,
    colour: bool = False,
    width: int = 80,
    spelling: Spelling = USUAL,
    is_ascii: bool = False,
) -> str:
    """Two solutions with the cells in which they differ marked; one above the other when narrow."""
    marked = frozenset(first.differences(second))
    spelling = spelling_by_symbols(puzzle, spelling)
    left = _board_lines(puzzle, first, colour, marked, spelling, is_ascii)
    right = _board_lines(puzzle, second, colour, marked, spelling, is_ascii)
    board = _board_width(puzzle, _cell_width(first, second, spelling=spelling))
    if 2 * board + len(_BETWEEN) > width:
        lines = [*left, "", *right]
    else:
        lines = [f"{a}{_BETWEEN}{b}" for a, b in zip(left, right, strict=True)]
    return "\n".join([*lines, *rule_lines(puzzle)]) + "\n"


def rule_lines(puzzle: Puzzle) -> Iterator[str]:
    """A line for each rule that the board itself does not show."""
    for rule in puzzle.further_rules:
        if rule is not puzzle.regions:
            yield f"{rule.name}: {rule.sentence(puzzle.geometry)}"


def _has_boxes(puzzle: Puzzle) -> bool:
    return Boxes() in puzzle.rules


def _board_width(puzzle: Puzzle, width: int) -> int:
    measure = board_width if _has_boxes(puzzle) else region_board_width
    return measure(puzzle.geometry, width)


def _cell_width(*grids: Grid, spelling: Spelling) -> int:
    return max(len(text) for grid in grids for text in spelling.texts(grid))


def _board_lines(
    puzzle: Puzzle,
    solution: Grid | None,
    colour: bool,
    marked: Collection[int],
    spelling: Spelling,
    is_ascii: bool,
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
    if _has_boxes(puzzle):
        return draw_board(grid.geometry, texts, width, frozenset(marked))
    regions = puzzle.regions
    region_of = regions.region_of if regions else (NO_REGION,) * len(grid.digits)
    return draw_regions(grid.geometry, region_of, texts, width, frozenset(marked), is_ascii)


def _style_of(digit: int, given: int) -> str:
    if digit == EMPTY:
        return ""
    return _GIVEN if given != EMPTY else _FOUND


def _colour(text: str, style: str, is_marked: bool) -> str:
    """The text in its style; the spaces before it stay plain, so that nothing is underlaid."""
    style = (_MARKED if is_marked else "") + style
    padding = text[: len(text) - len(text.lstrip())]
    return f"{padding}{style}{text.lstrip()}{_PLAIN}" if style else text
