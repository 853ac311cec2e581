"""`satdoku verify`: certificates checked from their files alone."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from satdoku.certifying.certificate import read_certificate
from satdoku.certifying.verify import Verification
from satdoku.certifying.verify import verify as verify_certificate
from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.options import quiet_option
from satdoku.cli.talk import Talk
from satdoku.errors import SatdokuError
from satdoku.files import readable


@click.command()
@click.argument("certificates", nargs=-1, required=True, metavar="DIR|NAME.json...", type=Path)
@quiet_option
def verify(certificates: tuple[Path, ...], quiet: bool) -> int:
    """Check certificates, trusting nothing that made them.

    The solutions are judged, each clause of the formula is matched with a rule of Sudoku, and
    each lemma of the proof is derived again. Exits with 1 if any certificate fails.

    \b
    satdoku verify certificates
    """
    talk = Talk()
    for path in _find(certificates, talk):
        try:
            result = verify_certificate(read_certificate(path), str(path.with_suffix("")))
        except SatdokuError as error:
            click.echo(f"{path}: FAILED")
            talk.refuse(error)
            continue
        if not quiet:
            click.echo(f"{path}: {_describe(result)}")
    return ExitCode.FAILED if talk.has_refused else ExitCode.ANSWERED


def _find(paths: Iterable[Path], talk: Talk) -> Iterator[Path]:
    for path in paths:
        try:
            with readable(path):
                found = sorted(path.glob("*.json")) if path.is_dir() else [path]
        except SatdokuError as error:
            talk.refuse(error)
            continue
        if not found:
            talk.refuse(SatdokuError(f"{path}: there is no certificate in this folder"))
        yield from found


def _describe(result: Verification) -> str:
    if result.proof is None:
        return f"{result.verdict}, both solutions are right"
    lemmas = f"{result.proof.lemmas:,} lemmas over {result.clauses:,} clauses"
    return f"{result.verdict}, proven by {lemmas}"
