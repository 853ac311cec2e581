"""`satdoku certify`: verdicts with proofs that others can check."""

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any

import click

from satdoku.answering.certifier import Certifier
from satdoku.answering.output.ending import Ending
from satdoku.answering.task import Task
from satdoku.batch.row import Row
from satdoku.batch.run import run
from satdoku.certifying.certificate import read_certificate, write_certificate
from satdoku.certifying.certify import encoding_for
from satdoku.cli.exit_codes import ExitCode, code_of
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import (
    OptionGroup,
    asked_options,
    command,
    complete_solver,
    force_option,
    jobs_option,
    limit_options,
    option,
    quiet_option,
)
from satdoku.cli.outputs import file_name, make_folder, program, require_different_stems
from satdoku.cli.terminal import Talk
from satdoku.encoding.choices import Encoding
from satdoku.errors import OutputError, SatdokuError, count_of
from satdoku.solving.limits import Limits
from satdoku.solving.solvers import LADDERS, Can, SolverInfo, find_solver


def read_prover(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Parse the name of a solver that writes proofs, or its abbreviation in python-sat."""
    try:
        # A ladder writes no proof, and gets the same error as a solver that writes none.
        solver = SolverInfo(value, Can.NOTHING) if value in LADDERS else find_solver(value)
        solver.require(Can.PROVE, "write proofs that check")
    except SatdokuError as error:
        raise click.BadParameter(str(error)) from None
    return solver.name


@command(
    excludes=[
        ("--force", "--resume", "--force makes certificates anew, --resume keeps them"),
        ("--count", "--candidates", "a certificate makes one claim"),
    ]
)
@puzzle_input
@option(
    OptionGroup.OUTPUT,
    "-d",
    "--directory",
    type=click.Path(path_type=Path),
    default=Path("."),
    help="Folder for the certificates; by default the current one.",
)
@asked_options(
    Certifier,
    solver={
        "group": OptionGroup.SOLVER,
        "callback": read_prover,
        "shell_complete": complete_solver,
    },
    encoding={"group": OptionGroup.SOLVER},
    has_hints={"group": OptionGroup.OUTPUT},
    lists_all={"group": OptionGroup.OUTPUT},
    names_candidates={"group": OptionGroup.OUTPUT},
)
@option(
    OptionGroup.OUTPUT,
    "--compress",
    is_flag=True,
    help="Write the formula and the proof as .gz files.",
)
@jobs_option
@limit_options
@force_option
@option(
    OptionGroup.MANY,
    "--resume",
    is_flag=True,
    help="Skip the puzzles that have a complete certificate.",
)
@quiet_option
def certify(
    inputs: Inputs,
    directory: Path,
    asked: dict[str, Any],
    compress: bool,
    jobs: int | None,
    limits: Limits,
    force: bool,
    resume: bool,
    quiet: bool,
) -> int:
    """Write certificates: the verdict of each puzzle and its proof.

    NAME.cnf and NAME.drat prove that a puzzle has no second solution, or none at all; any DRAT
    checker accepts them. NAME.json ties them to the puzzle. If there are several solutions, it has
    two, without a proof. Prints the name and verdict of each certificate.

    \b
    satdoku certify puzzle.txt -d certificates
    satdoku certify puzzle.txt -d certificates --lrat
    satdoku certify puzzle.txt -d certificates --candidates
    satdoku certify bank.txt -d certificates --resume
    satdoku verify certificates
    """
    talk = inputs.talk(quiet)
    # Check this before the work: sources of the same name would overwrite each other's files.
    require_different_stems(inputs.sources)
    make_folder(directory)
    suffix = ".gz" if compress else ""
    certifier = Certifier(limits, program(), **asked)
    source = inputs.tasks(talk.refuse)
    tasks = _without_certified(source, directory, certifier, talk) if resume else source
    # With --resume, files may be overwritten: a killed run leaves a formula without the JSON file,
    # which is written last.
    write = partial(_written, directory=directory, suffix=suffix, force=force or resume, talk=talk)
    rows = run(certifier, tasks, jobs=jobs, is_at_hand=source.is_at_hand, tell=talk.say)
    code = code_of(_write_all(rows, write, directory, talk))
    return talk.code_with([_as_answered(code)])


def _write_all(
    rows: Iterable[Row], write: Callable[[Row], Row], directory: Path, talk: Talk
) -> list[Enum]:
    """Write each certificate and print its verdict; return how the puzzles ended."""
    endings: list[Enum] = []
    try:
        for row in rows:
            written = row if row.result is None else write(row)
            if not talk.is_quiet:
                click.echo(written.text, nl=False)
            talk.tell_of(written)
            endings.append(written.ending)
    except KeyboardInterrupt:
        # All certificates written so far are complete, and --resume finds them.
        done = f"{len(endings):,} puzzles are answered"
        talk.say(f"{done}; --resume goes on with those that have no certificate in {directory}")
        raise
    return endings


def _without_certified(
    tasks: Iterable[Task], directory: Path, certifier: Certifier, talk: Talk
) -> Iterator[Task]:
    """Yield the tasks without a certificate; raise an error for a certificate of another puzzle."""
    kept = 0
    for task in tasks:
        path = directory / f"{file_name(task)}.json"
        try:
            if not path.exists() or not _is_certified(task, path, certifier):
                yield task
            else:
                kept += 1
        except SatdokuError as error:
            talk.refuse(error)
    if kept:
        talk.say(f"{count_of(kept, 'certificate')} kept")


def _is_certified(task: Task, path: Path, certifier: Certifier) -> bool:
    """Whether this is the certificate of a task; False for a damaged one, which is made anew."""
    puzzle = task.parse()
    try:
        certificate = read_certificate(path)
    # The puzzle itself may be damaged, so the certificate cannot be compared.
    except SatdokuError:
        return False
    # Ignore names, which are not part of a certificate.
    found = certificate.puzzle
    if (found.grid, found.rules) != (puzzle.grid, puzzle.rules):
        raise SatdokuError(f"{path} is about another puzzle than {task.place}")
    if certificate.claim is not certifier.claim:
        raise SatdokuError(f"{path} makes another claim than is asked for now")
    # Without a formula, solutions are their own proof, in whatever encoding they were found.
    encoding = encoding_for(puzzle, Encoding(certifier.encoding), certifier.claim)
    wanted = encoding.value, certifier.proof_format
    if certificate.formula and (certificate.encoding, certificate.proof_format) != wanted:
        raise SatdokuError(f"{path} has another encoding or proof than is asked for now")
    return True


def _written(row: Row, directory: Path, suffix: str, force: bool, talk: Talk) -> Row:
    """Write the files of a certificate and return its row."""
    task, certificate = row.result
    try:
        path = write_certificate(certificate, directory, file_name(task), suffix, force)
    except OutputError:
        raise  # a full disk stays full: further proofs would be lost too
    except SatdokuError as error:
        talk.refuse(SatdokuError(f"{task.place}: {error}"))
        return Row("", Ending.UNREADABLE)
    return row._replace(text=f"{path}: {certificate.verdict.value}\n")


def _as_answered(code: ExitCode) -> ExitCode:
    """Return ANSWERED for several or no solutions: their certificates are what was asked for."""
    return ExitCode.ANSWERED if code in (ExitCode.MULTIPLE, ExitCode.NONE) else code
