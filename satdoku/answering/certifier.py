"""The answerer of `certify`: verdicts with proofs. Runs in workers and writes no file."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from satdoku.answering.answerer import guarded
from satdoku.answering.asked import asked
from satdoku.answering.output.ending import Ending
from satdoku.answering.task import Task
from satdoku.batch.row import Row
from satdoku.certifying.certificate import PLAIN_ENCODINGS, Claim, ProofFormat
from satdoku.certifying.certify import DEFAULT_PROVER, NotCheckedError, certify
from satdoku.encoding.choices import Encoding
from satdoku.errors import FormatError, SatdokuError
from satdoku.solving.limits import LimitReachedError, Limits


@dataclass(frozen=True, slots=True)
class Certifier:
    """Answerer that certifies the puzzle of each task; certificates name `program` as their maker.

    The result of a row is the task with its certificate; the parent process writes the files.
    """

    limits: Limits
    program: str
    solver: str = asked(
        "--solver",
        "Solver that makes the proofs; a solver without usable proofs is refused.",
        DEFAULT_PROVER,
        metavar="NAME",
    )
    encoding: str = asked(
        "--encoding",
        "Encoding of the rules in the formula.",
        Encoding.REDUCED.value,
        choices=tuple(encoding.value for encoding in PLAIN_ENCODINGS),
    )
    has_hints: bool = asked(
        "--lrat",
        "Write NAME.lrat, a proof with hints that is checked faster, in place of NAME.drat.",
    )

    lists_all: bool = asked(
        "--count", "List all solutions, at most 10,000, and prove that there is no other."
    )
    names_candidates: bool = asked(
        "--candidates",
        "Give a solution with each candidate that has one, and prove that the others have none.",
    )

    @property
    def claim(self) -> Claim:
        if self.names_candidates:
            return Claim.CANDIDATES
        return Claim.COUNT if self.lists_all else Claim.VERDICT

    @property
    def proof_format(self) -> ProofFormat:
        return ProofFormat.LRAT if self.has_hints else ProofFormat.DRAT

    @property
    def timeout(self) -> float | None:
        return self.limits.timeout

    def answers(self, tasks: Sequence[Task]) -> Iterator[Row]:
        return (guarded(task, self._answer) for task in tasks)

    def give_up(self, task: Task, reason: str) -> Row:
        """Return the row of a puzzle that stays undecided, without a certificate."""
        word = Ending.UNDECIDED.value
        return Row(
            "", Ending.UNDECIDED, message=f"{task.place}: {word}: {reason}", place=task.place
        )

    def _answer(self, task: Task) -> Row:
        try:
            certificate = certify(
                task.parse(),
                self.program,
                self.solver,
                Encoding(self.encoding),
                self.limits,
                self.proof_format,
                self.claim,
            )
        except FormatError as error:
            return Row("", Ending.UNREADABLE, message=str(error), place=error.place)
        except NotCheckedError as limit:
            # The requested certificate is missing, so the record counts as undecided.
            message = f"{task.place}: {limit.verdict.value}, but not certified: {limit}"
            return Row("", Ending.UNDECIDED, message=message, place=task.place)
        except LimitReachedError as limit:
            return self.give_up(task, str(limit))
        except SatdokuError as error:
            # The text is readable, but cannot be certified, for instance because the puzzle is too
            # large.
            return Row("", Ending.UNREADABLE, message=f"{task.place}: {error}", place=task.place)
        return Row("", Ending.of(certificate.verdict), result=(task, certificate))
