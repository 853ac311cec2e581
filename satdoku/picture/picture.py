"""The picture of a board: what is to be seen where, and nothing about how it is painted.

A `Sketch` has the pictures of one puzzle, a `Show` those that a page walks through, with words.
`describe` tells a picture to who cannot see it.
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

# Not the first number of a border, which is 0: cells outside all borders lie together.
NO_BORDER = -1
"""The number of a cell that no border encloses."""


class Emphasis(Enum):
    """Why a cell or a candidate is pointed out."""

    PLACED = "placed"
    USED = "used"
    OFF = "off"
    EXCLUDED = "excluded"
    CLASHING = "clashing"
    DIFFERENT = "different"


class Place(NamedTuple):
    """A candidate on the board: a digit in a cell."""

    cell: int
    digit: int


class Arrow(NamedTuple):
    """A link from one candidate to another: strong (if not here, then there) or weak."""

    start: Place
    end: Place
    is_strong: bool = True


@dataclass(frozen=True)
class Picture:
    """A board with digits, candidates, and what is pointed out on it.

    `names[d]` is what is written for digit d, `names[0]` what a text has for an empty cell.
    `digits` are all digits to be seen, 0 where there is none; those in `givens` are the puzzle's
    own. `candidates` has the small digits of cells without a digit. `captions` stand below a
    drawing and say what its shapes mean, `sentences` below a text, which shows nothing of rules but
    borders. With `has_labels` rows and columns are numbered along the edge.
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
        """For each cell the number of the border around it."""
        # A puzzle has boxes or regions, so each cell lies within one border at most. If a rule ever
        # draws others across them, the later border counts.
        regions = [NO_BORDER] * self.geometry.cell_count
        for number, border in enumerate(self.drawn_as(Border)):
            for cell in border.cells:
                regions[cell] = number
        return tuple(regions)

    @property
    def has_boxes(self) -> bool:
        """Whether the borders are those of the board's box shape."""
        # Without their order, since regions may be numbered in another one.
        boxes = {frozenset(unit.cells) for unit in self.geometry.boxes}
        return {frozenset(border.cells) for border in self.drawn_as(Border)} == boxes

    def drawn_as(self, kind: type[T]) -> Iterator[T]:
        """What rules draw in shapes of one kind."""
        return (each for each in self.drawn if isinstance(each, kind))

    @cached_property
    def small_digits(self) -> dict[int, tuple[int, ...]]:
        """The candidates of empty cells; where there are none, what rules allow them."""
        # What is known of a cell is never more than what a rule allows it, so it takes its place.
        found = {pencil.cell: pencil.digits for pencil in self.drawn_as(Pencil)}
        found.update(self.candidates)
        return {cell: digits for cell, digits in found.items() if not self.digits[cell]}

    def texts(self) -> list[str]:
        """What is written in each cell; the sign for an empty one where it has no digit."""
        return [self.names[digit] for digit in self.digits]

    def titled(self, title: str) -> "Picture":
        """The same under another title."""
        return replace(self, title=title)

    def with_candidates(self, candidates: Mapping[int, tuple[int, ...]]) -> "Picture":
        """The same with these small digits in its empty cells."""
        return replace(self, candidates=candidates)

    def with_labels(self) -> "Picture":
        """The same with its rows and columns numbered."""
        return replace(self, has_labels=True)

    def showing(
        self,
        candidates: Mapping[int, tuple[int, ...]],
        places: Mapping[Place, Emphasis],
        arrows: Iterable[Arrow],
        shades: Iterable[Shade],
    ) -> "Picture":
        """The same with candidates, what is pointed out of them, and what is shaded besides."""
        drawn = (*self.drawn, *shades)
        return replace(
            self, candidates=candidates, places=places, arrows=tuple(arrows), drawn=drawn
        )


class Sketch(NamedTuple):
    """The pictures that stand with those of other puzzles, and those for the end of all."""

    boards: tuple[Picture, ...]
    answers: tuple[Picture, ...] = ()

    def numbered(self, number: int) -> "Sketch":
        """The same with the number of the puzzle in front of its titles."""
        return Sketch(
            # The same number at both, by which the reader of a page finds the solution at its end.
            tuple(_titled(picture, str(number)) for picture in self.boards),
            tuple(_titled(picture, str(number)) for picture in self.answers),
        )


def _titled(picture: Picture, number: str) -> Picture:
    return picture.titled(f"{number}: {picture.title}" if picture.title else number)


class Layout(NamedTuple):
    """How the boards of a drawing are arranged: so many on a page, under a title."""

    per_page: int | None = None
    title: str = ""
    footer: str = ""


class Slide(NamedTuple):
    """A picture with a heading on one line, what it shows in words, and what that rests on."""

    picture: Picture
    heading: str
    text: str = ""
    details: str = ""


class Show(NamedTuple):
    """The slides about one puzzle, with a title, and a few sentences about all of them.

    `verdict` is the name of the puzzle's verdict. Drawings show `boards` in place of the slides,
    where there are any.
    """

    title: str
    summary: str
    slides: tuple[Slide, ...]
    verdict: str = ""
    boards: tuple[Picture, ...] = ()

    def sketch(self) -> Sketch:
        """The slides as boards with their words above and below."""
        return Sketch(self.boards or tuple(_board(slide, n) for n, slide in enumerate(self.slides)))


def _board(slide: Slide, number: int) -> Picture:
    captions = (*slide.picture.captions, *slide.text.splitlines())
    return replace(slide.picture, title=f"{number}. {slide.heading}", captions=captions)


# A screen reader says this. A board with more cells is no help when it is read out.
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
    """The size, the digits row by row, what is pointed out, and the rules."""
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
