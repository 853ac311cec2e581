"""All use of python-sat's private parts: what a new version of python-sat might break is here.

There are three uses:

- `new_minicard`: the functions of `pysolvers`, the C extension below the classes of
  `pysat.solvers`, in place of its class Minicard. To import that takes a fifth of the time of a
  command that checks a puzzle. Where functions are missing or behave otherwise, the class does the
  same work.
- `adders_of`: the two of these functions that are called some hundred times to load a small board.
  The classes only pass these calls on, and take as long for it as minicard for its work: without
  them the bulk solver is 8 % slower on puzzles with 17 givens and on the hardest, 16 % on magictour
  and 9 to 26 % on random ones (measured with python-sat 1.9.dev17 and Python 3.11).
- `ctrl_c_left_alone`: python-sat's own answer to Ctrl-C may break the heap of the process; while a
  session searches, it is kept from giving it.
"""

import sys
import threading
from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any, NamedTuple


def load_solvers() -> Any:
    """python-sat's module of solvers, which few questions need: it is long to import."""
    import pysat.solvers

    return pysat.solvers


def _load_functions() -> Any:
    """What that module calls."""
    import pysolvers

    return pysolvers


class BareMinicard:
    """minicard with the methods of python-sat's class that sessions call.

    The zeros say to leave the handler of Ctrl-C alone.
    """

    minicard: Any = None  # until one is made, which Ctrl-C may prevent

    def __init__(self, is_warm: bool) -> None:
        pysolvers = self._functions = _load_functions()
        self._status: bool | None = None
        self.minicard = pysolvers.minicard_new()
        if is_warm:
            pysolvers.minicard_set_start(self.minicard, 1)

    def __del__(self) -> None:
        self.delete()

    def delete(self) -> None:
        solver, self.minicard = self.minicard, None
        if solver is not None:
            functions, self._functions = self._functions, None  # nobody may touch what is gone
            functions.minicard_del(solver)

    def add_clause(self, literals: Iterable[int]) -> None:
        self._functions.minicard_add_cl(self.minicard, literals)

    def add_atmost(self, literals: Iterable[int], most: int) -> None:
        self._functions.minicard_add_am(self.minicard, literals, most)

    def append_formula(self, clauses: Iterable[Iterable[int]]) -> None:
        for clause in clauses:
            self.add_clause(clause)

    def set_phases(self, literals: Iterable[int]) -> None:
        self._functions.minicard_setphases(self.minicard, literals)

    def conf_budget(self, conflicts: int) -> None:
        self._functions.minicard_cbudget(self.minicard, conflicts)

    def solve(self, assumptions: Iterable[int] = ()) -> bool | None:
        self._status = self._functions.minicard_solve(self.minicard, assumptions, 0)
        return self._status

    def solve_limited(
        self, assumptions: Iterable[int] = (), expect_interrupt: bool = False
    ) -> bool | None:
        self._status = self._functions.minicard_solve_lim(
            self.minicard, assumptions, 0, int(expect_interrupt)
        )
        return self._status

    def interrupt(self) -> None:
        self._functions.minicard_interrupt(self.minicard)

    def clear_interrupt(self) -> None:
        self._functions.minicard_clearint(self.minicard)

    def propagate(self, assumptions: Iterable[int]) -> tuple[bool, list[int]]:
        state, literals = self._functions.minicard_propagate(self.minicard, assumptions, 0, 0)
        return bool(state), literals or []

    def get_model(self) -> list[int] | None:
        return self._functions.minicard_model(self.minicard) or [] if self._status else None

    def get_core(self) -> list[int] | None:
        is_refuted = self._status is False
        return self._functions.minicard_core(self.minicard) if is_refuted else None

    def nof_vars(self) -> int:
        return int(self._functions.minicard_nof_vars(self.minicard))

    def accum_stats(self) -> dict[str, int] | None:
        if self.minicard is None:
            return None
        counters: dict[str, int] = self._functions.minicard_acc_stats(self.minicard)
        return counters


