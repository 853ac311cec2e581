"""An explanation as slides: a picture of each step with the candidates that it uses and settles."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from satdoku.errors import count_of
from satdoku.explaining.board import Truth, candidates_of, sight_of
from satdoku.explaining.explain import Explanation
from satdoku.explaining.marks import Link, Marks, Role, marks_of_step
from satdoku.explaining.step import Deduction, Story, Way
from satdoku.explaining.trace import digits_after, left_after
from satdoku.explaining.words.explanation import describe, how_givens_clash, numbered
from satdoku.explaining.words.steps import Teller, Wording
from satdoku.picture.picture import Arrow, Emphasis, Picture, Place, Shade, Show, Slide, picture_of
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Clash

_EMPHASIS_OF = {
    Role.RESTS_ON: Emphasis.USED,
    Role.OFF: Emphasis.OFF,
    Role.EXCLUDES: Emphasis.EXCLUDED,
    Role.PLACES: Emphasis.PLACED,
}


def show_of(explanation: Explanation) -> Show:
    """Return the slides: givens, every step, and the ending.

    The ending is the solution, the contradiction, or two solutions.
    """
    # Each step has its own slide, so its text is left out of the text above the slides.
    told = set(numbered(explanation.way))
    summary = " ".join(part.strip() for part in describe(explanation) if part not in told)
    painter = _Painter(explanation.way)
    first = Slide(painter.board(0), "The givens")
    slides = (first, *painter.steps(), *_ends(explanation, painter))
    return Show(explanation.puzzle.name or "Sudoku", summary, slides, explanation.verdict.value)


def _ends(explanation: Explanation, painter: "_Painter") -> Iterator[Slide]:
    """Yield the slides of the ending."""
    puzzle, way = explanation.puzzle, explanation.way
    count = len(way.steps)
    if explanation.clashes:
        cells = {cell: Emphasis.CLASHING for clash in explanation.clashes for cell in clash.cells}
        text = ". ".join(clash.describe(puzzle.name_of_digit) for clash in explanation.clashes)
        heading = heading_of_clashes(explanation.clashes)
        yield Slide(painter.board(count, _Shown(cells)), heading, text)
    elif way.is_settled:
        yield painter.end()
    elif (nearest := explanation.nearest) is not None:
        cells = dict.fromkeys(nearest.cells, Emphasis.DIFFERENT)
        for heading, grid in (("One solution", nearest.one), ("Another", nearest.grid)):
            yield Slide(painter.grid(grid, cells), heading)
    else:
        yield painter.end()


def heading_of_clashes(clashes: Iterable[Clash]) -> str:
    """Return the heading of the slide of givens that clash directly."""
    how = how_givens_clash(clashes)
    return f"{how[0].upper()}{how[1:]}"


def board_of(way: Way) -> Picture:
    """Return the board before the first step of a way, with candidates and without highlights."""
    return _Painter(way).board(0)


def slides_of(way: Way) -> Iterator[Slide]:
    """Yield the steps of a way that answers a question, and its ending."""
    painter = _Painter(way)
    yield from painter.steps()
    yield painter.end()


def end_of(way: Way) -> Slide:
    """Return the ending of a way: the solution, a contradiction, or how far its steps lead."""
    return _Painter(way).end()


def slide_of(way: Way) -> Slide:
    """Return the slide of a way's last step, for callers that show steps as they are found."""
    return _Painter(way).step(way.steps[-1])


@dataclass
class _Shown:
    """The highlights of one picture."""

    cells: dict[int, Emphasis] = field(default_factory=dict)
    places: dict[Place, Emphasis] = field(default_factory=dict)
    arrows: list[Arrow] = field(default_factory=list)
    shades: list[Shade] = field(default_factory=list)


