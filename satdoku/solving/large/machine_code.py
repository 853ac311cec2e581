"""Whether the moves of local search can be machine code, which numba makes of `compiled_moves.py`.

It is made on the first use of all, in five seconds on a busy machine, and kept by numba, as a rule
beside its source; with that, it is there after one. While numba works, no limit is looked at, and
Ctrl-C may get lost in its callbacks. So it is made in a process of its own.
"""

import multiprocessing
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from satdoku.processes import Child, at_most
from satdoku.solving.limits import Budget

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

# A limit that leaves less than three times what it takes is better spent with plain moves.
_SECONDS_TO_MAKE = 15.0
_SECONDS_TO_LOAD = 3.0

_FOLDER = Path(__file__).parent / "__pycache__"


def has_machine_code(budget: Budget, folder: Path = _FOLDER) -> bool:
    """Whether there is machine code, or numba made it now; LimitReachedError at a limit."""
    if find_spec("numba") is None:
        return False
    left = budget.seconds_left
    if any(folder.glob("compiled_moves.*.nbi")):
        return left is None or left >= _SECONDS_TO_LOAD
    if left is not None and left < _SECONDS_TO_MAKE:
        return False
    # A process that may start none, as those of a race or of Dask, has it made when it walks.
    return multiprocessing.current_process().daemon or _make_apart(budget)


def _make_apart(budget: Budget) -> bool:
    child = Child(_make, (), (), True)
    try:
        while not child.connection.poll(at_most(budget.seconds_to_wait)):
            budget.require()
        return bool(child.connection.recv())
    except EOFError:
        # It died, as a rule for want of memory.
        return False
    finally:
        child.stop()


def _make(connection: "Connection") -> None:
    """Makes a move on the smallest of boards, by which numba makes the code for all of them."""
    try:
        from satdoku.pruning.prune import prune
        from satdoku.puzzle.geometry import Geometry
        from satdoku.puzzle.grid import Grid
        from satdoku.puzzle.puzzle import Puzzle
        from satdoku.solving.large.compiled_walk import CompiledWalk
        from satdoku.solving.large.neighbours import Neighbours
        from satdoku.solving.large.walk import Walk
    except ImportError:
        connection.send(False)
        return
    puzzle = Puzzle(Grid(Geometry(2, 2), (0,) * 16))
    walk = Walk(Neighbours(puzzle, prune(puzzle) or {}), "0")
    CompiledWalk(walk).advance(1)
    connection.send(True)
