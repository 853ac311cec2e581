"""The check of a certificate from its files alone.

No solver takes part, and nothing is believed because of who wrote it: the solutions are judged,
every clause of the formula is matched with a rule, and every lemma of the proof is derived again.
"""

from dataclasses import dataclass
from itertools import zip_longest

from satdoku.certifying.certificate import MULTIPLE, NONE, PLAIN_ENCODINGS, UNIQUE, Certificate
from satdoku.certifying.drat import read_proof
from satdoku.certifying.justify import Referee
from satdoku.certifying.rup import ProofStatistics, check_proof
from satdoku.dimacs.read import Cnf, read_cnf
from satdoku.dimacs.write import Export
from satdoku.encoding.encode import Encoding
from satdoku.errors import CertificateError, DimacsError
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle

_SOLUTIONS_OF = {NONE: 0, UNIQUE: 1, MULTIPLE: 2}


@dataclass(frozen=True, slots=True)
class Verification:
    """What was checked of a certificate that holds; a pair of solutions has no proof."""

    verdict: str
    clauses: int = 0
    proof: ProofStatistics | None = None


def verify(certificate: Certificate, name: str = "certificate") -> Verification:
    """Raises CertificateError unless the files prove the verdict."""
    _verify_solutions(certificate, name)
    if certificate.verdict == MULTIPLE:
        return Verification(MULTIPLE)
    try:
        cnf = read_cnf(certificate.formula.split("\n"), f"{name}.cnf")
    except DimacsError as error:
        raise CertificateError(error.message, error.source, error.line) from None
    _verify_formula(certificate, cnf, f"{name}.cnf")
    proof = check_proof(cnf.clauses, read_proof(certificate.proof, f"{name}.drat"), f"{name}.drat")
    return Verification(certificate.verdict, len(cnf.clauses), proof)


def _verify_solutions(certificate: Certificate, name: str) -> None:
    expected = _SOLUTIONS_OF.get(certificate.verdict)
    if expected is None:
        raise CertificateError(f"{certificate.verdict!r} is not a verdict", name)
    if len(certificate.solutions) != expected or len(set(certificate.solutions)) != expected:
        raise CertificateError(
            f"the verdict {certificate.verdict!r} goes with {expected} different solutions", name
        )
    for solution in certificate.solutions:
        fault = find_fault(solution, Puzzle(certificate.puzzle))
        if fault:
            raise CertificateError(f"its solution is wrong: {fault}", name)


def _verify_formula(certificate: Certificate, cnf: Cnf, source: str) -> None:
    """The formula is the puzzle's, clause by clause, and each clause follows from the rules."""
    if certificate.encoding not in [encoding.value for encoding in PLAIN_ENCODINGS]:
        raise CertificateError(f"{certificate.encoding!r} is no encoding of certificates", source)
    blocked = certificate.solutions[0] if certificate.solutions else None
    export = Export(certificate.puzzle, Encoding(certificate.encoding), blocked=blocked)
    expected = (clause for group in export.groups() for clause in group.clauses)
    for found, wanted, line in zip_longest(cnf.clauses, expected, cnf.lines):
        if found is None:
            raise CertificateError("the formula is not complete", source)
        if found != wanted:
            raise CertificateError("this is not the puzzle's clause", source, line)
    referee = Referee(certificate.puzzle)
    rules = cnf.clauses[:-1] if blocked is not None else cnf.clauses
    for clause, line in zip(rules, cnf.lines, strict=False):
        if not referee.is_justified(clause):
            raise CertificateError("no rule of Sudoku says this clause", source, line)
