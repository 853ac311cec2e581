"""The check of a certificate from its files alone.

No solver takes part, and nothing is believed because of who wrote it: the solutions are judged,
the formula is written again and compared, every clause of it is matched with a rule, and every
lemma of the proof is derived again.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import StringIO
from itertools import chain, zip_longest

from satdoku.certifying.certificate import (
    PLAIN_ENCODINGS,
    SOLUTIONS_OF,
    Certificate,
    ProofFormat,
    require_program,
)
from satdoku.certifying.drat import read_proof
from satdoku.certifying.hint_check import check_hints
from satdoku.certifying.justify import Justifier
from satdoku.certifying.lrat import read_hinted_proof
from satdoku.certifying.rup import ProofStatistics, check_proof
from satdoku.encoding.choices import Encoding
from satdoku.encoding.constraint import Clause
from satdoku.encoding.files.read import CnfReader, NumberedClause
from satdoku.encoding.files.write import Export, clause_lines, first_comments
from satdoku.errors import CertificateError, DimacsError
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.verdict import Verdict

# How many lines go by between two looks at the clock: about ten milliseconds.
_BETWEEN_LOOKS = 1024


@dataclass(frozen=True, slots=True)
class Verification:
    """What was checked of a certificate that holds; a pair of solutions has no proof."""

    verdict: Verdict
    clauses: int = 0
    proof: ProofStatistics | None = None


def verify(
    certificate: Certificate,
    name: str = "certificate",
    require_time: Callable[[], None] = lambda: None,
) -> Verification:
    """Raises CertificateError unless the files prove the verdict.

    `require_time` is called now and then and may raise what it likes.
    """
    _verify_solutions(certificate, name)
    if certificate.verdict is Verdict.MULTIPLE:
        return Verification(Verdict.MULTIPLE)
    clauses = _read_formula(certificate, f"{name}.cnf", require_time)
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
        steps = read_proof(lines, source)
        statistics = check_proof(clauses, steps, source, require_time)
        rest = steps
    # What stands behind the refutation is not needed, but it has to be well formed.
    for _ in rest:
        require_time()
    return statistics


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


def _read_formula(
    certificate: Certificate, source: str, require_time: Callable[[], None]
) -> list[Clause]:
    """The clauses of the formula file, which is the puzzle's to the letter.

    Each line is compared with the one that would be written here, and each clause is matched with a
    rule, before the next one is looked at: a file that is not the formula costs no more than the
    lines that agree.
    """
    if certificate.encoding not in [encoding.value for encoding in PLAIN_ENCODINGS]:
        raise CertificateError(f"{certificate.encoding!r} is no encoding of certificates", source)
    require_program(certificate.program)
    justifier = Justifier(certificate.puzzle)
    clauses: list[Clause] = []
    last: NumberedClause | None = None
    reader = CnfReader(_agreeing_lines(certificate, source, justifier.highest), source)
    try:
        for number, numbered in enumerate(reader.numbered_clauses()):
            if number % _BETWEEN_LOOKS == 0:
                require_time()
            # One clause behind: only the last one of all may block the solution.
            if last is not None:
                _require_rule(last, justifier, source)
            last = numbered
            clauses.append(numbered[0])
    except DimacsError as error:
        raise CertificateError(error.message, error.source, error.line) from None
    if last is not None:
        _require_last(last, justifier, certificate, source)
    return clauses


def _agreeing_lines(certificate: Certificate, source: str, variables: int) -> Iterator[str]:
    """The lines of the formula file, as long as they are those that would be written here."""
    blocked = certificate.solutions[0] if certificate.solutions else None
    export = Export(certificate.puzzle, Encoding(certificate.encoding), blocked=blocked)
    # How many clauses there are is known when all are written; whoever reads the lines counts them.
    header = f"p cnf {variables} "
    with_count = re.compile(re.escape(header) + "(0|[1-9][0-9]*)\n")
    wanted_lines = chain(
        first_comments(export, certificate.program), [header], clause_lines(export)
    )
    found_lines = StringIO(certificate.formula, newline="\n")
    for number, (found, wanted) in enumerate(zip_longest(found_lines, wanted_lines), 1):
        # By identity: only the header itself may be followed by something that is not compared.
        agrees = found == wanted if wanted is not header else with_count.fullmatch(found or "")
        if found is None or not agrees:
            raise CertificateError(
                f"the formula of this puzzle has {_quote(wanted)} here, not {_quote(found)}",
                source,
                number,
            )
        yield found


def _require_last(
    last: NumberedClause, justifier: Justifier, certificate: Certificate, source: str
) -> None:
    """The last clause blocks the solution, where there is one; all others say a rule."""
    if not certificate.solutions:
        _require_rule(last, justifier, source)
    elif not justifier.is_blocking(last[0], certificate.solutions[0]):
        raise CertificateError("this clause does not block just the solution", source, last[1])


def _require_rule(numbered: NumberedClause, justifier: Justifier, source: str) -> None:
    clause, line = numbered
    if not justifier.is_justified(clause):
        raise CertificateError("no rule of the puzzle says this clause", source, line)


def _quote(line: str | None) -> str:
    return "no line" if line is None else repr(line if len(line) <= 40 else f"{line[:40]}...")
