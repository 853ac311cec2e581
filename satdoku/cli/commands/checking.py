"""`satdoku decode`: check a solver's answer and turn it into a grid."""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice

import click

from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.inputs import RULE_PARAMETERS, Inputs, hinted_rules, read_box
from satdoku.cli.options import (
    FileName,
    FormatName,
    OptionGroup,
    all_of,
    command,
    option,
    quiet_option,
    timeout_option,
)
from satdoku.cli.sources import is_file
from satdoku.cli.terminal import Talk, is_ascii, is_screen, wants_colour
from satdoku.encoding.choices import Status
from satdoku.encoding.files.answer import find_dropped, read_answer, read_model
from satdoku.encoding.files.dimacs import (
    LONGEST_LINE,
    Formula,
    NoClauses,
    WcnfReader,
    blocks_solution,
    read_geometry,
    read_puzzle,
    read_text_lines,
)
from satdoku.encoding.files.kinds import find_kind, open_formula
from satdoku.encoding.variables import variable_count
from satdoku.errors import SatdokuError, count_of
from satdoku.files import bounded_lines, memory_of, read_lines
from satdoku.notation.formats import format_named
from satdoku.notation.hints import Hints
from satdoku.notation.parser import add_rules
from satdoku.notation.reading import read_puzzles
from satdoku.notation.spelling import spelling_by_symbols
from satdoku.picture.picture import picture_of
from satdoku.picture.text import render_picture
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget, LimitReachedError, Limits


@command()
@click.argument("formula", metavar="FORMULA|PUZZLE", type=FileName())
@click.argument("answer", default="-", metavar="[ANSWER|-]", type=FileName())
@click.option("--to", type=FormatName(), help="Format of the grid.")
@option(
    OptionGroup.INPUT,
    "--box",
    callback=read_box,
    metavar="RxC",
    help="Box shape, if the formula does not contain it.",
)
@all_of(RULE_PARAMETERS)
@timeout_option("Time limit for reading and checking the answer.")
@quiet_option
def decode(
    formula: str,
    answer: str,
    to: str | None,
    box: Geometry | None,
    rules: tuple[str, ...],
    regions: str | None,
    timeout: float | None,
    quiet: bool,
) -> int:
    """Check a solver's answer and turn it into a grid.

    The first argument is the formula that the solver was given (CNF, OPB, or WCNF), or the puzzle.
    The second is its answer: s and v lines, MiniSat's result file, or bare literals, complete or
    enough to settle every cell. The answer is checked against the formula and against the rules:
    those in the formula's comments, and those of --rule and --regions.

    In WCNF the givens are soft. The givens that the answer drops are listed on stderr; the exit
    code is then 20 if the solver claims that its answer is optimal, and 124 otherwise.

    \b
    satdoku export puzzle.txt -o p.cnf && cadical -q p.cnf | satdoku decode p.cnf
    satdoku export puzzle.txt -o p.opb && clasp p.opb | satdoku decode p.opb
    minisat p.cnf p.out; satdoku decode p.cnf p.out --to rows
    """
    if formula == answer == "-":
        raise click.UsageError("only one of the two can come from stdin")
    source = "stdin" if answer == "-" else answer
    budget, talk = Budget(Limits(timeout)), Talk(quiet)
    try:
        hints = Hints(box, rules=hinted_rules(rules, regions))
        cnf, puzzle = _read_question(formula, hints, budget)
        said = read_answer(lines_of(answer, budget), source)
        if said.status is not Status.SATISFIABLE:
            return _tell_no_model(said.status, cnf, source, talk)
        grid = read_model(said, cnf, puzzle, source, budget.require)
    except LimitReachedError as limit:
        talk.say(f"{source}: {limit}")
        return ExitCode.UNDECIDED
    # Only in WCNF may an answer drop givens. The grid is then judged by the puzzle without them: it
    # must satisfy the rules and all other givens.
    dropped: dict[int, int] = {}
    if isinstance(cnf, WcnfReader):
        dropped = find_dropped(said, cnf, puzzle, grid, source)
        puzzle = puzzle.with_grid(puzzle.grid.with_digits(dict.fromkeys(dropped, EMPTY)))
    fault = find_fault(grid, puzzle)
    if fault:
        raise SatdokuError(f"{source}: the answer is not a solution of the puzzle: {fault}")
    _print_grid(puzzle, grid, to)
    if dropped:
        return _tell_dropped(dropped, grid, said.is_optimal, source, talk)
    return ExitCode.ANSWERED


