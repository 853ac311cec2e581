"""How a record can end: the one list of endings, for counts, exit codes and messages."""

from enum import Enum

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
