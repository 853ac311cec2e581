"""LRAT proofs: each lemma names the clauses that show it, so that nobody needs to search for them.

    731 -5 17 0 12 40 3 0      lemma 731 is the clause -5 17; clauses 12, 40 and 3 show it
    731 d 729 730 0            deletes clauses 729 and 730

The clauses of the formula are numbered from 1 in their order; lemmas get higher numbers, each
higher than the one before. The hints of a lemma are in the order of their use: make all literals
of the lemma false; then each hint has a single literal left, which becomes true, and the last has
none. The format is that of `lrat-check`, which comes with drat-trim. Its hints below zero, for
lemmas that are RAT but not RUP, are refused: solvers need no such lemmas for puzzles.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from satdoku.errors import CertificateError

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
            raise CertificateError(f"{step[:40]!r} is no step of an LRAT proof", source, line)
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
