"""Check a certificate from its files alone.

No solver and no encoder is used, and the author of the files is not trusted: the solutions are
judged, every clause of the formula is matched with the definition of a rule, and every lemma of the
proof is derived again. Only one spelling of the formula's file is accepted, so that no other reader
can take it for a different formula.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import StringIO

from satdoku.certifying.certificate import (
    PLAIN_ENCODINGS,
    SOLUTIONS_OF,
    Certificate,
    ProofFormat,
    require_program,
)
from satdoku.certifying.hints import compiled_hints
from satdoku.certifying.justify import Justifier
from satdoku.certifying.rup import (
    ProofStatistics,
    check_hints,
    check_proof,
    read_hinted_proof,
    read_proof,
)
from satdoku.encoding.files.dimacs import NumberedClause, describe
from satdoku.encoding.meanings import MARK, Choice, Meaning, read_meanings
from satdoku.encoding.variables import Clause, variable_count
from satdoku.errors import CertificateError, FormatError, quote
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.verdict import Verdict

# Lines between two checks of the clock: about ten milliseconds.
_BETWEEN_LOOKS = 1024

_CLAUSE = re.compile(r"(?:-?[1-9][0-9]{0,9} )*0\n")
_MEANING = f"c {MARK}"

# Enough for the clauses of rules, most of which have two literals, and for the header.
_LONGEST_QUOTE = 40


@dataclass(frozen=True, slots=True)
class Verification:
    """The figures of a valid certificate; a pair of solutions has no proof."""

    verdict: Verdict
    clauses: int = 0
    proof: ProofStatistics | None = None


def verify(
    certificate: Certificate,
    name: str = "certificate",
    require_time: Callable[[], None] = lambda: None,
) -> Verification:
    """Raise CertificateError unless the files prove the verdict.

    `require_time` is called regularly and may raise any error to stop.
    """
    _verify_solutions(certificate, name)
    if certificate.verdict is Verdict.MULTIPLE:
        return Verification(Verdict.MULTIPLE)
    clauses = read_formula(certificate, f"{name}.cnf", require_time)
    proof = _check_proof(certificate, clauses, name, require_time)
    return Verification(certificate.verdict, len(clauses), proof)


def _check_proof(
    certificate: Certificate,
    clauses: list[Clause],
    name: str,
    require_time: Callable[[], None],
) -> ProofStatistics:
    source = f"{name}{certificate.proof_format.value}"
    lines = StringIO(certificate.proof)
    if certificate.proof_format is ProofFormat.LRAT:
        hinted = read_hinted_proof(lines, source)
        statistics = check_hints(clauses, hinted, source, require_time)
        rest: Iterator[object] = hinted
    else:
        found = compiled_hints(clauses, certificate.proof, require_time)
        if found is not None:
            check_hints(clauses, found.steps, source, require_time)
            return found.statistics
        steps = read_proof(lines, source)
        statistics = check_proof(clauses, steps, source, require_time)
        rest = steps
    # Steps after the refutation are not needed, but have to be well-formed.
    for _ in rest:
        require_time()
    return statistics


def _verify_solutions(certificate: Certificate, name: str) -> None:
    expected = SOLUTIONS_OF.get(certificate.verdict)
    if expected is None:
        raise CertificateError(f"{certificate.verdict.value!r} cannot be certified", name)
    if len(certificate.solutions) != expected or len(set(certificate.solutions)) != expected:
        raise CertificateError(
            f"the verdict {certificate.verdict.value!r} requires {expected} different solutions",
            name,
        )
    for solution in certificate.solutions:
        fault = find_fault(solution, certificate.puzzle)
        if fault:
            raise CertificateError(f"its solution is wrong: {fault}", name)


def read_formula(
    certificate: Certificate, source: str, require_time: Callable[[], None]
) -> list[Clause]:
    """Return the clauses of the formula file, each of which the puzzle's rules justify.

    Each is checked before the next one is read: a wrong file is rejected at its first fault.
    """
    if certificate.encoding not in [encoding.value for encoding in PLAIN_ENCODINGS]:
        raise CertificateError(
            f"{certificate.encoding!r} is not an encoding of certificates", source
        )
    require_program(certificate.program)
    lines = _Lines(certificate, source)
    meanings, highest = lines.read_head()
    justifier = Justifier(certificate.puzzle, meanings)
    # A clause with auxiliaries may take milliseconds, one without takes microseconds.
    between_looks = 1 if meanings else _BETWEEN_LOOKS
    clauses: list[Clause] = []
    last: NumberedClause | None = None
    for number, numbered in enumerate(lines.clauses(highest)):
        if number % between_looks == 0:
            require_time()
        # Checked one clause later: only the very last one may block the solution.
        if last is not None:
            _require_rule(last, justifier, source)
        last = numbered
        clauses.append(numbered[0])
    if last is not None:
        _require_last(last, justifier, certificate, source)
    return clauses


class _Lines:
    """The lines of a formula file, in the only spelling that certificates use."""

    def __init__(self, certificate: Certificate, source: str) -> None:
        self._certificate = certificate
        self._source = source
        self._number = 0
        self._stream = StringIO(certificate.formula, newline="\n")

    def read_head(self) -> tuple[dict[int, Meaning], int]:
        """Return the meanings of auxiliaries, and the number of variables."""
        puzzle, told = self._certificate.puzzle, self._certificate
        blocked = told.solutions[0] if told.solutions else None
        how = f"encoding {told.encoding}, at most one by pairwise"
        for comment in describe(puzzle, told.program, how, blocked):
            self._next(f"c {comment}\n")
        meanings: dict[int, Meaning] = {}
        choices: set[Choice] = set()
        highest = variable_count(puzzle.geometry)
        found = self._next()
        while found.startswith(_MEANING):
            for number, meaning in self._read_meanings(found):
                # Ascending numbers: so none has two meanings, and none is that of a candidate.
                if number <= highest:
                    raise self._error(f"the auxiliary {number} is not above those before it")
                meanings[number], highest = meaning, number
                if isinstance(meaning, Choice):
                    self._require_new(choices, meaning, number)
            found = self._next()
        # As many variables as there are meanings: a higher one would have none.
        header = f"p cnf {highest} "
        promised = re.fullmatch(re.escape(header) + "(0|[1-9][0-9]*)\n", found)
        if promised is None:
            raise self._fault(header, found)
        # Each clause has a line of its own; they are counted before any is checked.
        count = self._certificate.formula.count("\n") - self._number
        if int(promised[1]) != count:
            raise self._error(f"the header promises {promised[1]} clauses, the file has {count}")
        return meanings, highest

    def _read_meanings(self, comment: str) -> Iterator[tuple[int, Meaning]]:
        try:
            yield from read_meanings(comment[2:-1], self._certificate.puzzle.geometry)
        except FormatError as error:
            raise self._error(error.message) from None

    def _require_new(self, choices: set[Choice], choice: Choice, auxiliary: int) -> None:
        """Raise an error at a second name of a choice, which our certificates never have.

        Amounts and states may have two, in choices or sums that share cells. A grid decides what
        they are, so a second name is true wherever the first one is.
        """
        if choice in choices:
            raise self._error(f"the auxiliary {auxiliary} is a second name of a choice")
        choices.add(choice)

    def clauses(self, highest: int) -> Iterator[NumberedClause]:
        """Yield the clauses after the header, one on each line."""
        for found in self._stream:
            self._number += 1
            if not _CLAUSE.fullmatch(found):
                raise self._error(f"{_quote(found)} is not a clause as certificates write it")
            clause = tuple(map(int, found.split()[:-1]))
            if clause and (max(clause) > highest or -min(clause) > highest):
                raise self._error(f"{_quote(found)} names a variable above {highest}")
            yield clause, self._number

    def _next(self, wanted: str = "") -> str:
        """Return the next line, which must equal `wanted` if that is given."""
        self._number += 1
        found = next(self._stream, "")
        if wanted and found != wanted:
            raise self._fault(wanted, found)
        return found

    def _fault(self, wanted: str, found: str) -> CertificateError:
        return self._error(f"the formula of this puzzle has {wanted!r} here, not {_quote(found)}")

    def _error(self, message: str) -> CertificateError:
        return CertificateError(message, self._source, self._number)


def _require_last(
    last: NumberedClause, justifier: Justifier, certificate: Certificate, source: str
) -> None:
    """Check the last clause: it blocks the solution, if there is one, else a rule justifies it."""
    if not certificate.solutions:
        _require_rule(last, justifier, source)
    elif not justifier.is_blocking(last[0], certificate.solutions[0]):
        raise CertificateError("this clause does not block exactly the solution", source, last[1])


def _require_rule(numbered: NumberedClause, justifier: Justifier, source: str) -> None:
    clause, line = numbered
    if not justifier.is_justified(clause):
        raise CertificateError("no rule of the puzzle justifies this clause", source, line)


def _quote(line: str) -> str:
    return quote(line, _LONGEST_QUOTE) if line else "no line"
