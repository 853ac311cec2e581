"""Arrays of numpy and frames of pandas and polars as lists of rows; none of them is imported.

Going through a frame gives the names of its columns in pandas, and its columns in polars, which
would be a transposed board. So each library is asked for rows in its own way.
"""

from typing import Any

from satdoku.errors import FormatError


def rows_of(value: Any) -> Any:
    """The rows of an array or a frame as lists; anything else as it is.

    A table of another library is refused, as nobody knows whether it would give rows or columns.
    """
    library = type(value).__module__.partition(".")[0]
    if library == "polars":
        found = value.rows() if hasattr(value, "rows") else value.to_list()
    elif library == "pandas":
        found = value.to_numpy().tolist()
    elif library == "numpy":
        found = value.tolist()
    elif hasattr(value, "columns"):
        kind = f"{library}.{type(value).__name__}"
        raise FormatError(f"a puzzle is a text or a list of rows, not {kind}", "puzzle")
    else:
        return value
    return _with_plain_cells(found)


def _with_plain_cells(value: Any) -> Any:
    """The same lists, where a float that is a whole number is an integer, and what is missing None.

    A column with missing cells is one of floats in pandas: 5 becomes 5.0, an empty cell NaN.
    """
    if isinstance(value, list | tuple):
        return [_with_plain_cells(each) for each in value]
    if isinstance(value, float):
        return None if value != value else int(value) if value.is_integer() else value
    return None if type(value).__name__ in ("NAType", "NaTType") else value
