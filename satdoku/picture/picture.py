"""The picture of a board: what is shown where, independent of how it is drawn.

A `Sketch` has the pictures of one puzzle, a `Show` the slides of a page with their texts.
`describe` returns a description for screen readers. `picture_of` makes the picture of a puzzle.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from enum import Enum
from functools import cached_property
from typing import Literal, NamedTuple, TypeVar, get_args

from satdoku.errors import SatdokuError, count_of, join
from satdoku.notation.spelling import USUAL, Spelling, spelling_by_symbols
from satdoku.puzzle.constraints import digits_of
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle, find_candidates, find_missing
from satdoku.puzzle.rules.classic import Boxes
from satdoku.puzzle.rules.rule import Drawing, Rule, board_of
from satdoku.puzzle.value import value
from satdoku.puzzle.verdict import Outcome

# The shapes in which rules are drawn.


class Border(NamedTuple):
    """A thick line around cells: a box, or a region that replaces a box."""

    cells: tuple[int, ...]


class Shade(NamedTuple):
    """Cells with a darker background; `has_outline` adds a fine line around them."""

    cells: tuple[int, ...]
    has_outline: bool = True


class Stroke(NamedTuple):
    """A fine straight line from the first to the last of these cells."""

    cells: tuple[int, ...]


class Mark(NamedTuple):
    """Cells with a circle or a square around the digit; `is_filled` fills it."""

    cells: tuple[int, ...]
    shape: Literal["circle", "square"]
    is_filled: bool = False


class Pencil(NamedTuple):
    """A cell with small digits, which are those that it may hold."""

    cell: int
    digits: tuple[int, ...]


class Cage(NamedTuple):
    """Cells within a dashed line, with a text in the corner of the first cell.

    A cage that `is_fine` has a fine line, and a letter as its text in the last cell. By this letter
    the caption refers to cells of a rule without a drawing of its own.
    """

    cells: tuple[int, ...]
    text: str = ""
    is_fine: bool = False


# Names, not colour values: paper, the page and dark screens each define their own colours for them.
Tint = Literal["grey", "green", "purple", "blue", "orange", "teal", "yellow"]
"""The colours of lines, by the names that players use."""


class Line(NamedTuple):
    """A broad line through cells, with an optional bulb at its start or circles at its ends."""

    cells: tuple[int, ...]
    tint: Tint
    has_bulb: bool = False
    has_ends: bool = False


class Shaft(NamedTuple):
    """An arrow: the cells of its circle or pill, and the cells along its shaft.

    A shaft that `is_short` only shows a direction, and ends before the middle of its cell.
    """

    circle: tuple[int, ...]
    cells: tuple[int, ...]
    is_short: bool = False


class Dot(NamedTuple):
    """A mark between two cells or at the corner of four: filled, a circle, or only a text."""

    cells: tuple[int, ...]
    text: str = ""
    is_filled: bool = False
    has_circle: bool = True


class Outside(NamedTuple):
    """A text outside the board, beside a border cell, which is a clue for the cells in one
    direction.
    """

    cell: int
    # The step to the next cell; on a diagonal both `down` and `right` are not 0.
    down: int
    right: int
    text: str


Drawn = Border | Shade | Stroke | Mark | Pencil | Cage | Line | Shaft | Dot | Outside

_SHAPES: dict[str, type[Drawn]] = {kind.__name__.lower(): kind for kind in get_args(Drawn)}
"""The shapes by the names that rules use. Every renderer supports all of them."""


def shapes_of(drawing: Iterable[Drawing]) -> Iterator[Drawn]:
    """Yield the shapes that a rule draws, as `Rule.drawing` names them.

    >>> list(shapes_of([("dot", (0, 1), "X")]))
    [Dot(cells=(0, 1), text='X', is_filled=False, has_circle=True)]
    """
    for name, *fields in drawing:
        if name not in _SHAPES:
            known = ", ".join(_SHAPES)
            raise SatdokuError(
                f"a rule is drawn with {name!r}, which is no shape; there are: {known}"
            )
        yield _SHAPES[name](*fields)


T = TypeVar("T", bound=Drawn)

# Not 0, which is the number of the first border; all cells outside borders form one region.
NO_BORDER = -1
"""The region number of a cell that no border encloses."""


class Emphasis(Enum):
    """The reason for a highlight of a cell or candidate."""

    PLACED = "placed"
    USED = "used"
    OFF = "off"
    EXCLUDED = "excluded"
    CLASHING = "clashing"
    DIFFERENT = "different"


class Place(NamedTuple):
    """The place of a candidate: a digit in a cell."""

    cell: int
    digit: int


class Arrow(NamedTuple):
    """A link between two candidates: strong (if the first is false, the second is true) or weak."""

    start: Place
    end: Place
    is_strong: bool = True


@value(frozen=True)
class Picture:
    """A board with digits, candidates and highlights.

    `names[d]` is the symbol of digit d, `names[0]` the symbol of an empty cell in a text. `digits`
    are all digits shown, 0 for empty cells; those of cells in `givens` belong to the puzzle.
    `candidates` has the small digits of empty cells. `captions` are printed below a drawing and
    explain its shapes; `sentences` are printed below a text, which shows no shapes but borders.
    With `has_labels` rows and columns are numbered along the edge. At the bottom is a QR code of
    `link`, if there is a link.
    """

    geometry: Geometry
    names: tuple[str, ...]
    digits: tuple[int, ...]
    givens: frozenset[int] = frozenset()
    drawn: tuple[Drawn, ...] = ()
    candidates: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    cells: Mapping[int, Emphasis] = field(default_factory=dict)
    places: Mapping[Place, Emphasis] = field(default_factory=dict)
    arrows: tuple[Arrow, ...] = ()
    captions: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    title: str = ""
    has_labels: bool = False
    link: str = ""

    @cached_property
    def region_of(self) -> tuple[int, ...]:
        """Return, for each cell, the number of the border that encloses it."""
        # A puzzle has boxes or regions, so at most one border encloses each cell. If a rule ever
        # draws overlapping borders, the later one counts.
        regions = [NO_BORDER] * self.geometry.cell_count
        for number, border in enumerate(self.drawn_as(Border)):
            for cell in border.cells:
                regions[cell] = number
        return tuple(regions)

    @property
    def has_boxes(self) -> bool:
        """Whether the borders are the boxes of the board's shape."""
        if not self.geometry.is_plain:
            return False
        # Compared as sets, because regions may be numbered differently.
        boxes = {frozenset(unit.cells) for unit in self.geometry.boxes}
        return {frozenset(border.cells) for border in self.drawn_as(Border)} == boxes

    def drawn_as(self, kind: type[T]) -> Iterator[T]:
        """Yield the shapes of one kind among those that rules draw."""
        return (each for each in self.drawn if isinstance(each, kind))

    @cached_property
    def small_digits(self) -> dict[int, tuple[int, ...]]:
        """Return the candidates of empty cells; for a cell without, the digits that rules allow
        there.
        """
        # Known candidates are a subset of the digits that a rule allows, so they take precedence.
        found = {pencil.cell: pencil.digits for pencil in self.drawn_as(Pencil)}
        found.update(self.candidates)
        return {cell: digits for cell, digits in found.items() if not self.digits[cell]}

    def texts(self) -> list[str]:
        """Return the text in each cell: its digit, or the symbol for an empty cell."""
        return [self.names[digit] for digit in self.digits]

    def titled(self, title: str) -> "Picture":
        """Return a copy with another title."""
        return replace(self, title=title)

    def with_candidates(self, candidates: Mapping[int, tuple[int, ...]]) -> "Picture":
        """Return a copy with these small digits in its empty cells."""
        return replace(self, candidates=candidates)

    def with_labels(self) -> "Picture":
        """Return a copy with its rows and columns numbered."""
        return replace(self, has_labels=True)

    def showing(
        self,
        candidates: Mapping[int, tuple[int, ...]],
        places: Mapping[Place, Emphasis],
        arrows: Iterable[Arrow],
        shades: Iterable[Shade],
    ) -> "Picture":
        """Return a copy of the picture that shows these candidates, places, arrows and shades."""
        drawn = (*self.drawn, *shades)
        return replace(
            self, candidates=candidates, places=places, arrows=tuple(arrows), drawn=drawn
        )


