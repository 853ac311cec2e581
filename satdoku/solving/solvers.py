"""The solvers that python-sat offers, and what each of them can do.

python-sat answers some impossible requests with a crash (kissat asked twice), some with a wrong
answer (kissat under assumptions) and some with an error in a destructor, so this table is asked
first. Its tests try every entry.
"""

from enum import Flag, auto
from typing import NamedTuple

from satdoku.errors import SolverError, nearest
from satdoku.solving.pysat_private import load_solvers


class Can(Flag):
    """Abilities that solvers have or lack."""

    NOTHING = 0
    SLICE = auto()
    """Stop after some conflicts, and go on later: this is what limits are made of."""
    NATIVE = auto()
    """At-most-one constraints without clauses (in C: those that python-sat emulates are slow)."""
    PROVE = auto()
    """DRAT proofs that check."""
    CONTINUE = auto()
    """Take more clauses after an answer."""
    WARM = auto()
    """Then go on from the model that was found, instead of from nothing."""
    HINT = auto()
    """Take literals to try first."""
    ASSUME = auto()
    """Take literals that hold for one question, and say which of them exclude a model."""
    COUNT = auto()
    """Report conflicts, decisions and propagations."""
    INTERRUPT = auto()
    """End a search from another thread, at any moment."""


class SolverInfo(NamedTuple):
    """A solver by the name that python-sat knows it by."""

    name: str
    can: Can

    def require(self, ability: Can, purpose: str) -> None:
        if ability not in self.can:
            able = ", ".join(s.name for s in SOLVERS.values() if ability in s.can)
            raise SolverError(f"{self.name} cannot {purpose}; these can: {able}")


_COLD = Can.SLICE | Can.CONTINUE | Can.COUNT | Can.HINT | Can.ASSUME
_USUAL = _COLD | Can.WARM | Can.INTERRUPT

# Proofs of maplesat are wrong and those of maplechrono a hundred times too long.
_TABLE = {
    "cadical103": Can.SLICE | Can.CONTINUE | Can.COUNT | Can.ASSUME | Can.PROVE,
    "cadical153": _COLD | Can.PROVE,
    "cadical195": _COLD | Can.PROVE,
    "cadical300": _COLD | Can.PROVE,
    "cryptosat": Can.CONTINUE,
    "ergo": _USUAL | Can.PROVE,
    "gluecard3": _USUAL | Can.NATIVE | Can.PROVE,
    "gluecard4": _USUAL | Can.NATIVE | Can.PROVE,
    "glucose3": _USUAL | Can.PROVE,
    "glucose4": _USUAL | Can.PROVE,
    "glucose42": _USUAL | Can.PROVE,
    "kissat404": Can.NOTHING,
    "lingeling": Can.CONTINUE | Can.COUNT | Can.PROVE,
    "maplechrono": _COLD | Can.INTERRUPT,
    "maplecm": _USUAL | Can.PROVE,
    "maplesat": _USUAL,
    "mergesat3": _COLD | Can.INTERRUPT,
    "minicard": _USUAL | Can.NATIVE,
    "minisat-gh": _USUAL,
    "minisat22": _USUAL,
    "minisatep": _USUAL,
}

SOLVERS = {name: SolverInfo(name, can) for name, can in _TABLE.items()}

FAMILIES = {name.rstrip("0123456789"): name for name in _TABLE if name[-1].isdigit()}
"""The newest solver of each family whose members are told apart by a version: that of `glucose` is
`glucose42`. The table lists versions in order, so the last one is kept."""

# minicard builds and starts fastest on every size tried; gluecard4, which keeps the best of what it
# learned, is about three times faster in long searches. So one starts and the other may take over.
AUTOMATIC = "auto"
STAGES = ("minicard", "gluecard4")
LOCAL_SEARCH = "local-search"
STABLE_CADICAL = "stable-cadical"
LADDERS = (AUTOMATIC, LOCAL_SEARCH, STABLE_CADICAL)
"""Names for several methods that work on a large board in turn; all of them begin alike."""
PORTFOLIO = (LOCAL_SEARCH, STABLE_CADICAL)
"""Who races where nobody is named: on hard large boards they seldom decide the same ones."""
PATIENCE = 10_000
"""After so many conflicts the first of them gives way."""


def find_solver(name: str) -> SolverInfo:
    """The solver of that name, the newest of that family, or one as python-sat abbreviates it.

    >>> find_solver("g4").name, find_solver("cadical").name
    ('glucose4', 'cadical300')
    """
    wanted = name.lower()
    if wanted in LADDERS:
        # What they can is asked of the solver that each of them begins with.
        return SOLVERS[STAGES[0]]
    wanted = FAMILIES.get(wanted, wanted)
    if wanted not in SOLVERS:
        names = load_solvers().SolverNames
        for full_name in SOLVERS:
            if wanted in getattr(names, full_name.replace("-", ""), ()):
                return SOLVERS[full_name]
        raise SolverError(f"there is no solver {name!r}; {_nearest(wanted)}")
    return SOLVERS[wanted]


def _nearest(wanted: str) -> str:
    """What may be meant by a name with a slip, or all that there is to choose from."""
    names = [*LADDERS, *SOLVERS]
    close = nearest(wanted, [*names, *FAMILIES])
    return f"did you mean {close}?" if close else f"choose from {', '.join(names)}"
