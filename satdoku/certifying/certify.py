"""Making certificates; the only file of this package that knows solvers."""

from itertools import chain

from satdoku.certifying.certificate import (
    PLAIN_ENCODINGS,
    Certificate,
    ProofFormat,
    require_program,
)
from satdoku.certifying.hint_check import check_hints, write_lemma
from satdoku.certifying.hints import add_hints
from satdoku.certifying.justify import require_justifiable
from satdoku.certifying.rup import check_proof, read_proof
from satdoku.certifying.verify import read_formula
from satdoku.encoding.choices import Encoding
from satdoku.encoding.constraint import Clause
from satdoku.encoding.files.status import Status
from satdoku.encoding.files.write import Export, clause_lines, first_comments, header_line
from satdoku.encoding.meanings import Meaning, write_meanings
from satdoku.encoding.size import estimate_clauses
from satdoku.encoding.variables import variable_count
from satdoku.encoding.wider.write import meanings_of
from satdoku.errors import CertificateError, SolverError
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.memory import require_memory_for_proof
from satdoku.solving.questions import check
from satdoku.solving.session import Session
from satdoku.solving.settings import Settings
from satdoku.solving.solvers import find_solver

# The shortest proofs among the solvers whose proofs all check; see benchmarks/README.md.
DEFAULT_PROVER = "cadical195"


def certify(
    puzzle: Puzzle,
    program: str,
    solver: str = DEFAULT_PROVER,
    encoding: Encoding = Encoding.REDUCED,
    limits: Limits | None = None,
    proof_format: ProofFormat = ProofFormat.DRAT,
) -> Certificate:
    """The verdict on a puzzle with its proof, which has been checked.

    Raises LimitReachedError when the limits, which are for everything together, end before that.
    """
    if encoding not in PLAIN_ENCODINGS:
        names = ", ".join(e.value for e in PLAIN_ENCODINGS)
        raise SolverError(f"certificates need an encoding without auxiliaries: {names}")
    require_program(program)
    budget = Budget(limits)
    outcome = check(puzzle, Settings(limits=budget.limits))
    if outcome.verdict is Verdict.UNDECIDED:
        raise LimitReachedError(outcome.reason)
    solutions = tuple(grid for grid in (outcome.solution, outcome.second) if grid is not None)
    if outcome.verdict is Verdict.MULTIPLE:
        return Certificate(puzzle, outcome.verdict, solutions, program=program)
    require_justifiable(puzzle)
    if puzzle.constraints.wider and encoding is Encoding.REDUCED:
        # What auxiliaries say is justified for all candidates, whether givens exclude them or not.
        encoding = Encoding.EXTENDED
    export = Export(puzzle, encoding, blocked=outcome.solution)
    count, proof = _prove(export, solver, proof_format, budget)
    meanings = _meanings_of(puzzle)
    lines = chain(
        first_comments(export, program),
        (f"c {told}\n" for told in write_meanings(meanings, puzzle.geometry)),
        [header_line(max([variable_count(puzzle.geometry), *meanings]), count)],
        clause_lines(export),
    )
    made = Certificate(
        puzzle,
        outcome.verdict,
        solutions,
        encoding.value,
        _describe_solver(solver),
        program,
        "".join(budget.watch(lines)),
        proof,
        proof_format,
    )
    if puzzle.constraints.wider:
        _require_justified(made, budget)
    return made


def _meanings_of(puzzle: Puzzle) -> dict[int, Meaning]:
    """What the auxiliaries of the formula say; there are none where rules speak of pairs only."""
    if not puzzle.constraints.wider:
        return {}
    return meanings_of(puzzle)


def _require_justified(made: Certificate, budget: Budget) -> None:
    """Refuses a certificate that its reader would refuse.

    Where a clause rests on more than one rule, its reader finds none that says it.
    """
    try:
        read_formula(made, "formula", budget.require)
    except CertificateError as error:
        raise CertificateError(f"no certificate can be written for this puzzle: {error}") from None


def _prove(
    export: Export, solver: str, proof_format: ProofFormat, budget: Budget
) -> tuple[int, str]:
    """How many clauses a formula has, and the text of a proof that refutes it: a checked one.

    It has no deletions: proofs of puzzles are short.
    """
    estimate = estimate_clauses(export.puzzle, export.encoding, export.at_most_one)
    require_memory_for_proof(export.puzzle.geometry, estimate)
    clauses: list[Clause] = []
    with Session(find_solver(solver), with_proof=True) as session:
        for clause in budget.watch(c for group in export.groups() for c in group.clauses):
            session.add_clause(clause)
            clauses.append(clause)
        # `check` has found out that there is no other; one of the two solvers is wrong.
        if session.solve(budget) is not Status.UNSATISFIABLE:
            raise SolverError(f"{solver} found another solution than the blocked one")
        lemmas = [line.strip() for line in session.proof() if not line.startswith("d")]
    # Where propagation alone refutes the formula, CaDiCaL, for one, writes no empty clause.
    if not lemmas or lemmas[-1] != "0":
        lemmas.append("0")
    try:
        if proof_format is ProofFormat.LRAT:
            steps = add_hints(clauses, read_proof(lemmas), require_time=budget.require)
            check_hints(clauses, steps, require_time=budget.require)
            return len(clauses), "".join(map(write_lemma, steps))
        check_proof(clauses, read_proof(lemmas), require_time=budget.require)
    except CertificateError as error:
        raise SolverError(f"the proof of {solver} does not check: {error}") from None
    return len(clauses), "\n".join([*lemmas, ""])


def _describe_solver(solver: str) -> str:
    from importlib.metadata import version

    return f"{find_solver(solver).name} of python-sat {version('python-sat')}"
