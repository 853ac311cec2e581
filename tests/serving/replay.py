"""The boards of a walk, from what each part says is new."""

from collections.abc import Iterator, Sequence
from typing import Any


def replay(parts: Sequence[dict[str, Any]]) -> Iterator[list[Any]]:
    """The contents of all cells, slide after slide."""
    board: dict[int, Any] = {}
    for part in parts:
        if "board" in part:
            board |= {int(cell): content for cell, content in part["board"].items()}
            yield [board[cell] for cell in range(len(board))]
