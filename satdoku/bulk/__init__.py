"""The fast way through millions of small boards, every answer proven by a solver.

    lines -> boards -> elimination on many at once -> a small formula each -> judged solutions

Everything here gives the same answers as the rest of `satdoku.solving`, only sooner: what is the
same for every puzzle of a geometry is worked out once, what elimination excludes never reaches a
solver, and elimination takes a thousand boards at a time. See `lanes` for how it does that, and
`octets` for how a board is one integer. `BulkSolver` is the door; `supports` tells which geometries
it takes.
"""

from satdoku.bulk.groups import supports
from satdoku.bulk.sieve import Sifted
from satdoku.bulk.solver import BulkAnswer, BulkSolver

__all__ = ["BulkAnswer", "BulkSolver", "Sifted", "supports"]
