"""Any solver in the world as back end: it gets a DIMACS file and its answer is read back."""

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

from satdoku.encoding.files.answer import SolverAnswer, read_answer
from satdoku.encoding.files.status import Status
from satdoku.errors import SolverDiedError, SolverError
from satdoku.files import read_data
from satdoku.solving.limits import Budget, LimitReachedError
from satdoku.solving.program import Finished, run_program

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
