"""Signals that end a run, raised where an exception is heard and harms nobody.

Python calls a handler between any two of its instructions, and an exception that the handler raises
goes on from there. At three kinds of places that is wrong:

- In a finalizer (`__del__`, or what a weak reference calls) Python swallows it: the signal is lost.
- While python-sat makes or deletes a solver, the object may hold a solver that is gone already.
  It would be deleted once more, and the process would die.
- While a module is imported, C code that is half set up may meet the exception.

There the handler notes the signal and is called again a moment later. A frame tells neither of a
generator that is put away, nor of what C code calls, so what was swallowed all the same is seen in
`sys.unraisablehook`, and raised again too.
"""

import _thread
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from types import CodeType, FrameType
from typing import Any

# Short for a person, and longer than it takes to delete most solvers.
_A_MOMENT = 0.001

# Files of which no function is to be left by an exception of ours: they run where it is swallowed,
# or where a module is half made. The frozen ones import.
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
# What makes and deletes solvers there. Not what searches: a run hardly does anything else.
_NOT_TO_BE_LEFT = frozenset({"__init__", "new", "delete", "__del__"})


class TerminatedError(KeyboardInterrupt):
    """SIGTERM or SIGHUP: all is put away as after Ctrl-C, only the exit code is another."""


class Signals:
    """Answers signals by raising an exception for each, where that is heard.

    `errors` says what to raise for the name of a signal. A signal that is ignored when the program
    starts stays ignored: nohup, for one, has it so. Names that the system does not know are left
    out. `meet` is called first, and may end the process. Functions whose code is `unleft` are left
    by no exception while they run themselves: they put the last word on whatever ended the run.
    """

    def __init__(
        self,
        errors: Mapping[str, type[BaseException]],
        meet: Callable[[], object] = lambda: None,
        unleft: Collection[CodeType] = (),
    ) -> None:
        self._meet, self._unleft = meet, unleft
        self._errors: dict[int, type[BaseException]] = {}
        # Set where the exit code is known and the process ends: then signals change nothing. It is
        # set without a call, which would be one more function for a signal to come in.
        self.are_over = False
        self._answers = 0  # how often the handler was called, heard or not
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
        """Raises again what was swallowed of ours; anything else is told of as it always was."""
        for number, error in self._errors.items():
            if unraisable.exc_type is error:
                self._call_again(number)
                return
        self._tell_of_others(unraisable)

    def _call_again(self, number: int) -> None:
        """Sends a signal to this thread, in a moment and until it is answered.

        Only a signal from the system wakes a thread that has begun to wait for input by then, and
        one that comes just before it does so wakes it not: hence until. Windows has nothing but
        `interrupt_main`, which is noticed after the input.

        The thread that sends is one of the system's, without the locks of `threading`: the main
        thread may hold one of these just now.
        """
        main = _thread.get_ident()  # Python calls handlers in the main thread alone
        answers = self._answers

        def send() -> None:
            time.sleep(_A_MOMENT)
            is_ours = True
            while is_ours and self._answers == answers:
                # Whoever has the signal by now hears of it once.
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


# What runs where something was just swallowed, where another signal is just being answered, and
# where nobody catches yet what is raised.
_OURS = {
    function.__code__
    for function in (Signals._look_at_swallowed, Signals._answer, Signals.__init__)
}
