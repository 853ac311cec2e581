"""The commands about answers: `grade` compares boards, `judge` follows claims one by one."""

from typing import Any

from satdoku.answering.claim_judge import JudgeOfClaims
from satdoku.answering.fact_finder import Plain, Prose
from satdoku.answering.grader import Grader
from satdoku.answering.output.ending import Ending
from satdoku.cli.answers import AnswerRun, Answers, answers_input
from satdoku.cli.inputs import Inputs, paired_input
from satdoku.cli.options import asked_options, command, limit_options
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


@command(excludes=EXCLUDED, needs=NEEDED)
@paired_input
@answers_input
@asked_options(JudgeOfClaims)
@limit_options
@run_options
def judge(inputs: Inputs, answers: Answers, asked: dict[str, Any], limits: Limits, run: Run) -> int:
    """Judge claims about puzzles, one by one: does each follow from the board at that point?

    PUZZLES and ANSWERS are as for `grade`. A claim is written like r3c6: 5, r3c6 is not 4 or
    "place 5 in row 3, column 6", with any words around it; clauses that begin with "if" are passed
    over. A text without claims is read as a grid. A true claim is entered on the board, and the
    next one may rest on it.

    \b
    wrong    no solution agrees, or the board has another digit there
    filled   the board says it already
    follows  a single says it, or one pattern excludes the digit
    unseen   true, but other steps come first: how many, and how large
    guess    true, and no step of the --level leads there
    open     some solutions agree, and others do not

    \b
    satdoku judge puzzle.txt answer.txt
    satdoku judge puzzles.jsonl answers.jsonl --answer-column response --json
    """
    columns = JudgeOfClaims.columns_with(asked)
    finder = JudgeOfClaims(run.form_for(Prose(), columns), limits, **asked)
    return run.do(AnswerRun(run, inputs, answers, finder))
