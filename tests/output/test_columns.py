import csv
import io

import pytest

from satdoku.notation.tables.fields import quote_field
from satdoku.output.columns import COLUMNS, to_columns
from satdoku.output.objects import to_object
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.questions import check
from tests.boards import read_grid
from tests.commands import AMBIGUOUS, CLASHING, SMALL


@pytest.mark.parametrize("text", [SMALL, AMBIGUOUS, CLASHING])
def test_columns_are_a_row_of_a_table(text: str) -> None:
    outcome = check(Puzzle(read_grid(text)))
    shown = to_object(outcome)
    columns = to_columns(shown, COLUMNS)
    assert len(columns) == len(COLUMNS)
    line = ",".join(map(quote_field, columns))
    assert next(csv.reader(io.StringIO(line))) == columns
    assert columns == [shown[name] or "" for name in COLUMNS]
