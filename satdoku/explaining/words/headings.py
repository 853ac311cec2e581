"""The headings of steps: the name of the technique, or of the rule that the step follows from."""

import re

from satdoku.explaining.step import Deduction, Technique
from satdoku.explaining.techniques.wider import is_told_along, told_line
from satdoku.explaining.words.compared import (
    pairs_across,
    pairs_between,
    pairs_that_exclude,
    rules_of_pairs,
)
from satdoku.explaining.words.names import Names
from satdoku.puzzle.rules.rule import Rule

_OF_RULES = {
    Technique.SUM,
    Technique.BOUNDS,
    Technique.NEIGHBOURS,
    Technique.PARTNERS,
    Technique.NEEDED,
}

# The most rules of a step that is named by its rules.
_MOST_RULES = 2


def heading_of(names: Names, step: Deduction) -> str:
    """Return the heading of a step; for a step of a rule its name, such as `arrow` or `X-sum`."""
    if step.technique not in _OF_RULES:
        return step.technique.value
    rules = _rules_of(names, step)
    called = list(dict.fromkeys(map(_called, rules)))
    return " and ".join(called) if 0 < len(called) <= _MOST_RULES else step.technique.value


def _called(rule: Rule) -> str:
    # Only the class's own heading counts: a subclass is another rule, with another name.
    own: str = vars(type(rule)).get("heading", "")
    return own or re.sub("(?<!^anti)(?<!^non)-", " ", rule.name)


def _rules_of(names: Names, step: Deduction) -> list[Rule]:
    """Return the rules that a step follows from."""
    if step.truths[0].wider is not None:
        sentences = {truth.wider.sentence for truth in step.truths if truth.wider is not None}
        puzzle = names.board.puzzle
        # Most rules are found by their sentence; for others all their constraints are compared.
        said = [rule for rule in puzzle.rules if rule.sentence(puzzle.geometry) in sentences]
        return said or [
            rule
            for rule in puzzle.rules
            if any(
                getattr(each, "sentence", "") in sentences
                for each in rule.constraints(puzzle.geometry)
            )
        ]
    if step.technique is Technique.PARTNERS:
        return rules_of_pairs(names, pairs_across(names, step))
    if step.technique in (Technique.NEIGHBOURS, Technique.NEEDED):
        return rules_of_pairs(names, pairs_between(names, step))
    if is_told_along(step):
        rule = told_line(names.board, step).rule
        if rule is not None:
            return [rule]
    members = sum(truth.members for truth in step.truths) & step.before
    return rules_of_pairs(names, pairs_that_exclude(names, step.excludes, members))
