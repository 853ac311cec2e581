"""`satdoku rules`: which rules there are, and how to ask for them."""

import re
from string import ascii_uppercase

import click

from satdoku.cli.declaring import command
from satdoku.errors import SatdokuError
from satdoku.picture.characters import draw_characters
from satdoku.picture.making import picture_of
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.arguments import read_cells
from satdoku.puzzle.rules.registry import GROUPS, RULES, read_rule, require_rule_name
from satdoku.puzzle.rules.rule import Rule

_CELLS = re.compile(r"r\d[\d-]*c\d[\d-]*")


@command()
@click.argument("name", required=False)
@click.option("--all", "is_all", is_flag=True, help="Tell of every rule what NAME tells of one.")
def rules(name: str | None, is_all: bool) -> None:
    """List the rules that puzzles may have, each with an example and what that means.

    With the name of a rule it tells what stands in its argument, and draws the example.

    Rows, columns and boxes are rules of every puzzle; --regions puts irregular regions in place
    of boxes. Others are asked for by --rule, which may be repeated, or stand in a file with one
    rule a line (--rules), or in the JSON of a puzzle. Cells are named r1c1; r1c1-3 is three of
    them; several have commas between them.

    \b
    satdoku rules
    satdoku rules thermo
    satdoku check puzzle.txt --rule anti-knight --rule diagonals
    satdoku solve puzzle.txt --rule killer:15=r1c1-3,r2c1
    satdoku solve jigsaw.txt --regions regions.txt
    """
    if is_all:
        if name is not None:
            raise click.UsageError(f"--all tells of {name} too; leave one of them out")
        for number, each in enumerate(RULES):
            click.echo("" if number == 0 else "\n", nl=False)
            _tell(each)
        return
    if name is not None:
        try:
            _tell(name)
        except SatdokuError as error:
            raise click.BadParameter(str(error), param_hint="NAME") from None
        return
    width = max(len(text) for text in map(_example, RULES) if len(text) <= _WIDEST)
    for number, (group, names) in enumerate(GROUPS.items()):
        click.echo(f"{'' if number == 0 else chr(10)}{group}:")
        for each in names:
            text = _example(each)
            rule, board = _show(each)
            head = text.ljust(width) if len(text) <= _WIDEST else f"{text}\n  {' ' * width}"
            click.echo(f"  {head}  {rule.sentence(board)}")


# Behind a longer example its sentence begins on the next line.
_WIDEST = 36


def _tell(name: str) -> None:
    """The parts of a rule's argument, and its example with a drawing."""
    kind = require_rule_name(name)
    text = _example(name)
    rule, board = _show(name)
    click.echo(f"{name}:{kind.form}" if kind.form else text)
    for word, meaning in kind.parts.items():
        click.echo(f"  {word.ljust(max(map(len, kind.parts)))}  {meaning}")
    click.echo(f"\n{text}\n  {rule.sentence(board)}")
    small = kind.example_board
    if kind.example or list(rule.drawing(small)):
        click.echo("")
        for line in _drawing(text, read_rule(text, small), small):
            click.echo(f"  {line}".rstrip())


def _drawing(text: str, rule: Rule, board: Geometry) -> list[str]:
    """The rule on a board, with a letter in each cell, in the order of the argument.

    A rule that only words can tell has its letters alone.
    """
    named = [cell for word in _CELLS.findall(text) for cell in read_cells(word, board)]
    cells = list(dict.fromkeys(named))
    if not cells and not list(rule.drawing(board)):
        cells = sorted(rule.cells(board))
    letter_of = dict(zip(cells, ascii_uppercase, strict=False))
    texts = [letter_of.get(cell, ".") for cell in range(board.cell_count)]
    puzzle = Puzzle(Grid.empty(board)).with_rules([rule])
    return draw_characters(picture_of(puzzle), texts)


def _example(name: str) -> str:
    """A rule as `--rule` takes it."""
    example = RULES[name].example
    return f"{name}:{example}" if example else name


def _show(name: str) -> tuple[Rule, Geometry]:
    """The example of a rule on the usual board, or on its own where it makes sense only there."""
    text, usual, own = _example(name), Geometry(), RULES[name].example_board
    try:
        return read_rule(text, usual), usual
    except SatdokuError:
        return read_rule(text, own), own
