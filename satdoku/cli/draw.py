"""`satdoku draw`: puzzles as pictures, on screens and on paper."""

import click

from satdoku.answering.sketcher import Sketcher
from satdoku.batch.run import run
from satdoku.cli.albums import Drawing
from satdoku.cli.declaring import FileName, Group, Whole, command, option
from satdoku.cli.exit_codes import ExitCode, code_of
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import (
    force_option,
    gathered,
    jobs_option,
    limit_options,
    quiet_option,
    read_text,
)
from satdoku.cli.outputs import read_output, require_distinct
from satdoku.output.ending import Tally
from satdoku.picture.picture import Layout
from satdoku.solving.limits import Limits
from satdoku.solving.settings import Settings

layout_options = gathered(
    "layout",
    Layout,
    [
        option(
            Group.OUTPUT,
            "--per-page",
            # 100 boards on a page are some 2 cm wide; the digits of smaller ones could not be read.
            type=Whole(min=1, max=100),
            metavar="N",
            help="Boards on a page of paper; in a PDF up to 6 if not given.",
        ),
        option(
            Group.OUTPUT,
            "--title",
            callback=read_text,
            default="",
            help="Above the boards of every page.",
        ),
        option(Group.OUTPUT, "--footer", callback=read_text, default="", help="Below them."),
    ],
)


@command(
    excludes=[
        ("--solution", "--candidates --solutions-at-end", "--solution leaves no place for them"),
        ("--text", "--output", "the end of the file's name says how it is drawn"),
        ("--text", "--candidates --per-page --title --footer", "characters have no place for it"),
    ],
    needs=[
        ("--timeout --conflicts", "--solution --solutions-at-end", "nothing is solved without"),
    ],
)
@puzzle_input
@click.option("--solution", is_flag=True, help="Fill in the solution, with lighter digits.")
@click.option("--solutions-at-end", "at_end", is_flag=True, help="Solutions behind all puzzles.")
@click.option("--candidates", is_flag=True, help="Small digits: what the givens leave.")
@click.option("--rating", is_flag=True, help="Say below each board how hard it is.")
@layout_options
@limit_options
@option(
    Group.OUTPUT,
    "-o",
    "--output",
    callback=read_output,
    metavar="FILE",
    type=FileName(),
    help="A file that ends in .svg, .png, .pdf or .txt; SVG to stdout if not given.",
)
@option(
    Group.OUTPUT, "--text", is_flag=True, help="Characters in place of SVG; also in a .txt file."
)
@force_option
@jobs_option
@quiet_option
def draw(
    inputs: Inputs,
    solution: bool,
    at_end: bool,
    candidates: bool,
    rating: bool,
    layout: Layout,
    timeout: float | None,
    conflicts: int | None,
    output: str | None,
    text: bool,
    force: bool,
    jobs: int | None,
    quiet: bool,
) -> int:
    """Draw puzzles.

    Rules are drawn as they are printed in magazines, or told below the board. With a solution,
    puzzles that have several show two of them with the differing cells marked, and those that
    have none the givens that clash. PNG and PDF need satdoku[draw].

    \b
    satdoku draw puzzle.txt > puzzle.svg
    satdoku draw puzzle.txt --solution -o solved.png
    satdoku draw puzzle.txt --text
    satdoku draw puzzles.txt --per-page 6 --solutions-at-end --title "Puzzles" -o puzzles.pdf
    """
    is_solved = solution or at_end
    limits = Limits(timeout, conflicts)
    require_distinct(inputs, [output])
    drawing = Drawing(output, force, layout, ".txt" if text else ".svg")
    settings = Settings(limits=limits) if is_solved else None
    sketcher = Sketcher(inputs.hints.spelling, settings, at_end, candidates, rating)
    talk = inputs.talk(quiet)
    # For the exit code alone: who draws does not wait for a summary.
    tally = Tally()
    tasks = inputs.tasks(talk.refuse)
    try:
        for row in run(sketcher, tasks, jobs=jobs, is_at_hand=tasks.is_at_hand):
            tally.add(row)
            talk.tell_of(row)
            drawing.add(row.result)
    except KeyboardInterrupt:
        talk.say(f"{output or 'the drawing'} is not written")
        raise
    # Before the drawing is written, which may fail.
    talk.say_repeated()
    talk.say_if_any(drawing.write())
    return ExitCode.FAILED if talk.has_refused else code_of(set(tally.counts))
