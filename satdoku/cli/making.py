"""Running a `Maker` over the numbers of the puzzles: output, resuming, talk and the exit code."""

import time
from collections.abc import Generator, Iterator
from dataclasses import replace
from itertools import chain, count
from typing import TYPE_CHECKING

from satdoku.answering.maker import Made, Maker, Number
from satdoku.cli.any_run import AnyRun, any_run_options
from satdoku.cli.drawing import Albums
from satdoku.cli.exit_codes import ExitCode, code_of
from satdoku.cli.options import gathered
from satdoku.cli.terminal import Progress, Talk, is_screen
from satdoku.cli.wishes import Wanted
from satdoku.errors import SatdokuError
from satdoku.files import is_parquet
from satdoku.generating.generate import why_rare

if TYPE_CHECKING:
    from satdoku.batch.row import Row
    from satdoku.generating.distinct import Seen
    from satdoku.output.output import Output


class _UnfinishedError(Exception):
    """Leaves an output as one that can be resumed."""


class Making(AnyRun):
    """A run that makes puzzles."""

    def find_seed(self, wanted: Wanted) -> tuple[str, bool]:
        """The seed of this run and whether it is new: a run that is resumed knows its own."""
        if not (wanted.is_new_seed and self.is_resumed and self.output is not None):
            return wanted.request.seed, wanted.is_new_seed
        from pathlib import Path

        from satdoku.output.resume import read_options

        begun = read_options(Path(self.output)).get("--seed")
        return (wanted.request.seed, True) if begun is None else (str(begun), False)

    def make(self, maker: Maker, number: int, is_new_seed: bool, albums: Albums) -> ExitCode:
        """Makes so many puzzles and returns the code for all of them."""
        self._require_files(albums)
        progress = self._progress()
        progress.expect(number)
        talk = Talk(self.is_quiet, progress)
        maker = replace(maker, watch=progress.show_work)
        output = self._open(maker)
        # Before the work: whoever interrupts it can still make these puzzles again.
        if is_new_seed and not output.is_finished:
            talk.say(f"seed {maker.request.seed}")
        if not output.is_finished:
            talk.say_if_any(why_rare(maker.request, maker.ratings))
        production = _Production(self, maker, number, output, talk, progress, albums)
        try:
            with output:
                production.work()
        except _UnfinishedError:
            # It was raised to leave the output as one that can be resumed; `conclude` says what is
            # missing.
            pass
        talk.say_if_any(albums.write())
        return production.conclude()

    def _open(self, maker: Maker) -> "Output":
        from satdoku.output.resume import Identity

        opening = maker.form.opening()
        if is_parquet(self.output):
            return self._open_table(opening)
        identity = Identity(maker.options(), []) if maker.form.is_linewise else None
        resume_needs = (
            "--resume needs a file with a line for each puzzle: --json, --csv, or --to line "
            "without solutions"
        )
        return self._open_text(opening, identity, resume_needs)


