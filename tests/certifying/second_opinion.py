"""Whether a proof is valid, decided by other means than satdoku's.

Unit propagation is that of MiniSat; the rest is the definition of DRAT without deletions, which the
proofs here do not have.
"""

from collections.abc import Sequence

from pysat.solvers import Solver

Clause = Sequence[int]


def parse_proof(text: str) -> list[list[int]] | None:
    """The lemmas of a proof; None if it is not well formed."""
    try:
        numbers = [int(token) for token in text.split()]
    except ValueError:
        return None
    lemmas: list[list[int]] = [[]]
    for number in numbers:
        if number:
            lemmas[-1].append(number)
        else:
            lemmas.append([])
    return None if lemmas.pop() else lemmas


def is_refutation(clauses: Sequence[Clause], lemmas: Sequence[Clause]) -> bool:
    """Whether each lemma up to a contradiction is RUP or RAT, and there is a contradiction."""
    known = [list(clause) for clause in clauses]
    with Solver("minisat22", bootstrap_with=known) as solver:

        def is_rup(literals: Clause) -> bool:
            if any(-literal in literals for literal in literals):
                return True
            no_conflict, _ = solver.propagate([-literal for literal in set(literals)])
            return not no_conflict

        def is_rat(lemma: Clause) -> bool:
            return bool(lemma) and all(
                is_rup([*lemma, *(literal for literal in clause if literal != -lemma[0])])
                for clause in known
                if -lemma[0] in clause
            )

        for lemma in lemmas:
            if is_rup([]):
                return True
            if not is_rup(lemma) and not is_rat(lemma):
                return False
            known.append(list(lemma))
            solver.add_clause(lemma or [1])
            if not lemma:
                return True
        return is_rup([])
