"""What a caller may choose about solving."""

from dataclasses import dataclass, field

from satdoku.encoding.at_most_one import Method
from satdoku.encoding.encode import Encoding
from satdoku.errors import SatdokuError
from satdoku.solving.limits import Limits
from satdoku.solving.solvers import AUTOMATIC, STAGES, Can, find_solver


@dataclass(frozen=True)
class Settings:
    """Solver, encoding and limits; the defaults were chosen by measurement.

    `at_most_one` None means native constraints where the solver has them, else pairs. `command` is
    an external solver that takes the place of `solver`; `portfolio` names several that race.
    """

    solver: str = AUTOMATIC
    encoding: Encoding = Encoding.REDUCED
    at_most_one: Method | None = None
    limits: Limits = field(default_factory=Limits)
    command: str = ""
    portfolio: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Takes encodings and methods by name too; refuses what contradicts itself."""
        if not isinstance(self.limits, Limits):
            raise SatdokuError("limits are given as Limits(timeout=..., conflicts=...)")
        self.limits.require_sense()
        if not isinstance(self.solver, str) or not isinstance(self.command, str):
            raise SatdokuError("solver and command are given as text")
        if isinstance(self.portfolio, str):
            raise SatdokuError(f"a portfolio is a tuple of names, such as ({self.portfolio!r},)")
        try:
            object.__setattr__(self, "encoding", Encoding(self.encoding))
            if self.at_most_one is not None:
                object.__setattr__(self, "at_most_one", Method(self.at_most_one))
        except ValueError as error:
            raise SatdokuError(str(error)) from None
        chosen = [self.command, self.portfolio, self.solver != AUTOMATIC]
        if sum(map(bool, chosen)) > 1:
            raise SatdokuError("a solver, a portfolio and an external command exclude each other")

    @property
    def engine(self) -> str:
        """What to call the solver in reports."""
        return self.command or "+".join(self.portfolio) or self.solver

    @property
    def stages(self) -> tuple[str, ...]:
        """The solvers that work on a puzzle, each until its patience ends, the last for good."""
        if self.solver != AUTOMATIC:
            return (self.solver,)
        # Only the first of them stops exactly at a number of conflicts.
        return STAGES if self.limits.conflicts is None else STAGES[:1]

    @property
    def is_native(self) -> bool:
        """Whether at-most-one constraints go to the solver as they are."""
        if self.at_most_one is not None or self.command:
            return False
        return Can.NATIVE in find_solver(self.solver).can
