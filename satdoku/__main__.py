"""Where the `satdoku` program begins, also as `python -m satdoku`.

Importing the rest takes a moment. Ctrl-C in that moment would end with a traceback; here it ends as
it does later, with a word and an exit code. So nothing is imported before the signals are answered
but what Python has by then, or in itself: `signal` makes enumerations of what `_signal` has.
"""

import _signal  # type: ignore[import-not-found]
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

# The words are those of `cli/main.py`.
_ENDS = {
    getattr(_signal, name): end  # SIGHUP exists on Unix only
    for name, end in (
        ("SIGINT", (b"interrupted", 130)),
        ("SIGTERM", (b"terminated", 143)),
        ("SIGHUP", (b"terminated", 143)),
    )
    if hasattr(_signal, name)
}


def main() -> "NoReturn":
    """Runs the command line and ends the process."""
    for number in _ENDS:
        # nohup, for one, has a signal ignored; so it stays.
        if _signal.getsignal(number) != _signal.SIG_IGN:
            _signal.signal(number, _leave)
    from satdoku.cli.main import main as run_command_line

    run_command_line()


def _leave(number: int, frame: "FrameType | None") -> "NoReturn":
    """Ends the process at once: nothing has been begun that would have to be put away."""
    word, code = _ENDS[number]
    os.write(2, b"\nsatdoku: " + word + b"\n")
    os._exit(code)


if __name__ == "__main__":
    main()
