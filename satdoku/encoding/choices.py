"""Names of what a caller may choose about a formula, and of what a solver says about it.

What they mean is in `encode.py`. A command knows its options by these alone, and need not import
what makes formulas.
"""

from enum import Enum


class Encoding(Enum):
    """Which rules are stated; the value is the name in options."""

    MINIMAL = "minimal"
    EFFICIENT = "efficient"
    EXTENDED = "extended"
    TRIADS = "triads"
    REDUCED = "reduced"


class Method(Enum):
    """How at-most-one constraints are written; the value is the name in options."""

    PAIRWISE = "pairwise"
    TEXTBOOK = "textbook"
    SEQUENTIAL = "sequential"
    PRODUCT = "product"
    BITWISE = "bitwise"
    LADDER = "ladder"
    TOTALIZER = "totalizer"
    MTOTALIZER = "mtotalizer"
    KMTOTALIZER = "kmtotalizer"
    SORTNETWORK = "sortnetwork"
    CARDNETWORK = "cardnetwork"


class Status(Enum):
    """Whether a formula has a model; UNKNOWN says that the solver gave up."""

    SATISFIABLE = "SATISFIABLE"
    UNSATISFIABLE = "UNSATISFIABLE"
    UNKNOWN = "UNKNOWN"
