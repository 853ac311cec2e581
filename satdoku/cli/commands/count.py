"""`satdoku count`: count the solutions."""

from typing import Any

from satdoku.answering.counter import Counter, Counts
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import asked_options, command, solving_options
from satdoku.cli.running import EXCLUDED, NEEDED, Run, answer, run_options
from satdoku.solving.solvers import Settings


@command(excludes=EXCLUDED, needs=NEEDED)
@puzzle_input
@asked_options(Counter)
@solving_options
@run_options
def count(inputs: Inputs, asked: dict[str, Any], settings: Settings, run: Run) -> int:
    """Count the solutions of puzzles, one number for each puzzle.

    A plus sign marks a count that stopped early: at --limit, or at --timeout, where the exit code
    is 124. With --jobs, several processes share a single board.

    \b
    satdoku count 1.....2..3.....4
    satdoku count puzzles.txt --limit 100 --timeout 10
    satdoku count bank.csv --csv -o counted.csv
    """
    form = run.form_for(Counts(limit=asked["limit"] or None), Counter.columns_with(asked))
    # Without --jobs many puzzles are spread over all cores, but a single board is not.
    return answer(
        run, inputs, Counter(form, settings.limits, settings=settings, jobs=run.jobs or 1, **asked)
    )
