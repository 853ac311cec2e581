"""Make certificates. No other file of this package uses solvers."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count, islice
from typing import NamedTuple

import pysat

from satdoku.certifying.certificate import (
    PART_COMMENT,
    PLAIN_ENCODINGS,
    Certificate,
    Claim,
    ProofFormat,
    absent_candidates,
    formula_comments,
    require_program,
    verdict_of,
)
from satdoku.certifying.hints import refute, renumbered
from satdoku.certifying.justify import Justifier, require_justifiable, require_values_of_digits
from satdoku.certifying.rup import HintedStep, write_lemma
from satdoku.certifying.verify import read_formula
from satdoku.encoding.choices import Encoding, Status
from satdoku.encoding.encode import encode, notes_for
from satdoku.encoding.files.dimacs import header_line
from satdoku.encoding.meanings import Meaning, Notes, State, write_meanings
from satdoku.encoding.size import estimate_narrow
from satdoku.encoding.variables import Clause, blocking_clause, variable_count
from satdoku.encoding.wider.sums import may_have_joint_sums, write_implied
from satdoku.errors import CertificateError, SatdokuError, SolverError
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget, LimitReachedError, Limits, require_memory_for_proof
from satdoku.solving.questions import check, list_solutions
from satdoku.solving.session import Session
from satdoku.solving.solvers import Settings, find_solver

# Leave out the clauses of a formula that its proof does not need: four fifths in the median
#
# All readers of a certificate then have less to check, and the formula still has no model.


class Refuted(NamedTuple):
    """Clauses, the steps that refute them, and the meanings of auxiliaries."""

    clauses: Sequence[Clause]
    steps: Sequence[HintedStep]
    meanings: Mapping[int, Meaning]


def trim(whole: Refuted, closing: int, has_hints: bool) -> Refuted:
    """Return the clauses that the steps need, and the last `closing` ones.

    Auxiliaries are numbered anew, without gaps; so are steps and hints if the proof `has_hints`.
    """
    clauses, steps, meanings = whole
    needed = set[int]().union(*(step.hints for step in steps))
    needed.update(range(len(clauses) - closing + 1, len(clauses) + 1))
    needed |= _definitions(clauses, needed, meanings)
    kept = [number for number in range(1, len(clauses) + 1) if number in needed]
    if has_hints:
        steps = [*renumbered(steps, kept)]
    part = Refuted([clauses[number - 1] for number in kept], steps, meanings)
    return _without_gaps(part) if meanings else part


def _definitions(
    clauses: Sequence[Clause], needed: Iterable[int], meanings: Mapping[int, Meaning]
) -> set[int]:
    """Return the numbers of the clauses that say where the states of needed machines lead.

    The second verifier reads from them what a state is.
    """
    machine_of = {n: each.machine for n, each in meanings.items() if isinstance(each, State)}
    if not machine_of:
        return set()
    named = {*chain(*(clauses[number - 1] for number in needed if number <= len(clauses)))}
    used = {machine for n, machine in machine_of.items() if n in named or -n in named}
    states = {number for number, machine in machine_of.items() if machine in used}
    return {
        number
        for number, clause in enumerate(clauses, 1)
        if not states.isdisjoint(clause) and len(states.intersection(clause)) == 1
    }


def _without_gaps(part: Refuted) -> Refuted:
    literals = {*chain(*part.clauses, *(step.literals for step in part.steps))}
    used = [n for n in sorted(part.meanings) if n in literals or -n in literals]
    numbers = dict(zip(used, count(min(part.meanings))))
    both = numbers | {-old: -new for old, new in numbers.items()}

    def renumber(literals: Clause) -> Clause:
        return tuple([both.get(each, each) for each in literals])

    return Refuted(
        [*map(renumber, part.clauses)],
        [step._replace(literals=renumber(step.literals)) for step in part.steps],
        {new: part.meanings[old] for old, new in numbers.items()},
    )


# Certificates of verdicts

# Of the solvers all of whose proofs check, the one with the shortest; see benchmarks/README.md.
DEFAULT_PROVER = "cadical195"


class NotCheckedError(LimitReachedError):
    """A limit that was reached after the verdict was found, but before its proof was checked."""

    def __init__(self, verdict: Verdict, reason: str) -> None:
        super().__init__(reason)
        self.verdict = verdict


# The most lemmas of a proof without deletions. Longer proofs delete lemmas after their last use,
# which halves the time to check them; most proofs of puzzles are shorter, and checked in an
# instant.
_MOST_KEPT = 1000


# Conflicts after which a proof is begun again with joint sums, which take about as long to write.
_PATIENCE = 2_000

MOST_SOLUTIONS = 10_000
"""The most solutions of a certificate that lists all."""


def encoding_for(puzzle: Puzzle, wanted: Encoding, claim: Claim = Claim.VERDICT) -> Encoding:
    """Return the encoding of a puzzle's certificate: `wanted`, or a larger one if needed."""
    # Wider rules need all candidates, even those that givens exclude, since the meanings of
    # auxiliaries are justified for all; so does a claim about candidates, which names them.
    needs_all = bool(puzzle.constraints.wider) or claim is Claim.CANDIDATES
    return Encoding.EXTENDED if needs_all and wanted is Encoding.REDUCED else wanted


