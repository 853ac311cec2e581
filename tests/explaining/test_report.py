"""How many steps a report says there were, beside a count of its own."""

import pytest

from satdoku.explaining.explain import Scope, explain
from satdoku.explaining.report import SINGLES, report_of
from satdoku.explaining.step import Technique, Way
from satdoku.explaining.trace import digits_after, left_after
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from tests.boards import read_grid
from tests.explaining.test_teach import PUZZLE


def singles_at(way: Way, count: int) -> int:
    """The digits that are alone in an empty cell, or in a unit, after so many steps."""
    digits, left = digits_after(way, count), left_after(way, count)
    alone = set()
    for truth in way.board.truths:
        members = [c for c in truth.listed if left >> c & 1]
        if len(members) == 1 and not digits[way.board.placements[members[0]].cell]:
            alone.add(members[0])
    return len(alone)


def test_a_report_counts_the_singles_of_every_point() -> None:
    explanation = explain(Puzzle(read_grid(PUZZLE)))
    report, way = report_of(explanation, Budget()), explanation.way
    assert [point.number for point in report.points] == [step.number for step in way.steps]
    for point, step in zip(report.points, way.steps, strict=True):
        assert point.singles == singles_at(way, step.number - 1)
        assert point.steps[step.technique] >= 1
        assert point.width == sum(point.steps.values())
    order = list(Technique)
    for point in report.points:
        hardest = max(map(order.index, point.steps))
        assert hardest <= max(order.index(point.taken), order.index(SINGLES[-1]))


def test_a_bottleneck_has_one_step_and_is_not_of_the_last_singles() -> None:
    report = report_of(explain(Puzzle(read_grid(PUZZLE))), Budget())
    assert report.bottlenecks
    harder = [point.number for point in report.points if point.taken not in SINGLES]
    for number in report.bottlenecks:
        assert report.points[number - 1].width == 1
        assert number <= harder[-1]
    many = [point for point in report.points if point.singles >= 5]
    assert report.free == pytest.approx(len(many) / len(report.points))


def test_a_report_with_rules() -> None:
    empty = read_grid("." * 16)
    rules = read_rules(
        ["killer:6=r1c1-3", "killer:5=r1-2c4", "arrow:r3c1=r3c2,r4c2"], empty.geometry
    )
    explanation = explain(Puzzle(empty).with_rules(rules), Scope())
    report = report_of(explanation, Budget())
    assert {point.taken for point in report.points} & {Technique.SUM, Technique.RULE_OF_45}


def test_a_limit_ends_a_report() -> None:
    explanation = explain(Puzzle(read_grid(PUZZLE)))
    with pytest.raises(LimitReachedError):
        report_of(explanation, Budget(Limits(timeout=1e-9)))
