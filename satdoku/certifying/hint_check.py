"""Checks that an LRAT proof refutes a formula: the hints are followed, nothing is searched for.

This file and the reader of the proof (`lrat.py`) are all that has to be believed of it. Time and
memory grow with the lengths of the clauses that are named, each time that they are named.
"""

from collections.abc import Callable, Iterable, Sequence

from satdoku.certifying.lrat import HintedStep
from satdoku.certifying.rup import ProofStatistics
from satdoku.errors import CertificateError


def check_hints(
    clauses: Iterable[Sequence[int]],
    proof: Iterable[HintedStep],
    source: str = "<proof>",
    require_time: Callable[[], None] = lambda: None,
) -> ProofStatistics:
    """Raises CertificateError at the first lemma that its hints do not show, or if none is empty.

    `require_time` is called before each step and may raise what it likes.

    >>> formula = [(1, 2), (1, -2), (-1, 2), (-1, -2)]
    >>> proof = [HintedStep(1, 5, (1,), (1, 2)), HintedStep(2, 6, (), (5, 3, 4))]
    >>> check_hints(formula, proof).lemmas
    2
    """
    checker = _Checker(dict(enumerate(clauses, 1)), source)
    line = 0
    for step in proof:
        require_time()
        line = step.line
        if step.is_deletion:
            checker.delete(step)
        else:
            checker.add(step)
            if not step.literals:
                return checker.statistics(line)
    raise CertificateError("the proof ends without the empty clause", source, line)


class _Checker:
    """The clauses in force by their numbers."""

    def __init__(self, clauses: dict[int, Sequence[int]], source: str) -> None:
        self._clauses = clauses
        self._source = source
        self._highest = len(clauses)
        self._lemmas = self._deletions = self._ignored = self._propagations = 0

    def delete(self, step: HintedStep) -> None:
        """Takes clauses out of force; one that is not there is no error, as in DRAT."""
        for number in step.hints:
            self._deletions += 1
            if self._clauses.pop(number, None) is None:
                self._ignored += 1

    def add(self, step: HintedStep) -> None:
        """Puts a lemma in force that its hints show."""
        if step.number <= self._highest:
            raise self._error(step, f"the number {step.number} is not above {self._highest}")
        self._require_shown(step)
        self._clauses[step.number] = step.literals
        self._highest = step.number
        self._lemmas += 1

    def statistics(self, line: int) -> ProofStatistics:
        return ProofStatistics(
            self._lemmas, 0, self._deletions, self._ignored, self._propagations, line
        )

    def _require_shown(self, step: HintedStep) -> None:
        false = set(step.literals)
        for hint in step.hints:
            clause = self._clauses.get(hint)
            if clause is None:
                raise self._error(step, f"there is no clause {hint}")
            # A set: a clause that states a literal twice has one left.
            left = {literal for literal in clause if literal not in false}
            if not left:
                return
            if len(left) > 1:
                raise self._error(step, f"clause {hint} has {len(left)} literals left")
            false.add(-left.pop())
            self._propagations += 1
        raise self._error(step, "its hints end without a contradiction")

    def _error(self, step: HintedStep, fault: str) -> CertificateError:
        return CertificateError(
            f"lemma {step.number} is not shown: {fault}", self._source, step.line
        )
