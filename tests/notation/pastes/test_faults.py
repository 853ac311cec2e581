"""A text that holds no board is refused by what is likely wrong with it."""

import pytest

from satdoku.errors import FormatError
from satdoku.notation.reading import read_puzzles
from tests.each import for_each
from tests.notation.samples import LINE, ROWS

LABELLED = [f"Row {n}: {row}" for n, row in enumerate(ROWS, 1)]


@for_each(
    "lines, message",
    [
        ([" ".join(row.replace(".", "")) for row in ROWS], "nothing that shows which cells are em"),
        ([row.replace(".", "O").replace("1", "l") for row in ROWS], "'l' for 1, 'O' for 0; mend"),
        ([*LABELLED[:3], LABELLED[3][:-1], *LABELLED[4:]], "8 cells found in row 4, expected 9"),
        (LABELLED[:8], "8 rows found, expected 9 for 9x9"),
        ([f"here it is: {LINE[:-1]}"], "80 cells found, expected 81 for 9x9"),
        ([LINE[:60], LINE[60:] + "5"], "82 cells found, expected 81 for 9x9"),
    ],
)
@for_each("format_name", [None, "paste"])
def test_the_likely_board_is_spoken_of(
    lines: list[str], message: str, format_name: str | None
) -> None:
    with pytest.raises(FormatError, match=message):
        list(read_puzzles(lines, "f", format_name))