class _Production:
    """One run: the puzzles that are there, and how many are still to come."""

    def __init__(
        self,
        making: Making,
        maker: Maker,
        number: int,
        output: "Output",
        talk: Talk,
        progress: Progress,
        albums: Albums,
    ) -> None:
        from satdoku.generating.distinct import Seen
        from satdoku.output.ending import Tally

        self._making, self._maker, self._number = making, maker, number
        self._output, self._talk, self._progress = output, talk, progress
        self._albums = albums
        self._tally = Tally()
        self._seen = None if maker.distinct is None else Seen()
        self._written = output.answered
        self._separator = ""

    def work(self) -> None:
        """Writes what is missing; _UnfinishedError where that did not succeed."""
        if self._written > self._number:
            raise SatdokuError(
                f"{self._making.output} has {self._written:,} puzzles already, more than the "
                f"{self._number:,} that are wanted"
            )
        if self._is_complete:
            return
        if self._seen is not None:
            self._recall(self._seen)
        rows = self._rows()
        try:
            for row in rows:
                self._take(row)
                if self._is_complete or (self._seen is not None and self._seen.is_exhausted):
                    break
        except KeyboardInterrupt:
            self._talk.say(self._describe_interruption())
            self._talk.say_if_any(self._albums.loss)
            raise
        finally:
            self._progress.clear()
            rows.close()
        if not self._is_complete:
            raise _UnfinishedError

    def conclude(self) -> ExitCode:
        """Says what came of it."""
        from satdoku.output.ending import Ending

        if self._output.is_finished:
            self._talk.say(f"{self._making.output} is already complete")
        if self._seen is not None and self._seen.left_out:
            self._talk.say(f"{self._seen.left_out:,} puzzles were left out as made before")
        if self._is_complete:
            return code_of(set(self._tally.counts))
        self._talk.say(self._describe_lack())
        return code_of({*self._tally.counts, Ending.UNDECIDED})

    @property
    def _is_complete(self) -> bool:
        return self._written >= self._number

    def _rows(self) -> "Generator[Row, None, None]":
        from satdoku.batch.run import run

        return run(self._maker, self._numbers(), self._making.jobs, self._making.cluster)

    def _numbers(self) -> Iterator[Number]:
        """The numbers that are still to be made, until the time for all is up.

        Where repeated puzzles are left out, a file of k puzzles ends at number k - 1 or behind it.
        To begin anew with number k is right in any case: what the file has already is left out.
        """
        is_distinct = self._seen is not None
        wanted = count(self._written) if is_distinct else range(self._written, self._number)
        for number in wanted:
            if self._maker.deadline is not None and time.time() >= self._maker.deadline:
                return
            yield Number(number)

    def _take(self, row: "Row") -> None:
        """Writes a row, unless it is one of those that only say why there is no puzzle."""
        made: Made = row.result
        if made.is_out_of_time:
            # A file that can be resumed has no gaps: what lies behind one is made again.
            if self._output.can_resume:
                raise _UnfinishedError
            return
        if self._seen is not None and made.key is not None and not self._seen.is_new(made.key):
            return
        if is_screen(self._making.output):
            self._progress.clear()
        if row.text:
            self._output.write(row._replace(text=self._separator + row.text))
            self._separator = self._maker.form.between
        # Where repeats are left out, one that was not found has no line, and another is made.
        if self._seen is None or made.key is not None:
            self._written += 1
        self._tally.add(row)
        self._albums.add(made.sketch)
        self._talk.tell_of(row)
        self._progress.show(self._tally, self._output.answered)

    def _recall(self, seen: "Seen") -> None:
        """Reads the puzzles that were written before, so that none of them comes again."""
        if not self._output.answered or self._maker.distinct is None:
            return
        from pathlib import Path

        from satdoku.generating.distinct import key_of
        from satdoku.notation.hints import Hints
        from satdoku.notation.reading import read_puzzles
        from satdoku.output.resume import read_answers

        name = str(self._making.output)
        opening = self._maker.form.opening()
        lines = read_answers(Path(name), opening, self._output.answered)
        hints = Hints(self._maker.request.geometry)
        # `read_answers` passes over the header, by which a table is read.
        opened = chain([opening] if opening else [], lines)
        for puzzle in read_puzzles(opened, name, hints=hints):
            seen.is_new(key_of(puzzle, self._maker.distinct))

    def _describe_interruption(self) -> str:
        from satdoku.output.ending import Ending

        # What was not found has a place among what was written, unless repeats are left out.
        missing = self._tally.counts[Ending.UNDECIDED] if self._seen is None else 0
        done = f"{self._written - missing:,} of {self._number:,} puzzles are made"
        rest = self._making.describe_rest(self._output, "these")
        return f"{done}; {rest}" if rest else done

    def _describe_lack(self) -> str:
        if self._seen is not None and self._seen.is_exhausted:
            return self._seen.sentence
        return f"the time limit was reached: {self._describe_interruption()}"


def _make_making(chosen: AnyRun) -> Making:
    return Making(**vars(chosen))


making_options = gathered("making", _make_making, [any_run_options])
"""Where puzzles go and how they are made; the command gets these options as `making`."""
