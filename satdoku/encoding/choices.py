"""Enums for options of a formula, and for a solver's status.

`encode.py` implements the options. The enums are in a module of their own, so that a command can
list them without importing the encoders.
"""

from enum import Enum


class Encoding(Enum):
    """The encoding of the rules as constraints; the value is the name used in options."""

    MINIMAL = "minimal"
    EFFICIENT = "efficient"
    EXTENDED = "extended"
    TRIADS = "triads"
    REDUCED = "reduced"


class Method(Enum):
    """How at-most-one constraints are encoded; the value is the name used in options."""

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
    """Whether a formula has a model; UNKNOWN means that the solver gave up."""

    SATISFIABLE = "SATISFIABLE"
    UNSATISFIABLE = "UNSATISFIABLE"
    UNKNOWN = "UNKNOWN"
