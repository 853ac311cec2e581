"""An outcome as columns of a table, and the lines of tables that are all ours."""

from collections.abc import Iterable, Mapping
from typing import Any

COLUMNS = ("verdict", "solution", "second", "reason")
"""What a table says of an outcome, by the names that it has in `objects.to_object`."""

MISMATCH = "mismatch"
"""The column, and the key in JSON, in which stands how a known solution is contradicted."""


def to_column(value: Any) -> str:
    """A value of an object as the text of a column; what there is not is empty.

    >>> to_column(None), to_column(False), to_column(["r1c1", "r1c2"])
    ('', 'false', 'r1c1 r1c2')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def to_columns(values: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """The values with these names."""
    return [to_column(values.get(name)) for name in names]


def csv_line(cells: Iterable[object]) -> str:
    """A row of a table that answers no table of the user's; what there is not is empty.

    Spaces stay as they are, unlike in the fields behind a table that was read: a seed with two of
    them is another seed than with one.

    >>> csv_line(["a,  b", None, 1, True])
    '"a,  b",,1,true\\n'
    """
    # Imported here: few commands write tables of their own.
    import csv
    import io

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(map(to_column, cells))
    return text.getvalue()
