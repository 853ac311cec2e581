"""The library in a few calls. A puzzle is a text, a list of rows, a Puzzle, or a Grid.

Each name is imported when a program first asks for it: one that solves a puzzle should not wait for
what explains, rates and makes puzzles.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from satdoku.puzzle.showing import show_later

if TYPE_CHECKING:
    from satdoku.api.calling import Progress
    from satdoku.api.explaining import (
        candidates,
        explain,
        hint,
        smallest_clash,
        tell_steps,
        to_object,
        to_text,
        walk,
        why,
    )
    from satdoku.api.making import canonical, estimate, generate, minimize, rate, rate_all
    from satdoku.api.many import check_many, solve_many
    from satdoku.api.puzzles import AnyPuzzle, parse
    from satdoku.api.solving import UnsolvedError, check, count, solutions, solve, solve_in_place
    from satdoku.api.tables import check_frame, solve_array
    from satdoku.api.writing import Drawable, draw, encode, slides, to_cnf, to_page, write
    from satdoku.encoding.choices import Encoding, Method
    from satdoku.encoding.constraint import ClauseGroup
    from satdoku.errors import FormatError, SatdokuError
    from satdoku.explaining.clash import SmallestClash
    from satdoku.explaining.explain import Explanation
    from satdoku.explaining.hint import Hint
    from satdoku.explaining.step import Level, Step, Technique
    from satdoku.explaining.true_candidates import TrueCandidates
    from satdoku.explaining.way import Way
    from satdoku.explaining.why import Answer
    from satdoku.explaining.words.steps import Wording
    from satdoku.making.canonical import Canonical
    from satdoku.making.generated import Generated
    from satdoku.making.minimizer import Minimized, Minimizer
    from satdoku.picture.picture import Show, Slide
    from satdoku.puzzle.geometry import Geometry
    from satdoku.puzzle.grid import Grid
    from satdoku.puzzle.puzzle import Puzzle
    from satdoku.puzzle.rules.rule import Clash, Rule
    from satdoku.puzzle.symmetry import Symmetry
    from satdoku.puzzle.verdict import Outcome, Statistics, Verdict
    from satdoku.rating.estimate import Estimate
    from satdoku.rating.rater import Rated
    from satdoku.rating.rating import Rating
    from satdoku.solving.limits import LimitReachedError, Limits
    from satdoku.solving.questions import Count
    from satdoku.solving.settings import Settings

# The same once more, for programs that run; a test compares the two.
_NAMES_IN = {
    "satdoku.api.explaining": (
        "candidates",
        "explain",
        "hint",
        "smallest_clash",
        "tell_steps",
        "to_object",
        "to_text",
        "walk",
        "why",
    ),
    "satdoku.api.tables": ("check_frame", "solve_array"),
    "satdoku.api.making": ("canonical", "estimate", "generate", "minimize", "rate", "rate_all"),
    "satdoku.api.many": ("check_many", "solve_many"),
    "satdoku.api.calling": ("Progress",),
    "satdoku.api.puzzles": ("AnyPuzzle", "parse"),
    "satdoku.api.solving": (
        "UnsolvedError",
        "check",
        "count",
        "solutions",
        "solve",
        "solve_in_place",
    ),
    "satdoku.api.writing": (
        "Drawable",
        "draw",
        "encode",
        "slides",
        "to_cnf",
        "to_page",
        "write",
    ),
    "satdoku.encoding.choices": ("Encoding", "Method"),
    "satdoku.encoding.constraint": ("ClauseGroup",),
    "satdoku.errors": ("FormatError", "SatdokuError"),
    "satdoku.explaining.clash": ("SmallestClash",),
    "satdoku.explaining.explain": ("Explanation",),
    "satdoku.explaining.hint": ("Hint",),
    "satdoku.explaining.step": ("Level", "Step", "Technique"),
    "satdoku.explaining.true_candidates": ("TrueCandidates",),
    "satdoku.explaining.why": ("Answer",),
    "satdoku.explaining.words.steps": ("Wording",),
    "satdoku.explaining.way": ("Way",),
    "satdoku.making.generated": ("Generated",),
    "satdoku.making.minimizer": ("Minimized", "Minimizer"),
    "satdoku.picture.picture": ("Show", "Slide"),
    "satdoku.puzzle.geometry": ("Geometry",),
    "satdoku.puzzle.grid": ("Grid",),
    "satdoku.puzzle.puzzle": ("Puzzle",),
    "satdoku.puzzle.rules.rule": ("Clash", "Rule"),
    "satdoku.puzzle.symmetry": ("Symmetry",),
    "satdoku.puzzle.verdict": ("Outcome", "Statistics", "Verdict"),
    "satdoku.rating.estimate": ("Estimate",),
    "satdoku.rating.rater": ("Rated",),
    "satdoku.rating.rating": ("Rating",),
    "satdoku.solving.limits": ("LimitReachedError", "Limits"),
    "satdoku.solving.questions": ("Count",),
    "satdoku.solving.settings": ("Settings",),
    "satdoku.making.canonical": ("Canonical",),
}

__all__ = [
    "Answer",
    "AnyPuzzle",
    "Canonical",
    "Clash",
    "ClauseGroup",
    "Count",
    "Drawable",
    "Encoding",
    "Estimate",
    "Explanation",
    "FormatError",
    "Generated",
    "Geometry",
    "Grid",
    "Hint",
    "Level",
    "LimitReachedError",
    "Limits",
    "Method",
    "Minimized",
    "Minimizer",
    "Outcome",
    "Progress",
    "Puzzle",
    "Rated",
    "Rating",
    "Rule",
    "SatdokuError",
    "Settings",
    "Show",
    "Slide",
    "SmallestClash",
    "Statistics",
    "Step",
    "Symmetry",
    "Technique",
    "TrueCandidates",
    "UnsolvedError",
    "Verdict",
    "Way",
    "Wording",
    "candidates",
    "canonical",
    "check",
    "check_frame",
    "check_many",
    "count",
    "draw",
    "encode",
    "estimate",
    "explain",
    "generate",
    "hint",
    "minimize",
    "parse",
    "rate",
    "rate_all",
    "slides",
    "smallest_clash",
    "solutions",
    "solve",
    "solve_array",
    "solve_in_place",
    "solve_many",
    "tell_steps",
    "to_cnf",
    "to_object",
    "to_page",
    "to_text",
    "walk",
    "why",
    "write",
]


def __getattr__(name: str) -> Any:
    for module, names in _NAMES_IN.items():
        if name in names:
            found = getattr(import_module(module), name)
            # From now on Python finds the name without asking here.
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _bring_printers() -> None:
    from satdoku.api.showing import bring_printers

    bring_printers()


# Objects are made by programs that never show one, and these should not wait for what draws.
show_later(_bring_printers)
