"""An outcome as columns of a table."""

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
