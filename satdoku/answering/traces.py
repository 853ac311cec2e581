"""Puzzles that were made with every step of their explanations, as data to train on."""

from typing import Any, ClassVar

from satdoku.answering.maker import JsonFacts
from satdoku.explaining.explain import explain
from satdoku.explaining.objects import way_object
from satdoku.making.generator import Generated
from satdoku.notation.json_format import dump_line
from satdoku.puzzle.value import value


@value(frozen=True)
class JsonTraces(JsonFacts):
    """One JSON object on each line: the facts about a puzzle, and the steps to its solution."""

    name: ClassVar[str] = "facts and steps in JSON"

    def of_puzzle(self, made: Generated) -> str:
        steps: dict[str, Any] = way_object(explain(made.puzzle).way)
        return dump_line(self._object(made) | {"steps": steps["steps"]})
