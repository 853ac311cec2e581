"""Make pictures of puzzles, of grids, and of answers about a puzzle."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from satdoku.errors import count_of, join
from satdoku.notation.spelling import USUAL, Spelling, spelling_by_symbols
from satdoku.picture.picture import Emphasis, Picture, Show, Sketch, Slide
from satdoku.puzzle.candidates import find_candidates, find_missing
from satdoku.puzzle.constraints import digits_of
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.drawn import Border, Line
from satdoku.puzzle.verdict import Outcome


def picture_of(
    puzzle: Puzzle,
    grid: Grid | None = None,
    spelling: Spelling = USUAL,
    marked: Collection[int] | Mapping[int, Emphasis] = (),
) -> Picture:
    """Return a picture of the puzzle, or of a grid on its board; `marked` cells are highlighted."""
    # A plain collection means "different"; a mapping gives another emphasis for each cell.
    if not isinstance(marked, Mapping):
        marked = dict.fromkeys(sorted(marked), Emphasis.DIFFERENT)
    geometry, shown = puzzle.geometry, grid or puzzle.grid
    return Picture(
        geometry,
        tuple(spelling_by_symbols(puzzle, spelling).names(geometry.size)),
        shown.digits,
        frozenset(puzzle.givens),
        tuple(drawn for rule in puzzle.rules for drawn in rule.drawing_on(geometry, shown.digits)),
        cells=marked,
        captions=tuple(_captions(puzzle)),
        sentences=tuple(_sentences(puzzle)),
        title=puzzle.name,
    )


def _captions(puzzle: Puzzle) -> Iterator[str]:
    """Yield a legend for the shapes of rules, one line for equal ones (there may be 30 cages).

    Rows, columns and boxes need no legend.
    """
    geometry = puzzle.geometry
    begins: dict[str, list[str]] = {}
    for rule in puzzle.further_rules:
        lines = [each for each in rule.drawing(geometry) if isinstance(each, Line)]
        names = [geometry.name_of(line.cells[0]) for line in lines]
        begins.setdefault(rule.caption(geometry), []).extend(names)
    # Lines of several kinds are also identified by where they begin: colours are lost in
    # characters, in print and for colour-blind readers, and two rules may share one.
    has_kinds = sum(map(bool, begins.values())) > 1
    for caption, names in begins.items():
        what, colon, meaning = caption.partition(":")
        if has_kinds and names:
            yield f"{what} from {join(names)}{colon}{meaning}"
        elif caption:
            yield caption


def _sentences(puzzle: Puzzle) -> Iterator[str]:
    """Yield a line for each rule that borders do not show."""
    for rule in puzzle.further_rules:
        # A board of characters shows borders only, so rules with other shapes need a sentence too.
        kinds = set(map(type, rule.drawing(puzzle.geometry)))
        if kinds != {Border}:
            yield f"{rule.name}: {rule.sentence(puzzle.geometry)}"


def picture_with_candidates(
    puzzle: Puzzle,
    digits_at: Sequence[Collection[int]] | None = None,
    spelling: Spelling = USUAL,
) -> Picture:
    """Return the puzzle with small digits: those given, or what givens and rules leave."""
    found: dict[int, tuple[int, ...]]
    if digits_at is None:
        # Found without a solver: the pencil marks of a person before the first step.
        masks = find_candidates(puzzle, find_missing(puzzle))
        found = {cell: tuple(digits_of(mask)) for cell, mask in masks}
    else:
        found = {cell: tuple(sorted(digits)) for cell, digits in enumerate(digits_at)}
    return picture_of(puzzle, spelling=spelling).with_candidates(found)


def pictures_of_outcome(outcome: Outcome, spelling: Spelling = USUAL) -> tuple[Picture, ...]:
    """Return the solution, two of them with their differences, or the givens that clash."""
    puzzle = outcome.puzzle
    if outcome.second is not None and outcome.solution is not None:
        # Both boards mark the same cells, for comparison.
        marked = outcome.differences
        titles = ("one solution", "another one")
        return tuple(
            picture_of(puzzle, grid, spelling, marked).titled(_joined(puzzle.name, title))
            for grid, title in zip((outcome.solution, outcome.second), titles, strict=True)
        )
    clashing = {cell: Emphasis.CLASHING for clash in outcome.clashes for cell in clash.cells}
    return (picture_of(puzzle, outcome.solution, spelling, clashing),)


def sketch_of_outcome(outcome: Outcome) -> Sketch:
    """Return the pictures of an outcome as a sketch, which can be sent with a row."""
    return Sketch(pictures_of_outcome(outcome))


def show_of_outcome(outcome: Outcome, summary: str, clash: Collection[int] = ()) -> Show:
    """Return slides with the givens and the evidence; `clash` are givens without a common grid."""
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
