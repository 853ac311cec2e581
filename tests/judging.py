"""Runs a program and notes every grid that the judge finds right, in either of its faces.

`python -m tests.judging NOTES ARGUMENT...` is `satdoku ARGUMENT...`; `python -m tests.judging NOTES
-c CODE` runs Python. Processes that are forked meanwhile note their grids in the same file.
"""

import os
import sys
from types import FrameType
from typing import Any

from satdoku.cli.main import run
from satdoku.puzzle.byte_judge import ByteJudge
from satdoku.puzzle.judge import find_fault

_GRIDS = find_fault.__code__
_BYTES = ByteJudge.is_solution.__code__


def main() -> int:
    notes = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def note(frame: FrameType, event: str, result: Any) -> None:
        if event != "return" or frame.f_code not in (_GRIDS, _BYTES):
            return
        solution = frame.f_locals["solution"]
        if frame.f_code is _GRIDS and result == "":
            os.write(notes, b"grid %s\n" % _line_of(solution.digits))
        elif frame.f_code is _BYTES and result is True:
            os.write(notes, b"bytes %s\n" % _line_of(solution))

    sys.setprofile(note)
    if sys.argv[2] == "-c":
        exec(sys.argv[3], {})
        return 0
    return run(sys.argv[2:])


def _line_of(digits: Any) -> bytes:
    return "".join(map(str, digits)).encode()


if __name__ == "__main__":
    sys.exit(main())
