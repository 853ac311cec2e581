"""The commands about answers: `grade` compares boards, `judge` follows claims one by one."""

from satdoku.answering.fact_finder import Plain
from satdoku.answering.grader import Grader
from satdoku.answering.output.ending import Ending
from satdoku.cli.answers import AnswerRun, Answers, answers_input
from satdoku.cli.inputs import Inputs, paired_input
from satdoku.cli.options import command, limit_options
from satdoku.cli.running import EXCLUDED, NEEDED, Run, run_options
from satdoku.solving.limits import Limits


@command(excludes=EXCLUDED, needs=NEEDED)
@paired_input
@answers_input
@limit_options
@run_options
def grade(inputs: Inputs, answers: Answers, limits: Limits, run: Run) -> int:
    """Grade answers to puzzles: right, wrong, incomplete, malformed or missing.

    PUZZLES and ANSWERS are files, or texts themselves, and have the same order. Answers are a
    column of CSV, a key of JSON lines, or lines of text; an empty line is a missing answer. For a
    single puzzle all of a text is the answer.

    An answer is right if it keeps all givens and rules, so any solution counts where a puzzle has
    several. For a wrong one the wrong cells are named, the givens that were changed, and a rule
    that is broken. The exit code is 0 if all answers are right.

    \b
    satdoku grade puzzles.txt answers.txt
    satdoku grade bench.csv outputs.jsonl --answer-column response --csv -o graded.csv
    """
    grader = Grader(run.form_for(Plain(Ending.RIGHT), Grader.columns), limits)
    return run.do(AnswerRun(run, inputs, answers, grader))