class _Painter:
    """The painter of one way's pictures."""

    def __init__(self, way: Way) -> None:
        self._way = way
        self._puzzle: Puzzle = way.board.puzzle
        self._teller = Teller(way)

    def steps(self) -> Iterator[Slide]:
        """Yield a slide for each step."""
        return map(self.step, self._way.steps)

    def step(self, step: Deduction) -> Slide:
        """Return the slide of a step: the board before it, with the step highlighted."""
        teller = self._teller
        digits = digits_after(self._way, step.number - 1)
        text = teller.word(step, digits, Wording.USUAL)
        heading = f"{teller.result_of(step)} ({step.technique.value})"
        shown = self._show(step, marks_of_step(self._way.board, step, digits))
        # The full wording starts with the usual one; the page folds the addition.
        rest = teller.word(step, digits, Wording.FULL).removeprefix(text).strip()
        return Slide(self.board(step.number - 1, shown), heading, text, rest, step.number)

    def end(self) -> Slide:
        """Return the slide of the ending."""
        way, count = self._way, len(self._way.steps)
        if way.dead_end is not None:
            picture = self.board(count, self.dead_end(way.dead_end))
            return Slide(picture, "A contradiction", self._teller.dead_end())
        if way.is_full:
            return Slide(self.board(count), "The solution")
        return Slide(self.board(count), f"As far as {count_of(count, 'step')} lead")

    def board(self, count: int, shown: _Shown | None = None) -> Picture:
        """Return the board after so many steps, with the remaining candidates.

        `Step.before` is not used: it may lack candidates that left-out steps excluded, and no
        candidate may vanish between two slides without a step.
        """
        shown = shown or _Shown()
        grid = Grid(self._puzzle.geometry, tuple(digits_after(self._way, count)))
        picture = self.grid(grid, shown.cells)
        candidates: dict[int, list[int]] = {
            cell: [] for cell, digit in enumerate(grid.digits) if digit == EMPTY
        }
        for cell, digit in self._places(left_after(self._way, count)):
            if cell in candidates:
                candidates[cell].append(digit)
        return picture.showing(
            {cell: tuple(digits) for cell, digits in candidates.items()},
            shown.places,
            shown.arrows,
            shown.shades,
        )

    def grid(self, grid: Grid, cells: Mapping[int, Emphasis]) -> Picture:
        """Return a grid without candidates, with the names of rows and columns that steps use."""
        return picture_of(self._puzzle, grid, marked=cells).titled("").with_labels()

    def dead_end(self, truth: Truth) -> _Shown:
        """Return the highlights of a truth that the steps leave empty, and of what blocks it."""
        shown = _Shown()
        _show_empty(shown, truth)
        digits = digits_after(self._way, len(self._way.steps))
        sight = sight_of(self._puzzle)
        blocks, _ = sight.cover(digits, sight.missing(truth, digits))
        shown.cells.update(dict.fromkeys((block.cell for block in blocks), Emphasis.USED))
        return shown

    def _show(self, step: Deduction, marks: Marks) -> _Shown:
        """Return the highlights of a step.

        A cell has only one emphasis: the more important placement is set after the block.
        """
        shown = _Shown()
        for candidate, role in marks.roles.items():
            shown.places[self._place(candidate)] = _EMPHASIS_OF[role]
        if step.places is None and not step.stories:
            # The cells of the pattern that the text names.
            goes = set(step.excludes)
            cells = {self._place(c).cell for c in marks.roles if c not in goes}
            shown.shades.append(Shade(tuple(sorted(cells))))
        shown.arrows += (self._arrow(link) for link in marks.links)
        for candidate in step.excludes:
            shown.cells[self._place(candidate).cell] = Emphasis.EXCLUDED
        shown.cells.update(dict.fromkeys(marks.blocks, Emphasis.USED))
        if step.places is not None:
            shown.cells[self._place(step.places).cell] = Emphasis.PLACED
            unit = step.truths[0].unit
            if unit is not None:
                shown.shades.append(Shade(unit.cells))
        for story in step.stories:
            for dead_end in _dead_ends(story):
                _show_empty(shown, dead_end)
        return shown

    def _arrow(self, link: Link) -> Arrow:
        return Arrow(self._place(link.first), self._place(link.second), link.is_strong)

    def _place(self, candidate: int) -> Place:
        return Place(*self._way.board.placements[candidate])

    def _places(self, mask: int) -> Iterator[Place]:
        return map(self._place, candidates_of(mask))


def _show_empty(shown: _Shown, truth: Truth) -> None:
    """Highlight a truth with no member left: its cell, or the cells of its unit."""
    if truth.unit is None:
        shown.cells[truth.cell] = Emphasis.CLASHING
    else:
        shown.shades.append(Shade(truth.unit.cells))


def _dead_ends(story: Story) -> Iterator[Truth]:
    """Yield the truths that the story's cases leave empty, then that of the story itself."""
    for item in story.items:
        if isinstance(item, Story):
            yield from _dead_ends(item)
    yield story.dead_end
