"""Questions that exist as commands too, answered by the answerers of these commands."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from satdoku.answering.answerer import PuzzleAnswerer
from satdoku.answering.asked import options_of, read_entries
from satdoku.answering.fact_finder import Json, Plain
from satdoku.answering.maker import Wanted
from satdoku.answering.output.ending import Ending
from satdoku.answering.task import Facts
from satdoku.errors import SatdokuError
from satdoku.puzzle.puzzle import Puzzle
from satdoku.serving.messages import read_puzzle
from satdoku.solving.limits import Budget, LimitReachedError, Limits

# Module and class of the answerer of each question, by the name of its command. They are imported
# on demand, as a program needs few of them.
QUESTIONS = {
    "check": ("checker", "Checker"),
    "solve": ("checker", "Checker"),
    "count": ("counter", "Counter"),
    "explain": ("explainer", "Explainer"),
    "hint": ("hinter", "HintFinder"),
    "candidates": ("explainer", "CandidateFinder"),
    "rate": ("rater", "Rater"),
    "minimize": ("reducer", "Reducer"),
    "narrow": ("counter", "Narrower"),
    "canonical": ("twins", "CanonicalFinder"),
}


def answerer_of(question: object) -> type[PuzzleAnswerer]:
    """Return the class that answers a question; raise SatdokuError for an unknown name."""
    if not isinstance(question, str) or question not in QUESTIONS:
        raise SatdokuError(f"the entry 'question' is one of: {', '.join(QUESTIONS)}")
    file, name = QUESTIONS[question]
    found: type[PuzzleAnswerer] = getattr(import_module(f"satdoku.answering.{file}"), name)
    return found


Part = dict[str, Any]

# The entries of a message that belong to every question.
_OF_ALL = frozenset({"id", "ask", "lane", "seconds", "question", "puzzle"})


def facts(message: Mapping[str, Any], limits: Limits) -> Iterator[Part]:
    """Answer a question as its command does for a single puzzle.

    The entry `line` is the text of the answer; all other entries are those that the command prints
    with `--json`.
    """
    kind, puzzle = answerer_of(message.get("question")), read_puzzle(message.get("puzzle"))
    found = kind(Json(True), **read_fields(kind, message)).facts(puzzle, Budget(limits))
    yield {"part": "facts", "line": found.line, **found.values}


def find_facts(
    question: str, message: Mapping[str, Any], puzzle: Puzzle, limits: Limits, **further: Any
) -> Facts:
    """Return the facts of a question, from which another one makes the parts of its answer.

    `further` are fields of the answerer that the caller has read already. Raise LimitReachedError
    if a limit is reached before any result, SatdokuError if the question makes no sense for this
    puzzle.
    """
    kind = answerer_of(question)
    rest = {name: value for name, value in message.items() if name not in further}
    found = kind(Plain(), **read_fields(kind, rest), **further).facts(puzzle, Budget(limits))
    if found.ending is Ending.UNREADABLE:
        raise SatdokuError(found.values["reason"])
    if found.ending is Ending.UNDECIDED and found.result is None:
        raise LimitReachedError(found.values["reason"])
    return found


def read_fields(kind: Any, message: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of an answerer's class that a message sets; raise an error for unknown
    entries.
    """
    return read_entries(kind, {name: message[name] for name in message if name not in _OF_ALL})


def describe_questions() -> dict[str, dict[str, Any]]:
    """Return the options of each question, and of `generate`; a client can build forms of them."""
    kinds: dict[str, Any] = {question: answerer_of(question) for question in QUESTIONS}
    kinds["generate"] = Wanted
    return {
        name: {option.entry: option.schema() for option in options_of(kind).values()}
        for name, kind in kinds.items()
    }
