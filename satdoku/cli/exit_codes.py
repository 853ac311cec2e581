"""The exit codes of commands."""

from collections.abc import Iterable
from enum import Enum, IntEnum

from satdoku.answering.output.ending import Ending


class ExitCode(IntEnum):
    """One code for all puzzles of a run; of several, the gravest one counts."""

    ANSWERED = 0
    FAILED = 1
    USAGE = 2
    MULTIPLE = 10
    NONE = 20
    UNDECIDED = 124
    INTERRUPTED = 130
    BROKEN_PIPE = 141
    TERMINATED = 143


# If puzzles of a run end differently, the first of these codes that occurs is the run's: unreadable
# input, then not decided, no solution, several solutions.
_GRAVEST_FIRST = (ExitCode.FAILED, ExitCode.UNDECIDED, ExitCode.NONE, ExitCode.MULTIPLE)

_OF_ENDING: dict[Enum, ExitCode] = {
    Ending.UNIQUE: ExitCode.ANSWERED,
    Ending.SOLVED: ExitCode.ANSWERED,
    Ending.ANSWERED: ExitCode.ANSWERED,
    Ending.REPEATED: ExitCode.ANSWERED,
    Ending.RIGHT: ExitCode.ANSWERED,
    Ending.WRONG: ExitCode.FAILED,
    Ending.INCOMPLETE: ExitCode.FAILED,
    Ending.MALFORMED: ExitCode.FAILED,
    Ending.MISSING: ExitCode.FAILED,
    Ending.MULTIPLE: ExitCode.MULTIPLE,
    Ending.NONE: ExitCode.NONE,
    Ending.UNDECIDED: ExitCode.UNDECIDED,
    Ending.UNREADABLE: ExitCode.FAILED,
    Ending.MISMATCH: ExitCode.FAILED,
    Ending.FAILED: ExitCode.FAILED,
    Ending.FAULT: ExitCode.FAILED,
}

# A puzzle with several solutions is satisfiable, too.
_OF_SAT_COMPETITION = {
    ExitCode.ANSWERED: 10,
    ExitCode.MULTIPLE: 10,
    ExitCode.NONE: 20,
    ExitCode.UNDECIDED: 0,
}


def gravest(codes: Iterable[ExitCode]) -> ExitCode:
    """Return the code of a run whose puzzles got these codes.

    >>> gravest([ExitCode.ANSWERED, ExitCode.MULTIPLE, ExitCode.NONE]).name
    'NONE'
    """
    found = set(codes)
    return next((code for code in _GRAVEST_FIRST if code in found), ExitCode.ANSWERED)


def code_of(endings: Iterable[Enum]) -> ExitCode:
    """Return the code of a run whose records have these endings."""
    return gravest(_OF_ENDING[ending] for ending in endings)


def as_sat_competition(code: ExitCode) -> int:
    """Return 10 for a solution, 20 for none, 0 for undecided, as SAT solvers do; errors stay."""
    return _OF_SAT_COMPETITION.get(code, code)
