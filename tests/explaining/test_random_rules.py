"""Every question about puzzles with random rules, most of them without a solution or ambiguous."""

import random

from satdoku.answering.counter import Narrower
from satdoku.answering.explainer import ALL, CandidateFinder, Explainer
from satdoku.answering.fact_finder import FactFinder, Prose
from satdoku.answering.hinter import HintFinder
from satdoku.answering.rater import Rater
from satdoku.answering.reducer import Reducer
from satdoku.explaining.words.explanation import Style
from satdoku.explaining.words.steps import Wording
from satdoku.picture.documents import DocumentKind, write_sketches
from satdoku.picture.picture import Show, Sketch, picture_of
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Limits
from tests.crossing import few_or_many
from tests.explaining.samples import random_puzzles

# A few puzzles would take a minute.
LIMITS = Limits(conflicts=2000)

FULL = Style(Wording.FULL, has_boards=True)
EUREKA = Style(Wording.BRIEF, is_ascii=True, is_eureka=True)
FINDERS: list[FactFinder] = [
    Explainer(Prose(), LIMITS, is_shown=True, keeps_all_steps=True),
    Explainer(Prose(), LIMITS, style=FULL, assumes_unique=True),
    Explainer(Prose(), LIMITS, style=EUREKA, questions=("r1c1", "r2c3!=4")),
    Explainer(Prose(), LIMITS, has_report=True),
    HintFinder(Prose(), LIMITS, more=3),
    HintFinder(Prose(), LIMITS, lists_all=True),
    CandidateFinder(Prose(), LIMITS, questions=(ALL, "r1c1"), is_drawn=True),
    CandidateFinder(Prose(), LIMITS, cap=3, has_equal=True),
    Rater(Prose(), LIMITS, has_steps=True),
    Reducer(Prose(), LIMITS, with_clues=True),
    Narrower(Prose(), LIMITS),
]


def ask_everything(puzzle: Puzzle) -> None:
    write_sketches([Sketch((picture_of(puzzle),))], DocumentKind.SVG)
    for finder in FINDERS:
        facts = finder.facts(puzzle)
        assert "this is a bug" not in facts.line, facts.line
        shown = facts.result.sketch() if isinstance(facts.result, Show) else facts.result
        if isinstance(shown, Sketch):
            write_sketches([shown], DocumentKind.SVG)


@few_or_many("count", 4, 600)
def test_no_puzzle_leads_to_an_unexpected_error(count: int) -> None:
    for puzzle in random_puzzles(random.Random(1), count):
        try:
            ask_everything(puzzle)
        except Exception as error:
            raise AssertionError(f"{puzzle.grid.digits} {puzzle.rule_texts}") from error
