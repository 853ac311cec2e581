"""Checks that an LRAT proof refutes a formula: the hints are followed, nothing is searched for.

This file is all that has to be believed of it. Time and memory grow with the lengths of the clauses
that are named, each time that they are named. Each lemma names the clauses that show it:

    731 -5 17 0 12 40 3 0      lemma 731 is the clause -5 17; clauses 12, 40 and 3 show it
    731 d 729 730 0            deletes clauses 729 and 730

The clauses of the formula are numbered from 1 in their order; lemmas get higher numbers, each
higher than the one before. The hints of a lemma are in the order of their use: make all literals
of the lemma false; then each hint has a single literal left, which becomes true, and the last has
none. The format is that of `lrat-check`, which comes with drat-trim. Its hints below zero, for
lemmas that are RAT but not RUP, are refused: solvers need no such lemmas for puzzles.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from satdoku.certifying.rup import ProofStatistics
from satdoku.errors import CertificateError, quote

# Ten digits at most: as in lrat-check, all numbers fit into 32 bits.
_LEMMA = re.compile(r"[1-9]\d{0,9}((?: -?[1-9]\d{0,9})*) 0((?: [1-9]\d{0,9})*) 0", re.ASCII)
_DELETION = re.compile(r"[1-9]\d{0,9} d((?: [1-9]\d{0,9})*) 0", re.ASCII)
_LARGEST = 2**31 - 1


@dataclass(frozen=True, slots=True)
class HintedStep:
    """A lemma with its number and hints, or a deletion of the clauses that are its hints."""

    line: int
    number: int
    literals: tuple[int, ...]
    hints: tuple[int, ...]
    is_deletion: bool = False


def read_hinted_proof(lines: Iterable[str], source: str = "<proof>") -> Iterator[HintedStep]:
    """The steps of a textual LRAT proof, one on each line.

    >>> next(read_hinted_proof(["5 1 0 2 3 0"]))
    HintedStep(line=1, number=5, literals=(1,), hints=(2, 3), is_deletion=False)
    """
    for line, text in enumerate(lines, 1):
        step = text.strip()
        if not step or step.startswith("c"):
            continue
        lemma, deletion = _LEMMA.fullmatch(step), _DELETION.fullmatch(step)
        if lemma is not None:
            literals, hints = _numbers(lemma[1]), _numbers(lemma[2])
        elif deletion is not None:
            literals, hints = (), _numbers(deletion[1])
        else:
            raise CertificateError(f"{quote(step, 40)} is no step of an LRAT proof", source, line)
        number = int(step.partition(" ")[0])
        if max(number, *map(abs, literals), *hints, 0) > _LARGEST:
            raise CertificateError("a number is too large for an LRAT proof", source, line)
        yield HintedStep(line, number, literals, hints, deletion is not None)


def write_lemma(step: HintedStep) -> str:
    """The line of a lemma.

    >>> write_lemma(HintedStep(1, 5, (1,), (2, 3)))
    '5 1 0 2 3 0\\n'
    """
    return " ".join(map(str, (step.number, *step.literals, 0, *step.hints, 0))) + "\n"


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


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
                return ProofStatistics(checker.lemmas, 0, checker.deletions)
    raise CertificateError("the proof ends without the empty clause", source, line)


class _Checker:
    """The clauses in force by their numbers."""

    def __init__(self, clauses: dict[int, Sequence[int]], source: str) -> None:
        self._clauses = clauses
        self._source = source
        self._highest = len(clauses)
        self.lemmas = self.deletions = 0

    def delete(self, step: HintedStep) -> None:
        """Takes clauses out of force; one that is not there is no error, as in DRAT."""
        for number in step.hints:
            self.deletions += 1
            self._clauses.pop(number, None)

    def add(self, step: HintedStep) -> None:
        """Puts a lemma in force that its hints show."""
        if step.number <= self._highest:
            raise self._error(step, f"the number {step.number} is not above {self._highest}")
        self._require_shown(step)
        self._clauses[step.number] = step.literals
        self._highest = step.number
        self.lemmas += 1

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
        raise self._error(step, "its hints end without a contradiction")

    def _error(self, step: HintedStep, fault: str) -> CertificateError:
        return CertificateError(
            f"lemma {step.number} is not shown: {fault}", self._source, step.line
        )
