"""An explanation as slides: a picture of each step, with what it uses and what it settles."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from satdoku.encoding.variables import Placement
from satdoku.errors import count_of
from satdoku.explaining.board import Truth, candidates_of
from satdoku.explaining.explain import Explanation
from satdoku.explaining.sight import Sight
from satdoku.explaining.step import Placed, Step, Story
from satdoku.explaining.trace import digits_after, left_after
from satdoku.explaining.way import Way
from satdoku.explaining.words.explanation import describe, numbered
from satdoku.explaining.words.steps import Teller, Wording
from satdoku.explaining.words.stories import chain_start
from satdoku.notation.spelling import USUAL, Spelling
from satdoku.picture.making import picture_of
from satdoku.picture.picture import Arrow, Emphasis, Picture, Place
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.drawn import Shade
from satdoku.render.slides import Show, Slide


def show_of(explanation: Explanation, spelling: Spelling = USUAL) -> Show:
    """The givens, every step, and the end: the solution, the contradiction, or two solutions."""
    told = set(numbered(explanation.way))
    summary = " ".join(part.strip() for part in describe(explanation) if part not in told)
    painter = _Painter(explanation.way, spelling)
    first = Slide(painter.board(0), f"The givens ({explanation.verdict.value})")
    slides = (first, *painter.steps(), *_ends(explanation, painter))
    return Show(explanation.puzzle.name or "Sudoku", summary, slides)


def _ends(explanation: Explanation, painter: "_Painter") -> Iterator[Slide]:
    """What the steps lead to."""
    puzzle, way, first = explanation.puzzle, explanation.way, explanation.solution
    count = len(way.steps)
    if explanation.clashes:
        cells = {cell: Emphasis.CLASHING for clash in explanation.clashes for cell in clash.cells}
        text = ". ".join(clash.describe(puzzle.name_of_digit) for clash in explanation.clashes)
        yield Slide(painter.board(count, _Shown(cells)), "Two givens clash", text)
    elif way.dead_end is not None:
        shown = _Shown()
        painter.show_dead_end(shown, way.dead_end, way.board.every_candidate, count)
        yield Slide(painter.board(count, shown), "A contradiction", Teller(way).dead_end())
    elif way.is_full:
        yield Slide(painter.board(count), "The solution")
    elif explanation.nearest is not None and first is not None:
        cells = dict.fromkeys(explanation.nearest.cells, Emphasis.DIFFERENT)
        for heading, grid in (("One solution", first), ("Another", explanation.nearest.grid)):
            yield Slide(painter.grid(grid, cells), heading)
    else:
        yield Slide(painter.board(count), f"As far as {count_of(count, 'step')} lead")


@dataclass
class _Shown:
    """What is pointed out on one picture, while it is gathered."""

    cells: dict[int, Emphasis] = field(default_factory=dict)
    places: dict[Place, Emphasis] = field(default_factory=dict)
    arrows: list[Arrow] = field(default_factory=list)
    shades: list[Shade] = field(default_factory=list)


class _Painter:
    """The pictures of one way."""

    def __init__(self, way: Way, spelling: Spelling) -> None:
        self._way = way
        self._puzzle: Puzzle = way.board.puzzle
        self._spelling = spelling
        self._sight = Sight(self._puzzle)

    def steps(self) -> Iterator[Slide]:
        """A slide for each step: the board before it, and what the step does there."""
        teller = Teller(self._way)
        texts = teller.tell()
        details = teller.tell(Wording.FULL)
        for step, text, full in zip(self._way.steps, texts, details, strict=True):
            heading = f"{teller.result_of(step)} ({step.technique.value})"
            shown = self._show(step)
            rest = full.removeprefix(text).strip()
            picture = self.board(step.number - 1, shown, step.before)
            yield Slide(picture, heading, text, rest)

    def board(self, count: int, shown: _Shown | None = None, left: int | None = None) -> Picture:
        """The board after so many steps, with the candidates that they leave."""
        shown = shown or _Shown()
        left = left_after(self._way, count) if left is None else left
        grid = Grid(self._puzzle.geometry, tuple(digits_after(self._way, count)))
        picture = self.grid(grid, shown.cells)
        candidates: dict[int, list[int]] = {
            cell: [] for cell, digit in enumerate(grid.digits) if digit == EMPTY
        }
        for cell, digit in self._places(left):
            if cell in candidates:
                candidates[cell].append(digit)
        return picture.showing(
            {cell: tuple(digits) for cell, digits in candidates.items()},
            shown.places,
            shown.arrows,
            shown.shades,
        )

    def grid(self, grid: Grid, cells: Mapping[int, Emphasis]) -> Picture:
        """A grid without candidates, with names of rows and columns, by which steps speak."""
        return picture_of(self._puzzle, grid, self._spelling, cells).titled("").with_labels()

    def show_dead_end(self, shown: _Shown, truth: Truth, before: int, count: int) -> None:
        """Points out a truth that nothing is left of."""
        if truth.unit is None:
            shown.cells[truth.cell] = Emphasis.CLASHING
            places = [
                Placement(truth.cell, digit) for digit in range(1, self._puzzle.geometry.size + 1)
            ]
        else:
            shown.shades.append(Shade(truth.unit.cells))
            places = [Placement(cell, truth.digit) for cell in truth.unit.cells]
        self._show_blocking(shown, places, count)

    def _show(self, step: Step) -> _Shown:
        shown = _Shown()
        members = 0
        for truth in step.truths:
            members |= truth.members
        for place in self._places(members & step.before):
            shown.places[place] = Emphasis.USED
        for place in map(self._place, step.excludes):
            shown.places[place] = Emphasis.EXCLUDED
            shown.cells[place.cell] = Emphasis.EXCLUDED
        if step.places is not None:
            place = self._place(step.places)
            shown.places[place] = Emphasis.PLACED
            self._show_single(shown, step, place)
            shown.cells[place.cell] = Emphasis.PLACED
        if step.chain:
            self._show_chain(shown, step)
        elif step.story is not None:
            self._show_story(shown, step.story, step.before, [])
        return shown

    def _show_single(self, shown: _Shown, step: Step, place: Place) -> None:
        truth = step.truths[0]
        if truth.unit is None:
            others = range(1, self._puzzle.geometry.size + 1)
            places = [Placement(place.cell, digit) for digit in others if digit != place.digit]
        else:
            shown.shades.append(Shade(truth.unit.cells))
            places = [
                Placement(cell, truth.digit) for cell in truth.unit.cells if cell != place.cell
            ]
        self._show_blocking(shown, places, step.number - 1)

    def _show_blocking(self, shown: _Shown, places: Sequence[Placement], count: int) -> None:
        """Points out the filled cells that keep digits out of empty ones."""
        digits = digits_after(self._way, count)
        blocked = [place for place in places if digits[place.cell] == EMPTY]
        for cell in self._sight.cover(digits, blocked)[0]:
            shown.cells[cell] = Emphasis.USED

    def _show_chain(self, shown: _Shown, step: Step) -> None:
        """Strong links as they are; between two of them weak ones."""
        here = chain_start(step)
        for link in step.chain:
            others = list(candidates_of(link.truth.members & step.before & ~(1 << link.candidate)))
            for other in others:
                if other != here:
                    shown.arrows.append(self._arrow(here, other, is_strong=False))
                shown.arrows.append(self._arrow(other, link.candidate))
            here = link.candidate

    def _show_story(self, shown: _Shown, story: Story, before: int, holding: Sequence[int]) -> None:
        """Each placement with arrows from what takes away the rest of its truth."""
        known = [*holding, story.suppose]
        for item in story.items:
            if isinstance(item, Story):
                self._show_story(shown, item, before, known)
            else:
                self._show_placed(shown, item, before, known)
                known.append(item.candidate)
        if story.dead_end.unit is None:
            shown.cells[story.dead_end.cell] = Emphasis.CLASHING
        else:
            shown.shades.append(Shade(story.dead_end.unit.cells))

    def _show_placed(
        self, shown: _Shown, placed: Placed, before: int, known: Sequence[int]
    ) -> None:
        shown.places[self._place(placed.candidate)] = Emphasis.USED
        others = placed.truth.members & before & ~(1 << placed.candidate)
        for holding in known:
            if self._way.board.links[holding] & others:
                shown.arrows.append(self._arrow(holding, placed.candidate, is_strong=False))

    def _arrow(self, start: int, end: int, is_strong: bool = True) -> Arrow:
        return Arrow(self._place(start), self._place(end), is_strong)

    def _place(self, candidate: int) -> Place:
        return Place(*self._way.board.placements[candidate])

    def _places(self, mask: int) -> Iterator[Place]:
        return map(self._place, candidates_of(mask))
