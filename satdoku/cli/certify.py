"""`satdoku certify`: verdicts with proofs that a stranger can check."""

from pathlib import Path

import click

from satdoku.answering.certifier import Certifier
from satdoku.batch.row import Row
from satdoku.batch.run import run
from satdoku.certifying.certificate import PLAIN_ENCODINGS, ProofFormat, write_certificate
from satdoku.certifying.certify import DEFAULT_PROVER
from satdoku.cli.completion import complete_solver
from satdoku.cli.exit_codes import ExitCode, code_of
from satdoku.cli.help import Group, command, option
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import force_option, jobs_option, limit_options, quiet_option
from satdoku.cli.outputs import file_name, make_folder, program, require_different_stems
from satdoku.cli.terminal import Talk
from satdoku.encoding.encode import Encoding
from satdoku.errors import SatdokuError
from satdoku.output.ending import Ending
from satdoku.solving.limits import Limits
from satdoku.solving.solvers import LADDERS, Can, SolverInfo, find_solver


def read_prover(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """A solver whose proofs check, by its name or one of python-sat's abbreviations."""
    try:
        solver = SolverInfo(value, Can.NOTHING) if value in LADDERS else find_solver(value)
        solver.require(Can.PROVE, "write proofs that check")
    except SatdokuError as error:
        raise click.BadParameter(str(error)) from None
    return solver.name


@command()
@puzzle_input
@option(
    Group.OUTPUT,
    "-d",
    "--directory",
    type=click.Path(path_type=Path),
    default=Path("."),
    help="Folder of the certificates; here if not given.",
)
@option(
    Group.SOLVER,
    "--solver",
    callback=read_prover,
    shell_complete=complete_solver,
    metavar="NAME",
    default=DEFAULT_PROVER,
    show_default=True,
    help="Who proves; only solvers whose proofs check.",
)
@option(
    Group.SOLVER,
    "--encoding",
    type=click.Choice([encoding.value for encoding in PLAIN_ENCODINGS]),
    default=Encoding.REDUCED.value,
    show_default=True,
    help="How the formula says the rules.",
)
@click.option(
    "--lrat",
    is_flag=True,
    help="Write NAME.lrat, a proof with hints that is checked faster, in place of NAME.drat.",
)
@option(
    Group.OUTPUT, "--compress", is_flag=True, help="Write the formula and the proof as .gz files."
)
@jobs_option
@limit_options
@force_option
@quiet_option
def certify(
    inputs: Inputs,
    directory: Path,
    solver: str,
    encoding: str,
    lrat: bool,
    compress: bool,
    jobs: int | None,
    timeout: float | None,
    conflicts: int | None,
    force: bool,
    quiet: bool,
) -> int:
    """Write certificates: the verdict of each puzzle and its proof.

    NAME.cnf and NAME.drat prove that a puzzle has no second solution, or none at all; any
    DRAT checker accepts them. NAME.json ties them to the puzzle; two solutions need no proof.
    Prints the name and verdict of each certificate.

    \b
    satdoku certify puzzle.txt -d certificates
    satdoku certify puzzle.txt -d certificates --lrat
    satdoku verify certificates
    """
    talk = inputs.talk(quiet)
    require_different_stems(inputs.sources)
    make_folder(directory)
    limits = Limits(timeout, conflicts)
    suffix = ".gz" if compress else ""
    proof_format = ProofFormat.LRAT if lrat else ProofFormat.DRAT
    certifier = Certifier(solver, Encoding(encoding), limits, program(), proof_format)
    endings = set()
    tasks = inputs.tasks(talk.refuse)
    for row in run(certifier, tasks, jobs=jobs, is_at_hand=tasks.is_at_hand):
        if row.result is not None:
            row = _written(row, directory, suffix, force, talk)
        if not quiet:
            click.echo(row.text, nl=False)
        talk.tell_of(row)
        endings.add(row.ending)
    code = code_of(endings)
    return ExitCode.FAILED if talk.has_refused else _as_answered(code)


def _written(row: Row, directory: Path, suffix: str, force: bool, talk: Talk) -> Row:
    """The row of a certificate, once that is in its files."""
    task, certificate = row.result
    try:
        path = write_certificate(certificate, directory, file_name(task), suffix, force)
    except SatdokuError as error:
        talk.refuse(SatdokuError(f"{task.place}: {error}"))
        return Row("", Ending.UNREADABLE)
    return row._replace(text=f"{path}: {certificate.verdict.value}\n")


def _as_answered(code: ExitCode) -> ExitCode:
    """A certificate of several solutions or of none is what was asked for."""
    return ExitCode.ANSWERED if code in (ExitCode.MULTIPLE, ExitCode.NONE) else code