class Sketch(NamedTuple):
    """The pictures of one puzzle: those shown at its place, and those shown at the end."""

    boards: tuple[Picture, ...]
    answers: tuple[Picture, ...] = ()

    def numbered(self, number: int) -> "Sketch":
        """Return a copy with the number of the puzzle in front of its titles."""
        return Sketch(
            # Puzzle and solution get the same number, by which the reader finds the solution at the
            # end.
            tuple(_titled(picture, str(number)) for picture in self.boards),
            tuple(_titled(picture, str(number)) for picture in self.answers),
        )


def _titled(picture: Picture, number: str) -> Picture:
    return picture.titled(f"{number}: {picture.title}" if picture.title else number)


class Bar(NamedTuple):
    """A step in a plot: the number of singles, the number of all steps, and whether it is a
    bottleneck.
    """

    singles: int
    width: int
    is_bottleneck: bool


class Plot(NamedTuple):
    """A plot: a bar for each step of a puzzle, the name of the puzzle and a line about the bars."""

    name: str
    line: str
    bars: Sequence[Bar]


class Layout(NamedTuple):
    """The layout of a document: the number of boards on a page, the title, and the paper of pages.

    The paper is one of `PAPERS` in `documents.py`.
    """

    per_page: int | None = None
    title: str = ""
    footer: str = ""
    paper: str = "a4"


