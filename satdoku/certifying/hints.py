"""Find for each lemma of a DRAT proof the clauses that imply it: its hints, as LRAT has them.

A *fact* is a literal that propagation derives from the clauses alone. It becomes a unit lemma with
hints of its own, so that later lemmas refer to it instead of its derivation:

    formula  1: 1 2    2: 1 -2    3: -1 2    4: -1 -2
    DRAT     1 0
    LRAT     5 1 0 1 2 0          the lemma: with 1 false, clause 1 makes 2 true, 2 is violated
             6 2 0 5 3 0          a fact that follows from it
             7 0 5 6 4 0          the contradiction

Steps that the contradiction does not need are removed at the end, and the rest is renumbered.

The compiled library (`lanes/native/proof.c`) does the same about a hundred times as fast; for
`refute` it derives only the steps that are needed, going back from the contradiction. This code
need not be trusted, since `check_hints` follows all its hints; of the library's hints it follows a
sample.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, repeat
from typing import Any, NamedTuple

from satdoku.certifying.rup import (
    ClauseDatabase,
    HintedStep,
    ProofStatistics,
    ProofStep,
    check_hints,
    read_proof,
)
from satdoku.errors import CertificateError
from satdoku.lanes.library import Library, find_library

_PROOF = "<proof>"


class Hinted(NamedTuple):
    """The steps that a contradiction needs, with hints, and the statistics of the whole proof."""

    steps: list[HintedStep]
    statistics: ProofStatistics


def refute(
    clauses: Sequence[Sequence[int]], proof: str, require_time: Callable[[], None] = lambda: None
) -> list[HintedStep]:
    """Return the steps by which a textual DRAT proof refutes clauses, with hints that are checked.

    Raise CertificateError at a lemma that is not RUP, or if nothing is refuted.
    """
    found = derive(clauses, proof, require_time=require_time, is_backward=True)
    if found is not None:
        return found.steps
    steps = add_hints(clauses, read_proof(proof.splitlines()), require_time)
    check_hints(clauses, steps, require_time=require_time)
    return steps


# Following every hint would take Python longer than the library takes to derive each lemma.
_BETWEEN_SAMPLES = 16


def derive(
    clauses: Sequence[Sequence[int]],
    proof: str,
    source: str = _PROOF,
    require_time: Callable[[], None] = lambda: None,
    is_backward: bool = False,
) -> Hinted | None:
    """Return the hints that the compiled library finds by deriving each lemma.

    If it goes `is_backward`, it derives only the lemmas that the contradiction needs.

    Those of a sample of the lemmas are checked again; raise CertificateError at a wrong one. Return
    None where `compiled_hints` does.
    """
    found = compiled_hints(clauses, proof, require_time, is_backward)
    if found is not None:
        check_hints(clauses, found.steps, source, require_time, _BETWEEN_SAMPLES)
    return found


# Visits of clauses between two checks of the clock: some ten milliseconds.
_AT_ONCE = 1 << 20

# Return values of `proof_advance`.
_RUNNING, _REFUTED = 0, 1

# The type code of `array` for the library's 32-bit integers.
_INT32 = "i"

# The terminator of each clause.
_END = (0,)


def compiled_hints(
    clauses: Sequence[Sequence[int]],
    proof: str,
    require_time: Callable[[], None] = lambda: None,
    is_backward: bool = False,
    library: Library | None = None,
) -> Hinted | None:
    """Return the hints that the compiled library finds, unchecked.

    None without the library, or if it cannot read the proof or a lemma is not RUP: then the Python
    code gives the error.
    """
    library = library or find_library()
    if library is None or not proof.isascii():
        return None
    literals = [*chain.from_iterable(chain.from_iterable(zip(clauses, repeat(_END))))]
    try:
        numbers = array(_INT32, literals)
    except OverflowError:
        return None
    variables = max(max(literals, default=0), -min(literals, default=0))
    text, formula = proof.encode("ascii"), numbers.tobytes()
    entries = library.entries
    handle = entries.proof_open(formula, len(numbers), variables, text, len(text), is_backward)
    if not handle:
        return None
    try:
        state = _RUNNING
        while state == _RUNNING:
            require_time()
            state = entries.proof_advance(handle, _AT_ONCE)
        if state != _REFUTED:
            return None
        statistics = ProofStatistics(
            entries.proof_counted(handle, 0), 0, entries.proof_counted(handle, 1)
        )
        return Hinted([*_take_steps(entries, handle, len(clauses))], statistics)
    finally:
        entries.proof_close(handle)


def _take_steps(entries: Any, handle: int, clauses: int) -> Iterator[HintedStep]:
    """Yield the steps that the library kept: their literals and hints, each behind its number."""
    size = entries.proof_steps(handle, None, 0)
    made = array(_INT32, bytes(4 * size))
    entries.proof_steps(handle, made.buffer_info()[0], size)
    numbers, place, line = made.tolist(), 0, 0
    while place < size:
        middle = place + 1 + numbers[place]
        end = middle + 1 + numbers[middle]
        line += 1
        yield HintedStep(
            line,
            clauses + line,
            tuple(numbers[place + 1 : middle]),
            tuple(numbers[middle + 1 : end]),
        )
        place = end


def add_hints(
    clauses: Sequence[Sequence[int]],
    proof: Iterable[ProofStep],
    require_time: Callable[[], None] = lambda: None,
) -> list[HintedStep]:
    """Return the lemmas that refute the clauses, with hints, without deletions.

    Raise CertificateError at a lemma that is not RUP, or if nothing is refuted. `require_time` is
    called before each step and may raise any error to stop.
    """
    database = ClauseDatabase(clauses, require_time)
    writer = _Writer(database, len(clauses))
    for step in proof:
        require_time()
        if database.is_refuted:
            break
        if step.is_deletion:
            # Keeping the clause would be sound, but solvers may rely on propagating fewer clauses.
            database.delete(step.literals)
            continue
        used = database.explain(step.literals)
        if used is None:
            raise CertificateError("this lemma does not follow by propagation", _PROOF, step.line)
        writer.write_lemma(step.literals, used)
    if not database.is_refuted:
        raise CertificateError("the proof ends without the empty clause", _PROOF)
    writer.write_refutation()
    return _keep_needed(writer.steps, len(clauses))


class _Writer:
    """A writer of lemmas with numbers of its own, which count facts, unlike the database's."""

    def __init__(self, database: ClauseDatabase, clauses: int) -> None:
        self.steps: list[HintedStep] = []
        self._database = database
        self._clauses = clauses
        self._number_of_lemma: dict[int, int] = {}  # by the database's number
        self._number_of_fact: dict[int, int] = {}
        self._write_facts()

    def write_lemma(self, literals: Sequence[int], used: Sequence[int]) -> None:
        """Write a lemma that these clauses imply, and the facts that follow from it."""
        written = self._write(literals, self._hints(used, literals))
        self._number_of_lemma[self._database.add(literals)] = written
        self._database.settle()
        self._write_facts()

    def write_refutation(self) -> None:
        """Write the empty clause."""
        self._write((), self._hints([self._database.refuting_clause], ()))

    def _write_facts(self) -> None:
        """Write every new fact as a lemma, unless its reason is a unit clause."""
        for literal in self._database.facts[len(self._number_of_fact) :]:
            reason = self._database.reason(literal)
            if set(self._database.literals(reason)) == {literal}:
                self._number_of_fact[literal] = self._number(reason)
            else:
                hints = self._hints([reason], (literal,))
                self._number_of_fact[literal] = self._write((literal,), hints)

    def _hints(self, used: Sequence[int], lemma: Sequence[int]) -> tuple[int, ...]:
        """Return hints: the facts that make these clauses unit, then the clauses."""
        needed = {-literal for number in used for literal in self._database.literals(number)}
        needed -= {-literal for literal in lemma}  # assumed false for the check of the lemma
        facts = sorted(self._number_of_fact[x] for x in needed if x in self._number_of_fact)
        numbers = [self._number(number) for number in used]
        # The reason of a fact that is among the hints has no literal left to propagate.
        return (*dict.fromkeys(facts), *numbers)

    def _number(self, number: int) -> int:
        return number if number <= self._clauses else self._number_of_lemma[number]

    def _write(self, literals: Sequence[int], hints: tuple[int, ...]) -> int:
        number = self._clauses + len(self.steps) + 1
        self.steps.append(HintedStep(len(self.steps) + 1, number, tuple(literals), hints))
        return number


def _keep_needed(steps: Sequence[HintedStep], clauses: int) -> list[HintedStep]:
    """Return the steps that the last one needs, numbered without gaps."""
    # Collect backwards from the contradiction.
    needed = {steps[-1].number}
    for step in reversed(steps):
        if step.number in needed:
            needed.update(step.hints)
    kept = [step for step in steps if step.number in needed]
    return [*renumbered(kept, range(1, clauses + 1))]


def renumbered(steps: Sequence[HintedStep], clauses: Iterable[int]) -> Iterator[HintedStep]:
    """Yield the steps, numbered without gaps behind these clauses, of which they need no other."""
    places = chain(clauses, (step.number for step in steps))
    numbers = {number: place for place, number in enumerate(places, 1)}
    for line, step in enumerate(steps, 1):
        hints = tuple(map(numbers.__getitem__, step.hints))
        yield step._replace(line=line, number=numbers[step.number], hints=hints)
