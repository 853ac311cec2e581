"""The picture of a board: what to show where, independent of how it is drawn.

A `Sketch` has the pictures of one puzzle, a `Show` the slides of a page with their words.
`describe` returns a description for screen readers.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import NamedTuple, TypeVar

from satdoku.errors import count_of
from satdoku.notation.spelling import split_every
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.drawn import Border, Drawn, Pencil, Shade

T = TypeVar("T", bound=Drawn)

# -1, because 0 is the number of the first border: all cells outside borders form one region.
NO_BORDER = -1
"""The number of a cell that no border encloses."""


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
    """A link between two candidates: strong (first false implies second true) or weak."""

    start: Place
    end: Place
    is_strong: bool = True


@dataclass(frozen=True)
class Picture:
    """A board with digits, candidates and highlights.

    `names[d]` is the symbol of digit d, `names[0]` that of an empty cell in a text. `digits` are
    all digits shown, 0 for empty cells; those in `givens` belong to the puzzle. `candidates` has
    the small digits of empty cells. `captions` are printed below a drawing and explain its shapes;
    `sentences` are printed below a text, which shows only borders of the rules. With `has_labels`
    rows and columns are numbered along the edge.
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

    @cached_property
    def region_of(self) -> tuple[int, ...]:
        """Return, for each cell, the number of the border around it."""
        # A puzzle has boxes or regions, so each cell lies within at most one border. If a rule ever
        # draws overlapping borders, the later one counts.
        regions = [NO_BORDER] * self.geometry.cell_count
        for number, border in enumerate(self.drawn_as(Border)):
            for cell in border.cells:
                regions[cell] = number
        return tuple(regions)

    @property
    def has_boxes(self) -> bool:
        """Whether the borders are those of the board's box shape."""
        # Compare without order, because regions may be numbered differently.
        boxes = {frozenset(unit.cells) for unit in self.geometry.boxes}
        return {frozenset(border.cells) for border in self.drawn_as(Border)} == boxes

    def drawn_as(self, kind: type[T]) -> Iterator[T]:
        """Yield the shapes of one kind that rules draw."""
        return (each for each in self.drawn if isinstance(each, kind))

    @cached_property
    def small_digits(self) -> dict[int, tuple[int, ...]]:
        """Return the candidates of empty cells; without any, the digits that rules allow there."""
        # Known candidates are a subset of what a rule allows, so they take precedence.
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
        """Return a copy with these candidates, highlights, arrows and shades."""
        drawn = (*self.drawn, *shades)
        return replace(
            self, candidates=candidates, places=places, arrows=tuple(arrows), drawn=drawn
        )


class Sketch(NamedTuple):
    """The pictures to show with those of other puzzles, and those to show at the end."""

    boards: tuple[Picture, ...]
    answers: tuple[Picture, ...] = ()

    def numbered(self, number: int) -> "Sketch":
        """Return a copy with the number of the puzzle in front of its titles."""
        return Sketch(
            # Puzzle and solution get the same number, by which a reader finds the solution at the
            # end.
            tuple(_titled(picture, str(number)) for picture in self.boards),
            tuple(_titled(picture, str(number)) for picture in self.answers),
        )


def _titled(picture: Picture, number: str) -> Picture:
    return picture.titled(f"{number}: {picture.title}" if picture.title else number)


class Layout(NamedTuple):
    """The layout of a drawing: the number of boards on a page, and the title."""

    per_page: int | None = None
    title: str = ""
    footer: str = ""


class Slide(NamedTuple):
    """A picture with a heading of one line, its description, and the reasons for it."""

    picture: Picture
    heading: str
    text: str = ""
    details: str = ""


class Show(NamedTuple):
    """The slides about one puzzle, with a title and a summary.

    `verdict` is the name of the puzzle's verdict. If there are `boards`, drawings show them instead
    of the slides.
    """

    title: str
    summary: str
    slides: tuple[Slide, ...]
    verdict: str = ""
    boards: tuple[Picture, ...] = ()

    def sketch(self) -> Sketch:
        """Return the slides as boards with their words above and below."""
        return Sketch(self.boards or tuple(_board(slide, n) for n, slide in enumerate(self.slides)))


def _board(slide: Slide, number: int) -> Picture:
    captions = (*slide.picture.captions, *slide.text.splitlines())
    return replace(slide.picture, title=f"{number}. {slide.heading}", captions=captions)


# A screen reader reads this aloud; for larger boards that is no help.
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
    """Return a description in words: the size, the digits row by row, highlights, and the rules."""
    geometry = picture.geometry
    count = sum(digit != 0 for digit in picture.digits)
    parts = [f"A board of {geometry.size}x{geometry.size} with {count_of(count, 'digit')}"]
    if geometry.cell_count <= _MOST_CELLS:
        texts = [picture.names[digit] if digit else "empty" for digit in picture.digits]
        for number, row in enumerate(split_every(texts, geometry.size), 1):
            parts.append(f"Row {number}: {' '.join(row)}")
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
    return ". ".join([*parts, *picture.sentences]) + "."
