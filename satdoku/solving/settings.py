"""What a caller may choose about solving."""

from collections.abc import Iterable
from enum import Enum
from typing import TypeVar

from satdoku.encoding.choices import Encoding, Method
from satdoku.errors import SatdokuError
from satdoku.puzzle.value import value
from satdoku.solving.limits import Limits
from satdoku.solving.solvers import AUTOMATIC, LADDERS, STAGES, Can, find_solver

_LARGEST_FOR_ONE_SOLVER = 25

EnumT = TypeVar("EnumT", bound=Enum)


@value(frozen=True)
class Settings:
    """Solver, encoding and limits; the defaults were chosen by measurement.

    `at_most_one` None means native constraints where the solver has them, else pairs. `command` is
    an external solver that takes the place of `solver`; `portfolio` names several that race.
    Encodings and methods may be given by name. `seed` is where the methods for large boards begin
    that leave something to chance; the same seed always leads to the same answer.
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
            find_solver(name)  # an unknown name fails here, not at the first question
        limits = Limits() if limits is None else limits
        if not isinstance(limits, Limits):
            raise SatdokuError("limits are given as Limits(timeout=..., conflicts=...)")
        limits.require_sense()
        values = {
            "solver": solver,
            "encoding": _named(Encoding, encoding),
            "at_most_one": None if at_most_one is None else _named(Method, at_most_one),
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
        """What to call the solver in reports."""
        return self.command or "+".join(self.portfolio) or self.solver

    @property
    def stages(self) -> tuple[str, ...]:
        """The solvers that work on a puzzle, each until its patience ends, the last for good."""
        if self.solver not in LADDERS:
            return (self.solver,)
        # Only the first of them stops exactly at a number of conflicts.
        return STAGES if self.limits.conflicts is None else STAGES[:1]

    def has_ladder(self, size: int) -> bool:
        """Whether several methods work in turn on boards of this size (`large/ladder.py`).

        On boards up to 25x25 a single solver decides nearly everything, so they get one on request
        only. An encoding or method that somebody chose is for one solver.
        """
        if self.command or self.solver not in LADDERS:
            return False
        if self.encoding is not Encoding.REDUCED or self.at_most_one is not None:
            return False
        return size > _LARGEST_FOR_ONE_SOLVER or self.solver != AUTOMATIC

    @property
    def leaves_method_open(self) -> bool:
        """Whether nobody chose how an answer is found, so that no solver has to be asked."""
        is_chosen = self.command or self.portfolio or self.at_most_one or self.solver != AUTOMATIC
        return not is_chosen and self.encoding is Encoding.REDUCED and self.limits.conflicts is None

    @property
    def is_native(self) -> bool:
        """Whether at-most-one constraints go to the solver as they are."""
        if self.at_most_one is not None or self.command:
            return False
        return Can.NATIVE in find_solver(self.solver).can


def _whole_number(seed: int) -> int:
    if not isinstance(seed, int) or seed < 0:
        raise SatdokuError(f"seed={seed!r} is no whole number from 0 up")
    return seed


def _named(kind: type[EnumT], value: EnumT | str) -> EnumT:
    """A member of an enum, which may be given by its value."""
    try:
        return kind(value)
    except ValueError as error:
        raise SatdokuError(str(error)) from None
