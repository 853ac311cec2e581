"""Small boards are sifted together, whatever stands between them; all others are left alone."""

from collections.abc import Sequence

import pytest

from satdoku.bulk.quick import WORTH_SIFTING
from satdoku.notation.reading import PuzzleReader
from satdoku.notation.record import Hints
from satdoku.puzzle.geometry import Geometry
from satdoku.reporting.sifting import sift_tasks
from satdoku.reporting.task import Task
from tests.commands import EASY, HARD, SMALL

LARGE = " ".join(["."] * 400 * 400)


def tasks_of(lines: Sequence[str], hints: Hints | None = None) -> list[Task]:
    reader = PuzzleReader(lines, "input", "line", hints)
    return [Task(reader.parser, record, number) for number, record in enumerate(reader, 1)]


def test_few_boards_are_not_sifted() -> None:
    tasks = tasks_of([EASY] * (WORTH_SIFTING - 1))
    assert sift_tasks(tasks, takes_lines=True) == tasks
    several_kinds = tasks_of([EASY, SMALL] * (WORTH_SIFTING - 1))
    assert all(task.sifted is None for task in sift_tasks(several_kinds, takes_lines=True))


@pytest.mark.parametrize("takes_lines", [True, False])
def test_boards_of_every_kind_keep_their_places(takes_lines: bool) -> None:
    tasks = tasks_of([EASY, SMALL, "no puzzle", HARD + " its name"] * WORTH_SIFTING + [LARGE])
    prepared = sift_tasks(tasks, takes_lines)
    assert [task.record for task in prepared] == [task.record for task in tasks]
    *small, large = prepared
    for number, task in enumerate(small):
        kind = number % 4
        assert (task.sifted is None) == (kind == 2)
        assert (task.puzzle is None) == (kind == 2 or (takes_lines and kind < 2))
        if task.sifted is not None:
            assert task.sifted.digits == bytes(tasks[number].parse().grid.digits)
    assert large.sifted is None
    assert large.parse().geometry == Geometry(20, 20)


def test_other_layouts_are_read_with_care() -> None:
    tasks = tasks_of(["123456" * 6] * WORTH_SIFTING, Hints(Geometry(3, 2)))
    prepared = sift_tasks(tasks, takes_lines=True)
    assert all(task.puzzle is not None for task in prepared)
    assert {task.sifted.geometry for task in prepared if task.sifted} == {Geometry(3, 2)}
