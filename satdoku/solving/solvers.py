"""The solvers of python-sat, their abilities, and the settings for a call.

python-sat answers some unsupported requests with a crash (kissat called twice), some with a wrong
answer (kissat under assumptions) and some with an error in a destructor, so the table of solvers is
checked before a call. Its tests try every entry.
"""

from collections.abc import Iterable
from enum import Flag, auto
from importlib.util import find_spec
from typing import NamedTuple

from satdoku.encoding.choices import Encoding, Method
from satdoku.errors import SatdokuError, SolverError, member_named, nearest
from satdoku.puzzle.value import value
from satdoku.solving.limits import Limits
from satdoku.solving.pysat_private import load_solvers


class Can(Flag):
    """Abilities of solvers."""

    NOTHING = 0
    SLICE = auto()
    """Stop after some conflicts, and continue later; limits need this."""
    NATIVE = auto()
    """Have native at-most-one constraints (in C: those that python-sat emulates are slow)."""
    PROVE = auto()
    """Write DRAT proofs that a checker accepts."""
    CONTINUE = auto()
    """Take more clauses after an answer."""
    WARM = auto()
    """Continue from the last model after an answer, instead of from scratch."""
    HINT = auto()
    """Take hints: literals to try first."""
    ASSUME = auto()
    """Solve under assumptions, and return a core."""
    COUNT = auto()
    """Report conflicts, decisions and propagations."""
    INTERRUPT = auto()
    """Be interrupted from another thread, at any moment."""


class SolverInfo(NamedTuple):
    """A solver, by its name in python-sat."""

    name: str
    can: Can

    def require(self, ability: Can, purpose: str) -> None:
        if ability not in self.can:
            able = ", ".join(s.name for s in SOLVERS.values() if ability in s.can)
            raise SolverError(f"{self.name} cannot {purpose}; these can: {able}")


_COLD = Can.SLICE | Can.CONTINUE | Can.COUNT | Can.HINT | Can.ASSUME
_USUAL = _COLD | Can.WARM | Can.INTERRUPT

# Proofs of maplesat are wrong, and those of maplechrono are a hundred times too long. glucose42 is
# never warm: it shortens clauses by propagation, and when it continued from a model it called a
# puzzle with several solutions unique, or crashed.
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
    "glucose42": _COLD | Can.INTERRUPT | Can.PROVE,
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

_LIBRARY_OF = {"cryptosat": "pycryptosat"}
"""Solvers that python-sat imports from a separate package, with the name of that package."""

FAMILIES: dict[str, list[str]] = {}
"""The solvers of each family, which are versions of one solver; the newest first."""
for _name in _TABLE:
    if _name[-1].isdigit():
        # The table lists older versions first.
        FAMILIES.setdefault(_name.rstrip("0123456789"), []).insert(0, _name)

# minicard builds and starts fastest on every size tried; gluecard4, which keeps the best learned
# clauses, is about three times faster in long searches. So minicard starts, and gluecard4 may take
# over.
AUTOMATIC = "auto"
STAGES = ("minicard", "gluecard4")
LOCAL_SEARCH = "local-search"
STABLE_CADICAL = "stable-cadical"
LADDERS = (AUTOMATIC, LOCAL_SEARCH, STABLE_CADICAL)
"""Names of ladders: methods that take turns on a large board. All start with the same two."""
PORTFOLIO = (LOCAL_SEARCH, STABLE_CADICAL)
"""The default contestants of a race: of hard large boards they rarely decide the same ones."""
PATIENCE = 10_000
"""Conflicts after which the first solver gives way."""
PATIENCE_WITH_RULES = 2_000
"""Conflicts after which the first solver gives way on puzzles with more rules, where learned
clauses are worth more. (With half of it, puzzles that the first solver would have decided take up
to twice as long.)
"""
STEADY = "cadical153"
"""The second solver for long searches on rules without cardinality constraints."""
STEADY_PARAMETERS = {"forcephase": 1, "stabilizeonly": 1, "reduceint": 150}
"""Options of that solver: prefer true phases, rarely restart, and delete learned clauses twice as
often. On 9x9 boards with pairs or lines of up to three cells it then takes 0.5 to 0.8 of the time
of gluecard4. With its default options it is no faster.
"""


def find_solver(name: str) -> SolverInfo:
    """Return the solver with this name, abbreviation, or family (its newest installed version).

    >>> find_solver("g4").name, find_solver("cadical").name
    ('glucose4', 'cadical300')
    """
    wanted = name.lower()
    if wanted in LADDERS:
        # A ladder has the abilities of its first solver.
        return SOLVERS[STAGES[0]]
    if wanted in FAMILIES:
        wanted = newest_of(wanted)
    if wanted not in SOLVERS:
        names = load_solvers().SolverNames
        for full_name in SOLVERS:
            if wanted in getattr(names, full_name.replace("-", ""), ()):
                return SOLVERS[full_name]
        raise SolverError(f"there is no solver {name!r}; {_nearest(wanted)}")
    return SOLVERS[wanted]


