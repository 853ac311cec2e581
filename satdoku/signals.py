"""Signals that end a program: blocked for a moment, or raised as exceptions where that is safe."""

import _thread
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

# Signals that a child blocks until it has its own handlers, as it would inherit its parent's.
# Windows has no SIGHUP.
_HELD = {getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)}


@contextmanager
def signals_held() -> Iterator[None]:
    """Block signals that end a program until the end of the block, or until `release_signals`."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _HELD)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def release_signals() -> None:
    """Unblock the signals that `signals_held` blocks, in this thread."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _HELD)


# Signals as exceptions, raised where these are not swallowed and do no harm
#
# Python calls a handler between any two of its instructions, and an exception of the handler is
# raised there. In three kinds of places that is wrong:
#
# - In a finalizer (`__del__` or a weak reference's callback) Python swallows it, so the signal is
#   lost.
# - While python-sat creates or deletes a solver, the object may hold a deleted solver. It would be
#   deleted again, and the process would crash.
# - While a module is imported, C code that is half initialised may see the exception.
#
# There the handler stores the signal and is called again a moment later. A frame shows neither a
# generator that is being finalized nor C code that calls back, so an exception that was swallowed
# anyway is found in `sys.unraisablehook`, and raised again too.

# Short for a person, and longer than it takes to delete most solvers.
_A_MOMENT = 0.001

# Files whose functions must not raise our exceptions: their callers swallow them, or a module is
# half initialised. The frozen files import modules.
_OF_PYTHON = (
    "<frozen importlib._bootstrap>",
    "<frozen importlib._bootstrap_external>",
    "weakref.py",
    "_weakrefset.py",
)
_SOLVERS = tuple(
    file.replace("/", separator)
    for file in ("pysat/solvers.py", "solving/pysat_private.py")
    for separator in "/\\"
)
# Functions of python-sat that create and delete solvers, but not those that search, which take most
# of a run.
_NOT_TO_BE_LEFT = frozenset({"__init__", "new", "delete", "__del__"})


class TerminatedError(KeyboardInterrupt):
    """SIGTERM or SIGHUP: handled like Ctrl-C, with another exit code."""


class Signals:
    """Handlers that raise an exception for each signal, where it is not swallowed.

    `errors` has the exception for each signal name. A signal that is ignored when the program
    starts stays ignored, as under nohup. Names that the system lacks are left out. `meet` is called
    first, and may end the process. Functions whose code is in `unleft` are not interrupted: they
    report what ended the run.
    """

    def __init__(
        self,
        errors: Mapping[str, type[BaseException]],
        meet: Callable[[], object] = lambda: None,
        unleft: Collection[CodeType] = (),
    ) -> None:
        self._meet, self._unleft = meet, unleft
        self._errors: dict[int, type[BaseException]] = {}
        # Set when the exit code is known and the process ends: then signals have no effect. It is
        # an attribute, as a call would be one more function that a signal could interrupt.
        self.are_over = False
        self._answers = 0  # number of calls of the handler, raised or not
        for name, error in errors.items():
            number = getattr(signal, name, None)  # Windows has no SIGHUP
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                self._errors[number] = error
                signal.signal(number, self._answer)
        self._tell_of_others = sys.unraisablehook
        sys.unraisablehook = self._look_at_swallowed

    def _answer(self, number: int, frame: FrameType | None) -> None:
        self._answers += 1
        if self.are_over:
            return
        self._meet()
        is_last = frame is not None and frame.f_code in self._unleft
        if is_last or any(map(_is_not_to_be_left, _with_callers(frame))):
            self._call_again(number)
        else:
            raise self._errors[number]

    def _look_at_swallowed(self, unraisable: Any) -> None:
        """Raise our exception again if it was swallowed; report any other as usual."""
        for number, error in self._errors.items():
            if unraisable.exc_type is error:
                self._call_again(number)
                return
        self._tell_of_others(unraisable)

    def _call_again(self, number: int) -> None:
        """Send a signal to this thread after a moment, repeatedly until it is handled.

        Only a signal of the system wakes a thread that waits for input by then, and one that comes
        just before the wait does not wake it: so it is repeated. Windows has only `interrupt_main`,
        which is noticed after the input.

        The thread that sends is a raw one, without the locks of `threading`: the main thread may
        hold one of these now.
        """
        main = _thread.get_ident()  # Python calls handlers in the main thread only
        answers = self._answers

        def send() -> None:
            time.sleep(_A_MOMENT)
            is_ours = True
            while is_ours and self._answers == answers:
                # If the handler was replaced, the new handler gets the signal once.
                is_ours = signal.getsignal(number) == self._answer
                if hasattr(signal, "pthread_kill"):
                    signal.pthread_kill(main, number)
                else:
                    _thread.interrupt_main(signal.Signals(number))
                time.sleep(_A_MOMENT)

        _thread.start_new_thread(send, ())


def _with_callers(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _is_not_to_be_left(frame: FrameType) -> bool:
    code = frame.f_code
    if code.co_name == "__del__" or code.co_filename.endswith(_OF_PYTHON) or code in _OURS:
        return True
    return code.co_name in _NOT_TO_BE_LEFT and code.co_filename.endswith(_SOLVERS)


# Code of this module that runs after an exception was swallowed, while another signal is handled,
# or before the caller can catch an exception.
_OURS = {
    function.__code__
    for function in (Signals._look_at_swallowed, Signals._answer, Signals.__init__)
}
