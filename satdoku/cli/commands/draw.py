"""`satdoku draw`, and the files made of the answers to all puzzles: drawings and pages.

Other commands write such albums beside their output. Their content is collected while puzzles are
answered, and written at the end.
"""

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import click

from satdoku.answering.output.ending import Tally
from satdoku.answering.sketcher import Sketcher
from satdoku.batch.run import run
from satdoku.cli.exit_codes import code_of
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import (
    OptionGroup,
    Whole,
    command,
    force_option,
    gathered,
    jobs_option,
    limit_options,
    option,
    quiet_option,
    read_text,
)
from satdoku.cli.outputs import output_option_with, require_distinct
from satdoku.errors import SatdokuError
from satdoku.files import as_path, new_file, require_writable
from satdoku.notation.hints import FORMAT_NAMES
from satdoku.picture.documents import PAPERS, kind_of, require_library, write_page, write_sketches
from satdoku.picture.picture import Layout, Plot, Show, Sketch
from satdoku.picture.plot import write_plots
from satdoku.solving.limits import Limits
from satdoku.solving.solvers import Settings

layout_options = gathered(
    "layout",
    Layout,
    [
        option(
            OptionGroup.OUTPUT,
            "--per-page",
            # 100 boards on a page are about 2 cm wide; digits of smaller boards would be illegible.
            type=Whole(min=1, max=100),
            metavar="N",
            help="Number of boards on a page; in a PDF by default up to 6.",
        ),
        option(
            OptionGroup.OUTPUT,
            "--title",
            callback=read_text,
            default="",
            help="A title above the boards of every page.",
        ),
        option(
            OptionGroup.OUTPUT,
            "--footer",
            callback=read_text,
            default="",
            help="A line below the boards of every page.",
        ),
        option(
            OptionGroup.OUTPUT,
            "--paper",
            type=click.Choice(sorted(PAPERS)),
            default="a4",
            help="The size of the pages.",
        ),
    ],
)


@command(
    excludes=[
        ("--solution", "--candidates --solutions-at-end", "--solution leaves no place for them"),
        ("--text", "--output", "the end of the file's name says how it is drawn"),
        (
            "--text",
            "--candidates --per-page --title --footer --paper --qr",
            "characters have no place for it",
        ),
        ("--qr", "--solution", "the code stands below the puzzle"),
    ],
    needs=[
        ("--timeout --conflicts", "--solution --solutions-at-end", "nothing is solved without it"),
    ],
)
@puzzle_input
@click.option("--solution", is_flag=True, help="Fill in the solution in lighter digits.")
@click.option(
    "--solutions-at-end", "at_end", is_flag=True, help="Draw the solutions after all puzzles."
)
@click.option(
    "--candidates", is_flag=True, help="Draw the candidates that the givens leave, as small digits."
)
@click.option("--rating", is_flag=True, help="Print below each board how hard it is.")
@click.option(
    "--qr",
    "link",
    type=click.Choice([name for name in FORMAT_NAMES if name.startswith("link:")]),
    help="Draw below each board a QR code of a link that opens the puzzle.",
)
@layout_options
@limit_options
@output_option_with("File that ends in .svg, .png, .pdf or .txt; by default, SVG goes to stdout.")
@option(
    OptionGroup.OUTPUT,
    "--text",
    is_flag=True,
    help="Draw with characters instead of SVG; a .txt file always has characters.",
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
    link: str | None,
    layout: Layout,
    limits: Limits,
    output: str | None,
    text: bool,
    force: bool,
    jobs: int | None,
    quiet: bool,
) -> int:
    """Draw puzzles.

    Rules are drawn as in magazines, or described below the board. With --solution, puzzles with
    several solutions show two of them with the differing cells marked, and puzzles without a
    solution show the givens that clash. PNG and PDF need satdoku[draw].

    \b
    satdoku draw puzzle.txt > puzzle.svg
    satdoku draw puzzle.txt --solution -o solved.png
    satdoku draw puzzle.txt --text
    satdoku draw puzzle.txt --qr link:sudokupad -o puzzle.svg
    satdoku draw puzzles.txt --per-page 6 --solutions-at-end --title "Puzzles" -o puzzles.pdf
    """
    is_solved = solution or at_end
    require_distinct(inputs, [output])
    drawing = Drawing(output, force, layout, ".txt" if text else ".svg")
    settings = Settings(limits=limits) if is_solved else None
    sketcher = Sketcher(inputs.hints.spelling, settings, at_end, candidates, rating, link or "")
    talk = inputs.talk(quiet)
    # Endings are counted for the exit code only; no summary is printed.
    tally = Tally()
    tasks = inputs.tasks(talk.refuse)
    try:
        for row in run(sketcher, tasks, jobs=jobs, is_at_hand=tasks.is_at_hand, tell=talk.say):
            tally.add(row)
            talk.tell_of(row)
            drawing.add(row.result)
    except KeyboardInterrupt:
        talk.say(f"{output or 'the drawing'} is not written")
        raise
    # Report repeats before the drawing is written, which may fail.
    talk.say_repeated()
    talk.say_if_any(drawing.write())
    return talk.code_with([code_of(set(tally.counts))])


