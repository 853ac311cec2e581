"""All uses of python-sat's private functions, which a new version of python-sat might break.

There are four uses:

- `new_solver` calls the functions of `pysolvers`, the C extension below `pysat.solvers`, instead
  of the classes there, for the solvers that runs usually start with. Importing the classes takes a
  fifth of the time of a command that checks a puzzle. If functions are missing or behave
  differently, the class is used.
- `adders_of` returns the two functions that are called some hundred times to load a small board.
  The classes only forward these calls, which takes as long as minicard's own work: with the
  classes the bulk solver is 8 % slower on puzzles with 17 givens and on the hardest, 16 % on
  magictour and 9 to 26 % on random ones (measured with python-sat 1.9.dev17 and Python 3.11).
- `proof_lines` reads the binary proofs of CaDiCaL, which python-sat translates byte by byte: a
  fifth of the time of `certify` for a proof of some hundred thousand lemmas.
- `ctrl_c_left_alone` disables python-sat's own handler of Ctrl-C while a session searches, since it
  may corrupt the heap of the process.
"""

import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from types import SimpleNamespace
from typing import Any, NamedTuple


def load_solvers() -> Any:
    """Import python-sat's module of solvers; late, since this is slow and rarely needed."""
    import pysat.solvers

    return pysat.solvers


def _load_functions() -> Any:
    """Import the C extension that this module calls."""
    import pysolvers

    return pysolvers


@cache
def _functions_of(prefix: str) -> SimpleNamespace:
    """Return the functions of one solver, by name without the solver's prefix."""
    functions = vars(_load_functions()).items()
    return SimpleNamespace(
        **{name.removeprefix(prefix): each for name, each in functions if name.startswith(prefix)}
    )


def proof_lines(solver: Any) -> Sequence[str]:
    """Return the lines of the proof of a solver of python-sat, without an incomplete last line."""
    inner = getattr(solver, "solver", None)
    file, stream = getattr(inner, "prfile", None), getattr(inner, "prfp", None)
    is_binary = type(inner).__name__.startswith("Cadical")
    flush = getattr(_load_functions(), "flushpr", None)
    if not is_binary or file is None or flush is None:
        lines: Sequence[str] | None = solver.get_proof()
        return lines or ()
    flush(stream)
    file.seek(0)
    return list(read_binary_proof(file.read()))


def read_binary_proof(data: bytes) -> Iterator[str]:
    """Yield the steps of a binary DRAT proof as text; a last one that is cut off is left out.

    >>> list(read_binary_proof(bytes([97, 2, 131, 2, 0, 100, 4, 0, 97, 0])))
    ['1 -129 0', 'd 2 0', '0']
    """
    text_of = _TextOf()
    *steps, _ = data.split(b"\0")
    for step in steps:
        literals = map(text_of.__getitem__, _find_literals(step, 1))
        yield " ".join(("d", *literals, "0") if step[:1] == b"d" else (*literals, "0"))


# A literal has 7 bits a byte, the lowest first, and is followed by another byte if its highest bit
# is set. So a zero byte only ends a step.
_find_literals = re.compile(rb"[\x80-\xff]*[\x01-\x7f]").findall


class _TextOf(dict[bytes, str]):
    """The text of each literal, by its bytes; a proof has the same ones again and again."""

    def __missing__(self, literal: bytes) -> str:
        number = sum((byte & 0x7F) << 7 * place for place, byte in enumerate(literal))
        text = self[literal] = str(-(number >> 1) if number & 1 else number >> 1)
        return text


class Adders(NamedTuple):
    """The functions of one solver that add a clause and an at-most-one constraint."""

    add_clause: Callable[[Iterable[int]], object]
    add_at_most_one: Callable[[Iterable[int]], object]


class BareSolver:
    """A solver with the methods of python-sat's class that sessions call.

    Zeros as arguments tell the functions not to install a handler of Ctrl-C.
    """

    prefix = ""
    """The prefix of the solver's functions."""

    bare: Any = None  # until created: Ctrl-C may come before

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
            del self._functions  # so that use after deletion fails
            vars(functions)["del"](bare)

    @property
    def adders(self) -> Adders:
        """Return the C functions themselves; a Python method around them doubles their time."""
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
"""The solvers that runs usually start with."""


def new_solver(name: str, is_warm: bool) -> Any:
    """Return a new solver of `BARE`, without python-sat's class if possible.

    A warm solver starts its second search from the first model, which makes the bulk solver 5 to 8
    % faster on magictour and on the hardest puzzles.
    """
    if functions_work(name):
        return BARE[name](is_warm)
    return load_solvers().Solver(name, warm_start=is_warm)


def new_minicard(is_warm: bool) -> Any:
    """Return a new minicard."""
    return new_solver("minicard", is_warm)


def public_minicard(is_warm: bool) -> Any:
    """Return a new minicard by python-sat's public class."""
    return load_solvers().Minicard(warm_start=is_warm)


def adders_of(solver: Any) -> Adders:
    """Return the fastest functions that add constraints to a solver; private ones if it is bare.

    They must not be called after the solver was deleted.
    """
    if isinstance(solver, BareSolver):
        return solver.adders
    add_at_most = solver.add_atmost
    # python-sat's class `Solver` only forwards to that of the solver.
    adder = getattr(solver, "solver", solver)
    return Adders(adder.add_clause, lambda literals: add_at_most(literals, 1))


def try_functions(name: str) -> bool:
    """Test the private functions on a small formula: exactly one of three variables is true."""
    try:
        # Functions that this test does not call must at least exist.
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

# Cached: the test takes as long as loading a small board.
functions_work = cache(try_functions)


class _CtrlCLeftAlone:
    """Disables python-sat's handler of Ctrl-C; Python handles Ctrl-C when the solver returns.

    python-sat's handler would longjmp out of the solver. If the solver is just allocating or
    freeing memory, or runs in another thread than the one with the signal, the process crashes.
    python-sat installs the handler only in the main thread, so inside the block its check for the
    main thread returns False, for this thread.
    """

    # A class, because entering a generator takes longer than some solver calls.

    def __enter__(self) -> None:
        # Only python-sat's classes make the check; a bare solver gets an argument instead.
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
    """Return a context in which python-sat does not handle Ctrl-C."""
    return _ctrl_c_left_alone


class _MainThreadCheck:
    """Replaces python-sat's check for the main thread; other callers get the real result."""

    def __init__(self, original: Callable[[], bool]) -> None:
        self._original = original

    def __call__(self) -> bool:
        return not getattr(_this_thread, "is_shielded", False) and self._original()
