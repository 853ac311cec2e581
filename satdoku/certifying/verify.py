"""Check a certificate from its files alone.

No solver and no encoder is used, and the author of the files is not trusted: the judge checks the
solutions, every clause of the formula is matched with the definition of a rule, and every lemma of
the proof is derived again, by the compiled library if it is installed. Only one spelling of the
formula file is accepted, so that no other reader can take it for a different formula.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import islice, repeat

from satdoku.certifying.certificate import (
    PART_COMMENT,
    PLAIN_ENCODINGS,
    SOLUTIONS_OF,
    Certificate,
    Claim,
    ProofFormat,
    absent_candidates,
    formula_comments,
    require_program,
    verdict_of,
)
from satdoku.certifying.hints import derive
from satdoku.certifying.justify import Justifier, require_values_of_digits
from satdoku.certifying.rup import (
    ProofStatistics,
    check_hints,
    check_proof,
    read_hinted_proof,
    read_proof,
)
from satdoku.encoding.meanings import MARK, Choice, Meaning, read_meanings
from satdoku.encoding.variables import Clause, variable_count
from satdoku.errors import CertificateError, FormatError, SatdokuError, quote
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.verdict import Verdict

# Lines between two checks of the time limit: about ten milliseconds.
_BETWEEN_LOOKS = 1024
_BETWEEN_LOOKS_AT_MEANINGS = 8

# How many lines of clauses to read at once, which takes half the time of reading each alone.
_AT_ONCE = 1000

_CLAUSES = re.compile(r"(?:(?:-?[1-9][0-9]{0,9} )*0\n)+")
_MEANING = f"c {MARK}"

# The most characters of a line to quote: enough for the header and for most clauses of rules, which
# have two literals.
_LONGEST_QUOTE = 40


_UNJUSTIFIED = "no rule of the puzzle justifies this clause"


@dataclass(frozen=True, slots=True)
class Verification:
    """The statistics of a valid certificate; one with only two solutions has no proof."""

    verdict: Verdict
    clauses: int = 0
    proof: ProofStatistics | None = None
    claim: Claim = Claim.VERDICT
    solutions: int = 0


def verify(
    certificate: Certificate,
    name: str = "certificate",
    require_time: Callable[[], None] = lambda: None,
) -> Verification:
    """Raise CertificateError unless the files prove the verdict.

    `require_time` is called regularly and may raise any error to stop.
    """
    try:
        require_values_of_digits(certificate.puzzle)
    except SatdokuError as error:
        raise CertificateError(str(error), name) from None
    _verify_solutions(certificate, name)
    verdict, claim, found = certificate.verdict, certificate.claim, len(certificate.solutions)
    if verdict is Verdict.MULTIPLE and claim is Claim.VERDICT:
        return Verification(verdict)
    clauses = read_formula(certificate, f"{name}.cnf", require_time)
    proof = _check_proof(certificate, clauses, name, require_time)
    return Verification(verdict, len(clauses), proof, claim, found)


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
        found = derive(clauses, certificate.proof, source, require_time)
        if found is not None:
            return found.statistics
        steps = read_proof(lines, source)
        statistics = check_proof(clauses, steps, source, require_time)
        rest = steps
    # Steps after the refutation are not needed, but must be well-formed.
    for _ in rest:
        require_time()
    return statistics


def _verify_solutions(certificate: Certificate, name: str) -> None:
    expected, found = SOLUTIONS_OF.get(certificate.verdict), len(certificate.solutions)
    if expected is None:
        raise CertificateError(f"{certificate.verdict.value!r} cannot be certified", name)
    if certificate.claim is not Claim.VERDICT and expected == SOLUTIONS_OF[verdict_of(found)]:
        expected = found  # more than two count as several
    if found != expected or len(set(certificate.solutions)) != expected:
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

    Each clause is checked before the next one is read, so a wrong file is rejected at its first
    fault.
    """
    if certificate.encoding not in [encoding.value for encoding in PLAIN_ENCODINGS]:
        raise CertificateError(
            f"{certificate.encoding!r} is not an encoding of certificates", source
        )
    require_program(certificate.program)
    lines = _Lines(certificate, source)
    meanings, highest, count = lines.read_head()
    justifier = Justifier(certificate.puzzle, meanings)
    # A clause with auxiliaries may take milliseconds, a clause without takes microseconds.
    between_looks = _BETWEEN_LOOKS_AT_MEANINGS if meanings else _BETWEEN_LOOKS
    closing = _Closing(certificate, justifier)
    first_closing = count - len(closing)
    if first_closing < 0:
        raise CertificateError(f"a formula with this claim has {len(closing)} clauses more", source)
    clauses: list[Clause] = []
    for found in lines.clauses(highest, between_looks):
        require_time()
        first = len(clauses)
        clauses += found
        if len(clauses) <= first_closing and all(map(justifier.is_justified, found)):
            continue
        for number, clause in enumerate(found, first):
            if number >= first_closing:
                fault = closing.fault(clause, number - first_closing)
            else:
                fault = "" if justifier.is_justified(clause) else _UNJUSTIFIED
            if fault:
                raise lines.error(fault, number)
    return clauses


