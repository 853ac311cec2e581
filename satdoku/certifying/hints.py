"""Turns a DRAT proof into an LRAT proof: finds for each lemma the clauses that show it.

What propagation finds from the clauses alone, a *fact*, becomes a lemma of one literal with hints
of its own, so that later lemmas name the fact instead of all that led to it:

    formula  1: 1 2    2: 1 -2    3: -1 2    4: -1 -2
    DRAT     1 0
    LRAT     5 1 0 1 2 0          the lemma: with 1 false, clause 1 makes 2 true, 2 is broken
             6 2 0 5 3 0          a fact that follows from it
             7 0 5 6 4 0          the contradiction

What the contradiction does not rest on is left out at the end, and the rest is renumbered.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from satdoku.certifying.hint_check import HintedStep
from satdoku.certifying.propagation import ClauseDatabase
from satdoku.certifying.rup import ProofStep
from satdoku.errors import CertificateError


def add_hints(
    clauses: Sequence[Sequence[int]],
    proof: Iterable[ProofStep],
    source: str = "<proof>",
    require_time: Callable[[], None] = lambda: None,
) -> list[HintedStep]:
    """The lemmas that refute the clauses, with hints; deletions are not kept.

    Raises CertificateError at a lemma that is not RUP, or if nothing is refuted. `require_time` is
    called before each step and may raise what it likes.
    """
    database = ClauseDatabase(clauses, require_time)
    writer = _Writer(database, len(clauses))
    for step in proof:
        require_time()
        if database.is_refuted:
            break
        if step.is_deletion:
            # More clauses show no less, but solvers may count on propagating fewer.
            database.delete(step.literals)
            continue
        used = database.explain(step.literals)
        if used is None:
            raise CertificateError("this lemma does not follow by propagation", source, step.line)
        writer.write_lemma(step.literals, used)
    if not database.is_refuted:
        raise CertificateError("the proof ends without the empty clause", source)
    writer.write_refutation()
    return _keep_needed(writer.steps, len(clauses))


class _Writer:
    """Writes lemmas under numbers of its own: beside the database's clauses it counts facts."""

    def __init__(self, database: ClauseDatabase, clauses: int) -> None:
        self.steps: list[HintedStep] = []
        self._database = database
        self._clauses = clauses
        self._number_of_lemma: dict[int, int] = {}  # by the database's number
        self._number_of_fact: dict[int, int] = {}
        self._write_facts()

    def write_lemma(self, literals: Sequence[int], used: Sequence[int]) -> None:
        """A lemma that these clauses show, and the facts that follow from it."""
        written = self._write(literals, self._hints(used, literals))
        self._number_of_lemma[self._database.add(literals)] = written
        self._database.settle()
        self._write_facts()

    def write_refutation(self) -> None:
        """The empty clause."""
        self._write((), self._hints([self._database.refuting_clause], ()))

    def _write_facts(self) -> None:
        """Every new fact as a lemma, unless its reason is a clause that says just this."""
        for literal in self._database.facts[len(self._number_of_fact) :]:
            reason = self._database.reason(literal)
            if set(self._database.literals(reason)) == {literal}:
                self._number_of_fact[literal] = self._number(reason)
            else:
                hints = self._hints([reason], (literal,))
                self._number_of_fact[literal] = self._write((literal,), hints)

    def _hints(self, used: Sequence[int], lemma: Sequence[int]) -> tuple[int, ...]:
        """The facts that the clauses need to become units, then these clauses."""
        needed = {-literal for number in used for literal in self._database.literals(number)}
        needed -= {-literal for literal in lemma}  # assumed, as the lemma is to be shown
        facts = sorted(self._number_of_fact[x] for x in needed if x in self._number_of_fact)
        numbers = [self._number(number) for number in used]
        # A clause that is a fact already has no literal left to make true.
        return (*dict.fromkeys(facts), *numbers)

    def _number(self, number: int) -> int:
        return number if number <= self._clauses else self._number_of_lemma[number]

    def _write(self, literals: Sequence[int], hints: tuple[int, ...]) -> int:
        number = self._clauses + len(self.steps) + 1
        self.steps.append(HintedStep(len(self.steps) + 1, number, tuple(literals), hints))
        return number


def _keep_needed(steps: Sequence[HintedStep], clauses: int) -> list[HintedStep]:
    """The steps that the last one rests on, numbered without gaps."""
    # From the contradiction back to all that it rests on.
    needed = {steps[-1].number}
    for step in reversed(steps):
        if step.number in needed:
            needed.update(step.hints)
    kept = [step for step in steps if step.number in needed]
    numbers = {step.number: clauses + place for place, step in enumerate(kept, 1)}
    return [
        replace(
            step,
            line=place,
            number=numbers[step.number],
            hints=tuple(numbers.get(hint, hint) for hint in step.hints),
        )
        for place, step in enumerate(kept, 1)
    ]
