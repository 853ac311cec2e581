"""`satdoku minimize`: find the givens that puzzles need."""

from typing import Any

from satdoku.answering.fact_finder import Plain, Prose
from satdoku.answering.output.ending import Ending
from satdoku.answering.reducer import Reducer
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import asked_options, command, limit_options
from satdoku.cli.running import EXCLUDED, NEEDED, Run, answer, run_options
from satdoku.solving.limits import Limits


@command(
    excludes=[
        *EXCLUDED,
        *Reducer.excludes,
        ("--all", "--csv", "a row has no room for many puzzles; --json has"),
    ],
    needs=[*NEEDED, *Reducer.needs],
)
@puzzle_input
@asked_options(Reducer)
@limit_options
@run_options
def minimize(
    inputs: Inputs,
    asked: dict[str, Any],
    limits: Limits,
    run: Run,
) -> int:
    """Delete givens that puzzles with exactly one solution do not need.

    Without options, print one minimal puzzle for each, in which no further given can be deleted.
    With --symmetry, no further symmetric group of givens can be deleted; with --clues, no cage,
    line or other clue either. --fewest proves that no choice of fewer givens is enough; if a limit
    is reached, it prints bounds for the number. In --json each given of a minimal puzzle has its
    witness: the second solution that appears without this given.

    \b
    satdoku minimize puzzle.txt --seed 7 --keep r5c5
    satdoku minimize puzzle.txt --fewest --timeout 60
    satdoku minimize killer.json --clues
    satdoku minimize --redundant --csv bank.csv
    """
    plain = Prose() if asked["finds_all"] else Plain(Ending.UNIQUE)
    columns = () if asked["finds_all"] else Reducer.columns_with(asked)
    return answer(run, inputs, Reducer(run.form_for(plain, columns), limits, **asked))
