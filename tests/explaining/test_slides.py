"""Slides show what steps say: what goes, what stays, and where the steps lead."""

from functools import lru_cache

import pytest

from satdoku.encoding.variables import Placement
from satdoku.explaining.board import candidates_of
from satdoku.explaining.explain import Explanation, explain
from satdoku.explaining.slides import show_of
from satdoku.picture.picture import Emphasis, Place, Show
from satdoku.puzzle.puzzle import Puzzle
from tests.commands import AMBIGUOUS, CLASHING, EASY, IMPOSSIBLE, SMALL
from tests.crossing import sampled

# With chains and nets among its steps.
HARDER = "1....7.9..3..2...8..96..5....53..9...1..8..426....4...3......1..4......7..7...3.."
# Without a solution; most of the steps found are not among those that the contradiction rests on.
BROKEN = "12...7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
LINES = {"easy": EASY, "harder": HARDER, "small": SMALL}


@lru_cache
def shown(line: str) -> tuple[Explanation, Show]:
    explanation = explain(Puzzle.from_line(line))
    return explanation, show_of(explanation)


@sampled(2, "line", LINES.values(), ids=LINES)
def test_the_last_slide_shows_the_solution(line: str) -> None:
    explanation, show = shown(line)
    assert explanation.solution is not None
    assert show.slides[-1].heading == "The solution"
    assert show.slides[-1].picture.digits == explanation.solution.digits
    assert len(show.slides) == len(explanation.way.steps) + 2


def test_slides_have_the_numbers_that_sentences_name() -> None:
    explanation, show = shown(HARDER)
    numbers = [step.number for step in explanation.way.steps]
    assert [slide.number for slide in show.slides] == [0, *numbers, 0]
    titles = [board.title for board in show.sketch().boards]
    assert (titles[0], titles[1], titles[-1]) == (
        "The givens",
        f"1. {show.slides[1].heading}",
        "The solution",
    )


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_each_slide_points_out_what_its_step_settles(line: str) -> None:
    explanation, show = shown(line)
    placements = explanation.way.board.placements
    for step, slide in zip(explanation.way.steps, show.slides[1:-1], strict=True):
        picture = slide.picture
        goes = {place for place, why in picture.places.items() if why is Emphasis.EXCLUDED}
        assert goes == {Place(*placements[candidate]) for candidate in step.excludes}
        placed = {place for place, why in picture.places.items() if why is Emphasis.PLACED}
        wanted = set() if step.places is None else {Place(*placements[step.places])}
        assert placed == wanted
        for place in picture.places:
            assert place.digit in picture.small_digits[place.cell]


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_arrows_lead_from_candidate_to_candidate(line: str) -> None:
    explanation, show = shown(line)
    board = explanation.way.board
    for step, slide in zip(explanation.way.steps, show.slides[1:-1], strict=True):
        reached = {arrow.end for arrow in slide.picture.arrows if arrow.is_strong}
        ends = [candidates_of(link.on)[0] for link in step.chain]
        assert reached == {Place(*board.placements[end]) for end in ends}
        for arrow in slide.picture.arrows:
            start, end = board.number_of[arrow.start], board.number_of[arrow.end]  # type: ignore[index]
            # A strong link is a truth's, a weak one of a chain a link's.
            if step.chain and not arrow.is_strong:
                assert board.links[start] >> end & 1


@sampled(2, "line", [*LINES.values(), IMPOSSIBLE, BROKEN])
def test_nothing_vanishes_between_two_slides_but_by_the_step(line: str) -> None:
    explanation, show = shown(line)
    board, steps = explanation.way.board, explanation.way.steps
    pictures = [slide.picture for slide in show.slides[1 : len(steps) + 1]]
    for step, before, after in zip(steps, pictures, pictures[1:], strict=False):
        gone = {
            board.number_of[Placement(cell, digit)]
            for cell, digits in before.small_digits.items()
            for digit in digits
            if cell in after.small_digits and digit not in after.small_digits[cell]
        }
        links = 0 if step.places is None else board.links[step.places]
        assert gone <= set(step.excludes) | set(candidates_of(links))


def test_no_candidate_of_the_solution_ever_goes() -> None:
    explanation, show = shown(HARDER)
    assert explanation.solution is not None
    solution = set(enumerate(explanation.solution.digits))
    for slide in show.slides:
        goes = {p for p, why in slide.picture.places.items() if why is Emphasis.EXCLUDED}
        assert not {(place.cell, place.digit) for place in goes} & solution


def test_other_verdicts_end_with_their_evidence() -> None:
    _, clash = shown(CLASHING)
    assert Emphasis.CLASHING in clash.slides[-1].picture.cells.values()
    _, none = shown(IMPOSSIBLE)
    assert none.slides[-1].heading == "A contradiction"
    assert none.slides[-1].text
    explanation, several = shown(AMBIGUOUS)
    assert explanation.nearest is not None
    assert [slide.heading for slide in several.slides[-2:]] == ["One solution", "Another"]
    assert set(several.slides[-1].picture.cells) == set(explanation.nearest.cells)
