"""The answerer of `verify --second`: has certificates checked by the second verifier."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from satdoku.answering.output.ending import Ending
from satdoku.answering.verifier import CertificateFile, Verifier, failed
from satdoku.batch.row import Row
from satdoku.certifying.certificate import read_certificate
from satdoku.certifying.second_verifier import ask, second_verifier


@dataclass(frozen=True, slots=True)
class SecondVerifier(Verifier):
    """Has each certificate checked by the second verifier, the program at a path.

    The certificate is read here as well, since its files may be compressed and have hashes.
    """

    program: str = ""

    @classmethod
    @contextmanager
    def built(cls, timeout: float | None) -> "Iterator[SecondVerifier]":
        """The answerer with a program that is compiled if it is not there."""
        with second_verifier() as program:
            yield cls(timeout, str(program))

    def _check(self, record: CertificateFile) -> Row:
        path = Path(record.text)
        certificate = read_certificate(path)
        try:
            is_accepted, told = ask(Path(self.program), certificate, path, self.timeout)
        except TimeoutError:
            return self.give_up(record, f"not decided within {self.timeout:g} s")
        if not is_accepted:
            named = re.match(re.escape(str(path.with_suffix(""))) + r"\.[a-z]+(:\d+)?", told)
            return failed(record, told, named[0] if named else str(path))
        ending = Ending.of(certificate.verdict)
        return Row(told, ending, result=certificate.puzzle, place=str(path))
