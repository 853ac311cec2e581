"""`satdoku convert`: convert any format into any other."""

import click

from satdoku.cli.inputs import Inputs, puzzle_input, read_alphabet
from satdoku.cli.options import FormatName, command, force_option, quiet_option
from satdoku.cli.outputs import output_stream, require_end, text_output_option
from satdoku.errors import SatdokuError
from satdoku.notation.formats import format_named
from satdoku.notation.hints import Hints
from satdoku.notation.spelling import Alphabet


@command()
@puzzle_input
@click.option("--to", type=FormatName(), default="line", show_default=True, help="Format to write.")
@click.option(
    "--to-alphabet",
    callback=read_alphabet,
    metavar="ALPHABET",
    help="Write digits above 9 in this alphabet instead of as numbers.",
)
@text_output_option
@force_option
@quiet_option
def convert(
    inputs: Inputs,
    to: str,
    to_alphabet: Alphabet | None,
    output: str | None,
    force: bool,
    quiet: bool,
) -> int:
    """Write puzzles in another format.

    \b
    satdoku convert puzzles.txt --to sdk
    satdoku convert --to json < puzzle.txt
    satdoku convert hex.txt --alphabet 0 --to grid
    """
    talk = inputs.talk(quiet)
    spelling = Hints(inputs.hints.geometry, to_alphabet).spelling
    target = format_named(to)
    # Without this check, `convert p.txt >> p.txt` would read its own output without end.
    require_end(inputs, output)
    written = 0
    with output_stream(output, force, is_table=to == "csv") as stream:
        for task in inputs.tasks(talk.refuse):
            try:
                # Count written puzzles, so that numbers in names have no gaps for refused ones.
                text = target.write(task.parse(), spelling, written + 1)
            except SatdokuError as error:
                talk.refuse(error)
                continue
            # Write the opening with the first puzzle: if none can be read, nothing is written.
            stream.write((target.between if written else target.opening()) + text)
            written += 1
        if not written and talk.refused:
            # Raise this inside the block, so that no file is created or replaced.
            raise click.exceptions.Exit(talk.code_with())
    return talk.code_with()
