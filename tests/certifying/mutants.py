"""Mutants of the machines, sums, counts and sets of rules, one thing wrong in each.

The definitions, which the judge asks, stay as they are. Run as a program it reads a mutant as JSON,
puts it in the place of the module, and writes a certificate of each puzzle into a folder.
"""

import ast
import importlib.util
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from satdoku.puzzle.puzzle import Puzzle

RULES_FOLDER = Path(__file__).parent.parent.parent / "satdoku" / "puzzle" / "rules"

TEXTS = {
    "lines": [
        "sum-line:5=r1c1,r1c2,r2c3,r3c3",
        "between:r1c1,r1c2,r2c3,r3c1",
        "lockout:2=r1c1,r2c1,r3c2,r2c2",
        "region-sum:r1c1,r2c1,r3c3,r3c4",
        "zipper:r1c1,r2c2,r3c3,r3c4,r4c4",
        "double-arrow:r1c1,r2c2,r3c3,r4c4",
    ],
    "outside": [
        *("sandwich:row2=3", "x-sum:col1.up=6", "x-sum:row3=3"),
        *("skyscraper:row1.left=2", "hidden-skyscraper:row2=2", "skyscraper:col3=3"),
    ],
    "sums": [
        "sum:6=r1c1,2*r2c2,-r3c4",
        "arrow:r1c1,r1c2=r2c3,r3c4,r4c1,r4c2,r3c2,r2c1",
        "little-killer:r1c1.dr=9",
    ],
    "cages": ["killer:7=r1c1,r1c2,r2c2", "killer:2=r3c3"],
    "contents": [
        "contain:1/1=r1c1,r2c2,r2c3,r3c4",
        "contain-exact:1/2=r1c1,r2c2,r3c3,r4c4",
        "counting-circles:r1c1,r2c3,r3c4,r4c2",
    ],
    "group_rule": ["sum:6=r1c1,2*r2c2,-r3c4", "killer:3=r1c1,r2c2"],
    "machine_rule": ["between:r1c1,r1c2,r2c3", "sandwich:row2=3", "sum-line:4=r1c1,r1c2,r2c3"],
}
"""Rules that the modules make machines, sums, counts and sets of."""

_FUNCTIONS = {
    *("step", "is_end", "start", "machine_key", "sums", "counted", "sets_with_sum", "equal_sums"),
    *("build_layers", "_merged", "_counter", "machines", "near_on", "diagonal_places"),
}
_SWAPS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


class Mutant(NamedTuple):
    """The source of a module with one thing wrong, and what that is."""

    module: str
    source: str
    change: str


def mutants() -> Iterator[Mutant]:
    """All of them, in the order of the files."""
    for name in TEXTS:
        text = (RULES_FOLDER / f"{name}.py").read_text("utf-8")
        for number in range(_count(text)):
            tree = ast.parse(text)
            change = _places(tree)[number]()
            yield Mutant(f"satdoku.puzzle.rules.{name}", ast.unparse(tree), f"{name}: {change}")


def _count(text: str) -> int:
    return len(_places(ast.parse(text)))


def _places(tree: ast.Module) -> list[Callable[[], str]]:
    """Functions each of which makes one change, and says which."""
    found: list[Callable[[], str]] = []
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.name in _FUNCTIONS:
            for statement in function.body:
                found += [change for node in ast.walk(statement) for change in _changes(node)]
    return found


def _changes(node: ast.AST) -> Iterator[Callable[[], str]]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _SWAPS:
        yield lambda: _set(node, "ops", [_SWAPS[type(node.ops[0])](), *node.ops[1:]])
    elif isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign) and type(node.op) in _SWAPS:
        yield lambda: _set(node, "op", _SWAPS[type(node.op)]())
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        larger = node.value + 1
        yield lambda: _set(node, "value", larger)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield lambda: _set(node, "value", not node.value)


def _set(node: ast.AST, field: str, value: object) -> str:
    before = ast.unparse(node)
    setattr(node, field, value)
    return f"{before} -> {ast.unparse(node)}"


def _main(folder: Path) -> None:
    mutant = Mutant(*json.loads(sys.stdin.read()))
    spec = importlib.util.find_spec(mutant.module)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[mutant.module] = module
    exec(compile(mutant.source, mutant.change, "exec"), module.__dict__)
    parent, _, name = mutant.module.rpartition(".")
    setattr(sys.modules[parent], name, module)
    _certify_all(TEXTS[name], folder)


def _certify_all(texts: list[str], folder: Path) -> None:
    from satdoku.certifying.certificate import write_certificate
    from satdoku.certifying.certify import certify

    for number, text in enumerate(texts):
        certificate = certify(hopeless(text), "satdoku 1", is_whole=True)
        write_certificate(certificate, folder, str(number))


def hopeless(text: str) -> "Puzzle":
    """A rule on an empty board, and a cell beside it that is to be odd and even.

    So the puzzle has no solution, and its formula has all of the rule.
    """
    from satdoku.puzzle.grid import Geometry, Grid
    from satdoku.puzzle.puzzle import Puzzle
    from satdoku.puzzle.rules.registry import read_rules

    board = Geometry(2, 2)
    (rule,) = read_rules([text], board)
    name = board.name_of(hopeless_cell(text))
    both = read_rules([f"odd:{name}", f"even:{name}"], board)
    return Puzzle(Grid.empty(board)).with_rules([rule, *both])


def hopeless_cell(text: str) -> int:
    from satdoku.puzzle.grid import Geometry
    from satdoku.puzzle.rules.registry import read_rule

    board = Geometry(2, 2)
    cells = read_rule(text, board).cells(board)
    return max(cell for cell in range(board.cell_count) if cell not in cells)


if __name__ == "__main__":
    _main(Path(sys.argv[1]))
