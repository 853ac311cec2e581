"""The format `fpuzzles`: the JSON of f-puzzles, an object on each line."""

from typing import ClassVar

from satdoku.notation.detection import Head
from satdoku.notation.lists.json_format import JsonFormat
from satdoku.notation.spelling import Spelling
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Rule

_LARGEST = 36
"""As many digits as are read; f-puzzles itself stops at 16."""


class FPuzzlesFormat(JsonFormat):
    """Boards of f-puzzles; they are read as JSON, which knows them by their cells."""

    name: ClassVar[str] = "fpuzzles"
    description: ClassVar[str] = "the JSON of f-puzzles, with its rules"
    largest_size: ClassVar[int] = _LARGEST

    def matches(self, head: Head) -> bool:
        return False

    def can_hold(self, rule: Rule) -> bool:
        # Imported here, as below: most runs write no such board.
        from satdoku.notation.exchange.fpuzzles import can_hold

        return can_hold(rule)

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        return fpuzzles_text(puzzle) + "\n"


def fpuzzles_text(puzzle: Puzzle) -> str:
    """The JSON of f-puzzles for a puzzle, on one line."""
    import json

    from satdoku.notation.exchange.fpuzzles import write_fpuzzles

    return json.dumps(write_fpuzzles(puzzle), ensure_ascii=False, separators=(",", ":"))
