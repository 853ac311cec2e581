"""`satdoku decode`: a solver's answer back to a grid."""

import sys
from pathlib import Path

import click

from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.inputs import is_file, read_box
from satdoku.cli.screen import is_screen, wants_colour
from satdoku.dimacs.answer import read_answer
from satdoku.dimacs.header import blocks_solution, read_geometry, read_givens
from satdoku.dimacs.model import read_model
from satdoku.dimacs.read import Cnf, read_cnf, read_text_lines
from satdoku.dimacs.status import Status
from satdoku.encoding.encode import Encoding, encode
from satdoku.encoding.variables import variable_count
from satdoku.errors import SatdokuError
from satdoku.files import open_binary
from satdoku.notation.formats import FORMATS, format_named
from satdoku.notation.reading import read_puzzles
from satdoku.notation.record import Layout
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.render.text import render_grid


@click.command()
@click.argument("formula", metavar="CNF|PUZZLE")
@click.argument("answer", default="-", metavar="[ANSWER|-]")
@click.option("--to", type=click.Choice(list(FORMATS)), help="Format of the grid.")
@click.option(
    "--box", callback=read_box, metavar="RxC", help="Box shape where the formula does not tell it."
)
def decode(formula: str, answer: str, to: str | None, box: Geometry | None) -> int:
    """Turn a SAT solver's answer into a grid, once it has been checked.

    The first argument is the formula that the solver was given, or the puzzle; the second its
    answer: s and v lines, MiniSat's result file, or bare literals, whole or as far as they
    settle every cell. The answer is checked against the formula and against the rules.

    \b
    satdoku export puzzle.txt -o p.cnf && cadical -q p.cnf | satdoku decode p.cnf
    minisat p.cnf p.out; satdoku decode p.cnf p.out --to rows
    """
    cnf, puzzle = _read_question(formula, box)
    source = "stdin" if answer == "-" else answer
    said = read_answer(_read_text(answer, source), source)
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
    grid = read_model(said, cnf, puzzle.grid, source)
    fault = find_fault(grid, puzzle)
    if fault:
        raise SatdokuError(f"{source}: the answer is no solution of the puzzle: {fault}")
    if is_screen(None) and not to:
        click.echo(render_grid(puzzle, grid, wants_colour()), nl=False)
    else:
        click.echo(format_named(to or "rows").write(Puzzle(grid), Layout(grid.geometry)), nl=False)
    return ExitCode.ANSWERED


def _read_question(argument: str, box: Geometry | None) -> tuple[Cnf, Puzzle]:
    """The formula and the puzzle in it, or a puzzle and the rules without auxiliaries."""
    if is_file(argument):
        with open_binary(Path(argument)) as stream:
            lines = list(read_text_lines(stream, argument))
        if any(line.startswith("p cnf") for line in lines):
            cnf = read_cnf(lines, argument)
            geometry = read_geometry(cnf, argument, box)
            return cnf, Puzzle(read_givens(cnf, geometry))
    else:
        lines = argument.splitlines()
    puzzles = list(read_puzzles(lines, argument, layout=Layout(box)))
    if len(puzzles) != 1:
        raise SatdokuError(f"{argument}: {len(puzzles)} puzzles found, expected one")
    groups = encode(puzzles[0].grid, Encoding.EXTENDED)
    clauses = tuple(clause for group in groups for clause in group.clauses)
    variables = variable_count(puzzles[0].geometry)
    comment = f"encoding {Encoding.EXTENDED.value}, at most one by pairwise"
    return Cnf(variables, clauses, (comment,)), puzzles[0]


def _read_text(argument: str, source: str) -> str:
    if argument == "-":
        return "".join(read_text_lines(sys.stdin.buffer, source))
    with open_binary(Path(argument)) as stream:
        return "".join(read_text_lines(stream, source))