def newest_of(family: str) -> str:
    """Return the newest installed solver of a family; the newest of all if none is installed."""
    members = FAMILIES[family]
    return next(filter(is_installed, members), members[0])


def is_installed(name: str) -> bool:
    """Return whether the installed python-sat has a solver: older versions have fewer."""
    if name in _LIBRARY_OF:
        return find_spec(_LIBRARY_OF[name]) is not None
    return hasattr(load_solvers().SolverNames, name.replace("-", ""))


def how_to_install(name: str) -> str:
    """Return the command that installs a missing solver."""
    return f"pip install {_LIBRARY_OF.get(name, '-U python-sat')}"


def _nearest(wanted: str) -> str:
    """Return the names closest to a misspelt name, or all names."""
    names = [*LADDERS, *SOLVERS]
    close = nearest(wanted, [*names, *FAMILIES])
    return f"did you mean {close}?" if close else f"choose from {', '.join(names)}"


_LARGEST_FOR_ONE_SOLVER = 25


@value(frozen=True)
class Settings:
    """Solver, encoding and limits; the defaults were chosen by measurement.

    If `at_most_one` is None, constraints are native if the solver supports them, else pairs.
    `command` is an external solver that replaces `solver`; `portfolio` names several solvers that
    race. Encodings and methods may be given by name. `seed` is for the randomised methods of large
    boards; the same seed always gives the same answer.
    """

    solver: str
    encoding: Encoding
    at_most_one: Method | None
    limits: Limits
    command: str
    portfolio: tuple[str, ...]
    seed: int

    def __init__(
        self,
        solver: str = AUTOMATIC,
        encoding: Encoding | str = Encoding.REDUCED,
        at_most_one: Method | str | None = None,
        limits: Limits | None = None,
        command: str = "",
        portfolio: Iterable[str] = (),
        seed: int = 0,
    ) -> None:
        if not isinstance(solver, str) or not isinstance(command, str):
            raise SatdokuError("solver and command are given as text")
        if isinstance(portfolio, str):
            raise SatdokuError(f"a portfolio is a tuple of names, such as ({portfolio!r},)")
        names = tuple(portfolio)
        for name in (solver, *names):
            find_solver(name)  # so that an unknown name fails here, not at the first call
        limits = Limits() if limits is None else limits
        if not isinstance(limits, Limits):
            raise SatdokuError("limits are given as Limits(timeout=..., conflicts=...)")
        limits.require_sense()
        values = {
            "solver": solver,
            "encoding": member_named(Encoding, encoding),
            "at_most_one": None if at_most_one is None else member_named(Method, at_most_one),
            "limits": limits,
            "command": command,
            "portfolio": names,
            "seed": _whole_number(seed),
        }
        for name, wanted in values.items():
            object.__setattr__(self, name, wanted)
        self._require_one_engine()

    def _require_one_engine(self) -> None:
        is_named = [bool(self.command), bool(self.portfolio), self.solver != AUTOMATIC]
        if is_named.count(True) > 1:
            raise SatdokuError("a solver, a portfolio and an external command exclude each other")

    @property
    def engine(self) -> str:
        """Return the name of the solver, for reports."""
        return self.command or "+".join(self.portfolio) or self.solver

    @property
    def stages(self) -> tuple[str, ...]:
        """Return the solvers that take over from one another; the last has unlimited patience."""
        if self.solver not in LADDERS:
            return (self.solver,)
        # With a limit on conflicts only the first is used, as it alone stops exactly there.
        return STAGES if self.limits.conflicts is None else STAGES[:1]

    def has_ladder(self, size: int) -> bool:
        """Whether several methods take turns on boards of this size (`large/ladder.py`).

        On boards up to 25x25 a single solver decides nearly everything, so they get a ladder on
        request only. A chosen encoding or method rules out a ladder.
        """
        if self.command or self.solver not in LADDERS:
            return False
        if self.encoding is not Encoding.REDUCED or self.at_most_one is not None:
            return False
        return size > _LARGEST_FOR_ONE_SOLVER or self.solver != AUTOMATIC

    @property
    def leaves_method_open(self) -> bool:
        """Whether every choice of a method is the default, so that no solver needs to be called."""
        is_chosen = self.command or self.portfolio or self.at_most_one or self.solver != AUTOMATIC
        return not is_chosen and self.encoding is Encoding.REDUCED and self.limits.conflicts is None

    @property
    def is_native(self) -> bool:
        """Whether at-most-one constraints are passed to the solver natively."""
        if self.at_most_one is not None or self.command:
            return False
        return Can.NATIVE in find_solver(self.solver).can


def _whole_number(seed: int) -> int:
    if not isinstance(seed, int) or seed < 0:
        raise SatdokuError(f"seed={seed!r} is not a whole number of 0 or more")
    return seed
