"""How large the bare rules are in each encoding, by arithmetic.

Counting by encoding would take minutes on large boards; a test compares both on small ones.
"""

from satdoku.encoding.at_most_one import Method, may_vary, template
from satdoku.encoding.encode import Encoding, FormulaSize, has_segments
from satdoku.encoding.variables import variable_count
from satdoku.puzzle.geometry import Geometry


def rules_size(geometry: Geometry, encoding: Encoding, method: Method) -> FormulaSize:
    """Variables and clauses of the rules without any givens."""
    groups = _groups(geometry, encoding)
    clauses = groups.at_least_one
    variables = variable_count(geometry)
    for count, length in groups.at_most_one:
        pattern = template(method, length)
        clauses += count * len(pattern.clauses)
        variables += count * pattern.auxiliaries
    has_segment_rules = encoding is Encoding.TRIADS and has_segments(geometry)
    if has_segment_rules:
        variables += geometry.cell_count * (geometry.box_rows + geometry.box_columns)
    elif method is not Method.TEXTBOOK and not template(method, geometry.size).auxiliaries:
        clauses -= duplicate_pairs(geometry)
    return FormulaSize(variables, clauses)


def rules_auxiliaries_may_vary(geometry: Geometry, encoding: Encoding, method: Method) -> bool:
    """Whether this is so of the rules without any givens; see `auxiliaries_may_vary`."""
    # Each digit is somewhere in every unit, but not in every segment. Only in triads groups are
    # shorter than a unit, and cells of segments have both of their lengths: those of a box's sides.
    return any(
        may_vary(method, length, may_be_none=length < geometry.size)
        for _, length in _groups(geometry, encoding).at_most_one
    )


def duplicate_pairs(geometry: Geometry) -> int:
    """The pairs of equal digits that lie in a box and in a row or column besides."""
    if not has_segments(geometry):
        return 0
    rows, columns, size = geometry.box_rows, geometry.box_columns, geometry.size
    in_box = rows * columns * (columns - 1) // 2 + columns * rows * (rows - 1) // 2
    return in_box * size * size


class _Groups:
    """How many at-least-one clauses, and how many at-most-one groups of which length."""

    def __init__(self, at_least_one: int, at_most_one: list[tuple[int, int]]) -> None:
        self.at_least_one = at_least_one
        self.at_most_one = at_most_one


def _groups(geometry: Geometry, encoding: Encoding) -> _Groups:
    size, cells = geometry.size, geometry.cell_count
    # Rows, columns and boxes. A box of one row or column is that line; on 1x1 the cell says it all.
    kinds = 0 if size == 1 else 3 if has_segments(geometry) else 2
    units = kinds * size * size
    if encoding is Encoding.MINIMAL:
        return _Groups(cells, [(units, size)])
    if encoding is Encoding.EFFICIENT:
        return _Groups(cells, [(cells + units, size)])
    if encoding is Encoding.TRIADS and has_segments(geometry):
        return _segment_groups(geometry)
    return _Groups(cells + units, [(cells + units, size)])


def _segment_groups(geometry: Geometry) -> _Groups:
    """Segments of rows have `box_columns` cells, and a row has `box_rows` of them."""
    size, cells = geometry.size, geometry.cell_count
    rows, columns = geometry.box_rows, geometry.box_columns
    row_segments, column_segments = size * rows, size * columns
    # A clause says that a segment with a digit has a cell with it, one for each cell the reverse.
    definitions = size * (row_segments * (1 + columns) + column_segments * (1 + rows))
    at_most_one = [
        (cells, size),
        (size * row_segments, columns),
        (size * column_segments, rows),
        # Rows and boxes are made of row segments, columns and boxes of column segments.
        (2 * size * size, rows),
        (2 * size * size, columns),
    ]
    return _Groups(cells + definitions + 4 * size * size, at_most_one)
