"""Notes every grid that the judge finds right, in any of its faces, while a program runs."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from satdoku.lanes.bank import CELLS, Answers, Bank, Found
from satdoku.puzzle.judge import ByteJudge, find_fault

_GRIDS = find_fault.__code__
_BYTES = ByteJudge.is_solution.__code__
_LANES = Bank.answer.__code__


@contextmanager
def grids_noted(path: Path) -> Iterator[None]:
    """Processes that are forked meanwhile note their grids in the same file."""
    notes = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def note(frame: FrameType, event: str, result: Any) -> None:
        if event != "return" or frame.f_code not in (_GRIDS, _BYTES, _LANES):
            return
        if frame.f_code is _LANES:
            for line in _lines_of(result):
                os.write(notes, b"lanes %s\n" % line)
            return
        solution = frame.f_locals["solution"]
        if frame.f_code is _GRIDS and result == "":
            os.write(notes, b"grid %s\n" % _line_of(solution.digits))
        elif frame.f_code is _BYTES and result is True:
            os.write(notes, b"bytes %s\n" % _line_of(solution))

    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)
        os.close(notes)


def _lines_of(answers: Answers | None) -> Iterator[bytes]:
    """The grids that the library says its own judge, which is written in C, found right."""
    assert answers is not None
    for number, found in enumerate(answers.found):
        if found in (Found.ONE, Found.CHOSEN):
            yield _line_of(answers.solutions[CELLS * number : CELLS * (number + 1)])


def _line_of(digits: Any) -> bytes:
    return "".join(map(str, digits)).encode()
