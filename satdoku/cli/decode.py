"""`satdoku decode`: a solver's answer back to a grid."""

import sys
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path

import click

from satdoku.cli.completion import FileName
from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.inputs import Inputs, is_file, read_box
from satdoku.cli.options import all_of, timeout_option
from satdoku.cli.rule_options import RULE_PARAMETERS, hinted_rules, size_of_regions
from satdoku.cli.terminal import is_screen, wants_colour
from satdoku.dimacs.answer import read_answer
from satdoku.dimacs.header import blocks_solution, read_geometry, read_puzzle
from satdoku.dimacs.model import read_model
from satdoku.dimacs.read import LONGEST_LINE, Cnf, CnfReader, Formula, read_text_lines
from satdoku.dimacs.status import Status
from satdoku.encoding.variables import variable_count
from satdoku.errors import SatdokuError
from satdoku.files import bounded_lines, read_lines
from satdoku.notation.formats import FORMATS, format_named
from satdoku.notation.hinted_rules import add_rules
from satdoku.notation.hints import Hints
from satdoku.notation.reading import read_puzzles
from satdoku.picture.making import picture_of
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.render.text import render_picture
from satdoku.solving.limits import Budget, LimitReachedError, Limits


@click.command()
@click.argument("formula", metavar="CNF|PUZZLE", type=FileName())
@click.argument("answer", default="-", metavar="[ANSWER|-]", type=FileName())
@click.option("--to", type=click.Choice(list(FORMATS)), help="Format of the grid.")
@click.option(
    "--box", callback=read_box, metavar="RxC", help="Box shape where the formula does not tell it."
)
@all_of(RULE_PARAMETERS)
@timeout_option("Give up checking the answer after so long.")
def decode(
    formula: str,
    answer: str,
    to: str | None,
    box: Geometry | None,
    rules: tuple[str, ...],
    regions: str | None,
    timeout: float | None,
) -> int:
    """Check a SAT solver's answer and turn it into a grid.

    The first argument is the formula that the solver was given, or the puzzle; the second its
    answer: s and v lines, MiniSat's result file, or bare literals, whole or as far as they
    settle every cell. The answer is checked against the formula and against the rules: those
    that the formula names in its comments, and those of --rule and --regions.

    \b
    satdoku export puzzle.txt -o p.cnf && cadical -q p.cnf | satdoku decode p.cnf
    minisat p.cnf p.out; satdoku decode p.cnf p.out --to rows
    """
    if formula == answer == "-":
        raise click.UsageError("only one of the two can come from stdin")
    source = "stdin" if answer == "-" else answer
    budget = Budget(Limits(timeout))
    try:
        hints = Hints(box or size_of_regions(regions), rules=hinted_rules(rules, regions))
        cnf, puzzle = _read_question(formula, hints, budget)
        said = read_answer(_read_lines(answer, budget), source)
        if said.status is not Status.SATISFIABLE:
            return _tell_no_model(said.status, cnf, source)
        grid = read_model(said, cnf, puzzle, source, budget.require)
    except LimitReachedError as limit:
        click.echo(f"{source}: {limit}", err=True)
        return ExitCode.UNDECIDED
    fault = find_fault(grid, puzzle)
    if fault:
        raise SatdokuError(f"{source}: the answer is no solution of the puzzle: {fault}")
    if is_screen(None) and not to:
        click.echo(render_picture(picture_of(puzzle, grid), wants_colour()), nl=False)
    else:
        click.echo(format_named(to or "rows").write(Puzzle(grid)), nl=False)
    return ExitCode.ANSWERED


def _tell_no_model(status: Status, cnf: Formula, source: str) -> ExitCode:
    if status is Status.UNKNOWN:
        click.echo(f"{source}: the solver gave up", err=True)
        return ExitCode.UNDECIDED
    meaning = "the puzzle has no solution"
    if blocks_solution(cnf):
        meaning = "the blocked solution is the only one"
    # A formula that is damaged further on says nothing about a puzzle.
    for _ in cnf.numbered_clauses():
        pass
    click.echo(f"{source}: the formula has no model: {meaning}", err=True)
    return ExitCode.NONE


def _read_question(argument: str, hints: Hints, budget: Budget) -> tuple[Formula, Puzzle]:
    """The formula and the puzzle in it; of a puzzle the rules are the judge's business."""
    if is_file(argument):
        lines = _read_lines(argument, budget)
        begin = list(_until_content(lines))
        lines = chain(begin, lines)
        if _is_formula(argument, begin):
            cnf = CnfReader(lines, argument)
            geometry = read_geometry(cnf, argument, hints.geometry)
            puzzle = read_puzzle(cnf, geometry, argument)
            return cnf, add_rules(puzzle, hints.rules, argument)
        puzzles = list(islice(read_puzzles(lines, argument, hints=hints), 2))
    else:
        tasks = Inputs((argument,), None, hints).tasks(_refuse)
        puzzles = [task.parse() for task in islice(tasks, 2)]
    if len(puzzles) != 1:
        raise SatdokuError(f"{argument}: there are several puzzles; an answer is to one of them")
    return Cnf(variable_count(puzzles[0].geometry), ()), puzzles[0]


def _until_content(lines: Iterable[str]) -> Iterator[str]:
    """The first lines, up to one that is neither blank nor a comment of a formula."""
    for line in lines:
        yield line
        if line.strip() and not line.startswith("c"):
            return


def _is_formula(name: str, begin: list[str]) -> bool:
    header = begin[-1].split()[:2] if begin else []
    return ".cnf" in Path(name).suffixes or header == ["p", "cnf"]


def _refuse(error: SatdokuError) -> None:
    raise error


def _read_lines(argument: str, budget: Budget) -> Iterator[str]:
    if argument == "-":
        data, name = bounded_lines(sys.stdin.buffer, "stdin", LONGEST_LINE), "stdin"
    else:
        data, name = read_lines(argument, LONGEST_LINE), argument
    return budget.watch(read_text_lines(data, name))
