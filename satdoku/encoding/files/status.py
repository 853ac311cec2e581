"""What a SAT solver says about a formula."""

from enum import Enum


class Status(Enum):
    """Whether a formula has a model; UNKNOWN says that the solver gave up."""

    SATISFIABLE = "SATISFIABLE"
    UNSATISFIABLE = "UNSATISFIABLE"
    UNKNOWN = "UNKNOWN"
