"""The commands `count` (how many solutions) and `narrow` (how many a further clue leaves)."""

from typing import Any

from satdoku.answering.counter import Counter, Counts, Narrower
from satdoku.answering.fact_finder import Prose
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import asked_options, command, limit_options, solving_options
from satdoku.cli.running import EXCLUDED, NEEDED, Run, answer, run_options
from satdoku.solving.limits import Limits
from satdoku.solving.solvers import Settings


@command(excludes=EXCLUDED, needs=NEEDED)
@puzzle_input
@asked_options(Counter)
@solving_options
@run_options
def count(inputs: Inputs, asked: dict[str, Any], settings: Settings, run: Run) -> int:
    """Count the solutions of puzzles, one number for each puzzle.

    A plus sign marks a count that stopped early: at --limit, or at --timeout, where the exit code
    is 124. With --jobs, several processes share the count of a single board.

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


@command(excludes=EXCLUDED, needs=NEEDED)
@puzzle_input
@asked_options(Narrower)
@limit_options
@run_options
def narrow(inputs: Inputs, asked: dict[str, Any], limits: Limits, run: Run) -> int:
    """Tell how many solutions of a puzzle each further digit or clue would leave.

    A clue is a digit, the sum, difference or ratio of neighbours, or a number beside the board. The
    clues that leave the fewest solutions come first; a clue that leaves a single one makes the
    puzzle unique. If there are more than --limit solutions, the others are not considered.

    \b
    satdoku narrow 1.....2..3......
    satdoku narrow killer.json --most 50
    """
    form = run.form_for(Prose(), Narrower.columns_with(asked))
    return answer(run, inputs, Narrower(form, limits, **asked))
