"""`satdoku verify`: check certificates.

The command has a file of its own, because the imports of `decode` would double its start-up time.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

import click

from satdoku.answering.output.ending import Ending
from satdoku.answering.verifier import CertificateFile, ExpectedPuzzles, SecondVerifier, Verifier
from satdoku.batch.row import Answerer, Row
from satdoku.batch.run import run
from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.inputs import Inputs
from satdoku.cli.options import FileName, command, jobs_option, quiet_option, timeout_option
from satdoku.cli.terminal import Talk
from satdoku.errors import CertificateError, SatdokuError
from satdoku.files import readable
from satdoku.notation.hints import Hints


@command()
@click.argument(
    "certificates", nargs=-1, required=True, metavar="DIR|NAME.json...", type=FileName()
)
@click.option(
    "--puzzles",
    metavar="FILE",
    type=FileName(),
    help="Require a certificate for each puzzle of this file, and for no other.",
)
@click.option(
    "--second",
    is_flag=True,
    help="Check by the second verifier, a C program that shares no code with satdoku.",
)
@jobs_option
@timeout_option("Time limit for each certificate, including reading it; a slower one is undecided.")
@quiet_option
def verify(
    certificates: tuple[str, ...],
    puzzles: str | None,
    second: bool,
    jobs: int | None,
    timeout: float | None,
    quiet: bool,
) -> int:
    """Check certificates, trusting no solver and no encoder.

    Solutions are checked against the puzzle, each clause of the formula is matched with a rule of
    Sudoku, and each lemma of the proof is derived again. Prints the verdict and the puzzle of each;
    exits with 1 if any certificate fails, and with 124 if the time was not enough for one.

    \b
    satdoku verify certificates
    satdoku verify certificates --puzzles puzzles.txt
    satdoku verify certificates --second
    """
    talk = Talk(quiet)
    expected = None if puzzles is None else _read_expected(puzzles)
    codes = []
    with ExitStack() as stack:
        verifier: Answerer[CertificateFile] = Verifier(timeout)
        if second:
            verifier = stack.enter_context(SecondVerifier.built(timeout))
        for row in run(verifier, _find(map(Path, certificates), talk), jobs, tell=talk.say):
            codes.append(_print(row, expected, talk))
    # Missing puzzles are known only after all certificates have been checked.
    for place in [] if expected is None else expected.missing():
        talk.refuse(CertificateError("this puzzle has no certificate that holds", place))
    return talk.code_with(codes)


def _print(row: Row, expected: ExpectedPuzzles | None, talk: Talk) -> ExitCode:
    is_known = row.result is not None
    if not talk.is_quiet:
        click.echo(row.text, nl=False)
    talk.tell_of(row)
    if is_known and expected is not None and not expected.meet(row.result):
        message = "its puzzle is none of those that were asked for"
        talk.refuse(CertificateError(message, row.place))
    if row.ending in (Ending.FAILED, Ending.FAULT):
        return ExitCode.FAILED
    return ExitCode.ANSWERED if is_known else ExitCode.UNDECIDED


def _read_expected(name: str) -> ExpectedPuzzles:
    # Any error ends the command: a puzzle that cannot be read could not be reported as missing.
    return ExpectedPuzzles(Inputs((name,), None, Hints()).tasks(_refuse))


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


def _refuse(error: SatdokuError) -> None:
    raise error
