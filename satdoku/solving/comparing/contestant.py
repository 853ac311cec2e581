"""What is compared: a solver, with the formula that it is given."""

from dataclasses import dataclass

from satdoku.encoding.at_most_one import Method
from satdoku.encoding.encode import Encoding, require_known_rules
from satdoku.errors import SolverError
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Limits
from satdoku.solving.session import Session
from satdoku.solving.settings import Settings
from satdoku.solving.solvers import SOLVERS, Can, SolverInfo

NATIVE = "native"


@dataclass(frozen=True)
class Contestant:
    """A solver, an encoding, and how at-most-one constraints are said.

    `at_most_one` None leaves that to the solver: native constraints where it has them, else pairs.
    """

    solver: str
    encoding: Encoding
    at_most_one: Method | None = None

    @property
    def method(self) -> str:
        """How at-most-one constraints reach the solver."""
        if self.settings().is_native:
            return NATIVE
        return (self.at_most_one or Method.PAIRWISE).value

    def __str__(self) -> str:
        return f"{self.solver} {self.encoding.value} {self.method}"

    def settings(self, limits: Limits | None = None) -> Settings:
        """The settings by which `check` runs it."""
        return Settings(self.solver, self.encoding, self.at_most_one, limits)

    def require_fit(self, puzzle: Puzzle) -> None:
        """Refuses a puzzle that the encoding has no words for."""
        require_known_rules(puzzle, self.encoding)


def usable_solvers(limits: Limits) -> tuple[str, ...]:
    """The solvers that are installed and can be held to the limits, by their names."""
    return tuple(name for name, solver in SOLVERS.items() if _is_usable(solver, limits))


def _is_usable(solver: SolverInfo, limits: Limits) -> bool:
    if limits.conflicts is not None and Can.SLICE not in solver.can:
        return False
    try:
        Session(solver).close()
    except SolverError:  # pycryptosat, for one, is a package of its own
        return False
    return True
