"""Entry point of the `satdoku` program, also as `python -m satdoku`.

Importing the rest takes a moment, in which Ctrl-C would end in a traceback. With the handlers of
this module it ends with a message and an exit code, as later in the run. Until they are set, only
modules are imported that are loaded already or built in: `_signal` is faster than `signal`, which
builds enumerations.
"""

import _signal  # type: ignore[import-not-found]
import os


def main() -> None:
    """Run the command line and end the process."""
    # Set the handlers before anything else: Ctrl-C before this ends in a traceback.
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(_signal, name, None)  # Windows has no SIGHUP
        # A signal that is ignored stays ignored, for instance under nohup.
        if number is not None and _signal.getsignal(number) != _signal.SIG_IGN:
            _signal.signal(number, _leave)
    from satdoku.cli.main import main as run_command_line

    run_command_line()


def _leave(number: int, frame: object) -> None:
    """End the process at once: nothing needs cleaning up yet."""
    # The messages are the same as in `cli/main.py`.
    is_typed = number == _signal.SIGINT
    word, code = (b"interrupted", 130) if is_typed else (b"terminated", 143)
    os.write(2, b"\nsatdoku: " + word + b"\n")
    os._exit(code)


if __name__ == "__main__":
    main()
