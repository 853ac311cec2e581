"""A program of somebody else at work: its output in bounded memory, and its end within the limit.

It gets a process group of its own. What it starts may leave that group, live on and keep the pipes
open, so the end of a pipe is never waited for once the program itself has ended or time is up.
"""

import os
import selectors
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import IO, NamedTuple

from satdoku.errors import SolverError
from satdoku.processes import at_most, end_with, kill_group, kill_readers
from satdoku.solving.limits import Budget, LimitReachedError

# What a pipe of Linux holds.
_BYTES_AT_ONCE = 1 << 16
# Of what a program complains about, the end says most.
_MOST_ERRORS = 1 << 16
# How often to look whether the program has ended while its pipes are still open.
_SECONDS_BETWEEN_LOOKS = 0.05
# A killed process is gone in milliseconds, unless the system holds it: then we do not wait for it.
_SECONDS_TO_DIE = 0.5


class Finished(NamedTuple):
    """What a program left: its exit code, negative if a signal killed it, and what it printed."""

    code: int
    output: bytes
    errors: bytes


def run_program(
    words: Sequence[str], stdin: IO[bytes] | int, most: int, budget: Budget
) -> Finished:
    """Runs a program to its end.

    Raises LimitReachedError when the budget ends first, SolverError when it prints more than `most`
    bytes. Whatever is raised, the program and what it started are gone, as far as the system tells
    who they are.
    """
    name = words[0]
    process, lifeline, theirs = _start(words, stdin)
    try:
        if os.name == "posix":
            output, errors = _gather(process, name, most, budget)
        else:
            output, errors = process.communicate(timeout=at_most(budget.seconds_left))
        # It may have closed its pipes and still be at work.
        return Finished(process.wait(at_most(budget.seconds_left)), output, errors)
    except subprocess.TimeoutExpired:
        budget.require()
        raise LimitReachedError(f"{name} was not done within its time") from None
    finally:
        if process.returncode is None:
            _end(process, theirs)
        os.close(lifeline)
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


def _start(
    words: Sequence[str], stdin: IO[bytes] | int
) -> "tuple[subprocess.Popen[bytes], int, int]":
    """The program in a group of its own; what to close behind it; and the mark that it carries.

    The mark is the number of a pipe, by which all that it starts can be recognised. When our end of
    this lifeline closes, by whatever death of ours, the kernel ends the group.
    """
    theirs, ours = os.pipe()
    mark = os.fstat(theirs).st_ino
    is_linux = sys.platform == "linux"
    try:
        process = subprocess.Popen(
            words,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            pass_fds=(theirs,) if is_linux else (),
            preexec_fn=partial(end_with, theirs) if is_linux else None,
        )
    except OSError as error:
        os.close(ours)
        raise SolverError(f"{words[0]} cannot be started: {error.strerror}") from None
    finally:
        os.close(theirs)
    return process, ours, mark


def _gather(
    process: "subprocess.Popen[bytes]", name: str, most: int, budget: Budget
) -> tuple[bytes, bytes]:
    """What the program prints, until it ends."""
    output, errors = bytearray(), bytearray()

    def take_output(data: bytes) -> None:
        output.extend(data)
        if len(output) > most:
            raise SolverError(f"{name} printed more than {most >> 20} MB; no answer is that long")

    def take_errors(data: bytes) -> None:
        errors.extend(data)
        del errors[:-_MOST_ERRORS]

    assert process.stdout is not None
    assert process.stderr is not None
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ, take_output)
        selector.register(process.stderr, selectors.EVENT_READ, take_errors)
        while selector.get_map():
            budget.require()
            seconds = at_most(budget.seconds_left)
            patience = min(_SECONDS_BETWEEN_LOOKS, seconds or _SECONDS_BETWEEN_LOOKS)
            ready = selector.select(patience)
            if not ready and process.poll() is not None:
                break  # whoever holds the pipes open now is not the program
            for key, _ in ready:
                _read(key, selector)
    return bytes(output), bytes(errors)


def _read(key: selectors.SelectorKey, selector: selectors.BaseSelector) -> None:
    take: Callable[[bytes], None] = key.data
    data = os.read(key.fd, _BYTES_AT_ONCE)
    if data:
        take(data)
    else:
        selector.unregister(key.fileobj)


def _end(process: "subprocess.Popen[bytes]", mark: int) -> None:
    """Ends the program, its group, and those that it started and that have left the group."""
    kill_group(process.pid)
    kill_readers(mark)
    process.kill()
    # If it takes longer it is in the hands of the system, and cannot do anything any more.
    with suppress(subprocess.TimeoutExpired):
        process.wait(_SECONDS_TO_DIE)
