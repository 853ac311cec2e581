"""`satdoku verify`: certificates checked from their files alone."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from satdoku.batch.row import Row
from satdoku.batch.run import run
from satdoku.certifying.certificate import read_certificate
from satdoku.certifying.verify import Verification
from satdoku.certifying.verify import verify as verify_certificate
from satdoku.cli.completion import FileName
from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.options import jobs_option, quiet_option
from satdoku.cli.talk import Talk
from satdoku.errors import SatdokuError
from satdoku.files import readable

_FAILED = "FAILED"


@click.command()
@click.argument(
    "certificates", nargs=-1, required=True, metavar="DIR|NAME.json...", type=FileName()
)
@jobs_option
@quiet_option
def verify(certificates: tuple[str, ...], jobs: int | None, quiet: bool) -> int:
    """Check certificates, trusting nothing that made them.

    The solutions are judged, each clause of the formula is matched with a rule of Sudoku, and
    each lemma of the proof is derived again. Exits with 1 if any certificate fails.

    \b
    satdoku verify certificates
    """
    talk = Talk(quiet)
    failures = 0
    for row in run(Verifier(), _find(map(Path, certificates), talk), jobs):
        if row.tally == _FAILED:
            failures += 1
            click.echo(row.text, nl=False)
            talk.say(row.message)
        elif not quiet:
            click.echo(row.text, nl=False)
    return ExitCode.FAILED if failures or talk.has_refused else ExitCode.ANSWERED


class CertificateFile(NamedTuple):
    """A certificate to check; its path is all that a worker needs."""

    text: str


class Verifier:
    """Checks one certificate; runs in workers."""

    timeout = None

    def prepare(self, records: Sequence[CertificateFile]) -> Sequence[CertificateFile]:
        return records

    def answer(self, record: CertificateFile) -> Row:
        path = Path(record.text)
        try:
            result = verify_certificate(read_certificate(path), str(path.with_suffix("")))
        except SatdokuError as error:
            return self.give_up(record, str(error))
        return Row(f"{path}: {_describe(result)}\n", result.verdict.value)

    def give_up(self, record: CertificateFile, reason: str) -> Row:
        return Row(f"{record.text}: {_FAILED}\n", _FAILED, message=reason)


def _find(paths: Iterable[Path], talk: Talk) -> Iterator[CertificateFile]:
    for path in paths:
        try:
            with readable(path):
                found = sorted(path.glob("*.json")) if path.is_dir() else [path]
        except SatdokuError as error:
            talk.refuse(error)
            continue
        if not found:
            talk.refuse(SatdokuError(f"{path}: there is no certificate in this folder"))
        yield from (CertificateFile(str(each)) for each in found)


def _describe(result: Verification) -> str:
    if result.proof is None:
        return f"{result.verdict.value}, both solutions are right"
    lemmas = f"{result.proof.lemmas:,} lemmas over {result.clauses:,} clauses"
    return f"{result.verdict.value}, proven by {lemmas}"