class Adders(NamedTuple):
    """What puts a clause, and what puts an at-most-one constraint, into one solver."""

    add_clause: Callable[[Iterable[int]], object]
    add_at_most_one: Callable[[Iterable[int]], object]


def new_minicard(is_warm: bool) -> Any:
    """A new solver: without python-sat's class where that can be.

    A warm one looks for a second solution from where it found the first, which makes the bulk
    solver 5 to 8 % faster on magictour and on the hardest puzzles.
    """
    return BareMinicard(is_warm) if functions_work() else public_minicard(is_warm)


def public_minicard(is_warm: bool) -> Any:
    """The same of python-sat's class."""
    return load_solvers().Minicard(warm_start=is_warm)


def adders_of(solver: Any) -> Adders:
    """The quickest such functions for a solver of python-sat; for minicard they are private.

    They must not be called when the solver was deleted.
    """
    solver = getattr(solver, "solver", solver)  # `Solver` has the one that was chosen by its name
    minicard = getattr(solver, "minicard", None)
    if minicard is None or not functions_work():
        add_at_most = solver.add_atmost
        return Adders(solver.add_clause, lambda literals: add_at_most(literals, 1))
    return _private_adders(minicard)


def _private_adders(minicard: Any) -> Adders:
    functions = _load_functions()
    add_at_most = functions.minicard_add_am
    return Adders(
        partial(functions.minicard_add_cl, minicard),
        lambda literals: add_at_most(minicard, literals, 1),
    )


def try_functions() -> bool:
    """Tries the private functions on a small formula: of three variables exactly one is true."""
    try:
        # Those that it does not call have to be there too.
        _ = [getattr(_load_functions(), f"minicard_{name}") for name in _OTHERS]
        solver = BareMinicard(is_warm=True)
        add_clause, add_at_most_one = _private_adders(solver.minicard)
        add_clause(b"\1\2\3")
        add_at_most_one(b"\1\2\3")
        is_found, model = solver.solve() is True, solver.get_model() or []
        for number in (1, 2):
            add_clause([number])
        is_right = sorted(map(abs, model)) == [1, 2, 3] and sum(n > 0 for n in model) == 1
        return is_found and is_right and solver.solve() is False
    except (ImportError, AttributeError, TypeError, ValueError, SystemError):
        return False


_OTHERS = (
    *("setphases", "cbudget", "solve_lim", "interrupt", "clearint", "propagate", "core"),
    *("nof_vars", "acc_stats", "del"),
)

# Trying the functions takes as long as loading a small board.
functions_work = cache(try_functions)


class _CtrlCLeftAlone:
    """Keeps python-sat from answering Ctrl-C, which Python then does when the solver stops.

    python-sat would jump out of the solver. Where that is just taking or giving back memory, or
    runs in another thread than the one that meets the signal, the process dies of the jump. It
    jumps only where it thinks that it runs in the main thread, so this question is answered with no
    for as long as the block lasts, in this thread.
    """

    # A class, because a generator takes longer to enter than some questions to answer.

    def __enter__(self) -> None:
        # Its classes alone ask; a solver without one is told not to answer.
        classes = sys.modules.get("pysat.solvers")
        if classes is not None and not isinstance(classes.MainThread.check, _MainThreadCheck):
            check = _MainThreadCheck(classes.MainThread.check)
            classes.MainThread.check = staticmethod(check)
        _this_thread.is_shielded = True

    def __exit__(self, *error: object) -> None:
        _this_thread.is_shielded = False


_this_thread = threading.local()
_ctrl_c_left_alone = _CtrlCLeftAlone()


def ctrl_c_left_alone() -> _CtrlCLeftAlone:
    """A block in which python-sat does not answer Ctrl-C."""
    return _ctrl_c_left_alone


class _MainThreadCheck:
    """Stands in for python-sat's own check, whose answer everybody else still gets."""

    def __init__(self, original: Callable[[], bool]) -> None:
        self._original = original

    def __call__(self) -> bool:
        return not getattr(_this_thread, "is_shielded", False) and self._original()
