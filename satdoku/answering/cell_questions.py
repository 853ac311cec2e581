"""Questions about cells, as `--why` asks them: read, answered in words, answered as objects."""

from collections.abc import Iterator, Sequence
from typing import Any

from satdoku.explaining.objects import way_object
from satdoku.explaining.why import Answer, Question, read_question
from satdoku.explaining.words.explanation import Style, numbered
from satdoku.puzzle.puzzle import Puzzle


def read_questions(texts: Sequence[str], puzzle: Puzzle) -> list[Question]:
    """The questions about a puzzle; one that makes no sense is refused before any work."""
    return [read_question(text, puzzle) for text in texts]


def answer_lines(answered: Answer, style: Style) -> Iterator[str]:
    """An answer as text: its sentence, and its steps."""
    yield answered.sentence
    if answered.way is not None:
        yield from numbered(answered.way, style)


def answer_object(question: str, answered: Answer) -> dict[str, Any]:
    """An answer as an object."""
    steps = {"steps": []} if answered.way is None else way_object(answered.way)
    return {"question": question, "answer": answered.sentence, **steps}