class Slide(NamedTuple):
    """A picture with a heading of one line, a description, and reasons.

    `number` is that of its step, from 1 on as sentences name it; 0 if the slide shows no step.
    """

    picture: Picture
    heading: str
    text: str = ""
    details: str = ""
    number: int = 0

    def titled(self) -> Picture:
        """Return the picture with the heading, and the number if any, as its title."""
        captions = (*self.picture.captions, *self.text.splitlines())
        number = f"{self.number}. " if self.number else ""
        return replace(self.picture, title=f"{number}{self.heading}", captions=captions)


class Show(NamedTuple):
    """The slides about one puzzle, with a title and a summary.

    `verdict` is the name of the puzzle's verdict. If there are `boards`, drawings show these
    instead of the slides.
    """

    title: str
    summary: str
    slides: tuple[Slide, ...]
    verdict: str = ""
    boards: tuple[Picture, ...] = ()

    def sketch(self) -> Sketch:
        """Return the slides as boards with their texts above and below."""
        return Sketch(self.boards or tuple(slide.titled() for slide in self.slides))


# Largest board whose digits are described: a screen reader reads them aloud, which is no help for
# larger boards.
_MOST_CELLS = 256

_SAID = {
    Emphasis.PLACED: "settled here",
    Emphasis.USED: "used",
    Emphasis.OFF: "supposed not to hold",
    Emphasis.EXCLUDED: "excluded",
    Emphasis.CLASHING: "clashing",
    Emphasis.DIFFERENT: "different",
}


def describe(picture: Picture) -> str:
    """Return a description in words: the size, the digits row by row, highlights, and rules."""
    geometry = picture.geometry
    count = sum(digit != 0 for digit in picture.digits)
    parts = [f"A board of {geometry.board_words} with {count_of(count, 'digit')}"]
    if geometry.cell_count <= _MOST_CELLS:
        texts = [picture.names[digit] if digit else "empty" for digit in picture.digits]
        for number in range(geometry.height):
            row = [texts[cell] for cell in geometry.row_cells(number)]
            parts.append(f"Row {number + 1}: {' '.join(row)}")
        for cell in range(geometry.board_count, geometry.cell_count):
            parts.append(f"{geometry.name_of(cell)}: {texts[cell]}")
    for why, said in _SAID.items():
        cells = [cell for cell, because in sorted(picture.cells.items()) if because is why]
        named = [geometry.name_of(cell) for cell in cells]
        named += [
            f"{picture.names[place.digit]} in {geometry.name_of(place.cell)}"
            for place, because in sorted(picture.places.items())
            if because is why
        ]
        if named:
            parts.append(f"{said.capitalize()}: {', '.join(named)}")
    code = ["Below is a QR code of a link to this puzzle"] if picture.link else []
    return ". ".join([*parts, *picture.sentences, *code]) + "."


# Make pictures of puzzles, of grids, and of answers about a puzzle.


def picture_of(
    puzzle: Puzzle,
    grid: Grid | None = None,
    spelling: Spelling = USUAL,
    marked: Collection[int] | Mapping[int, Emphasis] = (),
) -> Picture:
    """Return a picture of the puzzle, or of a grid on its board, with highlights for `marked`
    cells.
    """
    # `marked` as a plain collection means "different"; a mapping gives each cell its own emphasis.
    if not isinstance(marked, Mapping):
        marked = dict.fromkeys(sorted(marked), Emphasis.DIFFERENT)
    geometry, shown = puzzle.geometry, grid or puzzle.grid
    letter = _only_letter(puzzle)
    return Picture(
        geometry,
        tuple(spelling_by_symbols(puzzle, spelling).names(geometry.size)),
        shown.digits,
        frozenset(puzzle.givens),
        tuple(
            _plain(drawn, letter)
            for rule in puzzle.rules
            for drawn in shapes_of(rule.drawing_on(board_of(rule, geometry), shown.digits))
        )
        + tuple(
            Cage(tuple(sorted(rule.cells(board_of(rule, geometry)))), letter, is_fine=True)
            for rule, letter in _lettered(puzzle)
        ),
        cells=marked,
        captions=(*puzzle.rules_text.splitlines(), *_captions(puzzle)),
        sentences=tuple(_sentences(puzzle)),
        title=_heading(puzzle),
    )