def certify(
    puzzle: Puzzle,
    program: str,
    solver: str = DEFAULT_PROVER,
    encoding: Encoding = Encoding.REDUCED,
    limits: Limits | None = None,
    proof_format: ProofFormat = ProofFormat.DRAT,
    claim: Claim = Claim.VERDICT,
    is_whole: bool = False,
) -> Certificate:
    """Return the certificate of a claim about a puzzle, by default its verdict; proofs are checked.

    The formula has only the clauses that the proof needs, or all if it `is_whole`.

    The limits cover all the work. Raise LimitReachedError if they are reached first,
    NotCheckedError if the verdict was known by then.
    """
    if encoding not in PLAIN_ENCODINGS:
        names = ", ".join(e.value for e in PLAIN_ENCODINGS)
        raise SolverError(f"certificates need an encoding without auxiliaries: {names}")
    require_values_of_digits(puzzle)
    puzzle.require_plain("certificates are for")
    require_program(program)
    budget = Budget(limits)
    verdict, solutions = _ANSWERS[claim](puzzle, budget)
    made = Certificate(
        puzzle, verdict, solutions, program=program, proof_format=proof_format, claim=claim
    )
    if claim is Claim.VERDICT and verdict is Verdict.MULTIPLE:
        return made
    budget.undone = "the proof was not checked"
    try:
        return _with_proof(made, solver, encoding, budget, is_whole)
    except LimitReachedError as limit:
        raise NotCheckedError(verdict, str(limit)) from None


Answer = tuple[Verdict, tuple[Grid, ...]]
"""The verdict on a puzzle, and the solutions to list in the certificate."""


def _decide(puzzle: Puzzle, budget: Budget) -> Answer:
    outcome = check(puzzle, Settings(limits=budget.limits))
    if outcome.verdict is Verdict.UNDECIDED:
        raise LimitReachedError(outcome.reason)
    found = outcome.solution, outcome.second
    return outcome.verdict, tuple(grid for grid in found if grid is not None)


def _list_all(puzzle: Puzzle, budget: Budget) -> Answer:
    listed = list_solutions(puzzle, Settings(limits=budget.limits))
    solutions = tuple(budget.watch(islice(listed, MOST_SOLUTIONS + 1)))
    if len(solutions) > MOST_SOLUTIONS:
        raise SatdokuError(
            f"it has more than {MOST_SOLUTIONS:,} solutions, the most that a certificate lists"
        )
    return verdict_of(len(solutions)), solutions


def _find_candidates(puzzle: Puzzle, budget: Budget) -> Answer:
    # Slow to import, and few certificates are about candidates.
    from satdoku.explaining.true_candidates import find_true_candidates

    found = find_true_candidates(puzzle, budget)
    if not found.is_complete:
        budget.require()
        raise LimitReachedError("a limit was reached before all candidates were known")
    return verdict_of(len(found.solutions)), tuple(_needed(found.solutions))


def _needed(solutions: Sequence[Grid]) -> list[Grid]:
    """Return few of the solutions with the same candidates; at least two if there are several."""
    kept = list(solutions)
    often = Counter(place for grid in solutions for place in enumerate(grid.digits))
    # The first solutions have the most new candidates, so the last ones are dropped first.
    for grid in reversed(solutions):
        places = [*enumerate(grid.digits)]
        if len(kept) > 2 and all(often[place] > 1 for place in places):
            kept.remove(grid)
            often.subtract(places)
    return kept


_ANSWERS: dict[Claim, Callable[[Puzzle, Budget], Answer]] = {
    Claim.VERDICT: _decide,
    Claim.COUNT: _list_all,
    Claim.CANDIDATES: _find_candidates,
}


def _closing_clauses(made: Certificate) -> list[Clause]:
    """Return the formula's last clauses, which solutions satisfy only if the claim is false."""
    if made.claim is Claim.CANDIDATES:
        return [absent_candidates(made.solutions, made.puzzle.geometry)]
    return [blocking_clause(solution, made.puzzle) for solution in made.solutions]


def _with_proof(
    made: Certificate,
    solver: str,
    encoding: Encoding,
    budget: Budget,
    is_whole: bool,
) -> Certificate:
    """Return the certificate with a formula and a proof."""
    puzzle = made.puzzle
    require_justifiable(puzzle)
    encoding = encoding_for(puzzle, encoding, made.claim)
    made = replace(made, encoding=encoding.value, solver=_describe_solver(solver))
    closing = _closing_clauses(made)
    refuted = _refute(puzzle, closing, solver, encoding, budget)
    if not is_whole:
        refuted = trim(refuted, len(closing), made.proof_format is ProofFormat.LRAT)
    made = replace(
        made,
        formula="".join(budget.watch(_formula_lines(made, refuted, is_whole))),
        proof="".join(budget.watch(_proof_lines(refuted.steps, made.proof_format))),
    )
    if puzzle.constraints.wider:
        _require_justified(made, budget)
    return made


