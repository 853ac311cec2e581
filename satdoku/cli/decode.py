"""`satdoku decode`: a solver's answer back to a grid."""

import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import click

from satdoku.cli.completion import FileName
from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.inputs import Inputs, is_file, read_box
from satdoku.cli.terminal import is_screen, wants_colour
from satdoku.dimacs.answer import read_answer
from satdoku.dimacs.header import blocks_solution, read_geometry, read_puzzle
from satdoku.dimacs.model import read_model
from satdoku.dimacs.read import Cnf, read_cnf, read_text_lines
from satdoku.dimacs.status import Status
from satdoku.encoding.encode import Encoding, encode
from satdoku.encoding.variables import variable_count
from satdoku.errors import SatdokuError
from satdoku.files import read_lines
from satdoku.notation.formats import FORMATS, format_named
from satdoku.notation.hints import Hints
from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.render.text import render_grid


@click.command()
@click.argument("formula", metavar="CNF|PUZZLE", type=FileName())
@click.argument("answer", default="-", metavar="[ANSWER|-]", type=FileName())
@click.option("--to", type=click.Choice(list(FORMATS)), help="Format of the grid.")
@click.option(
    "--box", callback=read_box, metavar="RxC", help="Box shape where the formula does not tell it."
)
def decode(formula: str, answer: str, to: str | None, box: Geometry | None) -> int:
    """Check a SAT solver's answer and turn it into a grid.

    The first argument is the formula that the solver was given, or the puzzle; the second its
    answer: s and v lines, MiniSat's result file, or bare literals, whole or as far as they
    settle every cell. The answer is checked against the formula and against the rules.

    \b
    satdoku export puzzle.txt -o p.cnf && cadical -q p.cnf | satdoku decode p.cnf
    minisat p.cnf p.out; satdoku decode p.cnf p.out --to rows
    """
    if formula == answer == "-":
        raise click.UsageError("only one of the two can come from stdin")
    cnf, puzzle = _read_question(formula, box)
    source = "stdin" if answer == "-" else answer
    said = read_answer("".join(_read_lines(answer)), source)
    if said.status is Status.UNSATISFIABLE:
        meaning = (
            "the blocked solution is the only one"
            if blocks_solution(cnf)
            else "the puzzle has no solution"
        )
        click.echo(f"{source}: the formula has no model: {meaning}", err=True)
        return ExitCode.NONE
    if said.status is Status.UNKNOWN:
        click.echo(f"{source}: the solver gave up", err=True)
        return ExitCode.UNDECIDED
    grid = read_model(said, cnf, puzzle, source)
    fault = find_fault(grid, puzzle)
    if fault:
        raise SatdokuError(f"{source}: the answer is no solution of the puzzle: {fault}")
    if is_screen(None) and not to:
        click.echo(render_grid(puzzle, grid, wants_colour()), nl=False)
    else:
        click.echo(format_named(to or "rows").write(Puzzle(grid)), nl=False)
    return ExitCode.ANSWERED


def _read_question(argument: str, box: Geometry | None) -> tuple[Cnf, Puzzle]:
    """The formula and the puzzle in it, or a puzzle and the rules without auxiliaries."""
    hints = Hints(box)
    if is_file(argument):
        lines = list(_read_lines(argument))
        if _is_formula(argument, lines):
            cnf = read_cnf(lines, argument)
            geometry = read_geometry(cnf, argument, box)
            return cnf, read_puzzle(cnf, geometry, argument)
        puzzles = list(islice(read_puzzles(lines, argument, hints=hints), 2))
    else:
        tasks = Inputs((argument,), None, hints).tasks(_refuse)
        puzzles = [task.parse() for task in islice(tasks, 2)]
    if len(puzzles) != 1:
        raise SatdokuError(f"{argument}: there are several puzzles; an answer is to one of them")
    groups = encode(puzzles[0], Encoding.EXTENDED)
    clauses = tuple(clause for group in groups for clause in group.clauses)
    variables = variable_count(puzzles[0].geometry)
    comment = f"encoding {Encoding.EXTENDED.value}, at most one by pairwise"
    return Cnf(variables, clauses, (comment,)), puzzles[0]


def _is_formula(name: str, lines: Sequence[str]) -> bool:
    return ".cnf" in Path(name).suffixes or any(
        line.startswith("p") and line.split()[:2] == ["p", "cnf"] for line in lines
    )


def _refuse(error: SatdokuError) -> None:
    raise error


def _read_lines(argument: str) -> Iterator[str]:
    if argument == "-":
        return read_text_lines(sys.stdin.buffer, "stdin")
    return read_text_lines(read_lines(argument), argument)
