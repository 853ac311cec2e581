"""Running an answerer over all input: output, talk, progress, and the exit code."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeVar, cast

import click

from satdoku.answering.form import FactsForm, Form
from satdoku.answering.plan import (
    FormAnswerer,
    Plan,
    Request,
    make_plan,
    records_to_see,
    refuse_other_tables,
    settle_form,
)
from satdoku.cli.any_run import AnyRun, any_run_options
from satdoku.cli.declaring import FileName, Group, option
from satdoku.cli.drawing import Albums
from satdoku.cli.exit_codes import ExitCode, code_of
from satdoku.cli.inputs import Inputs
from satdoku.cli.options import gathered
from satdoku.cli.terminal import Progress, Talk, is_screen
from satdoku.errors import count_of
from satdoku.files import is_parquet
from satdoku.output.objects import COLUMNS

if TYPE_CHECKING:
    from enum import Enum

    from satdoku.answering.task import Task
    from satdoku.batch.row import Row
    from satdoku.output.ending import Tally
    from satdoku.output.output import Output


NO_ALBUMS = Albums()


FormT = TypeVar("FormT", bound=Form)


class Run(AnyRun):
    """A run over all input, with what was chosen about any run."""

    def __init__(
        self,
        chosen: AnyRun,
        is_json: bool = False,
        is_csv: bool = False,
        rejects: str | None = None,
    ) -> None:
        super().__init__(**vars(chosen))
        self.is_json = is_json
        self.is_csv = is_csv
        self.rejects = rejects

    def form_named(
        self, has_statistics: bool | None = None, columns: Iterable[str] = COLUMNS
    ) -> FactsForm | None:
        """The form that was asked for by name, if any was; a table has these columns of ours."""
        if not (self.is_json or self.is_csv):
            return None
        # Imported here: a person who reads lines need not wait for them.
        from satdoku.answering.fact_forms import Csv, Json

        return Json(has_statistics) if self.is_json else Csv(tuple(columns))

    def form_for(self, plain: FactsForm, columns: Iterable[str] = ()) -> FactsForm:
        """The form of a question's answers: `plain` unless another was asked for by name.

        `columns` are the values that a table has, between the verdict and the reason.
        """
        # Statistics are those of `solve` and `check`, which do not come here.
        return self.form_named(False, ("verdict", *columns, "reason")) or plain

    def answer(
        self,
        inputs: Inputs,
        answerer: FormAnswerer,
        sift: "Callable[[Row], Row]" = lambda row: row,
        albums: Albums = NO_ALBUMS,
    ) -> ExitCode:
        """Answers every puzzle and returns the code for all of them.

        Each row passes `sift` before it is written, in this process and in the order of the input.
        Albums take the results of the rows.
        """
        from satdoku.batch.run import run
        from satdoku.output.ending import Tally

        self._require_files(albums, inputs, [] if self.rejects is None else [self.rejects])
        progress = self._progress(inputs.are_typed)
        talk = inputs.talk(self.is_quiet, progress)
        meter = progress.meter(inputs.paths)
        source = inputs.tasks(talk.refuse, meter, answerer.takes_blocks)
        is_table = answerer.form.is_one_table
        tasks = refuse_other_tables(source, talk.refuse) if is_table else source
        request = self._request(inputs)
        first = list(islice(tasks, records_to_see(answerer.form, request)))
        plan = make_plan(answerer.watched(progress.show_work, talk.say), first, request)
        tally = Tally()
        with self._open(plan, inputs, first) as output:
            earlier, rest = self._earlier(plan, chain(first, tasks), output)
            rows = run(plan.answerer, rest, self.jobs, self.cluster, source.is_at_hand)
            try:
                self._write(map(sift, rows), output, tally, talk, progress, albums)
            finally:
                # Whatever is said next, be it an error, stands on a line of its own; and no worker
                # is at work any more when the output is closed.
                progress.clear()
                rows.close()
        talk.say_repeated()
        talk.say_if_any(albums.write())
        if output.is_finished:
            talk.say(f"{self.output} is already complete")
        elif tally.total + output.answered > 1:
            talk.say(tally.summarize(progress.seconds, output.answered))
        if tally.rejected and self.rejects:
            talk.say(f"{self.rejects} has {count_of(tally.rejected, 'reject')}, with the reasons")
        return ExitCode.FAILED if talk.has_refused else code_of(earlier | set(tally.counts))

    def settle(
        self, form: FormT, tasks: "Iterator[Task]", inputs: Inputs
    ) -> "tuple[FormT, Iterator[Task]]":
        """The form for as many tasks as there are, and the tasks."""
        request = self._request(inputs)
        first = list(islice(tasks, records_to_see(form, request)))
        # `settle_form` gives a form of the same class, but its type promises only a form.
        settled = cast("FormT", settle_form(form, len(first), request))
        return settled, chain(first, tasks)

    def require_plain(self, drawing: str | None = None) -> None:
        """Refuses what only a run with one answer a puzzle can do."""
        only_there = {
            "--rejects": self.rejects,
            "--resume": self.is_resumed,
            "--jobs": self.jobs,
            "--dask": self.cluster,
            "--draw": drawing,
        }
        for name, value in only_there.items():
            if value:
                raise click.UsageError(f"{name} is for one answer a puzzle, not for -n or --all")

    def require_talk(self, is_verbose: bool) -> None:
        """Refuses to be quiet and verbose at once."""
        if is_verbose and self.is_quiet:
            raise click.UsageError("-v and -q exclude each other")

    def _open(self, plan: Plan, inputs: Inputs, first: "Sequence[Task]") -> "Output":
        from pathlib import Path

        rejects = None if self.rejects is None else Path(self.rejects)
        paths = [Path(name) for name in inputs.paths]
        if not is_parquet(self.output):
            identity = None
            if plan.identity is not None:
                from satdoku.output.resume import Identity

                identity = Identity(plan.identity, paths)
            resume_needs = (
                "--resume needs files as input, and an output with a line for each puzzle: "
                "--json, --csv or --to line"
            )
            return self._open_text(plan.opening, identity, resume_needs, rejects)
        from satdoku.notation.tables.fields import split_fields

        # Of a table that is read, the output has all columns too; of other input, none.
        header, delimiter = (first[0].parser.format.columns if first else None) or ("", "")
        known = len(split_fields(header, delimiter)) if header else 0
        # A table of the output takes the types of its columns from input in Parquet.
        tables = [path for path in paths if first and is_parquet(str(path))]
        return self._open_table(plan.opening, known, tables, rejects)

    def _request(self, inputs: Inputs) -> Request:
        file_count = len(inputs.paths) if inputs.are_regular_files else 0
        return Request(self.output is not None, file_count, inputs.options(), inputs.are_typed)

    def _earlier(
        self, plan: Plan, tasks: "Iterator[Task]", output: "Output"
    ) -> "tuple[set[Enum], Iterator[Task]]":
        """How the tasks ended that were answered before, and the tasks that are left."""
        if not output.answered:
            return set(), tasks
        from pathlib import Path

        from satdoku.answering.plan import LineByLine, earlier_endings
        from satdoku.output.resume import read_answers

        name = str(self.output)
        lines = read_answers(Path(name), plan.opening, output.answered)
        each = LineByLine(tasks)
        return set(earlier_endings(plan.answerer, each, lines, name)), each.rest

    def _write(
        self,
        rows: "Iterable[Row]",
        output: "Output",
        tally: "Tally",
        talk: Talk,
        progress: Progress,
        albums: Albums,
    ) -> None:
        shares_terminal = is_screen(self.output)
        try:
            for row in rows:
                if shares_terminal:
                    progress.clear()
                output.write(row)
                tally.add(row)
                albums.add(row.result)
                for each in row.others or (row,):
                    if not (each.reject and self.rejects):  # which says the same, with the reason
                        talk.tell_of(each)
                progress.show(tally, output.answered)
        except KeyboardInterrupt:
            done = f"{tally.total + output.answered:,} puzzles are answered"
            rest = self.describe_rest(output, "these answers")
            talk.say_if_any(rest and f"{done}; {rest}")
            talk.say_if_any(albums.loss)
            raise


def _make_run(
    chosen: AnyRun, is_json: bool, is_csv: bool = False, rejects: str | None = None
) -> Run:
    if rejects == "-":
        raise click.UsageError("--rejects - would be stdout, where answers go; name a file")
    if is_json and is_csv:
        raise click.UsageError("--json and --csv exclude each other")
    if is_json and is_parquet(chosen.output):
        raise click.UsageError(
            f"{chosen.output} gets a table, the one of --csv; --json is no table"
        )
    is_table = is_csv or is_parquet(chosen.output)
    return Run(chosen, is_json, is_table, rejects)


def _make_prose_run(chosen: AnyRun, is_json: bool) -> Run:
    if is_parquet(chosen.output):
        raise click.UsageError(
            f"{chosen.output} would be a table, and these answers are prose; --json is for programs"
        )
    return _make_run(chosen, is_json)


_json_option = option(
    Group.ANSWER, "--json", "is_json", is_flag=True, help="One JSON object a puzzle."
)

run_options = gathered(
    "run",
    _make_run,
    [
        _json_option,
        option(
            Group.ANSWER,
            "--csv",
            "is_csv",
            is_flag=True,
            help="A table; the columns of a CSV stay.",
        ),
        option(
            Group.MANY,
            "--rejects",
            metavar="FILE",
            type=FileName(),
            help="Collect what got no answer, such as unreadable records, with the reason.",
        ),
        any_run_options,
    ],
)
"""The options of everything that gives one answer a puzzle; the command gets them as `run`."""

prose_options = gathered("run", _make_prose_run, [_json_option, any_run_options])
"""The same for answers of several lines each: they make no table, and none of them is a reject."""
