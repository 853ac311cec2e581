"""Encode a puzzle as a stream of clauses, in a chosen encoding."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypeVar

from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.constraint import (
    AtLeastOne,
    AtMostOne,
    ClauseGroup,
    Clauses,
    Constraint,
    NeverBoth,
    Reason,
    Why,
    clauses_of,
    may_vary,
)
from satdoku.encoding.meanings import Notes
from satdoku.encoding.variables import (
    TRUE,
    Auxiliaries,
    Clause,
    OpenBoard,
    OpenGroup,
    variable,
    variable_count,
)
from satdoku.encoding.wider.write import Kit, kit_for, write_all
from satdoku.errors import SatdokuError
from satdoku.puzzle.constraints import Constraints, Either, HiddenRegions, Machine, Pair, Wider
from satdoku.puzzle.grid import Geometry, Unit
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle

# Rules as constraints over variables
#
# The code below knows no rule by name: rules state units, pairs of cells and allowed digits
# (`puzzle/constraints.py`), and each of these three types becomes constraints in one place.
# Constraints on more cells are encoded in `wider/`.
#
# The reduced encoding states constraints only on candidates that the givens leave open, and settles
# all other variables by unit clauses. Variables keep their numbers and all of them occur, so a
# model is decoded like any other and no variable is left free. Two clashing givens keep the clause
# between them: without it a full grid with a mistake would be satisfiable.

OfCell = TypeVar("OfCell")


def givens_hold(puzzle: Puzzle) -> Iterator[Constraint]:
    """Yield a unit clause for every given."""
    for cell, digit in puzzle.givens.items():
        reason = Reason(Why.GIVEN, puzzle.geometry, digit, cell)
        yield AtLeastOne(reason, (variable(puzzle.geometry, cell, digit),))


def cells_have_digits(geometry: Geometry) -> Iterator[Constraint]:
    """Yield the clauses that state that every cell has a digit."""
    return of_each_cell(geometry, Why.CELL_HAS_DIGIT, AtLeastOne)


def cells_have_one_digit(geometry: Geometry) -> Iterator[Constraint]:
    """Yield the constraints that state that no cell has two digits."""
    return of_each_cell(geometry, Why.CELL_ONCE, AtMostOne)


def of_each_cell(
    geometry: Geometry, why: Why, kind: Callable[[Reason, tuple[int, ...]], OfCell]
) -> Iterator[OfCell]:
    """Yield one constraint of this kind on the digits of each cell."""
    for cell in range(geometry.cell_count):
        yield kind(Reason(why, geometry, cell=cell), digits_in(geometry, cell))


def units_have_digits(constraints: Constraints) -> Iterator[Constraint]:
    """Yield, for every unit with as many cells as digits, that each digit has a place in it."""
    geometry = constraints.geometry
    for unit in filter(constraints.has_every_digit, constraints.units):
        for digit in range(1, geometry.size + 1):
            reason = Reason(Why.UNIT_HAS_DIGIT, geometry, digit, unit=unit)
            yield AtLeastOne(reason, places_of(geometry, digit, unit))


def units_have_digits_once(constraints: Constraints) -> Iterator[Constraint]:
    """Yield the constraints that state that no digit repeats in a unit."""
    geometry = constraints.geometry
    for index, unit in enumerate(constraints.units):
        is_said = share_earlier_unit(constraints, index)
        for digit in range(1, geometry.size + 1):
            reason = Reason(Why.UNIT_ONCE, geometry, digit, unit=unit)
            yield AtMostOne(reason, places_of(geometry, digit, unit), is_said)


def pairs_are_kept(constraints: Constraints) -> Iterator[Constraint]:
    """Yield, for each pair of cells under a rule, which of their digits exclude each other."""
    geometry = constraints.geometry
    for pair in constraints.pairs:
        yield NeverBoth(
            _reason_of_pair(geometry, pair),
            tuple(
                (variable(geometry, pair.first, digit), variable(geometry, pair.second, other))
                for digit, other in pair.digit_pairs()
            ),
        )


def _reason_of_pair(geometry: Geometry, pair: Pair) -> Reason:
    names = geometry.name_of(pair.first), geometry.name_of(pair.second)
    return Reason(Why.PAIR, geometry, text=pair.sentence.format(*names))


def cells_are_allowed(constraints: Constraints) -> Iterator[Constraint]:
    """Yield a unit clause against each digit that a rule forbids in a cell."""
    geometry = constraints.geometry
    # Two rules may forbid the same digit in a cell.
    said: set[int] = set()
    for allowed in constraints.allowed:
        sentence = allowed.sentence.format(geometry.name_of(allowed.cell))
        reason = Reason(Why.ALLOWED, geometry, text=sentence)
        for digit in range(1, geometry.size + 1):
            number = variable(geometry, allowed.cell, digit)
            if not allowed.digits >> digit & 1 and number not in said:
                said.add(number)
                yield AtLeastOne(reason, (-number,))


def digits_in(geometry: Geometry, cell: int) -> tuple[int, ...]:
    """Return the variables of a cell, one for each digit."""
    return tuple(variable(geometry, cell, digit) for digit in range(1, geometry.size + 1))


def places_of(geometry: Geometry, digit: int, unit: Unit) -> tuple[int, ...]:
    """Return the variables of a digit in a unit, one for each cell."""
    return tuple(variable(geometry, cell, digit) for cell in unit.cells)


def share_earlier_unit(constraints: Constraints, index: int) -> Callable[[int, int], bool] | None:
    """Return a test whether an earlier unit contains both cells of two variables, or None.

    The earlier unit excludes such a pair already: boxes share pairs of cells with rows and columns,
    and textbook encodings state 1,458 clauses twice on 9x9. None if there are no such pairs.
    """
    size, units_of = constraints.geometry.size, constraints.units_of
    earlier = [
        {unit for unit in units_of[cell] if unit < index} for cell in constraints.units[index].cells
    ]
    # No earlier unit shares two cells with this unit.
    if sum(map(len, earlier)) == len(set().union(*earlier)):
        return None

    def is_said(first: int, second: int) -> bool:
        # The two cells share at least this unit; the test is whether an earlier one is among them.
        shared = set(units_of[(first - 1) // size]).intersection(units_of[(second - 1) // size])
        return min(shared) < index

    return is_said


def open_rules(puzzle: Puzzle, auxiliaries: Auxiliaries) -> Iterator[Constraint]:
    """Yield the constraints on open candidates, the givens, and the exclusions that follow from
    them.
    """
    yield from givens_hold(puzzle)
    yield from _clashes(puzzle)
    board = OpenBoard(puzzle)
    yield from _settled(puzzle, board.candidates)
    constraints = puzzle.constraints
    is_said = {
        unit: share_earlier_unit(constraints, index) for index, unit in enumerate(constraints.units)
    }
    # The groups of candidates stated so far, and whether "at least one" was stated for each.
    said: dict[frozenset[int], bool] = {}
    for group in board.groups():
        literals = tuple(map(board.variable, group.members))
        # Two groups may have the same candidates, such as a row and a box with the same open cells;
        # they are stated once.
        clause = literals or _all_places(puzzle, group)
        members = frozenset(clause)
        if said.get(members, False) or (members in said and not group.has_one):
            continue
        # If the candidates were stated without "at least one", only that clause is missing.
        is_new = members not in said
        said[members] = group.has_one
        has, once = _reasons(puzzle, group)
        if group.has_one:
            yield AtLeastOne(has, clause)
        if is_new:
            yield AtMostOne(once, literals, is_said[group.unit] if group.unit else None)
    geometry = puzzle.geometry
    for pair, numbers in board.pairs():
        yield NeverBoth(
            _reason_of_pair(geometry, pair),
            tuple((board.variable(one), board.variable(other)) for one, other in numbers),
        )
    if constraints.wider:
        yield from wider_rules(puzzle, auxiliaries, board.candidates)


def _reasons(puzzle: Puzzle, group: OpenGroup) -> tuple[Reason, Reason]:
    if group.unit is None:
        return (
            Reason(Why.CELL_HAS_DIGIT, puzzle.geometry, cell=group.cell),
            Reason(Why.CELL_ONCE, puzzle.geometry, cell=group.cell),
        )
    return (
        Reason(Why.UNIT_HAS_DIGIT, puzzle.geometry, group.digit, unit=group.unit),
        Reason(Why.UNIT_ONCE, puzzle.geometry, group.digit, unit=group.unit),
    )


def _all_places(puzzle: Puzzle, group: OpenGroup) -> tuple[int, ...]:
    """Return the clause over all candidates of a group if none is open: many readers refuse an
    empty clause.
    """
    if group.unit is None:
        return digits_in(puzzle.geometry, group.cell)
    return places_of(puzzle.geometry, group.digit, group.unit)


def _clashes(puzzle: Puzzle) -> Iterator[Constraint]:
    """Yield a clause for each clash of givens; the givens violate it."""
    geometry = puzzle.geometry
    for clash in find_clashes(puzzle):
        # `_settled` yields the clauses against a single wrong given.
        if len(clash.cells) > 1:
            reason = Reason(Why.CLASH, geometry, text=str(clash))
            placed = zip(clash.cells, clash.digits, strict=True)
            yield AtLeastOne(reason, tuple(-variable(geometry, *each) for each in placed))


def _settled(puzzle: Puzzle, candidates: Mapping[int, int]) -> Iterator[Constraint]:
    """Yield a unit clause against every candidate that the givens, or one rule alone, exclude."""
    geometry = puzzle.geometry
    forbidden = _forbidden_givens(puzzle)
    for cell, given in enumerate(puzzle.grid.digits):
        # A given that a rule forbids keeps no candidate: all its cell's candidates are excluded, in
        # contradiction to the unit clause of the given.
        still = 1 << given if given and cell not in forbidden else candidates.get(cell, 0)
        reason = Reason(Why.SETTLED, geometry, cell=cell)
        for digit in range(1, geometry.size + 1):
            if not still >> digit & 1:
                yield AtLeastOne(reason, (-variable(geometry, cell, digit),))


def _forbidden_givens(puzzle: Puzzle) -> set[int]:
    """Return the given cells whose digit a rule forbids there, such as 4 in an odd cell."""
    digits = puzzle.grid.digits
    return {
        allowed.cell
        for allowed in puzzle.constraints.allowed
        if digits[allowed.cell] and not allowed.digits >> digits[allowed.cell] & 1
    }


# Statements: the parts that encodings are composed of
#
# A statement covers some of the rules and knows its own length. `encode.py` lists the statements of
# each encoding. Both the clauses and the size in the header come from this list, so they cannot
# disagree.
#
# The triads encoding uses segments, in which boxes meet rows and columns, three cells each on 9x9:
#
#     r1: [1 2 3] 4 5 6  7 8 9       three row segments of three cells each
#         [     ]
#          box 1
#
# A segment variable is true if a digit is somewhere in the segment. Rows, columns and boxes are
# then stated over segments only, so that unit propagation finds box-line interactions that the
# plain rules hide: on 9x9 it settles 76 % of the puzzles with 17 givens instead of 45 %. The idea
# is from T. Dillon's essay on tdoku.


class RuleSizes(NamedTuple):
    """The figures of a puzzle's rules from which statements compute their number of clauses.

    `units` maps a number of cells to the number of units with so many cells; `full_units` is the
    number of units that hold every digit. `told_twice` is the number of pairs of digits that are
    stated twice because a box shares both cells with a row or column.
    """

    geometry: Geometry
    units: Mapping[int, int]
    full_units: int
    told_twice: int

    @classmethod
    def of_classic(cls, geometry: Geometry) -> "RuleSizes":
        """Return the figures of classic rules by arithmetic; to list the units of 1000 rows takes
        seconds.

        >>> RuleSizes.of_classic(Geometry(3, 3))[1:]
        ({9: 27}, 27, 1458)
        """
        size = geometry.size
        # Units are rows, columns and boxes. A box of one row or column equals a line; on 1x1 there
        # are no units.
        kinds = 0 if size == 1 else 3 if has_segments(geometry) else 2
        return cls(geometry, {size: kinds * size}, kinds * size, duplicate_pairs(geometry))

    @classmethod
    def of(cls, puzzle: Puzzle) -> "RuleSizes":
        """Return the figures of any rules; pairs that further rules state twice are not counted."""
        if puzzle.is_classic:
            return cls.of_classic(puzzle.geometry)
        units, is_full = puzzle.constraints.units, puzzle.constraints.has_every_digit
        lengths = Counter(len(unit.cells) for unit in units)
        return cls(puzzle.geometry, lengths, sum(map(is_full, units)), told_twice=0)


class Size(NamedTuple):
    """The number of clauses of a statement, and its at-most-one groups by number of literals.

    If at-most-one is stated by pairs, `told_twice` pairs are subtracted.
    """

    clauses: int = 0
    at_most_one: Mapping[int, int] = {}
    auxiliaries: int = 0
    told_twice: int = 0


class Statement(NamedTuple):
    """A part of the rules: a function that states it, and a function for the size of the result."""

    write: Callable[[Puzzle, Auxiliaries], Iterator[Constraint]]
    measure: Callable[[RuleSizes], Size]


def has_segments(geometry: Geometry) -> bool:
    """Whether a box meets a line in more than one cell and less than the whole line."""
    return geometry.box_rows > 1 and geometry.box_columns > 1


def duplicate_pairs(geometry: Geometry) -> int:
    """Return the number of pairs of equal digits that share a box and also a row or column."""
    if not has_segments(geometry):
        return 0
    rows, columns, size = geometry.box_rows, geometry.box_columns, geometry.size
    in_box = rows * columns * (columns - 1) // 2 + columns * rows * (rows - 1) // 2
    return in_box * size * size


def _count_units_once(amounts: RuleSizes) -> Size:
    size = amounts.geometry.size
    groups = {length: size * count for length, count in amounts.units.items()}
    return Size(at_most_one=groups, told_twice=amounts.told_twice)


def _count_segments(amounts: RuleSizes) -> Size:
    """Count clauses: a row segment has `box_columns` cells, and a row has `box_rows` segments."""
    geometry = amounts.geometry
    size, rows, columns = geometry.size, geometry.box_rows, geometry.box_columns
    row_segments, column_segments = size * rows, size * columns
    # One clause says that a cell of the segment has its digit; one clause per cell says the
    # reverse.
    definitions = size * (row_segments * (1 + columns) + column_segments * (1 + rows))
    groups = Counter({columns: size * row_segments})
    groups[rows] += size * column_segments
    # Rows and boxes consist of row segments, columns and boxes of column segments: each kind has
    # one group per digit, with as many literals as the unit has segments.
    for segments in (rows, columns):
        groups[segments] += 2 * size * size
    return Size(
        clauses=definitions + 4 * size * size,
        at_most_one=groups,
        auxiliaries=size * (row_segments + column_segments),
    )


CELLS_HAVE_DIGITS = Statement(
    write=lambda puzzle, _: cells_have_digits(puzzle.geometry),
    measure=lambda amounts: Size(amounts.geometry.cell_count),
)
CELLS_HAVE_ONE_DIGIT = Statement(
    write=lambda puzzle, _: cells_have_one_digit(puzzle.geometry),
    measure=lambda amounts: Size(
        at_most_one={amounts.geometry.size: amounts.geometry.cell_count},
    ),
)
UNITS_HAVE_DIGITS = Statement(
    write=lambda puzzle, _: units_have_digits(puzzle.constraints),
    measure=lambda amounts: Size(amounts.full_units * amounts.geometry.size),
)
UNITS_HAVE_DIGITS_ONCE = Statement(
    write=lambda puzzle, _: units_have_digits_once(puzzle.constraints),
    measure=_count_units_once,
)
# States rows, columns and boxes by segments; not used for puzzles with further rules.
SEGMENTS = Statement(
    write=lambda puzzle, auxiliaries: segment_rules(puzzle.geometry, auxiliaries),
    measure=_count_segments,
)


class Segment(NamedTuple):
    """The cells that a box shares with a row or column; `base` is the number before its first
    variable.
    """

    line: Unit
    box: Unit
    cells: tuple[int, ...]
    base: int

    def __str__(self) -> str:
        return f"{self.line} of {self.box}"

    def variable(self, digit: int) -> int:
        return self.base + digit


def find_segments(geometry: Geometry, auxiliaries: Auxiliaries) -> list[Segment]:
    """Return every row segment, then every column segment."""
    segments = []
    for line in geometry.rows + geometry.columns:
        cells_of_box: dict[int, list[int]] = {}
        for cell in line.cells:
            cells_of_box.setdefault(geometry.box_of(cell), []).append(cell)
        for box, cells in cells_of_box.items():
            # Digits count from 1: `base + 1` is the variable of digit 1.
            base = auxiliaries.take(geometry.size).start - 1
            segments.append(Segment(line, geometry.boxes[box], tuple(cells), base))
    return segments


def segment_rules(geometry: Geometry, auxiliaries: Auxiliaries) -> Iterator[Constraint]:
    """Yield constraints that define segments, and state rows, columns and boxes by them."""
    segments = find_segments(geometry, auxiliaries)
    for segment in segments:
        yield from _define(geometry, segment)
    lines = geometry.rows + geometry.columns
    yield from _one_segment_each(
        geometry, [(line, [s for s in segments if s.line is line]) for line in lines]
    )
    # A box consists of its row segments, and also of its column segments.
    for kind in ("row", "column"):
        yield from _one_segment_each(
            geometry,
            [
                (box, [s for s in segments if s.box is box and s.line.kind == kind])
                for box in geometry.boxes
            ],
        )


def _define(geometry: Geometry, segment: Segment) -> Iterator[Constraint]:
    """Yield that a segment has a digit if and only if exactly one of its cells has it."""
    cells = Unit("segment", None, segment.cells)
    for digit in range(1, geometry.size + 1):
        reason = Reason(Why.SEGMENT, geometry, digit, text=str(segment))
        here = segment.variable(digit)
        places = places_of(geometry, digit, cells)
        yield AtLeastOne(reason, (-here, *places))
        for cell in segment.cells:
            yield AtLeastOne(reason, (here, -variable(geometry, cell, digit)))
        yield AtMostOne(reason._replace(why=Why.SEGMENT_ONCE), places)


def _one_segment_each(
    geometry: Geometry, units: list[tuple[Unit, list[Segment]]]
) -> Iterator[Constraint]:
    for unit, segments in units:
        for digit in range(1, geometry.size + 1):
            literals = tuple(segment.variable(digit) for segment in segments)
            yield AtLeastOne(Reason(Why.UNIT_HAS_SEGMENT, geometry, digit, unit=unit), literals)
            yield AtMostOne(Reason(Why.UNIT_ONE_SEGMENT, geometry, digit, unit=unit), literals)


class _Meaning(NamedTuple):
    description: str
    statements: tuple[Statement, ...]


def description_of(encoding: Encoding) -> str:
    """Return what an encoding states, in words."""
    return _MEANINGS[encoding].description


_EXTENDED = (CELLS_HAVE_DIGITS, CELLS_HAVE_ONE_DIGIT, UNITS_HAVE_DIGITS, UNITS_HAVE_DIGITS_ONCE)

_MEANINGS = {
    Encoding.MINIMAL: _Meaning(
        "a digit in every cell, none twice in a row, column or box",
        (CELLS_HAVE_DIGITS, UNITS_HAVE_DIGITS_ONCE),
    ),
    Encoding.EFFICIENT: _Meaning(
        "minimal, and at most one digit in a cell (also called natural)",
        (CELLS_HAVE_DIGITS, CELLS_HAVE_ONE_DIGIT, UNITS_HAVE_DIGITS_ONCE),
    ),
    Encoding.EXTENDED: _Meaning(
        "efficient, and each digit somewhere in each row, column and box", _EXTENDED
    ),
    Encoding.TRIADS: _Meaning(
        "extended through the segments in which boxes meet rows and columns",
        (CELLS_HAVE_DIGITS, CELLS_HAVE_ONE_DIGIT, SEGMENTS),
    ),
    # For boards without givens; with givens, `open_rules` states the same over the open candidates.
    Encoding.REDUCED: _Meaning(
        "extended over what the givens leave open; the rest is unit clauses", _EXTENDED
    ),
}


def encoding_on(geometry: Geometry, encoding: Encoding) -> Encoding:
    """Return the encoding that is used on a board instead of one that needs another board."""
    # If each digit has a place in its row, no cell can hold two. That is so on plain squares, and
    # not beside a board or in rows shorter than the number of digits.
    if encoding is Encoding.MINIMAL and not geometry.is_plain:
        return Encoding.EFFICIENT
    return encoding


def statements_of(encoding: Encoding, geometry: Geometry) -> tuple[Statement, ...]:
    """Return the statements of an encoding on rows, columns, boxes and further units."""
    encoding = encoding_on(geometry, encoding)
    # If a box is a row or a column there are no segments, and triads equals extended.
    if encoding is Encoding.TRIADS and not has_segments(geometry):
        encoding = Encoding.EXTENDED
    if encoding not in _MEANINGS:
        raise SatdokuError(f"the encoding {encoding.value} has no description")
    return _MEANINGS[encoding].statements


class FormulaSize(NamedTuple):
    """The numbers of variables and clauses, as in a DIMACS header."""

    variables: int
    clauses: int


def constraints(
    puzzle: Puzzle, encoding: Encoding, auxiliaries: Auxiliaries, notes: Notes | None = None
) -> Iterator[Constraint]:
    """Yield the constraints of a puzzle in this encoding, before at-most-one becomes clauses."""
    require_known_rules(puzzle, encoding)
    if encoding is Encoding.REDUCED:
        return open_rules(puzzle, auxiliaries)
    return _full_rules(puzzle, encoding, auxiliaries, notes)


def require_known_rules(puzzle: Puzzle, encoding: Encoding) -> None:
    """Raise an error if the encoding is for classic rules only and the puzzle has other rules."""
    if encoding is Encoding.TRIADS and not puzzle.is_classic:
        names = dict.fromkeys(rule.name for rule in puzzle.further_rules)
        raise SatdokuError(
            f"the encoding {encoding.value} is for rows, columns and boxes only; "
            f"this puzzle has {', '.join(names) or 'fewer rules'}"
        )


def encode(
    puzzle: Puzzle,
    encoding: Encoding = Encoding.EXTENDED,
    at_most_one: Method = Method.PAIRWISE,
    notes: Notes | None = None,
) -> Iterator[ClauseGroup]:
    """Yield the clauses of a puzzle by constraint; only the textbook method repeats clauses.

    `notes` (`notes_for`) collect the meanings of auxiliaries, except in the reduced encoding.
    """
    auxiliaries = Auxiliaries(variable_count(puzzle.geometry))
    for constraint in constraints(puzzle, encoding, auxiliaries, notes):
        clauses = write_clauses(constraint, at_most_one, auxiliaries)
        if clauses:
            yield ClauseGroup(constraint.reason, clauses)


def write_clauses(
    constraint: Constraint, at_most_one: Method, auxiliaries: Auxiliaries
) -> list[Clause]:
    """Return the clauses of one constraint; empty if other constraints already state them."""
    if isinstance(constraint, AtLeastOne):
        return [constraint.literals]
    if isinstance(constraint, AtMostOne):
        return clauses_of(at_most_one, constraint.literals, auxiliaries, constraint.is_said)
    if isinstance(constraint, Clauses):
        return list(constraint.clauses)
    return [(-one, -other) for one, other in constraint.pairs]


def exclusive_literals(constraint: Constraint) -> Clause | None:
    """Return the literals of an at-most-one constraint, or None for other constraints."""
    return constraint.literals if isinstance(constraint, AtMostOne) else None


def measure(
    puzzle: Puzzle,
    encoding: Encoding,
    at_most_one: Method = Method.PAIRWISE,
    require_time: Callable[[], None] = lambda: None,
) -> FormulaSize:
    """Count the variables and clauses of the formula by encoding it.

    `require_time` is called for each group of clauses; it may raise any error to stop.
    """
    variables, clauses = variable_count(puzzle.geometry), 0
    for group in encode(puzzle, encoding, at_most_one):
        require_time()
        clauses += len(group.clauses)
        # Auxiliary variables are numbered consecutively after those of the cells, so the highest
        # number is the number of variables.
        variables = max(variables, *(max(map(abs, clause)) for clause in group.clauses))
    return FormulaSize(variables, clauses)


def auxiliaries_may_vary(puzzle: Puzzle, encoding: Encoding, at_most_one: Method) -> bool:
    """Whether a solution may have several models, which differ only in auxiliary variables."""
    if any(
        isinstance(constraint, Either | HiddenRegions) for constraint in puzzle.constraints.wider
    ):
        return True
    auxiliaries = Auxiliaries(variable_count(puzzle.geometry))
    return any(
        isinstance(constraint, AtMostOne)
        and may_vary(at_most_one, len(constraint.literals), _may_be_none(constraint))
        for constraint in constraints(puzzle, encoding, auxiliaries)
    )


def _may_be_none(constraint: AtMostOne) -> bool:
    """Whether a solution may make all the literals false.

    A digit need not be in a given segment, nor in a unit with fewer cells than digits.
    """
    reason = constraint.reason
    is_short = reason.unit is not None and len(reason.unit.cells) < reason.geometry.size
    return is_short or reason.why is Why.SEGMENT_ONCE


def _full_rules(
    puzzle: Puzzle, encoding: Encoding, auxiliaries: Auxiliaries, notes: Notes | None
) -> Iterator[Constraint]:
    geometry, constraints = puzzle.geometry, puzzle.constraints
    if geometry.size > 1:  # on 1x1, "at least one" already states it
        yield from givens_hold(puzzle)
    yield from cells_are_allowed(constraints)
    for statement in statements_of(encoding, geometry):
        yield from statement.write(puzzle, auxiliaries)
    yield from pairs_are_kept(constraints)
    if constraints.wider:
        yield from wider_rules(puzzle, auxiliaries, notes=notes)


# Wider constraints over the variables of the whole board, and the meanings of their auxiliaries.


def wider_rules(
    puzzle: Puzzle,
    auxiliaries: Auxiliaries,
    candidates: Mapping[int, int] | None = None,
    notes: Notes | None = None,
) -> Iterator[Clauses | AtMostOne]:
    """Yield all wider constraints; `candidates`, if given, has the open digits of empty cells."""
    geometry = puzzle.geometry
    literal = _literals(puzzle, candidates)
    kit = kit_for(puzzle.constraints, literal, auxiliaries, geometry.size, notes or Notes())
    for constraint, clauses, exclusive in write_all(puzzle.constraints, kit):
        reason = Reason(Why.WIDER, geometry, text=constraint.sentence)
        kept = tuple(filter(None, clauses))
        if len(kept) < len(clauses):
            kept += tuple(_contradiction(puzzle, constraint))
        yield Clauses(reason, kept)
        for literals in exclusive:
            yield AtMostOne(reason, literals)
    if notes is not None and notes.write_further is not None:
        notes.write_further(puzzle.constraints, kit)
        yield Clauses(Reason(Why.WIDER, geometry, text="sums add up"), tuple(kit.take()[0]))


def notes_for(
    puzzle: Puzzle, write_further: Callable[[Constraints, Kit], object] | None = None
) -> Notes:
    """Return notes for the meanings of a puzzle's auxiliaries.

    `write_further`, if given, adds redundant clauses, such as those of joint sums.
    """
    return Notes(_numbers_of(puzzle) if puzzle.constraints.wider else {}, write_further)


def _numbers_of(puzzle: Puzzle) -> dict[Wider, int]:
    """Return the index of each machine among all machines, and of each choice among the rules."""
    numbers: dict[Wider, int] = {}
    machines: list[Machine] = []
    for place, rule in enumerate(puzzle.rules):
        for each in rule.constraints(puzzle.geometry):
            if isinstance(each, Either):
                numbers.setdefault(each, place)
                inner = (c for choice in each.choices for c in choice)
                machines += (c for c in inner if isinstance(c, Machine))
            elif isinstance(each, Machine):
                machines.append(each)
    for number, machine in enumerate(machines):
        numbers.setdefault(machine, number)
    return numbers


def _literals(puzzle: Puzzle, candidates: Mapping[int, int] | None) -> Callable[[int, int], int]:
    geometry, digits = puzzle.geometry, puzzle.grid.digits
    if candidates is None:
        return lambda cell, digit: variable(geometry, cell, digit)

    def literal(cell: int, digit: int) -> int:
        if digits[cell]:
            return TRUE if digits[cell] == digit else -TRUE
        is_open = candidates[cell] >> digit & 1
        return variable(geometry, cell, digit) if is_open else -TRUE

    return literal


def _contradiction(puzzle: Puzzle, constraint: Wider) -> Iterator[Clause]:
    """Yield clauses that cannot hold together with the givens and a digit in each cell.

    They replace a clause without literals, which many readers of DIMACS refuse.
    """
    geometry, digits = puzzle.geometry, puzzle.grid.digits
    cell = next((cell for cell in constraint.cells if not digits[cell]), None)
    if cell is not None:
        for digit in range(1, geometry.size + 1):
            yield (-variable(geometry, cell, digit),)
    else:
        yield tuple(-variable(geometry, each, digits[each]) for each in constraint.cells)
