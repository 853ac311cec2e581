"""Draws each rule for the page that shows all of them, from the list of rules.

So a rule that is added is drawn there, and no picture is kept in the repository.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from click.testing import CliRunner
from mkdocs.structure.files import File

from satdoku.cli.main import satdoku
from satdoku.picture.documents import DocumentKind, write_sketches
from satdoku.picture.picture import Emphasis, Sketch, picture_of
from satdoku.puzzle.constraints import Pair, Some
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import RULES, read_rule
from satdoku.puzzle.rules.rule import Rule

MARKER = "<!-- drawings of all rules -->"
_FOLDER = "rules-drawn"


def on_files(files: Any, config: Any, **kwargs: Any) -> Any:
    """Add the picture of each rule to the files of the site; the site builder calls it."""
    for name in RULES:
        path = f"{_FOLDER}/{name}.svg"
        files.append(File.generated(config, path, content=draw(name)))
    return files


def on_page_markdown(markdown: str, **kwargs: Any) -> str:
    """Return a page with the rules in place of the marker; the site builder calls it."""
    return markdown.replace(MARKER, "\n".join(_sections())) if MARKER in markdown else markdown


def draw(name: str) -> str:
    """Return the example of a rule on its small board, as SVG.

    Where the rule draws nothing, the cells of the example are shaded. A rule for the whole board is
    shown by what it says about one cell, which has a frame.
    """
    kind = RULES[name]
    board: Geometry = kind.example_board
    rule = read_rule(f"{name}:{kind.example}" if kind.example else name, board)
    drawn = picture_of(Puzzle(Grid.empty(board)).with_rules([rule]))
    if not list(rule.drawing(board)):
        drawn = replace(drawn, cells=_highlights(rule, board))
    return write_sketches([Sketch((drawn,))], DocumentKind.SVG).decode()


def _highlights(rule: Rule, board: Geometry) -> dict[int, Emphasis]:
    cells = rule.cells(board)
    if len(cells) < board.cell_count:
        return dict.fromkeys(cells, Emphasis.USED)
    middle = (board.size // 2 - 1) * (board.size + 1)
    for cell in (middle, 0):
        if tied := _tied_to(cell, rule, board):
            return {**dict.fromkeys(tied, Emphasis.USED), cell: Emphasis.PLACED}
    return {}


def _tied_to(cell: int, rule: Rule, board: Geometry) -> set[int]:
    """Return the cells of all pairs with this one, or of one wider constraint about it."""
    tied: set[int] = set()
    for constraint in rule.constraints(board):
        if isinstance(constraint, Pair):
            among = {constraint.first, constraint.second}
        elif isinstance(constraint, Some):
            among = {each for each, _ in constraint.choices}
        else:
            among = set(getattr(constraint, "cells", ()))
        if cell in among:
            tied |= among
            if not isinstance(constraint, Pair):
                break
    return tied


def _sections() -> Iterator[str]:
    """Yield the section of each rule, those of a group below its heading."""
    done = CliRunner().invoke(satdoku, ["rules", "--json"], catch_exceptions=False)
    last = None
    for rule in map(json.loads, done.stdout.splitlines()):
        if rule["group"] != last:
            last = rule["group"]
            yield f"## {last[0].upper()}{last[1:]}\n"
        yield f"### {rule['name']}\n"
        yield f"![{rule['name']}, drawn]({_FOLDER}/{rule['name']}.svg)\n"
        yield f"`{rule['example']}`: {rule['sentence']}.\n"
        if rule["form"]:
            yield f"Written `{rule['name']}:{rule['form']}`:\n"
            yield from (f"- `{word}`: {meaning}" for word, meaning in rule["parts"].items())
            yield ""
