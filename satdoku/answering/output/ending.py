"""How records can end: the one list of endings, and how many of a run ended in which way."""

from collections import Counter
from enum import Enum

from satdoku.batch.row import Row
from satdoku.puzzle.verdict import Verdict


class Ending(Enum):
    """What became of a record, in the order in which a summary lists it.

    The first four are verdicts. SOLVED is a solution that was asked for without regard to others,
    ANSWERED another question that does not ask for a verdict, REPEATED a puzzle that was left out
    because it came before, MISMATCH a known solution that is not the one found, UNREADABLE a record
    that is no puzzle, or one that could not be dealt with, FAILED a certificate that does not hold.
    """

    UNIQUE = Verdict.UNIQUE.value
    MULTIPLE = Verdict.MULTIPLE.value
    NONE = Verdict.NONE.value
    UNDECIDED = Verdict.UNDECIDED.value
    MISMATCH = "mismatch"
    SOLVED = "solved"
    ANSWERED = "answered"
    REPEATED = "repeated"
    FAILED = "FAILED"
    UNREADABLE = "unreadable"

    @classmethod
    def of(cls, verdict: Verdict) -> "Ending":
        """The ending of a record that ended with a verdict."""
        return cls(verdict.value)


def ending_named(name: object) -> Ending | None:
    """The ending that is written like this, if there is one."""
    return next((ending for ending in Ending if ending.value == name), None)


class Tally:
    """Counts rows as they come."""

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
        """How often each ending occurred, without unreadable records."""
        return [
            (ending.value, self.counts[ending])
            for ending in Ending
            if self.counts[ending] and ending is not Ending.UNREADABLE
        ]

    def summarize(self, seconds: float, earlier: int = 0) -> str:
        """The whole run in a line; `earlier` records were answered before it was resumed.

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
            # One in a thousand that the compiled library answered: what its answers rest on.
            parts.append(f"{self.compared:,} compared with a solver")
        if earlier:
            parts.append(f"{earlier:,} more answered before")
        return "; ".join(parts)


def format_seconds(seconds: float) -> str:
    """A span of time as a clock shows it.

    >>> format_seconds(3750)
    '1:02:30'
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def format_rate(count: int, seconds: float) -> str:
    """Records a second; with a decimal where there are few.

    >>> format_rate(3, 2)
    '1.5/s'
    """
    rate = count / seconds if seconds > 0 else 0.0
    return f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"
