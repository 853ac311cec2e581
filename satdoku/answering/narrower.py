"""The answerer of `narrow`: how many solutions would each further digit or clue leave?"""

from collections.abc import Mapping
from typing import Any, ClassVar

from satdoku.answering.asked import Column, ColumnKind, asked
from satdoku.answering.fact_finder import FactFinder
from satdoku.answering.output.ending import Ending
from satdoku.answering.task import Facts, found_out
from satdoku.errors import count_of
from satdoku.making.narrowing import Narrowing, find_further_clues
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import value
from satdoku.solving.limits import Budget


@value(frozen=True)
class Narrower(FactFinder):
    """Answerer that finds how many solutions of each puzzle a further clue leaves.

    The result of its facts is the `Narrowing`.
    """

    limit: int = asked("--limit", "Compare N solutions at most.", 1_000, least=2, metavar="N")
    most: int = asked(
        "--most", "List K clues at most.", 20, least=1,
        metavar="K",
    )  # fmt: skip

    command: ClassVar[str] = "narrow"
    endings: ClassVar[frozenset[Ending]] = frozenset({Ending.ANSWERED})
    columns: ClassVar[tuple[Column, ...]] = (
        Column("solutions", ColumnKind.WHOLE),
        Column("exact", ColumnKind.TRUTH),
    )
    keys: ClassVar[Mapping[str, Any]] = {
        "clues": {
            "type": "array",
            "description": "a given, or a rule as --rule takes it, with the solutions it leaves",
            "items": {
                "type": "object",
                "required": ["clue", "left"],
                "properties": {
                    "clue": {"type": "string"},
                    "left": {"type": "integer", "minimum": 1},
                },
            },
        },
    }

    def _find(self, puzzle: Puzzle, budget: Budget) -> Facts:
        found = find_further_clues(puzzle, self.limit, budget)
        clues = found.clues[: self.most]
        values = {
            "solutions": found.solutions,
            "exact": found.is_complete,
            "clues": [{"clue": clue.text, "left": clue.left} for clue in clues],
        }
        text = "\n".join(_lines(found._replace(clues=clues)))
        return found_out(puzzle, Ending.ANSWERED, text, values, result=found)


def _lines(found: Narrowing) -> list[str]:
    plus = "" if found.is_complete else " or more"
    lines = [f"{found.solutions}{plus} solutions" if found.solutions != 1 else "one solution"]
    for text, left in found.clues:
        # If only some of the solutions are known, a clue may leave more than are counted here.
        least = "" if found.is_complete else "at least "
        lines.append(f"{text} leaves {least}{count_of(left, 'solution')}")
    return lines
