"""Making certificates; the only file of this package that knows solvers."""

from io import StringIO

from satdoku.certifying.certificate import PLAIN_ENCODINGS, Certificate
from satdoku.certifying.drat import read_proof
from satdoku.certifying.rup import check_proof
from satdoku.dimacs.status import Status
from satdoku.dimacs.write import Export, write_cnf
from satdoku.encoding.encode import Encoding
from satdoku.errors import CertificateError, SolverError
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget, LimitReachedError, Limits
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
) -> Certificate:
    """The verdict on a puzzle with its proof, which has been checked.

    Raises LimitReachedError when the limits end before there is a verdict.
    """
    if encoding not in PLAIN_ENCODINGS:
        names = ", ".join(e.value for e in PLAIN_ENCODINGS)
        raise SolverError(f"certificates need an encoding without auxiliaries: {names}")
    limits = limits or Limits()
    outcome = check(puzzle, Settings(limits=limits))
    if outcome.verdict is Verdict.UNDECIDED:
        raise LimitReachedError(outcome.reason)
    solutions = tuple(grid for grid in (outcome.solution, outcome.second) if grid is not None)
    if outcome.verdict is Verdict.MULTIPLE:
        return Certificate(puzzle, outcome.verdict, solutions, program=program)
    export = Export(puzzle, encoding, blocked=outcome.solution)
    proof = _prove(export, solver, Budget(limits))
    formula = StringIO()
    write_cnf(export, formula, program)
    return Certificate(
        puzzle,
        outcome.verdict,
        solutions,
        encoding.value,
        _describe_solver(solver),
        program,
        formula.getvalue(),
        proof,
    )


def _prove(export: Export, solver: str, budget: Budget) -> str:
    """The lemmas that refute a formula, without deletions: proofs of puzzles are short."""
    clauses = [clause for group in export.groups() for clause in group.clauses]
    with Session(find_solver(solver), with_proof=True) as session:
        session.add_clauses(clauses)
        if session.solve(budget) is not Status.UNSATISFIABLE:
            raise SolverError(f"{solver} found another solution than the blocked one")
        lemmas = [line.strip() for line in session.proof() if not line.startswith("d")]
    if not lemmas or lemmas[-1] != "0":
        lemmas.append("0")
    proof = "\n".join(lemmas) + "\n"
    try:
        check_proof(clauses, read_proof(proof))
    except CertificateError as error:
        raise SolverError(f"the proof of {solver} does not check: {error}") from None
    return proof


def _describe_solver(solver: str) -> str:
    from importlib.metadata import version

    return f"{find_solver(solver).name} of python-sat {version('python-sat')}"