class _Closing:
    """The last clauses of a formula, which the claim requires and no rule justifies."""

    def __init__(self, certificate: Certificate, justifier: Justifier) -> None:
        self._justifier = justifier
        self._solutions = certificate.solutions
        self._absent: tuple[int, ...] | None = None
        if certificate.claim is Claim.CANDIDATES:
            self._absent = absent_candidates(self._solutions, certificate.puzzle.geometry)

    def __len__(self) -> int:
        return len(self._solutions) if self._absent is None else 1

    def fault(self, clause: Clause, place: int) -> str:
        """Return the fault of the clause at this place; empty if it is right."""
        if self._absent is not None:
            is_right = clause == self._absent
            return "" if is_right else "this clause has not all candidates without a solution"
        is_right = self._justifier.is_blocking(clause, self._solutions[place])
        return "" if is_right else "this clause does not block exactly the solution"


class _Lines:
    """The lines of a formula file, in the only spelling that certificates use."""

    def __init__(self, certificate: Certificate, source: str) -> None:
        self._certificate = certificate
        self._source = source
        self._number = self._head = 0
        self._stream = StringIO(certificate.formula, newline="\n")

    def read_head(self) -> tuple[dict[int, Meaning], int, int]:
        """Return the meanings of auxiliaries, and the numbers of variables and clauses."""
        meanings: dict[int, Meaning] = {}
        choices: set[Choice] = set()
        highest = variable_count(self._certificate.puzzle.geometry)
        found = self._read_comments()
        while found.startswith(_MEANING):
            for number, meaning in self._read_meanings(found):
                # Numbers must ascend, so none has two meanings, and none is the number of a
                # candidate.
                if number <= highest:
                    raise self._error(f"the auxiliary {number} is not above those before it")
                meanings[number], highest = meaning, number
                if isinstance(meaning, Choice):
                    self._require_new(choices, meaning, number)
            found = self._next()
        # The header must not count more variables: a higher one would have no meaning.
        header = f"p cnf {highest} "
        promised = re.fullmatch(re.escape(header) + "(0|[1-9][0-9]*)\n", found)
        if promised is None:
            raise self._fault(header, found)
        self._head = self._number
        # Each clause is one line, so clauses are counted before any is checked.
        count = self._certificate.formula.count("\n") - self._number
        if int(promised[1]) != count:
            raise self._error(f"the header promises {promised[1]} clauses, the file has {count}")
        return meanings, highest, count

    def _read_comments(self) -> str:
        """Require exactly the comments about the puzzle and the claim; return the next line."""
        for comment in formula_comments(self._certificate):
            self._next(f"c {comment}\n")
        found = self._next()
        return self._next() if found == f"c {PART_COMMENT}\n" else found

    def _read_meanings(self, comment: str) -> Iterator[tuple[int, Meaning]]:
        try:
            yield from read_meanings(comment[2:-1], self._certificate.puzzle.geometry)
        except FormatError as error:
            raise self._error(error.message) from None

    def _require_new(self, choices: set[Choice], choice: Choice, auxiliary: int) -> None:
        """Raise an error if a choice gets a second auxiliary, which our certificates never have.

        Amounts and states may have two auxiliaries, in choices or sums that share cells. That is
        safe, since a grid determines the values of both.
        """
        if choice in choices:
            raise self._error(f"the auxiliary {auxiliary} is a second name of a choice")
        choices.add(choice)

    def clauses(self, highest: int, at_most: int) -> Iterator[Sequence[Clause]]:
        """Yield the clauses after the header, one per line, in lists of at most `at_most`."""
        while lines := [*islice(self._stream, _AT_ONCE)]:
            clauses = self._read_many(lines, highest)
            for first in range(0, len(clauses), at_most):
                yield clauses[first : first + at_most]
            if not clauses:
                yield from self._read_each(lines, highest)

    def _read_many(self, lines: Sequence[str], highest: int) -> list[Clause]:
        """Return the clauses of some lines at once; empty if one of the lines is wrong."""
        text = "".join(lines)
        if not _CLAUSES.fullmatch(text):
            return []
        numbers = tuple(map(int, text.split()))
        if max(numbers) > highest or -min(numbers) > highest:
            return []
        self._number += len(lines)
        # Each line has as many literals as blanks, followed by 0.
        clauses: list[Clause] = []
        first = 0
        for count in map(str.count, lines, repeat(" ")):
            clauses.append(numbers[first : first + count])
            first += count + 1
        return clauses

    def _read_each(self, lines: Iterable[str], highest: int) -> Iterator[Sequence[Clause]]:
        """Yield the clauses of some lines; raise an error at the first wrong one."""
        for found in lines:
            self._number += 1
            if not _CLAUSES.fullmatch(found):
                raise self._error(f"{_quote(found)} is not a clause as certificates write it")
            clause = tuple(map(int, found.split()[:-1]))
            if clause and (max(clause) > highest or -min(clause) > highest):
                raise self._error(f"{_quote(found)} names a variable above {highest}")
            yield (clause,)

    def error(self, message: str, clause: int) -> CertificateError:
        """Return an error about the clause with this number, from 0."""
        return CertificateError(message, self._source, self._head + clause + 1)

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


def _quote(line: str) -> str:
    return quote(line, _LONGEST_QUOTE) if line else "no line"
