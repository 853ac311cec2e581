"""The answerer of `verify`: certificates checked from their files alone. Runs in workers."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from satdoku.batch.row import Row
from satdoku.certifying.certificate import read_certificate
from satdoku.certifying.verify import Verification, verify
from satdoku.errors import SatdokuError
from satdoku.output.ending import Ending


class CertificateFile(NamedTuple):
    """A certificate to check; `text` is its path, which is all that a worker needs."""

    text: str


class Verifier:
    """Checks each certificate."""

    timeout = None

    def answers(self, records: Sequence[CertificateFile]) -> Iterator[Row]:
        return map(self._answer, records)

    def give_up(self, record: CertificateFile, reason: str) -> Row:
        """A certificate that could not be checked has failed."""
        return Row(f"{record.text}: {Ending.FAILED.value}\n", Ending.FAILED, message=reason)

    def _answer(self, record: CertificateFile) -> Row:
        path = Path(record.text)
        try:
            result = verify(read_certificate(path), str(path.with_suffix("")))
        except SatdokuError as error:
            return self.give_up(record, str(error))
        return Row(f"{path}: {_describe(result)}\n", Ending.of(result.verdict))


def _describe(result: Verification) -> str:
    if result.proof is None:
        return f"{result.verdict.value}, both solutions are right"
    lemmas = f"{result.proof.lemmas:,} lemmas over {result.clauses:,} clauses"
    return f"{result.verdict.value}, proven by {lemmas}"
