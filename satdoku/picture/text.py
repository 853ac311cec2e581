"""A picture in a terminal: a boxed board, givens bold, what is pointed out with a star.

The candidates of every cell stand on a board of their own, or for programs on one line. Where
regions have any shape, lines run between them:

┌───────┬───────┐
│ .   . │ .   . │
│   ┌───┘   ┌───┤
│ . │ .   . │ . │
│   ├───┬───┘   │
│ . │ . │ .   . │
├───┘   └───┐   │
│ .   .   . │ . │
└───────────┴───┘
"""

from collections.abc import Sequence

from satdoku.notation.drawings.board import board_width, draw_board
from satdoku.notation.spelling import Spelling, align
from satdoku.picture import Screen
from satdoku.picture.characters import draw_borders
from satdoku.picture.making import picture_of, pictures_of_outcome
from satdoku.picture.picture import Picture
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome

# Weight and reversal only: colours of a terminal are its owner's, and few of them can be read on
# light and on dark grounds.
_GIVEN = "\033[1m"
_MARKED = "\033[7m"
_END_OF_COLOUR = "\033[0m"
_BETWEEN = "   "


def render_picture(picture: Picture, has_style: bool = False, is_ascii: bool = False) -> str:
    """A boxed board with the sentences of its rules below it, and a line end.

    With styles givens are bold, and found digits plain; cells that are pointed out have a star
    behind them, with or without styles. Borders of irregular regions are drawn with box characters
    unless `is_ascii`.
    """
    return "\n".join([*_board_lines(picture, has_style, is_ascii), *picture.sentences]) + "\n"


def render_solution(
    puzzle: Puzzle, solution: Grid, spelling: Spelling, has_style: bool, is_ascii: bool
) -> str:
    """A puzzle with a solution of it."""
    return render_picture(picture_of(puzzle, solution, spelling), has_style, is_ascii)


def render_outcome(outcome: Outcome, spelling: Spelling, screen: Screen) -> str:
    """The solutions that an outcome has, side by side where there is room."""
    return render_side_by_side(pictures_of_outcome(outcome, spelling), *screen)


def render_side_by_side(
    pictures: Sequence[Picture], has_style: bool = False, width: int = 80, is_ascii: bool = False
) -> str:
    """Boards of one puzzle beside each other; below each other where they would be too wide."""
    boards = [_board_lines(picture, has_style, is_ascii) for picture in pictures]
    needed = sum(map(_width, pictures)) + len(_BETWEEN) * (len(pictures) - 1)
    if needed > width:
        # An empty line between two of them, and none before the first.
        lines = [line for board in boards for line in ("", *board)][1:]
    else:
        lines = [_BETWEEN.join(parts) for parts in zip(*boards, strict=True)]
    return "\n".join([*lines, *pictures[0].sentences]) + "\n"


def _width(picture: Picture) -> int:
    width = max(map(len, picture.texts()))
    if picture.has_boxes:
        return board_width(picture.geometry, width)
    return picture.geometry.size * (width + 3) + 1


def _board_lines(picture: Picture, has_style: bool, is_ascii: bool) -> list[str]:
    texts = align(picture.texts())
    width = len(texts[0])
    if has_style:
        texts = [_style(picture, cell, text) for cell, text in enumerate(texts)]
    return frame(picture, texts, width, is_ascii)


def frame(picture: Picture, texts: Sequence[str], width: int, is_ascii: bool) -> list[str]:
    """The lines of a board with these texts in its cells, each seen `width` wide.

    Boxes have straight borders, and programs read such boards; other regions have their own shape.
    """
    if picture.has_boxes:
        return draw_board(picture.geometry, texts, width, picture.cells)
    return draw_borders(picture, texts, width, is_ascii)


def _style(picture: Picture, cell: int, text: str) -> str:
    """The text in its style; the spaces before it stay plain, so that nothing is underlaid."""
    is_given = cell in picture.givens and picture.digits[cell]
    style = (_MARKED if cell in picture.cells else "") + (_GIVEN if is_given else "")
    padding = text[: len(text) - len(text.lstrip())]
    return f"{padding}{style}{text.lstrip()}{_END_OF_COLOUR}" if style else text


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
