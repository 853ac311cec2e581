"""Make certificates; the only file of this package that uses solvers."""

from collections.abc import Iterator, Sequence
from itertools import chain

from satdoku.certifying.certificate import (
    PLAIN_ENCODINGS,
    Certificate,
    ProofFormat,
    require_program,
)
from satdoku.certifying.hints import refute
from satdoku.certifying.justify import require_justifiable
from satdoku.certifying.rup import HintedStep, write_lemma
from satdoku.certifying.verify import read_formula
from satdoku.encoding.choices import Encoding, Status
from satdoku.encoding.files.dimacs import Export, clause_lines, first_comments, header_line
from satdoku.encoding.meanings import meanings_of, write_meanings
from satdoku.encoding.size import estimate_clauses
from satdoku.encoding.variables import Clause, variable_count
from satdoku.errors import CertificateError, SolverError
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving.limits import Budget, LimitReachedError, Limits, require_memory_for_proof
from satdoku.solving.questions import check
from satdoku.solving.session import Session
from satdoku.solving.solvers import Settings, find_solver

# The shortest proofs among the solvers whose proofs all check; see benchmarks/README.md.
DEFAULT_PROVER = "cadical195"


class NotCheckedError(LimitReachedError):
    """A limit was reached when the verdict was found, but before its proof was checked."""

    def __init__(self, verdict: Verdict, reason: str) -> None:
        super().__init__(reason)
        self.verdict = verdict


# In lemmas. Longer proofs delete lemmas after their last use, which halves the time to check them;
# most proofs of puzzles are shorter, and checked in an instant.
_MOST_KEPT = 1000


def encoding_for(puzzle: Puzzle, wanted: Encoding) -> Encoding:
    """Return the encoding of the puzzle's certificate if this one is wanted."""
    # The meanings of auxiliaries are justified for all candidates, even those that givens exclude.
    is_lacking = puzzle.constraints.wider and wanted is Encoding.REDUCED
    return Encoding.EXTENDED if is_lacking else wanted


def certify(
    puzzle: Puzzle,
    program: str,
    solver: str = DEFAULT_PROVER,
    encoding: Encoding = Encoding.REDUCED,
    limits: Limits | None = None,
    proof_format: ProofFormat = ProofFormat.DRAT,
) -> Certificate:
    """Return the verdict on a puzzle with its proof, which has been checked.

    Raise LimitReachedError if the limits, which cover all the work, are reached first; if the
    puzzle was decided by then, NotCheckedError.
    """
    if encoding not in PLAIN_ENCODINGS:
        names = ", ".join(e.value for e in PLAIN_ENCODINGS)
        raise SolverError(f"certificates need an encoding without auxiliaries: {names}")
    require_program(program)
    budget = Budget(limits)
    outcome = check(puzzle, Settings(limits=budget.limits))
    if outcome.verdict is Verdict.UNDECIDED:
        raise LimitReachedError(outcome.reason)
    if outcome.verdict is Verdict.MULTIPLE:
        solutions = tuple(grid for grid in (outcome.solution, outcome.second) if grid is not None)
        return Certificate(puzzle, outcome.verdict, solutions, program=program)
    budget.undone = "the proof was not checked"
    try:
        return _with_proof(outcome, program, solver, encoding, proof_format, budget)
    except LimitReachedError as limit:
        raise NotCheckedError(outcome.verdict, str(limit)) from None


def _with_proof(
    outcome: Outcome,
    program: str,
    solver: str,
    encoding: Encoding,
    proof_format: ProofFormat,
    budget: Budget,
) -> Certificate:
    """Return the certificate of a puzzle that is unique, or has no solution."""
    puzzle = outcome.puzzle
    require_justifiable(puzzle)
    encoding = encoding_for(puzzle, encoding)
    export = Export(puzzle, encoding, blocked=outcome.solution)
    count, proof = _prove(export, solver, proof_format, budget)
    lines = _formula_lines(export, program, count)
    made = Certificate(
        puzzle,
        outcome.verdict,
        () if outcome.solution is None else (outcome.solution,),
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


def _formula_lines(export: Export, program: str, count: int) -> Iterator[str]:
    """Yield the lines of the formula, of `count` clauses, with the meanings of its variables."""
    geometry, meanings = export.puzzle.geometry, meanings_of(export.puzzle)
    return chain(
        first_comments(export, program),
        (f"c {told}\n" for told in write_meanings(meanings, geometry)),
        [header_line(max([variable_count(geometry), *meanings]), count)],
        clause_lines(export),
    )


def _require_justified(made: Certificate, budget: Budget) -> None:
    """Raise an error if `verify` would reject the certificate.

    It rejects a clause that needs more than one rule.
    """
    try:
        read_formula(made, "formula", budget.require)
    except CertificateError as error:
        raise CertificateError(f"no certificate can be written for this puzzle: {error}") from None


def _prove(
    export: Export, solver: str, proof_format: ProofFormat, budget: Budget
) -> tuple[int, str]:
    """Return the number of clauses, and the text of a checked proof that refutes them."""
    estimate = estimate_clauses(export.puzzle, export.encoding, export.at_most_one)
    require_memory_for_proof(export.puzzle.geometry, estimate)
    clauses: list[Clause] = []
    with Session(find_solver(solver), with_proof=True) as session:
        for clause in budget.watch(c for group in export.groups() for c in group.clauses):
            session.add_clause(clause)
            clauses.append(clause)
        # `check` found no other solution; one of the two solvers is wrong.
        if session.solve(budget) is not Status.UNSATISFIABLE:
            raise SolverError(f"{solver} found another solution than the blocked one")
        lines = [line.strip() for line in session.proof()]
    lemmas = [line for line in lines if not line.startswith("d")]
    if len(lemmas) > _MOST_KEPT:
        # The solver's deletions slow the check down, though they make short proofs shorter.
        lemmas = lines
    # If propagation alone refutes the formula, some solvers (CaDiCaL) write no empty clause.
    if not lemmas or lemmas[-1] != "0":
        lemmas.append("0")
    try:
        steps = refute(clauses, "\n".join(lemmas), budget.require)
    except CertificateError as error:
        raise SolverError(f"the proof of {solver} does not check: {error}") from None
    if proof_format is ProofFormat.LRAT:
        return len(clauses), "".join(map(write_lemma, steps))
    # Only the steps that the contradiction needs: half of a solver's proof for hard puzzles.
    return len(clauses), "".join(drat_lines(steps, len(steps) > _MOST_KEPT))


def drat_lines(steps: Sequence[HintedStep], deletes: bool) -> Iterator[str]:
    """Yield the lemmas without hints; delete each after the last lemma that uses it."""
    last = {hint: step.number for step in steps for hint in step.hints} if deletes else {}
    over: dict[int, list[HintedStep]] = {}
    for step in steps:
        # Most checkers ignore deletions of units, which save nothing.
        if step.number in last and len(step.literals) > 1:
            over.setdefault(last[step.number], []).append(step)
    for step in steps:
        yield f"{_dimacs(step.literals)}\n"
        yield from (f"d {_dimacs(each.literals)}\n" for each in over.get(step.number, ()))


def _dimacs(literals: Sequence[int]) -> str:
    return " ".join(map(str, (*literals, 0)))


def _describe_solver(solver: str) -> str:
    import pysat  # the metadata of packages takes four times as long to read

    return f"{find_solver(solver).name} of python-sat {pysat.__version__}"
