"""Checks that a DRAT proof refutes a formula, trusting nobody: neither solver nor encoder.

A proof is a list of clauses, the lemmas, each of which must follow from the formula and the lemmas
before it; the last one is the empty clause, which nothing satisfies. A lemma follows by

* RUP, reverse unit propagation: make all its literals false and propagate. If some clause is left
  without a literal to make it true, the lemma cannot be false while the clauses hold.
* RAT, resolution asymmetric tautology, tried when RUP fails: for every clause that has the negation
  of the lemma's first literal, the lemma together with the rest of that clause is RUP. Such a lemma
  may exclude models, but never all of them, so a refutation that uses it is still a refutation.

Deleting a clause that forces a literal is ignored, as drat-trim does: a solver drops such a clause
because it keeps the literal, whereas here the literal would lose its reason. Ignoring a deletion is
always safe: more clauses imply no less of what is true, and RAT has more of them to satisfy. For
the same reason the deletion of a clause that is not there is no error. Both are counted.

A proof is read as text: `1 -2 0` adds a clause, `d 1 -2 0` deletes one.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from satdoku.certifying.propagation import ClauseDatabase
from satdoku.errors import CertificateError, quote

# As in drat-trim, a literal fits into 32 bits.
_LITERAL = re.compile(r"-?[1-9][0-9]{0,9}")
_LARGEST_LITERAL = 2**31 - 1


@dataclass(frozen=True, slots=True)
class ProofStep:
    """A lemma to check and add, or a clause to delete; its line in the proof, from 1."""

    line: int
    literals: tuple[int, ...]
    is_deletion: bool = False


def read_proof(lines: Iterable[str], source: str = "<proof>") -> Iterator[ProofStep]:
    """The steps of a textual DRAT proof; a step ends at its 0, wherever the lines break.

    >>> [step.literals for step in read_proof(["1 -2 0  d 3 0"])]
    [(1, -2), (3,)]
    """
    literals: list[int] = []
    start, is_deletion = 0, False
    for line, content in enumerate(lines, 1):
        for token in _tokens(content, source):
            start = start or line
            if token == "0":
                yield ProofStep(start, tuple(literals), is_deletion)
                literals, start, is_deletion = [], 0, False
            elif token != "d":
                literals.append(_literal(token, source, line))
            elif literals or is_deletion:
                raise CertificateError("'d' stands inside a step", source, line)
            else:
                is_deletion = True
    if start:
        raise CertificateError("the last step has no closing 0", source, start)


def _tokens(content: str, source: str) -> list[str]:
    if "\0" in content:
        raise CertificateError("the proof is binary, only textual DRAT is read", source)
    return [] if content.startswith("c") else content.split()


def _literal(token: str, source: str, line: int) -> int:
    if not _LITERAL.fullmatch(token) or abs(int(token)) > _LARGEST_LITERAL:
        raise CertificateError(f"{quote(token)} is not a literal", source, line)
    return int(token)


@dataclass(frozen=True, slots=True)
class ProofStatistics:
    """What checking a valid proof took; steps after the refutation are not counted."""

    lemmas: int  # both kinds
    rat_lemmas: int
    deletions: int


def check_proof(
    clauses: Iterable[Sequence[int]],
    proof: Iterable[ProofStep],
    source: str = "<proof>",
    require_time: Callable[[], None] = lambda: None,
) -> ProofStatistics:
    """Raises CertificateError at the first step that does not follow, or if nothing is refuted.

    `require_time` is called before each question to unit propagation and may raise what it likes.

    >>> check_proof([(1, 2), (1, -2), (-1, 2), (-1, -2)], [ProofStep(1, (1,))]).lemmas
    1
    """
    database = ClauseDatabase(clauses, require_time)
    lemmas = rat_lemmas = deletions = line = 0
    for step in proof:
        if database.is_refuted:
            break
        line = step.line
        require_time()
        if step.is_deletion:
            deletions += 1
            database.delete(step.literals)
            continue
        lemmas += 1
        if not database.implies(step.literals):
            if not _is_rat(database, step.literals, require_time):
                text = " ".join(map(str, (*step.literals[:20], 0)))
                raise CertificateError(f"the lemma {text!r} does not follow", source, line)
            rat_lemmas += 1
        database.add(step.literals)
        database.settle()
    if not database.is_refuted:
        raise CertificateError("the proof ends without the empty clause", source, line)
    return ProofStatistics(lemmas, rat_lemmas, deletions)


def _is_rat(
    database: ClauseDatabase, lemma: Sequence[int], require_time: Callable[[], None]
) -> bool:
    if not lemma:
        return False
    for clause in database.clauses_with(-lemma[0]):
        require_time()
        if not database.implies((*lemma, *(x for x in clause if x != -lemma[0]))):
            return False
    return True
