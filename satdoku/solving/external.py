"""Any solver in the world as back end: it gets a DIMACS file and its answer is read back.

It is a program of somebody else: its output is kept in bounded memory, and it ends within the
limit. It gets a process group of its own. What it starts may leave that group, live on and keep the
pipes open, so the end of a pipe is never waited for once the program itself has ended or time is
up.
"""

import os
import selectors
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from io import StringIO
from pathlib import Path
from typing import IO, NamedTuple

from satdoku.encoding.choices import Status
from satdoku.encoding.files.answer import SolverAnswer, read_answer
from satdoku.errors import SolverDiedError, SolverError
from satdoku.files import read_data
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


_CNF, _ANSWER = "{cnf}", "{out}"
# A long answer has a dozen bytes for each variable; talk about the search has a few megabytes.
_BASE_OUTPUT, _BYTES_A_VARIABLE = 64 << 20, 24
# What solvers exit with by convention; clasp adds bits for what it did besides.
_USUAL_EXIT_CODES = {0, 10, 20, 30}


class ExternalSession:
    """A command that is asked anew each time, with all clauses so far.

    `{cnf}` in the command is the formula's file and `{out}` the file that will hold the answer;
    without them the formula goes to standard input and the answer comes from standard output.
    """

    can_continue = True

    def __init__(self, command: str) -> None:
        self.command = command
        self._words = _split(command)
        self._folder = tempfile.TemporaryDirectory(prefix="satdoku-")
        self._body = (Path(self._folder.name) / "body").open("w+")
        self._clauses = 0
        self._variables = 0
        self._answer: SolverAnswer | None = None

    def add_clause(self, literals: Sequence[int]) -> None:
        self._clauses += 1
        self._variables = max(self._variables, *map(abs, literals))
        self._body.write(" ".join(map(str, literals)) + " 0\n")

    def add_at_most_one(self, literals: Sequence[int]) -> None:
        raise SolverError(f"{self._words[0]} takes clauses only")

    def add_at_most(self, literals: Sequence[int], most: int) -> None:
        self.add_at_most_one(literals)

    def suggest(self, literals: Sequence[int]) -> None:
        """Does nothing: DIMACS has no way to give a solver hints."""

    def solve(self, budget: Budget, patience: int | None = None) -> Status:
        """Runs the command; raises LimitReachedError when the budget ends first."""
        budget.require()
        if budget.conflicts_left is not None:
            raise SolverError(f"{self._words[0]} cannot be stopped after a number of conflicts")
        self._answer = read_answer(budget.watch(StringIO(self._run(budget))), self._words[0])
        if self._answer.status is Status.UNKNOWN:
            raise LimitReachedError(f"{self._words[0]} gave up")
        if self._answer.status is Status.SATISFIABLE and not self._answer.true:
            hint = "" if _ANSWER in self.command else f"; does it want a file for it, {_ANSWER}?"
            raise SolverError(f"{self._words[0]} found a solution but did not print it{hint}")
        if self._answer.status is Status.SATISFIABLE and not self._answer.is_complete:
            raise SolverError(f"the answer of {self._words[0]} is cut off")
        return self._answer.status

    def model(self) -> Sequence[int]:
        assert self._answer is not None
        return self._answer.true

    def counters(self) -> dict[str, int]:
        return {}

    def close(self) -> None:
        self._body.close()
        self._folder.cleanup()

    def _run(self, budget: Budget) -> str:
        formula = Path(self._folder.name) / "formula.cnf"
        answer = Path(self._folder.name) / "answer"
        answer.unlink(missing_ok=True)
        self._write_formula(formula)
        words = [
            word.replace(_CNF, str(formula)).replace(_ANSWER, str(answer)) for word in self._words
        ]
        is_piped = _CNF not in self.command
        most = _BASE_OUTPUT + _BYTES_A_VARIABLE * self._variables
        with formula.open("rb") as stream:
            finished = run_program(words, stream if is_piped else subprocess.DEVNULL, most, budget)
        if _ANSWER in self.command:
            output = read_data(answer, most) if answer.exists() else b""
            finished = finished._replace(output=output)
        self._require_health(finished)
        return finished.output.decode("utf-8", "replace")

    def _write_formula(self, path: Path) -> None:
        self._body.flush()
        with path.open("wb") as formula:
            formula.write(b"p cnf %d %d\n" % (self._variables, self._clauses))
            with Path(self._body.name).open("rb") as body:
                shutil.copyfileobj(body, formula)

    def _require_health(self, finished: Finished) -> None:
        name, (code, output, errors) = self._words[0], finished
        if code < 0:
            raise SolverDiedError(f"{name} was killed by signal {-code}")
        if code not in _USUAL_EXIT_CODES and not output.strip():
            words = errors.decode("utf-8", "replace").strip().splitlines() or ["no message"]
            raise SolverError(f"{name} failed with exit code {code}: {words[-1]}")
        if not output.strip():
            raise SolverError(f"{name} gave no answer")


def _split(command: str) -> list[str]:
    try:
        words = shlex.split(command, posix=os.name == "posix")
    except ValueError as error:
        raise SolverError(f"the command {command!r} cannot be read: {error}") from None
    if not words:
        raise SolverError("the command of the solver is empty")
    if shutil.which(words[0]) is None:
        raise SolverError(f"there is no program {words[0]!r} on this machine")
    if os.path.isdir(words[0]):
        raise SolverError(f"{words[0]!r} is a folder, not a program")
    return words