def _only_letter(puzzle: Puzzle) -> str:
    """Return the letter before clues outside, as in x20, if all clues have the same one.

    Empty if letters tell several kinds apart. Clues of diagonals do not count: they have arrows.
    """
    kinds = {
        drawn.text[:1] if drawn.text[:1].isalpha() else ""
        for rule in puzzle.further_rules
        for drawn in shapes_of(rule.drawing(board_of(rule, puzzle.geometry)))
        if isinstance(drawn, Outside) and not (drawn.down and drawn.right)
    }
    return kinds.pop() if len(kinds) == 1 else ""


def _plain(drawn: Drawn, letter: str) -> Drawn:
    """Return a clue outside without this letter, which is not needed if all clues have it."""
    if not letter or not isinstance(drawn, Outside) or (drawn.down and drawn.right):
        return drawn
    return drawn._replace(text=drawn.text.removeprefix(letter))


def _caption(rule: Rule, geometry: Geometry, letter: str) -> str:
    """Return the caption of a rule; if its letter is not drawn, the caption does not name it
    either.
    """
    caption = rule.caption(geometry)
    sign = f"{letter} outside"
    return (
        f"numbers outside{caption.removeprefix(sign)}"
        if letter and caption.startswith(sign)
        else caption
    )


def _lettered(puzzle: Puzzle) -> Iterator[tuple[Rule, str]]:
    """Yield the rules that are not drawn but name some cells, each with a letter of its own."""
    geometry = puzzle.geometry
    letters = iter("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    for rule in puzzle.further_rules:
        board = board_of(rule, geometry)
        if 0 < len(rule.cells(board)) < board.cell_count and not any(rule.drawing(board)):
            letter = next(letters, None)
            if letter is None:
                return
            yield rule, letter


def _heading(puzzle: Puzzle) -> str:
    return ", ".join(filter(None, (puzzle.name, puzzle.author and f"by {puzzle.author}")))


def draft_rules_text(puzzle: Puzzle) -> str:
    """Return the rules in words, one line for each kind, for an author to edit.

    >>> print(draft_rules_text(Puzzle.from_line("." * 16, rules=["anti-king"])))
    Place the digits 1 to 4 so that each row, column and box holds every one of them once.
    No two cells a king's move apart hold the same digit.
    """
    geometry, names = puzzle.geometry, puzzle.symbols or ("1", str(puzzle.geometry.size))
    regions = "outlined region" if puzzle.regions else "box" if Boxes() in puzzle.rules else ""
    units = join(list(filter(None, ("row", "column", regions))))
    # The first line already names the digits, so a rule that only defines them is left out.
    others = (rule for rule in puzzle.further_rules if not rule.symbols(geometry))
    letter = _only_letter(puzzle)
    captions = dict.fromkeys(_caption(rule, board_of(rule, geometry), letter) for rule in others)
    lines = [
        f"Place the digits {names[0]} to {names[-1]} so that each {units} holds every one of them "
        "once",
        *filter(None, captions),
    ]
    return "\n".join(f"{line[0].upper()}{line[1:]}." for line in lines)


def _captions(puzzle: Puzzle) -> Iterator[str]:
    """Yield a legend for the shapes of rules, one line for equal captions (there may be 30 cages).

    Rows, columns and boxes need no legend, nor do rules that the author's text explains.
    """
    geometry, told = puzzle.geometry, puzzle.rules_text.lower()
    begins: dict[str, list[str]] = {}
    letters, letter = dict(_lettered(puzzle)), _only_letter(puzzle)
    for rule in puzzle.further_rules:
        board = board_of(rule, geometry)
        if rule in letters:
            begins[f"{letters[rule]}: {rule.caption(board)}"] = []
            continue
        lines = [each for each in shapes_of(rule.drawing(board)) if isinstance(each, Line)]
        names = [geometry.name_of(line.cells[0]) for line in lines]
        begins.setdefault(_caption(rule, board, letter), []).extend(names)
    # Lines of several kinds are also identified by their first cells: colours are lost in
    # characters, in print and for colour-blind readers, and two rules may share a colour.
    has_kinds = sum(map(bool, begins.values())) > 1
    for caption, names in begins.items():
        what, colon, meaning = caption.partition(":")
        if has_kinds and names:
            yield f"{what} from {join(names)}{colon}{meaning}"
        elif caption and caption.lower() not in told:
            yield caption


def _sentences(puzzle: Puzzle) -> Iterator[str]:
    """Yield a line for each rule that borders alone do not show."""
    for rule in puzzle.further_rules:
        # A board in characters shows borders only, so rules with other shapes need a sentence too.
        board = board_of(rule, puzzle.geometry)
        kinds = {name for name, *_ in rule.drawing(board)}
        if kinds != {"border"}:
            yield f"{rule.name}: {rule.sentence(board)}"


def picture_with_candidates(
    puzzle: Puzzle,
    digits_at: Sequence[Collection[int]] | None = None,
    spelling: Spelling = USUAL,
) -> Picture:
    """Return the puzzle with small digits: those in `digits_at`, or those that givens and rules
    leave.
    """
    found: dict[int, tuple[int, ...]]
    if digits_at is None:
        # Computed without a solver: the pencil marks that a person would write before the first
        # step.
        masks = find_candidates(puzzle, find_missing(puzzle))
        found = {cell: tuple(digits_of(mask)) for cell, mask in masks}
    else:
        found = {cell: tuple(sorted(digits)) for cell, digits in enumerate(digits_at)}
    return picture_of(puzzle, spelling=spelling).with_candidates(found)


def pictures_of_outcome(outcome: Outcome, spelling: Spelling = USUAL) -> tuple[Picture, ...]:
    """Return the solution, or two solutions with their differences, or the givens that clash."""
    puzzle = outcome.puzzle
    if outcome.second is not None and outcome.solution is not None:
        # Both boards have the same cells marked, for comparison.
        marked = outcome.differences
        titles = ("one solution", "another one")
        return tuple(
            picture_of(puzzle, grid, spelling, marked).titled(_joined(puzzle.name, title))
            for grid, title in zip((outcome.solution, outcome.second), titles, strict=True)
        )
    clashing = {cell: Emphasis.CLASHING for clash in outcome.clashes for cell in clash.cells}
    return (picture_of(puzzle, outcome.solution, spelling, clashing),)


def sketch_of_outcome(outcome: Outcome) -> Sketch:
    """Return the pictures of an outcome as a sketch, which can be sent to another process with a
    row.
    """
    return Sketch(pictures_of_outcome(outcome))


def show_of_outcome(outcome: Outcome, summary: str, clash: Collection[int] = ()) -> Show:
    """Return slides with the givens and the evidence; `clash` are givens that no grid satisfies."""
    puzzle = outcome.puzzle
    slides = [_first_slide(outcome, clash)]
    solution, second = outcome.solution, outcome.second
    if solution is not None and second is None:
        slides.append(Slide(picture_of(puzzle, solution), "The solution"))
    elif solution is not None and second is not None:
        marked = outcome.differences
        slides.append(Slide(picture_of(puzzle, solution, marked=marked), "One solution"))
        slides.append(Slide(picture_of(puzzle, second, marked=marked), "Another one"))
    boards = pictures_of_outcome(outcome)
    return Show(puzzle.name or "Sudoku", summary, tuple(slides), outcome.verdict.value, boards)


def _first_slide(outcome: Outcome, clash: Collection[int]) -> Slide:
    puzzle, solution, second = outcome.puzzle, outcome.solution, outcome.second
    if solution is not None and second is not None:
        cells = outcome.differences
        both = {c: (solution.digits[c], second.digits[c]) for c in cells}
        board = picture_of(puzzle, marked=cells).with_candidates(both)
        return Slide(board, "Where two solutions differ", f"In {count_of(len(cells), 'cell')}.")
    if clash:
        text = "; ".join(each.describe(puzzle.name_of_digit) for each in outcome.clashes)
        board = picture_of(puzzle, marked=dict.fromkeys(clash, Emphasis.CLASHING))
        said = text or f"{count_of(len(clash), 'given')} that no grid has together."
        return Slide(board, "What clashes", said)
    return Slide(picture_of(puzzle), "The givens")


def _joined(name: str, what: str) -> str:
    return f"{name}: {what}" if name else what
