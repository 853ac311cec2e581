"""Runs that end before they are done; as a program, one that is killed again and again.

`python -m tests.answering.output.unfinished FOLDER NAME KILLS SEED JOBS` kills so many runs at
random moments, lets the last one finish, and prints how many records each run found answered, if
it came so far. With `--steps` behind, a moment is a call of a function, counted, and not a time,
so that the same seed kills at the same moments, however busy the machine is.
"""

import os
import random
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

from satdoku.answering.output.open_file import Identity, file_output
from satdoku.answering.output.output import sidecar_of
from satdoku.batch.run import run
from tests.batch.marked import Obedient, make_records

OPENING = "number,verdict\n"
# A run is killed before it has taken as long.
MOST_SECONDS = 0.06
MOST_STEPS = 50_000


def prepare(folder: Path, count: int) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "input.txt").write_text(str(count))
    return folder


class Unplugged(Exception):
    """What ends a run in these tests."""


def break_off(folder: Path, name: str, count: int, answered: int) -> None:
    """A run that ends after some rows, as Ctrl-C ends it."""
    source = prepare(folder, count) / "input.txt"
    identity = Identity({"count": count}, [source])
    marks = {f"n{n}": "multiple" for n in range(1, count, 997)}
    rejects = folder / f"{name}.rejects"
    with suppress(Unplugged), file_output(folder / name, OPENING, rejects, identity) as output:
        for number, row in enumerate(run(Obedient(), make_records(count, **marks), 1)):
            if number == answered:
                raise Unplugged
            output.write(row)
    assert sidecar_of(folder / name).exists()


def answer_all(folder: Path, name: str, jobs: int, resume: bool = True) -> int:
    """Continues the output `name`; returns how many records were answered before."""
    source = folder / "input.txt"
    count = int(source.read_text())
    marks = {f"n{n}": "multiple" for n in range(1, count, 997)}
    identity = Identity({"count": count}, [source])
    rejects = folder / f"{name}.rejects"
    with file_output(folder / name, OPENING, rejects, identity, resume) as output:
        (folder / f"{name}.found").write_text(str(output.answered))
        records = (r for r in make_records(count, **marks) if r.number > output.answered)
        for row in run(Obedient(), records, jobs):
            output.write(row)
    return output.answered


def die_after(calls: int) -> None:
    """Has this process, and none that it starts, killed at a call of a function."""
    left, here = calls, os.getpid()

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal left
        left -= 1
        if left < 0 and os.getpid() == here:
            os.kill(here, signal.SIGKILL)

    sys.setprofile(count)


def kill_once(folder: Path, name: str, jobs: int, share: float, by_steps: bool) -> bool:
    """Starts a run and kills it; whether it was still at work."""
    child = os.fork()
    if child == 0:
        try:
            if by_steps:
                die_after(round(share * MOST_STEPS))
            answer_all(folder, name, jobs)
        except BaseException as error:
            print(repr(error), flush=True)
            os._exit(1)
        os._exit(0)
    if not by_steps:
        time.sleep(share * MOST_SECONDS)
        os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    assert not os.WIFEXITED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def main() -> None:
    folder, name = Path(sys.argv[1]), sys.argv[2]
    kills, seed, jobs = map(int, sys.argv[3:6])
    generator = random.Random(seed)
    found = folder / f"{name}.found"
    for _ in range(kills):
        found.unlink(missing_ok=True)
        lines = count_lines(folder / name)
        if not kill_once(folder, name, jobs, generator.random(), "--steps" in sys.argv):
            sys.exit("the run ended before it was killed often enough")
        if found.exists() and found.read_text():
            assert name != "plain.csv" or int(found.read_text()) == max(0, lines - 1)
            # At once: what waits in a buffer would be printed again by whoever is forked from here.
            print(found.read_text(), flush=True)
    print(answer_all(folder, name, jobs))


def count_lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


if __name__ == "__main__":
    main()
