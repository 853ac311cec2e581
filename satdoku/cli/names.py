"""Names for the files of a puzzle: they sort like the input and lead back to its line."""

from pathlib import Path

from satdoku.reporting.answerer import Task

_DIGITS_OF_A_LINE = 8


def file_name(task: Task) -> str:
    """The source without its endings, then the line of the puzzle: `puzzles-00000012`."""
    source = Path(task.parser.source).name.split(".")[0] or "puzzle"
    return f"{source}-{task.record.line:0{_DIGITS_OF_A_LINE}}"