# Most boards of a file: more than anybody looks at. Each takes about ten thousand bytes until the
# end.
_MOST_BOARDS = 10_000
# Greatest height of an image in pixels. A higher one is too large to view at once, and some
# programs refuse it.
_HIGHEST = 8_000


class Album(ABC):
    """Base class of files with content from every puzzle."""

    def __init__(self, name: str | None, is_forced: bool) -> None:
        self.name = name
        self._is_forced = is_forced
        self._count = 0
        self._is_full = False
        if name is not None:
            # Refuse a file that cannot be written before the work, not after it.
            require_writable(as_path(name), is_forced)

    @abstractmethod
    def _take(self, found: Any) -> int:
        """Keep an answer about one puzzle, and return how many boards it adds."""

    @abstractmethod
    def _contents(self) -> bytes:
        """Return the bytes of the file."""

    def add(self, found: Any) -> None:
        """Add an answer about one more puzzle; None for an unreadable one."""
        if found is None or self._is_full:
            return
        self._count += self._take(found)
        # Stop only after a whole puzzle: half of one would look complete.
        self._is_full = self._count >= _MOST_BOARDS

    def write(self) -> str:
        """Write the file and return a message about it; empty if there is none."""
        if not self._count:
            return "there is nothing to draw"
        contents = self._contents()
        if self.name is None:
            sys.stdout.write(contents.decode())
        else:
            with new_file(as_path(self.name), self._is_forced) as stream:
                stream.buffer.write(contents)
        # Standard output has no file name.
        where = self.name or "the drawing"
        if self._is_full:
            return f"{where} ends after {self._count:,} boards"
        return self._advise(where, contents)

    def _advise(self, where: str, contents: bytes) -> str:
        """Return advice about the file; empty if there is none."""
        return ""


class Drawing(Album):
    """The pictures of all puzzles in one file; without a name, on stdout in the format `usual`."""

    def __init__(
        self,
        name: str | None,
        is_forced: bool,
        layout: Layout | None = None,
        usual: str = ".svg",
    ) -> None:
        self._sketches: list[Sketch] = []
        self._layout = layout
        try:
            # Standard output gets SVG by default, characters on request.
            self._kind = kind_of(usual if name is None else name)
            require_library(self._kind)
        except SatdokuError as error:
            raise click.UsageError(str(error)) from None
        super().__init__(name, is_forced)

    def _take(self, found: Any) -> int:
        return self._take_sketch(found)

    def _take_sketch(self, found: Sketch) -> int:
        self._sketches.append(found)
        return len(found.boards) + len(found.answers)

    def _advise(self, where: str, contents: bytes) -> str:
        # The header of a PNG has its height at these offsets.
        height = int.from_bytes(contents[20:24], "big") if contents[1:4] == b"PNG" else 0
        if height <= _HIGHEST:
            return ""
        return f"{where} is {height:,} pixels high; a name that ends in .pdf makes pages"

    def _contents(self) -> bytes:
        return write_sketches(self._sketches, self._kind, self._layout)


class SlideDrawing(Drawing):
    """The slides of explanations, each as a board with its words."""

    def _take(self, found: Any) -> int:
        show: Show = found
        return self._take_sketch(show.sketch())


class Page(Album):
    """An HTML page that steps through explanations."""

    def __init__(self, name: str | None, is_forced: bool) -> None:
        self._shows: list[Show] = []
        super().__init__(name, is_forced)

    def _take(self, found: Show) -> int:
        self._shows.append(found)
        return len(found.slides)

    def _contents(self) -> bytes:
        return write_page(self._shows).encode()


class PlotPage(Album):
    """The plots of reports in one SVG file."""

    def __init__(self, name: str | None, is_forced: bool) -> None:
        self._plots: list[Plot] = []
        super().__init__(name, is_forced)

    def _take(self, found: Plot) -> int:
        self._plots.append(found)
        return 1

    def _contents(self) -> bytes:
        return write_plots(self._plots).encode()


def open_albums(
    drawing: str | None,
    is_forced: bool,
    page: str | None,
    has_slides: bool,
    plot: str | None = None,
) -> Iterator[Album]:
    """Open the files of these names, if they are not None; a dash is stdout."""
    if plot is not None:
        yield PlotPage(plot, is_forced)
    if drawing is not None:
        # Slides for a page contain the boards of a drawing, too.
        kind = SlideDrawing if has_slides or page is not None else Drawing
        yield kind(drawing, is_forced)
    if page is not None:
        yield Page(None if page == "-" else page, is_forced)
