"""The commands about symmetric twins.

`canonical` finds them, `augment` makes them, and `split` keeps them in the same part.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import PurePath
from typing import Any, NoReturn

import click

from satdoku.answering.fact_finder import AsItCame, Plain
from satdoku.answering.form import FactsForm
from satdoku.answering.output.ending import Ending, Tally
from satdoku.answering.output.output import Output
from satdoku.answering.plan import Plan
from satdoku.answering.task import Task
from satdoku.answering.twins import Augmenter, CanonicalFinder, KeyFinder, Repeats
from satdoku.batch.row import Row
from satdoku.batch.run import run as answer_all
from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.inputs import Inputs, puzzle_input, reading_option
from satdoku.cli.options import (
    FileName,
    OptionGroup,
    Real,
    asked_options,
    command,
    limit_options,
    option,
)
from satdoku.cli.outputs import output_stream
from satdoku.cli.running import (
    EXCLUDED,
    NEEDED,
    PuzzleRun,
    Run,
    answer,
    making_options,
    run_options,
)
from satdoku.cli.terminal import ProgressLine, Talk
from satdoku.errors import SatdokuError
from satdoku.files import as_path, is_parquet
from satdoku.making.canonical import is_in_test
from satdoku.solving.limits import Limits


class Augmentation(PuzzleRun):
    """The work of `augment`: writes several twins of each puzzle."""

    def __init__(self, run: Run, inputs: Inputs, augmenter: Augmenter) -> None:
        super().__init__(run, inputs, augmenter)
        self._augmenter = augmenter
        self.answers_a_record = augmenter.times

    def _complete(self, tasks: Iterator[Task], talk: Talk) -> Iterator[Task]:
        return self._augmenter.tasks_of(tasks)


@command(excludes=EXCLUDED, needs=NEEDED)
@puzzle_input
@reading_option(
    "solution_column",
    help="CSV column or JSON key with known solutions, which are changed in the same way.",
)
@asked_options(Augmenter)
@limit_options
@run_options
def augment(
    inputs: Inputs,
    solution_column: str | None,
    asked: dict[str, Any],
    limits: Limits,
    run: Run,
) -> int:
    """Make random symmetric twins of puzzles, as further training data.

    A twin is the same puzzle with other digits, other orders of lines and bands, and perhaps
    transposed. --how, --json and --csv tell how to get it, so that it can be undone. Puzzles with
    further rules are refused.

    \b
    satdoku augment puzzles.txt --times 10 --seed 1 -o twins.txt
    satdoku augment train.csv --solution-column solution --csv -o more.csv
    """
    columns = Augmenter.columns_with(asked)
    augmenter = Augmenter(run.form_for(Plain(), columns), limits, **asked)
    return run.do(Augmentation(run, inputs.comparing(solution_column), augmenter))


def as_it_came(inputs: Inputs, outputs: Sequence[str | None]) -> AsItCame:
    """Return the form of unchanged records for these outputs; None is stdout."""
    if not any(map(is_parquet, inputs.paths)):
        return AsItCame()
    forms = {_form_of_rows(output) for output in outputs}
    if len(forms) > 1:
        raise click.UsageError(
            "the outputs would have different forms; let both names end in .parquet, both in "
            ".jsonl, or both in .csv"
        )
    form = forms.pop()
    if form.picks_rows and len(inputs.arguments) > 1:
        raise click.UsageError(
            "rows of one Parquet file are written as Parquet; name one file, or let the output "
            "end in .csv or .jsonl"
        )
    return form


def _form_of_rows(output: str | None) -> AsItCame:
    if is_parquet(output):
        return AsItCame("numbers")
    suffixes = () if output is None else PurePath(output).suffixes[-2:]
    return AsItCame("rows" if {".json", ".jsonl", ".ndjson"}.isdisjoint(suffixes) else "objects")


class Comparison(PuzzleRun):
    """The work of `canonical --against`: finds the puzzles that have a twin in another file.

    With `is_unique`, the other puzzles are written. A key takes about 200 bytes of memory with its
    place.
    """

    resume_needs = "a command that writes a line for each puzzle"

    def __init__(
        self, run: Run, inputs: Inputs, finder: KeyFinder, other: str, is_unique: bool
    ) -> None:
        super().__init__(run, inputs, finder)
        self.further_files = [other]
        self._other, self._is_unique = other, is_unique
        self._places: dict[bytes, str] = {}

    def plan(self, talk: Talk, progress: ProgressLine) -> Plan:
        others = self.inputs._replace(arguments=(self._other,))
        tasks = others.tasks(_stop)
        for row in answer_all(
            self._answerer.in_form(Plain()), tasks, self._run.jobs, tell=talk.say
        ):
            if row.result is None:
                talk.tell_of(row)
            else:
                self._places.setdefault(row.result, row.place)
        self._plan = super().plan(talk, progress)._replace(identity=None)
        return self._plan

    def keep(self, rows: Iterable[Row], output: Output) -> Iterator[Row]:
        return map(self._compare, rows)

    def _compare(self, row: Row) -> Row:
        if row.result is None:
            return row
        twin = self._places.get(row.result)
        if not self._is_unique:
            text = f"{row.place}: twin of {twin}\n" if twin else ""
            return Row(text, Ending.REPEATED if twin else row.ending)
        self._places.setdefault(row.result, row.place)
        return Row("", Ending.REPEATED) if twin else row


def _stop(error: SatdokuError) -> NoReturn:
    """Raise the error: nothing can be compared with a file that was not read to its end."""
    raise error


@command(
    excludes=[
        *EXCLUDED,
        ("--how", "--unique --csv", "--how is for lines of forms, or for --json"),
        ("--unique", "--resume", "--unique leaves lines out, and --resume counts them"),
        (
            "--against",
            "--resume --how --json --csv",
            "--against only prints puzzles that have a twin there",
        ),
    ],
    needs=NEEDED,
)
@puzzle_input
@asked_options(CanonicalFinder)
@click.option(
    "--unique",
    "is_unique",
    is_flag=True,
    help="Print the puzzles unchanged, without twins of earlier ones.",
)
@click.option(
    "--against",
    metavar="FILE",
    type=FileName(),
    help="Print which puzzles have a twin in this file; with --unique, leave those out too.",
)
@limit_options
@run_options
def canonical(
    inputs: Inputs,
    asked: dict[str, Any],
    is_unique: bool,
    against: str | None,
    limits: Limits,
    run: Run,
) -> int:
    """Print the canonical form of puzzles, which all symmetric twins share.

    Twins are obtained by renaming digits, by permuting lines within bands and the bands themselves,
    and by transposing. The canonical form is the first of them all, with empty cells before digits;
    lists of puzzles on the web often use this form, known as minlex. With --form max it is the last
    one, maxlex.

    With --unique, each puzzle is printed unchanged, unless a twin of it came before; the number of
    puzzles left out is printed on stderr. It takes about 100 bytes of memory for each puzzle.
    --json and --csv add the canonical form and the number of automorphisms. --against finds the
    puzzles that have a twin in another file, such as test puzzles that are also in the training
    data.

    \b
    satdoku canonical puzzle.txt
    satdoku canonical --unique bank.txt -o without_twins.txt
    satdoku canonical --csv bank.csv -o named.csv
    satdoku canonical test.txt --against train.txt
    """
    form: FactsForm
    if against is not None:
        form = as_it_came(inputs, [run.output]) if is_unique else Plain()
        keys = KeyFinder(form, limits, **asked)
        return run.do(Comparison(run, inputs, keys, against, is_unique))
    # Lines do not begin with a word for an ending, so the usual ending is set here.
    plain = Plain(Ending.UNIQUE if asked["of"] == "solution" else Ending.ANSWERED)
    columns = CanonicalFinder.columns_with(asked)
    form = as_it_came(inputs, [run.output]) if is_unique else plain
    if not form.picks_rows:
        form = run.form_for(form, columns)
    finder = CanonicalFinder(form, limits, **asked)
    # Repeats are left out here and not in the workers: only this process sees all puzzles in order.
    return answer(run, inputs, finder, Repeats().leave_out if is_unique else None)


class Splitting(PuzzleRun):
    """The work of `split`: writes puzzles unchanged, some of them to a second file."""

    resume_needs = "a command that writes one file"

    def __init__(
        self, run: Run, inputs: Inputs, finder: KeyFinder, test: str, share: float
    ) -> None:
        super().__init__(run, inputs, finder)
        self._test, self._share, self._seed = test, share, finder.seed
        self.written_files = [test]
        self._counts = [0, 0]
        self._opening = ""

    def plan(self, talk: Talk, progress: ProgressLine) -> Plan:
        plan = super().plan(talk, progress)
        self._opening = plan.opening
        self._plan = plan._replace(identity=None)
        return self._plan

    def keep(self, rows: Iterable[Row], output: Output) -> Iterator[Row]:
        # The second file appears when all is written, and not at all after an interruption.
        with self._test_part() as stream:
            if not self._answerer.form.picks_rows:
                stream.write(self._opening)
            for row in rows:
                if row.result is None:
                    # Without a canonical form, it is unknown in which part the puzzle's twins are.
                    yield row._replace(text="")
                    continue
                is_test = is_in_test(row.result, self._seed, self._share)
                self._counts[is_test] += 1
                if is_test:
                    stream.write(row.text)
                yield row._replace(text="") if is_test else row

    def _test_part(self) -> AbstractContextManager[Any]:
        if self._answerer.form.picks_rows:
            from satdoku.answering.output.parquet import picked_table

            [source] = self.inputs.paths
            return picked_table(as_path(self._test), as_path(source), self._run.is_forced)
        return output_stream(self._test, self._run.is_forced, is_table=bool(self._opening))

    def conclude(self, tally: Tally, output: Output, talk: Talk, seconds: float) -> ExitCode:
        code = super().conclude(tally, output, talk, seconds)
        train, test = self._counts
        talk.say(f"{train:,} to train on, {test:,} to test in {self._test}")
        return code


@command()
@puzzle_input
@option(
    OptionGroup.OUTPUT,
    "--test-output",
    required=True,
    metavar="FILE",
    type=FileName(),
    help="File for the test part; the rest goes to --output.",
)
@click.option(
    "--test",
    "share",
    type=Real(0, 1),
    default=0.1,
    show_default=True,
    metavar="SHARE",
    help="About this share of the puzzles goes into the test part.",
)
@asked_options(KeyFinder, only=("of", "seed"))
@limit_options
@making_options
def split(
    inputs: Inputs,
    test_output: str,
    share: float,
    asked: dict[str, Any],
    limits: Limits,
    run: Run,
) -> int:
    """Split puzzles into a part to train on and a part to test, without twins between them.

    All symmetric twins of a puzzle go into the same part. The part depends only on the seed and the
    puzzle, not on the rest of the file: a bank that has grown is split as before. Puzzles are
    written as they came; those without a canonical form, such as puzzles with further rules, are
    reported and left out.

    \b
    satdoku split bank.txt -o train.txt --test-output test.txt
    satdoku split bank.csv --test 0.2 --seed 1 --of solution -o a.csv --test-output b.csv
    """
    finder = KeyFinder(as_it_came(inputs, [run.output, test_output]), limits, **asked)
    return run.do(Splitting(run, inputs, finder, test_output, share))
