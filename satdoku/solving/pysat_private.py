"""All use of python-sat's private parts: what a new version of python-sat might break is here.

There are three uses:

- `new_solver`: the functions of `pysolvers`, the C extension below the classes of
  `pysat.solvers`, in place of its classes of the solvers that questions begin with. To import them
  takes a fifth of the time of a command that checks a puzzle. Where functions are missing or behave
  otherwise, the class does the same work.
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
from types import SimpleNamespace
from typing import Any, NamedTuple


def load_solvers() -> Any:
    """python-sat's module of solvers, which few questions need: it is long to import."""
    import pysat.solvers

    return pysat.solvers


def _load_functions() -> Any:
    """What that module calls."""
    import pysolvers

    return pysolvers


@cache
def _functions_of(prefix: str) -> SimpleNamespace:
    """The functions of one solver, by what their names have behind this."""
    functions = vars(_load_functions()).items()
    return SimpleNamespace(
        **{name.removeprefix(prefix): each for name, each in functions if name.startswith(prefix)}
    )


class Adders(NamedTuple):
    """What puts a clause, and what puts an at-most-one constraint, into one solver."""

    add_clause: Callable[[Iterable[int]], object]
    add_at_most_one: Callable[[Iterable[int]], object]


class BareSolver:
    """A solver with the methods of python-sat's class that sessions call.

    The zeros say to leave the handler of Ctrl-C alone.
    """

    prefix = ""
    """What the names of its functions begin with."""

    bare: Any = None  # until one is made, which Ctrl-C may prevent

    def __init__(self, is_warm: bool) -> None:
        functions = self._functions = _functions_of(self.prefix)
        self._status: bool | None = None
        self.bare = functions.new()
        if is_warm:
            functions.set_start(self.bare, 1)

    def __del__(self) -> None:
        self.delete()

    def delete(self) -> None:
        bare, self.bare = self.bare, None
        if bare is not None:
            functions = self._functions
            del self._functions  # nobody may touch what is gone
            vars(functions)["del"](bare)

    @property
    def adders(self) -> Adders:
        """Without a method around them, which would take as long as they do."""
        add_at_most, bare = self._functions.add_am, self.bare
        return Adders(
            partial(self._functions.add_cl, bare), lambda literals: add_at_most(bare, literals, 1)
        )

    def add_clause(self, literals: Iterable[int]) -> None:
        self._functions.add_cl(self.bare, literals)

    def add_atmost(self, literals: Iterable[int], most: int) -> None:
        self._functions.add_am(self.bare, literals, most)

    def append_formula(self, clauses: Iterable[Iterable[int]]) -> None:
        for clause in clauses:
            self.add_clause(clause)

    def set_phases(self, literals: Iterable[int]) -> None:
        self._functions.setphases(self.bare, literals)

    def conf_budget(self, conflicts: int) -> None:
        self._functions.cbudget(self.bare, conflicts)

    def solve(self, assumptions: Iterable[int] = ()) -> bool | None:
        self._status = self._functions.solve(self.bare, assumptions, 0)
        return self._status

    def solve_limited(
        self, assumptions: Iterable[int] = (), expect_interrupt: bool = False
    ) -> bool | None:
        self._status = self._functions.solve_lim(self.bare, assumptions, 0, int(expect_interrupt))
        return self._status

    def interrupt(self) -> None:
        self._functions.interrupt(self.bare)

    def clear_interrupt(self) -> None:
        self._functions.clearint(self.bare)

    def propagate(self, assumptions: Iterable[int]) -> tuple[bool, list[int]]:
        state, literals = self._functions.propagate(self.bare, assumptions, 0, 0)
        return bool(state), literals or []

    def get_model(self) -> list[int] | None:
        return self._functions.model(self.bare) or [] if self._status else None

    def get_core(self) -> list[int] | None:
        is_refuted = self._status is False
        return self._functions.core(self.bare) if is_refuted else None

    def nof_vars(self) -> int:
        return int(self._functions.nof_vars(self.bare))

    def accum_stats(self) -> dict[str, int] | None:
        if self.bare is None:
            return None
        counters: dict[str, int] = self._functions.acc_stats(self.bare)
        return counters


class BareMinicard(BareSolver):
    prefix = "minicard_"


class BareGluecard4(BareSolver):
    prefix = "gluecard41_"


BARE: dict[str, type[BareSolver]] = {"minicard": BareMinicard, "gluecard4": BareGluecard4}
"""The solvers that questions begin with."""


def new_solver(name: str, is_warm: bool) -> Any:
    """A new solver, one of `BARE`: without python-sat's class where that can be.

    A warm one looks for a second solution from where it found the first, which makes the bulk
    solver 5 to 8 % faster on magictour and on the hardest puzzles.
    """
    if functions_work(name):
        return BARE[name](is_warm)
    return load_solvers().Solver(name, warm_start=is_warm)


def new_minicard(is_warm: bool) -> Any:
    """A new minicard."""
    return new_solver("minicard", is_warm)


def public_minicard(is_warm: bool) -> Any:
    """The same of python-sat's class."""
    return load_solvers().Minicard(warm_start=is_warm)


def adders_of(solver: Any) -> Adders:
    """The quickest such functions for a solver of python-sat; for bare ones they are private.

    They must not be called when the solver was deleted.
    """
    if isinstance(solver, BareSolver):
        return solver.adders
    add_at_most = solver.add_atmost
    return Adders(solver.add_clause, lambda literals: add_at_most(literals, 1))


def try_functions(name: str) -> bool:
    """Tries the private functions on a small formula: of three variables exactly one is true."""
    try:
        # Those that it does not call have to be there too.
        _ = [getattr(_functions_of(BARE[name].prefix), each) for each in _OTHERS]
        solver = BARE[name](is_warm=True)
        add_clause, add_at_most_one = solver.adders
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
