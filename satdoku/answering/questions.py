"""The questions about a puzzle by command name, and the answerer of each."""

from importlib import import_module

from satdoku.answering.answerer import PuzzleAnswerer
from satdoku.errors import SatdokuError

# Module and class of each answerer. They are imported on demand, as a program needs few of them.
QUESTIONS = {
    "check": ("checker", "Checker"),
    "solve": ("checker", "Checker"),
    "count": ("counter", "Counter"),
    "explain": ("explainer", "Explainer"),
    "hint": ("hinter", "HintFinder"),
    "candidates": ("explainer", "CandidateFinder"),
    "rate": ("rater", "Rater"),
    "minimize": ("reducer", "Reducer"),
    "narrow": ("narrower", "Narrower"),
    "canonical": ("twins", "CanonicalFinder"),
}


def answerer_of(question: object) -> type[PuzzleAnswerer]:
    """Return the class that answers a question; raise SatdokuError for an unknown name."""
    if not isinstance(question, str) or question not in QUESTIONS:
        raise SatdokuError(f"the entry 'question' is one of: {', '.join(QUESTIONS)}")
    file, name = QUESTIONS[question]
    found: type[PuzzleAnswerer] = getattr(import_module(f"satdoku.answering.{file}"), name)
    return found