def _print_grid(puzzle: Puzzle, grid: Grid, to: str | None) -> None:
    # On a terminal print a board with boxes, into a pipe print rows.
    if is_screen(None) and not to:
        click.echo(render_picture(picture_of(puzzle, grid), wants_colour(), is_ascii()), nl=False)
    else:
        # Use the symbols of the puzzle, which may begin at 0.
        spelling = spelling_by_symbols(puzzle)
        to = to or ("rows" if grid.geometry.is_plain else "board")
        click.echo(format_named(to).write_solution(puzzle, grid, spelling), nl=False)


def _tell_dropped(
    dropped: Mapping[int, int], grid: Grid, is_optimal: bool, source: str, talk: Talk
) -> ExitCode:
    """List the givens that the grid drops; the verdict then relies on the solver's claim."""
    names = ", ".join(
        f"{grid.geometry.name_of(cell)} is {grid.digits[cell]}, not {digit}"
        for cell, digit in dropped.items()
    )
    meaning = "the puzzle has no solution, and no grid keeps more givens"
    if not is_optimal:
        meaning = "the solver does not say whether another grid keeps more"
    talk.say(f"{source}: {count_of(len(dropped), 'given')} dropped: {names}; {meaning}")
    return ExitCode.NONE if is_optimal else ExitCode.UNDECIDED


def _tell_no_model(status: Status, cnf: Formula, source: str, talk: Talk) -> ExitCode:
    if status is Status.UNKNOWN:
        talk.say(f"{source}: the solver gave up")
        return ExitCode.UNDECIDED
    meaning = "the puzzle has no solution"
    if isinstance(cnf, WcnfReader):
        meaning = "no grid obeys the rules"
    elif blocks_solution(cnf):
        meaning = "the blocked solution is the only one"
    # Read the whole formula, so that damage is reported: a damaged one says nothing about the
    # puzzle.
    for _ in cnf.numbered_clauses():
        pass
    # A model is checked, but that there is none would have to be proved.
    talk.say(
        f"{source}: the solver says that the formula has no model, which is not checked here; "
        f"if so, {meaning}"
    )
    return ExitCode.NONE


# Matches the first line of an answer, but no puzzle.
_ANSWER = re.compile(r"s [A-Z]|[vo] -?\d|(UN)?SAT\b|INDET\b")


def _read_question(argument: str, hints: Hints, budget: Budget) -> tuple[Formula, Puzzle]:
    """Return a formula and its puzzle; for a puzzle alone, a formula without clauses."""
    if is_file(argument):
        lines = lines_of(argument, budget)
        begin = list(until_content(lines))
        lines = chain(begin, lines)
        kind = find_kind(argument, begin)
        if kind is not None:
            cnf = open_formula(kind, lines, argument)
            geometry = read_geometry(cnf, argument, hints.geometry)
            puzzle = read_puzzle(cnf, geometry, argument)
            return cnf, add_rules(puzzle, hints.rules, argument)
        if begin and _ANSWER.match(begin[-1]):
            raise SatdokuError(
                f"{argument}: this is a solver's answer; the formula must come first"
            )
        puzzles = list(islice(read_puzzles(lines, argument, hints=hints), 2))
    else:
        tasks = Inputs((argument,), None, hints).tasks(_refuse)
        puzzles = [task.parse() for task in islice(tasks, 2)]
    # Reading two puzzles is enough to refuse several, and a pipe may never end.
    if len(puzzles) != 1:
        raise SatdokuError(f"{argument}: there are several puzzles; an answer belongs to one")
    # No clauses are needed, as the judge checks the rules.
    return NoClauses(variable_count(puzzles[0].geometry)), puzzles[0]


def until_content(lines: Iterable[str], most: int = LONGEST_LINE) -> Iterator[str]:
    """Yield lines up to the first one that is neither blank nor a comment of a formula.

    Gives up after `most` bytes of blank lines and comments: our formulas state their kind before
    the names of variables, of which there may be gigabytes.
    """
    memory = 0
    for line in lines:
        yield line
        memory += memory_of(line)
        is_content = line.strip() and not line.startswith("c")
        if is_content or memory > most:
            return


def _refuse(error: SatdokuError) -> None:
    raise error


def lines_of(argument: str, budget: Budget, longest: int = LONGEST_LINE) -> Iterator[str]:
    """Yield the lines of a file or of stdin.

    Raise an error for lines of more than `longest` bytes.
    """
    if argument == "-":
        data, name = bounded_lines(sys.stdin.buffer, "stdin", longest), "stdin"
    else:
        data, name = read_lines(argument, longest), argument
    return budget.watch(read_text_lines(data, name))
