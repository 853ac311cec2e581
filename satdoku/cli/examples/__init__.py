"""`satdoku examples`: the files that the README and all pages use, in a folder of the user's."""

import shutil
from pathlib import Path

import click

from satdoku.cli.help import command
from satdoku.cli.options import force_option, quiet_option
from satdoku.errors import SatdokuError

_HERE = Path(__file__).parent
_PUZZLES = ("puzzle.txt", "fifty.txt", "table.csv", "famous.txt")


@command()
@click.argument("folder", metavar="[DIR]", default="examples", type=click.Path(path_type=Path))
@force_option
@quiet_option
def examples(folder: Path, force: bool, quiet: bool) -> None:
    """Write the example puzzles and formulas that the documentation uses.

    They go into a folder, `examples` if no other is named: a puzzle, fifty puzzles in the format of
    Project Euler, a table with known solutions, famous puzzles, and in `cnf` reference formulas.

    \b
    satdoku examples
    satdoku solve examples/puzzle.txt
    minisat examples/cnf/rules/9x9-extended.cnf
    """
    from satdoku.cli.examples.formulas import write_formulas

    if not force and folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise SatdokuError(f"{folder} is there and not empty; --force writes the examples into it")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in _PUZZLES:
            shutil.copyfile(_HERE / name, folder / name)
    except OSError as error:
        raise SatdokuError(f"{folder} cannot be written: {error.strerror}") from None
    write_formulas(folder / "cnf")
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not quiet:
            click.echo(path)
