"""Where the `satdoku` program begins, also as `python -m satdoku`.

Importing the rest takes a moment. Ctrl-C in that moment would end with a traceback; here it ends as
it does later, with a word and an exit code.
"""

import os
import signal
from types import FrameType
from typing import NoReturn

# SIGHUP exists on Unix only. The words are those of `cli/main.py`.
_WORDS = {"SIGINT": b"interrupted", "SIGTERM": b"terminated", "SIGHUP": b"terminated"}
_CODES = {"SIGINT": 130, "SIGTERM": 143, "SIGHUP": 143}


def main() -> NoReturn:
    """Runs the command line and ends the process."""
    for name in _WORDS:
        number = getattr(signal, name, None)
        # nohup, for one, has a signal ignored; so it stays.
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _leave)
    from satdoku.cli.main import main as run_command_line

    run_command_line()


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    """Ends the process at once: nothing has been begun that would have to be put away."""
    name = signal.Signals(number).name
    os.write(2, b"\nsatdoku: " + _WORDS[name] + b"\n")
    os._exit(_CODES[name])


if __name__ == "__main__":
    main()
