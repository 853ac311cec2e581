"""Run an external solver: write a DIMACS file and read the answer.

The program is not trusted: its output is kept in bounded memory, and it is ended at the limit. It
gets its own process group. Its children may leave the group, go on running and keep the pipes open,
so once the program has ended or time is up, satdoku no longer waits for the pipes to close.
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

# The buffer size of a Linux pipe.
_BYTES_AT_ONCE = 1 << 16
# Only the end of the error output is kept, which is the most useful part.
_MOST_ERRORS = 1 << 16
# Interval between checks whether the program has ended while its pipes are still open.
_SECONDS_BETWEEN_LOOKS = 0.05
# A killed process ends in milliseconds, unless the kernel holds it; then the wait is given up.
_SECONDS_TO_DIE = 0.5


class Finished(NamedTuple):
    """A program's exit code, negative if a signal killed it, and its output."""

    code: int
    output: bytes
    errors: bytes


def run_program(
    words: Sequence[str], stdin: IO[bytes] | int, most: int, budget: Budget
) -> Finished:
    """Run a program to its end.

    Raise LimitReachedError if the budget ends first, SolverError if the program prints more than
    `most` bytes. In all cases the program and its children are ended, as far as the system can
    identify them.
    """
    name = words[0]
    process, lifeline, theirs = _start(words, stdin)
    try:
        if os.name == "posix":
            output, errors = _gather(process, name, most, budget)
        else:
            output, errors = process.communicate(timeout=at_most(budget.seconds_left))
        # The program may have closed its pipes and still be running.
        return Finished(process.wait(at_most(budget.seconds_left)), output, errors)
    except subprocess.TimeoutExpired:
        budget.require()
        raise LimitReachedError(f"{name} did not finish in time") from None
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
    """Start the program in its own group; return it, the descriptor to close later, and the mark.

    The mark is the inode of a pipe that all children of the program inherit, by which they are
    recognised. If our end of this pipe closes, even by our own end, the kernel ends the group.
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
    """Return what the program prints to standard output and to standard error, until it ends."""
    output, errors = bytearray(), bytearray()

    def take_output(data: bytes) -> None:
        output.extend(data)
        if len(output) > most:
            raise SolverError(f"{name} printed more than {most >> 20} MB, too much for an answer")

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
                break  # only children of the program still hold the pipes open
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
    """End the program, its group, and its children that have left the group."""
    kill_group(process.pid)
    kill_readers(mark)
    process.kill()
    # If the process takes longer to end, the kernel holds it, and it cannot run any more.
    with suppress(subprocess.TimeoutExpired):
        process.wait(_SECONDS_TO_DIE)


_CNF, _ANSWER = "{cnf}", "{out}"
# Limits on the output: an answer has a dozen bytes per variable, and log output takes a few
# megabytes.
_BASE_OUTPUT, _BYTES_A_VARIABLE = 64 << 20, 24
# The exit codes of solvers by convention; clasp adds further bits to them.
_USUAL_EXIT_CODES = {0, 10, 20, 30}


class ExternalSession:
    """A solver command that is run anew for each call, with all clauses so far.

    In the command, `{cnf}` is the formula's file and `{out}` the file for the answer; without them
    the formula goes to standard input and the answer comes from standard output.
    """

    can_continue = True

    def __init__(self, command: str) -> None:
        self.command = command
        self._words = _split(command)
        self._folder = tempfile.TemporaryDirectory(prefix="satdoku-")
        self._body = (Path(self._folder.name) / "body").open("w+", encoding="ascii", newline="\n")
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
        """No-op: DIMACS has no hints."""

    def solve(self, budget: Budget, patience: int | None = None) -> Status:
        """Run the command; raise LimitReachedError if the budget ends first."""
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
