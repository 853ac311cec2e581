"""The answerers of `verify`: they check certificates from their files alone, and run in workers.

With `verify --puzzles`, `ExpectedPuzzles` compares the puzzles of valid certificates with a list.
"""

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from satdoku.answering.output.ending import Ending
from satdoku.answering.task import Task, describe_bug, is_bug
from satdoku.batch.row import Row
from satdoku.batch.run import traceback_of
from satdoku.certifying.certificate import Claim, read_certificate
from satdoku.certifying.second_verifier import ask, second_verifier
from satdoku.certifying.verify import Verification, verify
from satdoku.errors import PlacedError, SatdokuError, cut
from satdoku.notation.spelling import spelling_by_symbols, write_cells
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import write_rule
from satdoku.solving.limits import Budget, LimitReachedError, Limits

# Longest puzzle that fits on a line of a terminal: a board of 16x16, but not one of 25x25.
_LONGEST_PUZZLE = 256

# Most characters of a rule that is written, enough for a cage of nine cells; and most rules that
# are written, enough for a few lines.
_LONGEST_RULE, _MOST_RULES = 60, 12


class CertificateFile(NamedTuple):
    """A certificate to check; `text` is its path, which is all that a worker needs."""

    text: str


@dataclass(frozen=True, slots=True)
class Verifier:
    """Answerer that checks certificates; the result of a valid one is its puzzle."""

    timeout: float | None = None

    def answers(self, records: Sequence[CertificateFile]) -> Iterator[Row]:
        return map(self._answer, records)

    def give_up(self, record: CertificateFile, reason: str) -> Row:
        """Return the row of a certificate whose check did not end."""
        word = Ending.UNDECIDED.value
        message = f"{record.text}: {word}: {reason}"
        return Row(f"{record.text}: {word}\n", Ending.UNDECIDED, message, place=record.text)

    def _answer(self, record: CertificateFile) -> Row:
        """Return the row of a certificate that holds or does not; one that says so after a bug."""
        try:
            return self._check(record)
        except LimitReachedError as limit:
            return self.give_up(record, str(limit))
        except SatdokuError as error:
            place = error.place if isinstance(error, PlacedError) else ""
            return failed(record, str(error), place)
        except Exception as error:
            if not is_bug(error):
                raise
            told = describe_bug(error, "certificate")
            line = f"{record.text}: {Ending.FAULT.value}"
            message = f"{line}: {told}\n{traceback_of(error).rstrip()}"
            return Row(f"{line}\n", Ending.FAULT, message, place=record.text)

    def _check(self, record: CertificateFile) -> Row:
        """Return the row of a certificate that holds; raise an error for any other."""
        path = Path(record.text)
        budget = Budget(Limits(self.timeout))
        certificate = read_certificate(path)
        result = verify(certificate, str(path.with_suffix("")), budget.require)
        puzzle = certificate.puzzle
        text = f"{path}: {_describe(result)}: {_name(puzzle)}\n"
        return Row(text, Ending.of(result.verdict), result=puzzle, place=str(path))


def failed(record: CertificateFile, reason: str, place: str = "") -> Row:
    """Return the row of a certificate that does not hold."""
    text = f"{record.text}: {Ending.FAILED.value}\n"
    return Row(text, Ending.FAILED, reason, place=place)


def _describe(result: Verification) -> str:
    if result.proof is None:
        return f"{result.verdict.value}, both solutions are right"
    claimed = {
        Claim.VERDICT: "",
        Claim.COUNT: f", {result.solutions} listed and no other",
        Claim.CANDIDATES: f", no candidate but those of {result.solutions} listed",
    }[result.claim]
    lemmas = f"{result.proof.lemmas:,} lemmas over {result.clauses:,} clauses"
    return f"{result.verdict.value}{claimed}, proven by {lemmas}"


def _name(puzzle: Puzzle) -> str:
    """Return the puzzle on a line, with its rules besides rows, columns and boxes."""
    size, count = puzzle.geometry.size, len(puzzle.givens)
    text = write_cells(puzzle.grid, spelling_by_symbols(puzzle))
    if len(text) > _LONGEST_PUZZLE:
        text = f"a {size}x{size} puzzle with {count:,} givens"
    if puzzle.is_classic:
        return text
    # Cut long rules: the table of an automaton may have a hundred thousand characters.
    rules = [cut(write_rule(rule, puzzle.geometry), _LONGEST_RULE) for rule in puzzle.rules]
    if len(rules) > _MOST_RULES:
        rules[_MOST_RULES:] = [f"and {len(rules) - _MOST_RULES} more rules"]
    return " ".join([text, *rules])


class ExpectedPuzzles:
    """The puzzles of some tasks, and which of them have been met.

    Puzzles are equal if their givens and their rules are; names do not matter.
    """

    def __init__(self, tasks: Iterable[Task]) -> None:
        """Parse all puzzles; raise the FormatError of a task that holds no valid one."""
        # The place of each puzzle. Equal puzzles share an entry: one certificate is enough for
        # both.
        self._place_of: dict[Hashable, str] = {}
        for task in tasks:
            self._place_of.setdefault(_identity(task.parse()), task.place)
        self._met: set[Hashable] = set()

    def meet(self, puzzle: Puzzle) -> bool:
        """Mark a puzzle as met; return whether it is one of the expected ones."""
        identity = _identity(puzzle)
        self._met.add(identity)
        return identity in self._place_of

    def missing(self) -> list[str]:
        """Return the places of the puzzles that have not been met, in order."""
        return [place for puzzle, place in self._place_of.items() if puzzle not in self._met]


def _identity(puzzle: Puzzle) -> Hashable:
    # Compare rules as a set, because their order does not matter.
    return puzzle.grid, frozenset(puzzle.rules)


# The answerer of `verify --second`: has certificates checked by the second verifier


@dataclass(frozen=True, slots=True)
class SecondVerifier(Verifier):
    """Has each certificate checked by the second verifier, the program at a path.

    The certificate is read here as well, since its files may be compressed and have hashes.
    """

    program: str = ""

    @classmethod
    @contextmanager
    def built(cls, timeout: float | None) -> "Iterator[SecondVerifier]":
        """The answerer with a program that is compiled if it is not there."""
        with second_verifier() as program:
            yield cls(timeout, str(program))

    def _check(self, record: CertificateFile) -> Row:
        path = Path(record.text)
        certificate = read_certificate(path)
        try:
            is_accepted, told = ask(Path(self.program), certificate, path, self.timeout)
        except TimeoutError:
            return self.give_up(record, f"not decided within {self.timeout:g} s")
        if not is_accepted:
            named = re.match(re.escape(str(path.with_suffix(""))) + r"\.[a-z]+(:\d+)?", told)
            return failed(record, told, named[0] if named else str(path))
        ending = Ending.of(certificate.verdict)
        return Row(told, ending, result=certificate.puzzle, place=str(path))
