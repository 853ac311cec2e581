"""The check of a certificate from its files alone.

No solver takes part, and nothing is believed because of who wrote it: the solutions are judged,
the formula is written again and compared, every clause of it is matched with a rule, and every
lemma of the proof is derived again.
"""

import re
from dataclasses import dataclass
from io import StringIO
from itertools import zip_longest

from satdoku.certifying.certificate import PLAIN_ENCODINGS, SOLUTIONS_OF, Certificate
from satdoku.certifying.drat import read_proof
from satdoku.certifying.justify import Referee
from satdoku.certifying.rup import ProofStatistics, check_proof
from satdoku.dimacs.read import Cnf, read_cnf
from satdoku.dimacs.write import Export, write_cnf
from satdoku.encoding.encode import Encoding
from satdoku.errors import CertificateError, DimacsError
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.verdict import Verdict

# One line; `c p` would be read as a header by some.
_PROGRAM = re.compile("(?!p)[ -~]+")


@dataclass(frozen=True, slots=True)
class Verification:
    """What was checked of a certificate that holds; a pair of solutions has no proof."""

    verdict: Verdict
    clauses: int = 0
    proof: ProofStatistics | None = None


def verify(certificate: Certificate, name: str = "certificate") -> Verification:
    """Raises CertificateError unless the files prove the verdict."""
    _verify_solutions(certificate, name)
    if certificate.verdict is Verdict.MULTIPLE:
        return Verification(Verdict.MULTIPLE)
    cnf = _read_formula(certificate, f"{name}.cnf")
    _justify(certificate, cnf, f"{name}.cnf")
    proof = check_proof(cnf.clauses, read_proof(certificate.proof, f"{name}.drat"), f"{name}.drat")
    return Verification(certificate.verdict, len(cnf.clauses), proof)


def _verify_solutions(certificate: Certificate, name: str) -> None:
    expected = SOLUTIONS_OF.get(certificate.verdict)
    if expected is None:
        raise CertificateError(f"{certificate.verdict.value!r} cannot be certified", name)
    if len(certificate.solutions) != expected or len(set(certificate.solutions)) != expected:
        raise CertificateError(
            f"the verdict {certificate.verdict.value!r} goes with {expected} different solutions",
            name,
        )
    for solution in certificate.solutions:
        fault = find_fault(solution, certificate.puzzle)
        if fault:
            raise CertificateError(f"its solution is wrong: {fault}", name)


def _read_formula(certificate: Certificate, source: str) -> Cnf:
    """The clauses of the formula file, which is the puzzle's to the letter."""
    if certificate.encoding not in [encoding.value for encoding in PLAIN_ENCODINGS]:
        raise CertificateError(f"{certificate.encoding!r} is no encoding of certificates", source)
    if not _PROGRAM.fullmatch(certificate.program):
        raise CertificateError("its program has no name that a comment can hold", source)
    blocked = certificate.solutions[0] if certificate.solutions else None
    expected = StringIO()
    export = Export(certificate.puzzle, Encoding(certificate.encoding), blocked=blocked)
    write_cnf(export, expected, certificate.program)
    lines = certificate.formula.split("\n")
    wanted_lines = expected.getvalue().split("\n")
    for number, (found, wanted) in enumerate(zip_longest(lines, wanted_lines), 1):
        if found != wanted:
            raise CertificateError(
                f"the formula of this puzzle has {_quote(wanted)} here, not {_quote(found)}",
                source,
                number,
            )
    try:
        return read_cnf(lines, source)
    except DimacsError as error:
        raise CertificateError(error.message, error.source, error.line) from None


def _quote(line: str | None) -> str:
    return "no line" if line is None else repr(line if len(line) <= 40 else f"{line[:40]}...")


def _justify(certificate: Certificate, cnf: Cnf, source: str) -> None:
    """Each clause follows from the rules, but for one that only the solution violates."""
    referee = Referee(certificate.puzzle)
    clauses = list(zip(cnf.clauses, cnf.lines, strict=True))
    if certificate.solutions:
        clause, line = clauses.pop()
        if not referee.is_blocking(clause, certificate.solutions[0]):
            raise CertificateError("this clause does not block just the solution", source, line)
    for clause, line in clauses:
        if not referee.is_justified(clause):
            raise CertificateError("no rule of the puzzle says this clause", source, line)
