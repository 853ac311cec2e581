"""Hints, explanations step by step, and why a digit stands or does not stand in a cell."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from satdoku.errors import SatdokuError, member_named
from satdoku.explaining import explain as explaining
from satdoku.explaining.explain import Scope
from satdoku.explaining.hint import Hint, find_hint
from satdoku.explaining.slides import end_of, slide_of, slides_of
from satdoku.explaining.step import Level
from satdoku.explaining.true_candidates import find_true_candidates
from satdoku.explaining.way import Way
from satdoku.explaining.why import Answer, answer, read_question, why_excluded_everywhere
from satdoku.output.words import sentence
from satdoku.picture.making import picture_of
from satdoku.picture.picture import Emphasis, Slide
from satdoku.picture.slides import SlideObjects
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.drawn import Shade
from satdoku.puzzle.verdict import Verdict
from satdoku.serving.boards import read_digits, read_puzzle
from satdoku.solving.limits import Budget, Limits

Part = dict[str, Any]


def hint(message: Mapping[str, Any], limits: Limits) -> Iterator[Part]:
    """The next step after the digits that were entered, told in three parts and as a slide."""
    puzzle = read_puzzle(message.get("puzzle"))
    entered = message.get("entered")
    grid = None
    if entered is not None:
        grid = Grid(puzzle.geometry, read_digits(entered, "entered"))
    yield _hint_part(find_hint(puzzle, grid, limits))


def _hint_part(found: Hint) -> Part:
    part: Part = {"part": "hint", "verdict": found.outcome.verdict.value}
    if found.wrong:
        part["wrong"] = list(found.wrong)
    if found.way is None:
        return part if found.wrong else {**part, "text": f"no step: {sentence(found.outcome)}"}
    part |= {"where": found.where, "what": found.what, "how": found.how}
    slide = slide_of(found.way)
    return part | {"slide": _slides(found.way.board.puzzle).of(slide)}


def walk(message: Mapping[str, Any], limits: Limits) -> Iterator[Part]:
    """The steps of an explanation, each as soon as it is proved, and what they lead to."""
    puzzle = read_puzzle(message.get("puzzle"))
    scope = Scope(member_named(Level, message.get("level", Level.ALL.value)), limits)
    slides = _slides(puzzle)
    told, way = 0, None
    for way in explaining.walk(puzzle, scope):
        # The last one says how the way ends, and has no further step.
        if len(way.steps) > told:
            told = len(way.steps)
            yield {"part": "step", **slides.of(slide_of(way))}
    if way is None:
        yield {"part": "end", **slides.of(_clashing(puzzle))}
        return
    yield {"part": "end", "settled": way.is_settled, **slides.of(end_of(way))}
    if not way.is_complete:
        Budget(limits).require()


def why(message: Mapping[str, Any], limits: Limits) -> Iterator[Part]:
    """Why a cell has a digit, or has not: a sentence, and the steps that lead to it."""
    puzzle = read_puzzle(message.get("puzzle"))
    text = message.get("question")
    if not isinstance(text, str):
        raise SatdokuError("the entry 'question' is a text such as r4c5, r4c5=7 or r4c5!=3")
    question = read_question(text, puzzle)
    explanation = explaining.explain(puzzle, Scope(limits=limits))
    answers: Iterable[Answer]
    if explanation.verdict is Verdict.UNIQUE or not explanation.is_complete:
        answers = (answer(question, explanation.way),)
    else:
        true = find_true_candidates(puzzle, Budget(limits))
        answers = why_excluded_everywhere(question, explanation.way, true)
    for each in answers:
        yield {"part": "why", "text": each.sentence}
        if each.way is not None:
            yield from _steps_of(each.way)


def _steps_of(way: Way) -> Iterator[Part]:
    slides = _slides(way.board.puzzle)
    for slide in slides_of(way):
        yield {"part": "step", **slides.of(slide)}


def _clashing(puzzle: Puzzle) -> Slide:
    """The slide of a puzzle whose givens clash: no step leads anywhere."""
    clashes = list(find_clashes(puzzle))
    cells = {cell: Emphasis.CLASHING for clash in clashes for cell in clash.cells}
    text = ". ".join(clash.describe(puzzle.name_of_digit) for clash in clashes)
    return Slide(picture_of(puzzle, marked=cells), "Two givens clash", text)


def _slides(puzzle: Puzzle) -> SlideObjects:
    # Rules shade cells too, and the board below shows these already.
    drawn = (shape for rule in puzzle.rules for shape in rule.drawing(puzzle.geometry))
    return SlideObjects(sum(isinstance(shape, Shade) for shape in drawn))
