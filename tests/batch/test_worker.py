"""What is packed comes out as it was, and takes less room."""

import pickle
from typing import Any, NamedTuple

from satdoku.answering.output.ending import Ending
from satdoku.answering.task import Task
from satdoku.batch.pool import pack, unpack
from satdoku.batch.row import Row
from satdoku.notation.reading import PuzzleReader
from tests.each import for_each


class Pair(NamedTuple):
    left: Any
    right: Any = None


class Nothing(NamedTuple):
    pass


@for_each(
    "items",
    [
        [],
        [1, "a", None],
        [Pair(1, 2)],
        [Pair(n, Pair(str(n), [n])) for n in range(5)],
        [Pair(1), (1, None), Pair(2)],
        [Pair(1, Pair(2)), Pair(3, 4)],
        [(1, 2), (3,)],
        [Row("1\n", Ending.UNIQUE), Row("", Ending.NONE, "message", "reject\n", {"a": 1})],
    ],
)
def test_items_come_out_as_they_went_in(items: list[Any]) -> None:
    there = pickle.loads(pickle.dumps(pack(items)))
    assert list(unpack(there)) == items
    assert list(map(type, unpack(there))) == list(map(type, items))


def test_tasks_take_hardly_more_room_than_their_text() -> None:
    reader = PuzzleReader(["1.3.3.12.1.323.1"] * 1000)
    tasks = [Task(reader.parser, record, number) for number, record in enumerate(reader, 1)]
    assert unpack(pack(tasks)) == tasks
    packed, plain = (len(pickle.dumps(items)) for items in (pack(tasks), tasks))
    assert packed < 0.8 * plain
