"""Whether the moves of local search can be machine code, which numba makes of `compiled_moves.py`.

It is made on the first use of all, in five seconds on a busy machine, and numba keeps it, as a rule
beside its source; to load what was kept takes one second. While numba works, no limit is looked at,
and Ctrl-C may get lost in its callbacks. So it is made in a process of its own.
"""

import multiprocessing
import sys
from collections.abc import Iterator
from contextlib import suppress
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

_SOURCE = Path(__file__).with_name("compiled_moves.py")


def has_machine_code(budget: Budget) -> bool:
    """Whether a walk can have machine code: numba kept some, makes it now, or will when it begins.

    Raises LimitReachedError at a limit.
    """
    left = budget.seconds_left
    if (left is not None and left < _SECONDS_TO_LOAD) or find_spec("numba") is None:
        return False
    try:
        from satdoku.solving.large.compiled_moves import folder_of_code, is_compiling
    except ImportError:
        # numba refuses a version of numpy that it does not know.
        return False
    if not is_compiling():
        return False
    folder = folder_of_code()
    if folder is not None and _is_kept(folder):
        return True
    if left is not None and left < _SECONDS_TO_MAKE:
        return False
    # Where it cannot be kept, and in a process that may start no other, as those of a race or of
    # Dask, it is made when it is needed.
    is_made_here = folder is None or multiprocessing.current_process().daemon
    return is_made_here or _make_apart(budget)


def _is_kept(folder: Path) -> bool:
    """Whether numba has kept code for this Python since the source was last changed."""
    changed = _SOURCE.stat().st_mtime
    return any(file.stat().st_mtime >= changed for file in _kept_in(folder))


def _kept_in(folder: Path) -> Iterator[Path]:
    """The files by which numba finds the code for this Python."""
    version = f"py{sys.version_info.major}{sys.version_info.minor}"
    return folder.glob(f"{_SOURCE.stem}.*.{version}*.nbi")


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
    """Begins a walk on the smallest of boards, by which numba makes the code for all of them."""
    from satdoku.deducing.prune import prune
    from satdoku.puzzle.geometry import Geometry
    from satdoku.puzzle.grid import Grid
    from satdoku.puzzle.puzzle import Puzzle
    from satdoku.solving.large.compiled_moves import folder_of_code
    from satdoku.solving.large.compiled_walk import CompiledWalk
    from satdoku.solving.large.neighbours import Neighbours
    from satdoku.solving.large.walk import Walk

    puzzle = Puzzle(Grid(Geometry(2, 2), (0,) * 16))
    CompiledWalk(Walk(Neighbours(puzzle, prune(puzzle) or {}), "0"))
    # Where the same source was only written anew, numba goes on with what it has, and leaves its
    # file as old as it is.
    folder = folder_of_code()
    for file in _kept_in(folder) if folder is not None else ():
        with suppress(OSError):
            file.touch()
    connection.send(True)
