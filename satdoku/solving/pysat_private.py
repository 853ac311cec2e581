"""All use of python-sat's private parts: what a new version of python-sat might break is here.

There are three uses:

- `choose_calls`: the functions of `pysolvers`, the C extension below the classes of
  `pysat.solvers`. Called directly they make the bulk solver 8 % faster on puzzles with 17 givens
  and on the hardest, 16 % on magictour and 9 to 26 % on random ones (measured with python-sat
  1.9.dev17 and Python 3.11), and `pysat.solvers` need not be imported. Where they are missing or
  behave otherwise, the public classes do the same work.
- `adders_of`: the two of these functions that a session calls some hundred times to load a small
  board. The classes only pass these calls on, and take as long for it as minicard for its work.
- `ctrl_c_left_alone`: python-sat's own answer to Ctrl-C may break the heap of the process; while a
  session searches, it is kept from giving it.
"""

import threading
from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any, NamedTuple


class Calls(NamedTuple):
    """The functions of minicard; the solver is the first argument of each.

    A new solver starts warm: it looks for a second solution from where it found the first, which
    makes the bulk solver 5 to 8 % faster on magictour and on the hardest puzzles.
    """

    new_solver: Callable[[], Any]
    add_clause: Callable[[Any, Iterable[int]], object]
    add_at_most: Callable[[Any, Iterable[int], int], object]
    solve: Callable[[Any], bool | None]
    read_model: Callable[[Any], list[int]]
    delete_solver: Callable[[Any], object]


def choose_calls() -> Calls:
    """The private functions if they work here, otherwise the public classes."""
    return find_working_calls() or public_calls()


def find_working_calls() -> Calls | None:
    """The private functions; None where some are missing or behave otherwise."""
    try:
        calls = private_calls()
        return calls if do_calls_work(calls) else None
    except (ImportError, AttributeError, TypeError, ValueError, SystemError):
        return None


def do_calls_work(calls: Calls) -> bool:
    """Tries every function on a small formula: of three variables exactly one is true."""
    solver = calls.new_solver()
    try:
        calls.add_clause(solver, b"\1\2\3")
        calls.add_at_most(solver, b"\1\2\3", 1)
        is_found = calls.solve(solver) is True
        model = calls.read_model(solver)
        for number in (1, 2, 3):
            calls.add_clause(solver, [-number])
        return (
            is_found
            and sorted(map(abs, model)) == [1, 2, 3]
            and sum(number > 0 for number in model) == 1
            and calls.solve(solver) is False
        )
    finally:
        calls.delete_solver(solver)


def public_calls() -> Calls:
    """The same functions as methods of python-sat's public class."""
    from pysat.solvers import Minicard

    return Calls(
        new_solver=partial(Minicard, warm_start=True),
        add_clause=Minicard.add_clause,
        add_at_most=Minicard.add_atmost,
        solve=Minicard.solve,
        read_model=Minicard.get_model,
        delete_solver=Minicard.delete,
    )


def private_calls() -> Calls:
    """ImportError or AttributeError when this python-sat has no such functions."""
    import pysolvers

    solve = pysolvers.minicard_solve
    new_minicard, start_minicard = pysolvers.minicard_new, pysolvers.minicard_set_start

    def new_solver() -> Any:
        solver = new_minicard()
        start_minicard(solver, 1)
        return solver

    return Calls(
        new_solver=new_solver,
        add_clause=pysolvers.minicard_add_cl,
        add_at_most=pysolvers.minicard_add_am,
        # Without assumptions; the zero says to leave the handler of Ctrl-C alone.
        solve=lambda solver: solve(solver, (), 0),
        read_model=pysolvers.minicard_model,
        delete_solver=pysolvers.minicard_del,
    )


class Adders(NamedTuple):
    """What puts a clause, and what puts an at-most-one constraint, into one solver."""

    add_clause: Callable[[Iterable[int]], object]
    add_at_most_one: Callable[[Iterable[int]], object]


def adders_of(solver: Any) -> Adders:
    """The quickest such functions for a solver of python-sat; for minicard they are private.

    They must not be called when the solver was deleted.
    """
    minicard = getattr(solver, "minicard", None)
    calls = None if minicard is None else _find_once()
    if calls is None:
        add_at_most = solver.add_atmost
        return Adders(solver.add_clause, lambda literals: add_at_most(literals, 1))
    add_private = calls.add_at_most
    return Adders(
        partial(calls.add_clause, minicard), lambda literals: add_private(minicard, literals, 1)
    )


# Trying the functions takes as long as loading a small board.
_find_once = cache(find_working_calls)


class _CtrlCLeftAlone:
    """Keeps python-sat from answering Ctrl-C, which Python then does when the solver stops.

    python-sat would jump out of the solver. Where that is just taking or giving back memory, or
    runs in another thread than the one that meets the signal, the process dies of the jump. It
    jumps only where it thinks that it runs in the main thread, so this question is answered with no
    for as long as the block lasts, in this thread.
    """

    # A class, because a generator takes longer to enter than some questions to answer.

    def __enter__(self) -> None:
        main_thread = _main_thread()
        if not isinstance(main_thread.check, _MainThreadCheck):
            main_thread.check = staticmethod(_MainThreadCheck(main_thread.check))
        _this_thread.is_shielded = True

    def __exit__(self, *error: object) -> None:
        _this_thread.is_shielded = False


_this_thread = threading.local()
_ctrl_c_left_alone = _CtrlCLeftAlone()


def ctrl_c_left_alone() -> _CtrlCLeftAlone:
    """A block in which python-sat does not answer Ctrl-C."""
    return _ctrl_c_left_alone


@cache
def _main_thread() -> Any:
    """What python-sat asks whether it runs in the main thread."""
    from pysat.solvers import MainThread

    return MainThread


class _MainThreadCheck:
    """Stands in for python-sat's own check, whose answer everybody else still gets."""

    def __init__(self, original: Callable[[], bool]) -> None:
        self._original = original

    def __call__(self) -> bool:
        return not getattr(_this_thread, "is_shielded", False) and self._original()
