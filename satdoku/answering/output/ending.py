"""The possible endings of records, and how many records of a run ended in each way."""

from collections import Counter
from enum import Enum

from satdoku.batch.row import Row
from satdoku.puzzle.verdict import Verdict


class Ending(Enum):
    """How a record ended, in the order of a summary.

    The first four are verdicts. SOLVED: a solution was asked for, no matter if there are others.
    ANSWERED: another question without a verdict. REPEATED: the puzzle was left out because it came
    before. RIGHT to MISSING: the grade of an answer. MISMATCH: the known solution differs from the
    one found. UNREADABLE: the record holds no valid puzzle, or could not be processed. FAILED: a
    certificate does not hold. FAULT: an error that nobody expected, a bug, ended the answer.
    """

    UNIQUE = Verdict.UNIQUE.value
    MULTIPLE = Verdict.MULTIPLE.value
    NONE = Verdict.NONE.value
    UNDECIDED = Verdict.UNDECIDED.value
    MISMATCH = "mismatch"
    SOLVED = "solved"
    ANSWERED = "answered"
    REPEATED = "repeated"
    RIGHT = "right"
    WRONG = "wrong"
    INCOMPLETE = "incomplete"
    MALFORMED = "malformed"
    MISSING = "missing"
    FAILED = "FAILED"
    FAULT = "fault"
    UNREADABLE = "unreadable"

    @classmethod
    def of(cls, verdict: Verdict) -> "Ending":
        """Return the ending of a record with this verdict."""
        return cls(verdict.value)


VERDICTS = frozenset({Ending.UNIQUE, Ending.MULTIPLE, Ending.NONE})
"""The endings that say how many solutions a puzzle has."""


def ending_named(name: object) -> Ending | None:
    """Return the ending with this name; None if there is none."""
    return next((ending for ending in Ending if ending.value == name), None)


class Tally:
    """Counter of rows by ending."""

    def __init__(self) -> None:
        self.counts: Counter[Enum] = Counter()
        self.rejected = 0
        self.compared = 0

    def add(self, row: Row) -> None:
        self.compared += row.compared
        if row.records == 1:
            self.counts[row.ending] += 1
            self.rejected += bool(row.reject)
            return
        self.counts[row.ending] += row.records - len(row.others)
        for other in row.others:
            self.add(other)

    @property
    def total(self) -> int:
        return self.counts.total()

    def list_counts(self) -> list[tuple[str, int]]:
        """Return how often each ending occurred, without unreadable records."""
        return [
            (ending.value, self.counts[ending])
            for ending in Ending
            if self.counts[ending] and ending is not Ending.UNREADABLE
        ]

    def summarize(self, seconds: float, earlier: int = 0) -> str:
        """Return a summary of the run on one line; `earlier` records were answered before a resume.

        >>> tally = Tally()
        >>> tally.counts.update({Ending.UNIQUE: 2999, Ending.MULTIPLE: 1})
        >>> tally.summarize(0.75)
        '3,000 puzzles: 2,999 unique, 1 multiple; 0 unreadable; 0:00, 4,000/s'
        """
        counts = ", ".join(f"{count:,} {name}" for name, count in self.list_counts())
        noun = "puzzle" if self.total == 1 else "puzzles"
        parts = [
            f"{self.total:,} {noun}" + (f": {counts}" if counts else ""),
            f"{self.counts[Ending.UNREADABLE]:,} unreadable",
            f"{format_seconds(seconds)}, {format_rate(self.total, seconds)}",
        ]
        if self.compared:
            # One in a thousand answers of the compiled library is computed without it too.
            parts.append(f"{self.compared:,} answered in two ways")
        if earlier:
            parts.append(f"{earlier:,} more answered before")
        return "; ".join(parts)


def format_seconds(seconds: float) -> str:
    """Return a duration as hours, minutes and seconds.

    >>> format_seconds(3750)
    '1:02:30'
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def format_rate(count: int, seconds: float) -> str:
    """Return records a second, with one decimal if there are few.

    >>> format_rate(3, 2)
    '1.5/s'
    """
    rate = count / seconds if seconds > 0 else 0.0
    return f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"
