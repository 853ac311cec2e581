"""How the fast path talks to python-sat: the only file that uses its private functions.

The classes of `pysat.solvers` wrap the C functions of `pysolvers`. Calling these directly, from C
loops such as `map`, makes the whole path 8 % faster on puzzles with 17 givens and on the hardest,
16 % on magictour and 9 to 26 % on random ones (measured with python-sat 1.9.dev17 and Python 3.11),
and `pysat.solvers` is never imported. Where they are missing or behave otherwise,
the public classes do the same work.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple


class Calls(NamedTuple):
    """The functions of a solver, which is their first argument.

    It starts warm: it looks for a second solution from where it found the first, which makes the
    whole path 5 to 8 % faster on magictour and on the hardest puzzles.
    """

    new_solver: Callable[[], Any]
    add_clause: Callable[[Any, Iterable[int]], object]
    add_at_most: Callable[[Any, Iterable[int], int], object]
    solve: Callable[[Any], bool | None]
    read_model: Callable[[Any], list[int]]
    delete_solver: Callable[[Any], object]


def choose_calls() -> Calls:
    """The private functions if they work here, otherwise the public classes."""
    try:
        calls = private_calls()
        return calls if do_calls_work(calls) else public_calls()
    except (ImportError, AttributeError, TypeError, ValueError, SystemError):
        return public_calls()


def do_calls_work(calls: Calls) -> bool:
    """Try every function on one group of three: exactly one holds."""
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
