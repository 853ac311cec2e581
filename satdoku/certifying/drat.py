"""Reads textual DRAT proofs: `1 -2 0` adds a clause, `d 1 -2 0` deletes one."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from satdoku.errors import CertificateError

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
        raise CertificateError(f"{token[:20]!r} is not a literal", source, line)
    return int(token)
