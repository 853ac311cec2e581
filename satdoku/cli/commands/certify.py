"""`satdoku certify`: verdicts with proofs that a stranger can check."""

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
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Limits
from satdoku.solving.solvers import LADDERS, Can, SolverInfo, find_solver


def read_prover(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """A solver whose proofs check, by its name or one of python-sat's abbreviations."""
    try:
        # A ladder has no proof to write, and is refused as a solver that writes none.
        solver = SolverInfo(value, Can.NOTHING) if value in LADDERS else find_solver(value)
        solver.require(Can.PROVE, "write proofs that check")
    except SatdokuError as error:
        raise click.BadParameter(str(error)) from None
    return solver.name


@command(
    excludes=[
        ("--force", "--resume", "--force makes certificates anew, --resume keeps them"),
    ]
)
@puzzle_input
@option(
    OptionGroup.OUTPUT,
    "-d",
    "--directory",
    type=click.Path(path_type=Path),
    default=Path("."),
    help="Folder of the certificates; here if not given.",
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
    help="Pass over the puzzles whose certificates are there and whole.",
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

    NAME.cnf and NAME.drat prove that a puzzle has no second solution, or none at all; any
    DRAT checker accepts them. NAME.json ties them to the puzzle; two solutions need no proof.
    Prints the name and verdict of each certificate.

    \b
    satdoku certify puzzle.txt -d certificates
    satdoku certify puzzle.txt -d certificates --lrat
    satdoku certify bank.txt -d certificates --resume
    satdoku verify certificates
    """
    talk = inputs.talk(quiet)
    # Before the work: files of the same name would be written over each other.
    require_different_stems(inputs.sources)
    make_folder(directory)
    suffix = ".gz" if compress else ""
    certifier = Certifier(limits, program(), **asked)
    source = inputs.tasks(talk.refuse)
    tasks = _without_certified(source, directory, certifier, talk) if resume else source
    # What --resume writes may be there in part: a run that was killed leaves a formula without the
    # JSON file, which is written last.
    write = partial(_written, directory=directory, suffix=suffix, force=force or resume, talk=talk)
    rows = run(certifier, tasks, jobs=jobs, is_at_hand=source.is_at_hand, tell=talk.say)
    code = code_of(_write_all(rows, write, directory, talk))
    return talk.code_with([_as_answered(code)])


def _write_all(
    rows: Iterable[Row], write: Callable[[Row], Row], directory: Path, talk: Talk
) -> list[Enum]:
    """Writes each certificate and tells of it; returns how the puzzles ended."""
    endings: list[Enum] = []
    try:
        for row in rows:
            written = row if row.result is None else write(row)
            if not talk.is_quiet:
                click.echo(written.text, nl=False)
            talk.tell_of(written)
            endings.append(written.ending)
    except KeyboardInterrupt:
        # What is written stays: each certificate is whole, and --resume looks for its file.
        done = f"{len(endings):,} puzzles are answered"
        talk.say(f"{done}; --resume goes on with those that have no certificate in {directory}")
        raise
    return endings


def _without_certified(
    tasks: Iterable[Task], directory: Path, certifier: Certifier, talk: Talk
) -> Iterator[Task]:
    """The tasks whose certificates are not there yet; what is there for another one is refused."""
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
    """Whether this is the certificate of a task; a damaged one is none, and is made anew."""
    puzzle = task.parse()
    try:
        certificate = read_certificate(path)
    # What is damaged may be the puzzle itself, so there is nothing to compare with.
    except SatdokuError:
        return False
    # Names do not matter, and are not part of a certificate.
    found = certificate.puzzle
    if (found.grid, found.rules) != (puzzle.grid, puzzle.rules):
        raise SatdokuError(f"{path} is about another puzzle than {task.place}")
    # Two solutions are their own proof, in whatever encoding they were found.
    wanted = (encoding_for(puzzle, Encoding(certifier.encoding)).value, certifier.proof_format)
    has_proof = certificate.verdict is not Verdict.MULTIPLE
    if has_proof and (certificate.encoding, certificate.proof_format) != wanted:
        raise SatdokuError(f"{path} has another encoding or proof than is asked for now")
    return True


def _written(row: Row, directory: Path, suffix: str, force: bool, talk: Talk) -> Row:
    """The row of a certificate, once that is in its files."""
    task, certificate = row.result
    try:
        path = write_certificate(certificate, directory, file_name(task), suffix, force)
    except OutputError:
        raise  # a disk that is full stays full: the next puzzle would be proved for nothing
    except SatdokuError as error:
        talk.refuse(SatdokuError(f"{task.place}: {error}"))
        return Row("", Ending.UNREADABLE)
    return row._replace(text=f"{path}: {certificate.verdict.value}\n")


def _as_answered(code: ExitCode) -> ExitCode:
    """A certificate of several solutions or of none is what was asked for."""
    return ExitCode.ANSWERED if code in (ExitCode.MULTIPLE, ExitCode.NONE) else code
