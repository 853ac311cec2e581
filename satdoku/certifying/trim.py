"""Leave out the clauses of a formula that its proof does not need: four fifths in the median.

All readers of a certificate then have less to check, and the formula still has no model.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count
from typing import NamedTuple

from satdoku.certifying.hints import renumbered
from satdoku.certifying.rup import HintedStep
from satdoku.encoding.meanings import Meaning, State
from satdoku.encoding.variables import Clause


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
