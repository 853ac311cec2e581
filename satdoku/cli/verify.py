"""`satdoku verify`: certificates checked from their files alone."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from satdoku.answering.verifier import CertificateFile, Verifier
from satdoku.batch.run import run
from satdoku.cli.completion import FileName
from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.options import jobs_option, quiet_option
from satdoku.cli.terminal import Talk
from satdoku.errors import SatdokuError
from satdoku.files import readable
from satdoku.output.ending import Ending


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
        if row.ending is Ending.FAILED:
            failures += 1
            click.echo(row.text, nl=False)
            talk.say(row.message)
        elif not quiet:
            click.echo(row.text, nl=False)
    return ExitCode.FAILED if failures or talk.has_refused else ExitCode.ANSWERED


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