def _refute(
    puzzle: Puzzle, closing: Sequence[Clause], solver: str, encoding: Encoding, budget: Budget
) -> Refuted:
    """Return the formula of a puzzle, with the closing clauses at its end, and its refutation."""
    lemmas, known = None, 0
    for has_joint_sums in (False, True):
        notes = notes_for(puzzle, write_implied if has_joint_sums else None)
        encoded = _encoded(puzzle, encoding, notes, budget)
        if has_joint_sums:
            # Verifiers find no reason for a few of these clauses, which are redundant.
            is_justified = Justifier(puzzle, notes.meanings).is_justified
            encoded[known:] = filter(is_justified, budget.watch(encoded[known:]))
        known = len(encoded)
        clauses = [*encoded, *closing]
        is_last = has_joint_sums or not may_have_joint_sums(puzzle.constraints)
        lemmas = _prove(clauses, solver, budget, None if is_last else _PATIENCE)
        if lemmas is not None:
            break
    assert lemmas is not None, "without patience, a solver gives no answer but a proof"
    try:
        # Only steps that the contradiction needs are kept: half of a solver's proof for hard
        # puzzles.
        steps = refute(clauses, "\n".join(lemmas), budget.require)
    except CertificateError as error:
        raise SolverError(f"the proof of {solver} does not check: {error}") from None
    return Refuted(clauses, steps, notes.meanings)


def _encoded(puzzle: Puzzle, encoding: Encoding, notes: Notes, budget: Budget) -> list[Clause]:
    """Return the clauses of the whole formula."""
    geometry = puzzle.geometry
    require_memory_for_proof(geometry, estimate_narrow(puzzle, encoding))
    clauses: list[Clause] = []
    measured = 0
    for group in encode(puzzle, encoding, notes=notes):
        clauses += group.clauses
        budget.work(len(group.clauses))
        # Clauses of wider constraints can only be counted by making them.
        if len(clauses) > 2 * measured:
            measured = len(clauses)
            require_memory_for_proof(geometry, measured)
    return clauses


def _formula_lines(made: Certificate, refuted: Refuted, is_whole: bool) -> Iterator[str]:
    """Yield the lines of the formula, with the meanings of its variables."""
    (clauses, _, meanings), geometry = refuted, made.puzzle.geometry
    comments = chain(
        formula_comments(made),
        [] if is_whole else [PART_COMMENT],
        write_meanings(meanings, geometry),
    )
    return chain(
        (f"c {comment}\n" for comment in comments),
        [header_line(max([variable_count(geometry), *meanings]), len(clauses))],
        (f"{_dimacs(clause)}\n" for clause in clauses),
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
    clauses: Sequence[Clause], solver: str, budget: Budget, patience: int | None
) -> list[str] | None:
    """Return the lines of a solver's refutation; None after `patience` conflicts."""
    with Session(find_solver(solver), with_proof=True) as session:
        for clause in budget.watch(clauses):
            session.add_clause(clause)
        status = session.solve(budget, patience)
        if status is Status.UNKNOWN:
            return None
        # Another solver found no other solution, so one of the two is wrong.
        if status is not Status.UNSATISFIABLE:
            raise SolverError(f"{solver} found another solution than the blocked one")
        lines = [line.strip() for line in session.proof()]
    lemmas = [line for line in lines if not line.startswith("d")]
    if len(lemmas) > _MOST_KEPT:
        # The solver's deletions slow the check down, though they make short proofs shorter.
        lemmas = lines
    # If propagation alone refutes the formula, some solvers (CaDiCaL) write no empty clause.
    if not lemmas or lemmas[-1] != "0":
        lemmas.append("0")
    return lemmas


def _proof_lines(steps: Sequence[HintedStep], proof_format: ProofFormat) -> Iterator[str]:
    if proof_format is ProofFormat.LRAT:
        return map(write_lemma, steps)
    return drat_lines(steps, len(steps) > _MOST_KEPT)


def drat_lines(steps: Sequence[HintedStep], deletes: bool) -> Iterator[str]:
    """Yield the lemmas without hints; delete each after the last lemma that uses it."""
    last: dict[int, int] = {}
    for step in steps if deletes else ():
        last.update(dict.fromkeys(step.hints, step.number))
    over: dict[int, list[str]] = {}
    for step in steps:
        text = f"{_dimacs(step.literals)}\n"
        yield text
        # Units are not deleted: most checkers ignore that, and it saves nothing.
        if step.number in last and len(step.literals) > 1:
            over.setdefault(last[step.number], []).append(f"d {text}")
        yield from over.pop(step.number, ())


def _dimacs(literals: Sequence[int]) -> str:
    return " ".join(map(str, (*literals, 0)))


def _describe_solver(solver: str) -> str:
    # The module for metadata of packages would take forty milliseconds to import.
    return f"{find_solver(solver).name} of python-sat {pysat.__version__}"
