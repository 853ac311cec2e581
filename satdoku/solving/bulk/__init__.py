"""The fast way through millions of small boards, one line each, every answer proven by a solver.

    line -> digits -> elimination -> propagation -> a small formula -> judged solution

Everything here gives the same answers as the rest of `satdoku.solving`, only sooner: what is the
same for every puzzle of a geometry is worked out once, and what the givens exclude never reaches
a solver. Whole boards are single integers: see `places`, then `bits` and `octets`. `LineSolver` is
the door; `supports` tells which geometries it takes.
"""

from satdoku.solving.bulk.groups import supports
from satdoku.solving.bulk.line_solver import LineAnswer, LineSolver

__all__ = ["LineAnswer", "LineSolver", "supports"]
