"""`satdoku minimize`: which givens puzzles need."""

from typing import NamedTuple

import click

from satdoku.answering.fact_finder import FactFinder, Plain, Prose
from satdoku.answering.givens_finders import (
    FEWEST_COLUMNS,
    MINIMAL_COLUMNS,
    REDUNDANT_COLUMNS,
    AllMinimalFinder,
    FewestFinder,
    MinimalFinder,
    RedundantFinder,
)
from satdoku.answering.output.ending import Ending
from satdoku.cli.declaring import Whole, command
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import gathered, limit_options, read_text
from satdoku.cli.puzzle_run import answer
from satdoku.cli.running import EXCLUDED, NEEDED, Run, run_options
from satdoku.puzzle.symmetry import Symmetry
from satdoku.solving.limits import Limits

# A puzzle with 36 givens has thousands of minimal ones, a full grid more than can be found.
_USUAL_LIMIT = 10_000


class Question(NamedTuple):
    """What the options ask."""

    seed: str | None
    keep: str | None
    symmetry: str | None
    clues: bool
    redundant: bool
    is_all: bool
    fewest: bool
    limit: int | None

    def answerer(self, run: Run, limits: Limits) -> FactFinder:
        """Who answers it."""
        if self.is_all:
            most = _USUAL_LIMIT if self.limit is None else self.limit
            return AllMinimalFinder(run.form_for(Prose()), limits, most or None)
        plain = Plain(Ending.UNIQUE)
        if self.redundant:
            return RedundantFinder(run.form_for(plain, REDUNDANT_COLUMNS), limits)
        # Witnesses have a place in JSON only, and each takes a question more.
        if self.fewest:
            form = run.form_for(plain, FEWEST_COLUMNS)
            return FewestFinder(form, limits, has_witnesses=run.is_json)
        return MinimalFinder(
            run.form_for(plain, MINIMAL_COLUMNS),
            limits,
            seed=self.seed or "0",
            keep=self.keep or "",
            symmetry=Symmetry(self.symmetry or Symmetry.NONE.value),
            with_clues=self.clues,
            has_witnesses=run.is_json,
        )


question_options = gathered(
    "question",
    Question,
    [
        click.option(
            "--seed",
            callback=read_text,
            metavar="TEXT",
            help="Other seeds lead to other minimal puzzles.",
        ),
        click.option(
            "--keep", callback=read_text, metavar="CELLS", help="Givens that go last: r1c1,r5c4-6."
        ),
        click.option(
            "--symmetry",
            type=click.Choice([symmetry.value for symmetry in Symmetry]),
            help="Givens that it maps to each other stay or go together.",
        ),
        click.option(
            "--clues", is_flag=True, help="Cages, lines and other clues may go too, behind givens."
        ),
        click.option("--redundant", is_flag=True, help="Only name givens redundant by themselves."),
        click.option("--all", "is_all", is_flag=True, help="All minimal puzzles in each one."),
        click.option(
            "--limit",
            type=Whole(min=0),
            metavar="K",
            help=f"With --all: stop at K, by default at {_USUAL_LIMIT:,}; 0 goes on to the end.",
        ),
        click.option("--fewest", is_flag=True, help="The fewest givens, with the proof."),
    ],
)


@command(
    excludes=[
        *EXCLUDED,
        ("--redundant", "--all --fewest", ""),
        ("--all", "--fewest", ""),
        (
            "--redundant --all --fewest",
            "--seed --keep --symmetry --clues",
            "--seed, --keep, --symmetry and --clues are about one minimal puzzle",
        ),
        ("--all", "--csv", "a row has no room for many puzzles; --json has"),
    ],
    needs=[
        *NEEDED,
        ("--limit", "--all", "it says how many puzzles to find"),
    ],
)
@puzzle_input
@question_options
@limit_options
@run_options
def minimize(
    inputs: Inputs,
    question: Question,
    limits: Limits,
    run: Run,
) -> int:
    """Delete givens that puzzles with exactly one solution do not need.

    Without options: one minimal puzzle for each, in which no further given can be deleted. With
    --symmetry, no further group of givens can be deleted together; with --clues, no cage, line or
    other clue either. --fewest proves that no choice of fewer givens is enough; at a limit it says
    between which bounds the number lies. In --json each given of a minimal puzzle has its witness:
    the solution that would come in without it.

    \b
    satdoku minimize puzzle.txt --seed 7 --keep r5c5
    satdoku minimize puzzle.txt --fewest --timeout 60
    satdoku minimize killer.json --clues
    satdoku minimize --redundant --csv bank.csv
    """
    return answer(run, inputs, question.answerer(run, limits))
