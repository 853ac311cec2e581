"""`satdoku rules`: which rules there are, and how to ask for them."""

import click

from satdoku.cli.help import command
from satdoku.errors import SatdokuError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.registry import RULES, read_rule
from satdoku.puzzle.rules.rule import Rule

# The boards on which a rule is shown: the usual one, or the smallest if its example is for that.
_BOARDS = (Geometry(3, 3), Geometry(2, 2))


@command()
def rules() -> None:
    """List the rules that puzzles may have, each with an example and what that means.

    Rows, columns and boxes are rules of every puzzle; --regions puts irregular regions in place
    of boxes. Others are asked for by --rule, which may be repeated, or stand in the JSON of a
    puzzle. Cells are named r1c1; r1c1-3 is three of them; several have commas between them.

    \b
    satdoku rules
    satdoku check puzzle.txt --rule anti-knight --rule diagonals
    satdoku solve puzzle.txt --rule odd:r1c1,r5c5-7
    satdoku solve jigsaw.txt --regions regions.txt
    """
    texts = [f"{name}:{rule.example}" if rule.example else name for name, rule in RULES.items()]
    width = max(map(len, texts))
    for text in texts:
        rule, board = _show(text)
        click.echo(f"{text.ljust(width)}  {rule.sentence(board)}")


def _show(text: str) -> tuple[Rule, Geometry]:
    """A rule on the first board where it makes sense."""
    for board in _BOARDS[:-1]:
        try:
            return read_rule(text, board), board
        except SatdokuError:
            continue
    return read_rule(text, _BOARDS[-1]), _BOARDS[-1]
