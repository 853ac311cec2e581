"""Junior and double exocets: the digits of two base cells must also be those of two target cells.

The *base* are two cells in a line of a box, with three or four candidate digits together. The
*targets* lie in the two other boxes along that line, one in each, in the other two lines of the
band. In each target's crossing line, the band's third cell, neither the target nor in the base's
line, has no digit of the base. Outside the band, in the three lines that cross at the targets and
at the third cell of the base's line, two lines (in either direction) cover all places of each base
digit. So the targets hold the two digits of the base, and their other candidates are excluded;
which pairs of digits can be placed at all excludes more.

The truths of an exocet are the two cells of the base, and each base digit in the three crossing
lines. Candidates that every choice of their members excludes are excluded, which covers compatible
pairs, mirrors and cover lines without rules of their own.

A *double exocet* is a pair of exocets in one band with the same digits and crossing lines: the four
base cells, and these digits in these lines, exclude more together.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations, product
from typing import NamedTuple

from satdoku.errors import join
from satdoku.explaining.board import Board, Truth, candidates_of, excluded_by
from satdoku.explaining.position import Finding
from satdoku.explaining.step import Deduction, Level, Story, Technique
from satdoku.explaining.techniques.nets import Telling
from satdoku.explaining.techniques.search import Around, Search
from satdoku.explaining.words.names import Names, capital
from satdoku.explaining.words.stories import Told, has_cases, refutes, tell_lines, what_follows
from satdoku.puzzle.constraints import digits_of
from satdoku.puzzle.grid import Unit
from satdoku.solving.limits import Budget

_FEWEST_DIGITS, _MOST_DIGITS = 3, 4

# Explanations search for exocets only on boards with at least this many open cells: later there are
# none.
_FEWEST_OPEN = 54

# The cells of a base and its targets.
_CELLS = 4

# The most choices to examine: many pairs of digits may be placed in many ways.
_MOST_CHOICES = 4_000

# The most placements in the story that refutes one pair of digits.
_LONGEST = 60
# How deep suppositions may be nested in such a story.
_DEEPEST = 2
# The most rounds in which all pairs are tried.
_MOST_TRIES = 4


class _Exocet(NamedTuple):
    """The cells of the base and the targets, the digits as a mask, and the crossing lines.

    `kind` is the kind of the crossing lines; `lines` are their numbers.
    """

    base: tuple[int, int]
    targets: tuple[int, int]
    digits: int
    kind: str
    lines: tuple[int, int, int]


class _Sheet:
    """The candidates of a position, cell by cell, seen along rows or along columns."""

    def __init__(self, board: Board, left: int, placed: int, is_turned: bool) -> None:
        geometry = board.puzzle.geometry
        self.size = geometry.size
        self.kind = "row" if is_turned else "column"
        self._is_turned = is_turned
        self.height, self.width = geometry.box_rows, geometry.box_columns
        if is_turned:
            self.height, self.width = self.width, self.height
        digits = list(board.puzzle.grid.digits)
        for candidate in candidates_of(placed):
            cell, digit = board.placements[candidate]
            digits[cell] = digit
        self.open = board.digits_in(left & ~placed)
        for cell, digit in enumerate(digits):
            if digit:
                self.open.pop(cell, None)
        filled = {cell: 1 << digit for cell, digit in enumerate(digits) if digit}
        # The digits that each cell may hold, as a mask.
        self.may_be = self.open | filled

    def cell(self, along: int, across: int) -> int:
        """Return the cell where a line and a crossing line meet."""
        return across * self.size + along if self._is_turned else along * self.size + across


def _exocets(sheet: _Sheet) -> Iterator[_Exocet]:
    """Yield the exocets along the lines of a sheet."""
    for first in range(0, sheet.size, sheet.height):
        band = range(first, first + sheet.height)
        for line, start in product(band, range(0, sheet.size, sheet.width)):
            crossing = range(start, start + sheet.width)
            for pair in combinations(crossing, 2):
                one, two = (sheet.cell(line, across) for across in pair)
                digits = sheet.open.get(one, 0) | sheet.open.get(two, 0)
                both_open = one in sheet.open and two in sheet.open
                if both_open and _FEWEST_DIGITS <= digits.bit_count() <= _MOST_DIGITS:
                    escape = next(across for across in crossing if across not in pair)
                    yield from _with_targets(sheet, band, line, (one, two), escape, digits)


def _with_targets(
    sheet: _Sheet,
    band: Sequence[int],
    line: int,
    base: tuple[int, int],
    escape: int,
    digits: int,
) -> Iterator[_Exocet]:
    """Yield the exocets of a base, one for each pair of targets."""
    boxes: dict[int, list[tuple[int, int]]] = {}
    own = escape // sheet.width
    for across in range(sheet.size):
        if across // sheet.width != own:
            cells = [sheet.cell(along, across) for along in band if along != line]
            having = [cell for cell in cells if sheet.may_be.get(cell, 0) & digits]
            if len(having) == 1 and having[0] in sheet.open:
                boxes.setdefault(across // sheet.width, []).append((across, having[0]))
    # The targets lie in different boxes, other than the base's.
    for (across, target), (across_2, target_2) in _each_two(list(boxes.values())):
        lines = (escape, across, across_2)
        if all(_cover(sheet, band, lines, digit) for digit in digits_of(digits)):
            yield _Exocet(base, (target, target_2), digits, sheet.kind, lines)


def _each_two(
    boxes: Sequence[list[tuple[int, int]]],
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    for one, two in combinations(boxes, 2):
        yield from product(one, two)


def _cover(
    sheet: _Sheet, band: Sequence[int], lines: Sequence[int], digit: int
) -> tuple[set[int], set[int]] | None:
    """Return lines that cover a digit's places outside a band in these crossing lines.

    These are two lines at most, along the band and across it; None if more are needed.
    """
    outside = [along for along in range(sheet.size) if along not in band]
    places = {
        (along, across)
        for along, across in product(outside, lines)
        if sheet.may_be.get(sheet.cell(along, across), 0) >> digit & 1
    }
    rows = {along for along, _ in places}
    columns = {across for _, across in places}
    if len(rows) <= 2:
        return rows, set()
    if len(columns) <= 2:
        return set(), columns
    for across in sorted(columns):
        others = {along for along, other in places if other != across}
        if len(others) <= 1:
            return others, {across}
    return None


def _every(around: Around) -> Iterator[Finding]:
    """Yield the findings of all exocets, single ones and double ones."""
    position = around.position
    board = position.board
    geometry = board.puzzle.geometry
    is_square = geometry.is_plain and geometry.box_columns == geometry.box_rows
    if not is_square or geometry.size != geometry.box_rows * 3:
        return
    cells = {t.cell: t for t in position.open_truths if t.unit is None}
    lines = {
        (t.unit.kind, t.unit.number, t.digit): t for t in position.open_truths if t.unit is not None
    }
    for is_turned in (False, True):
        sheet = _Sheet(board, position.left, position.placed, is_turned)
        exocets = list(_exocets(sheet))
        doubles = [pair for pair in combinations(exocets, 2) if _are_double(*pair)]
        for some in (*((exocet,) for exocet in exocets), *doubles):
            around.budget.require()
            wanted = product(digits_of(some[0].digits), sorted(some[0].lines))
            crossing = (lines.get((some[0].kind, line, digit)) for digit, line in wanted)
            bases = (cells[cell] for exocet in some for cell in exocet.base)
            finding = _finding(around, (*bases, *filter(None, crossing)), len(some) > 1)
            if finding is not None:
                yield finding


def _are_double(one: _Exocet, other: _Exocet) -> bool:
    """Whether two exocets have the same digits and crossing lines, but bases in two boxes."""
    return (
        one.digits == other.digits
        and set(one.lines) == set(other.lines)
        and one.lines[0] != other.lines[0]
    )


def _finding(around: Around, truths: tuple[Truth, ...], is_double: bool) -> Finding | None:
    """Return the exclusions of these truths; None if there are none (kept until members go)."""
    position = around.position
    masks = tuple(truth.members & position.left for truth in truths)
    key = tuple(truth.number for truth in truths)
    if around.tried.get(key) == masks:
        return None
    excluded = excluded_by(masks, position.board.links, position.left, _MOST_CHOICES)
    if not excluded:
        around.tried[key] = masks
        return None
    name = Technique.DOUBLE_EXOCET if is_double else Technique.JUNIOR_EXOCET
    return Finding(name, truths, excludes=tuple(candidates_of(excluded)))


def _find(around: Around) -> Finding | None:
    """Return the exocet that excludes most; ties go to the one with fewer truths."""
    if around.position.open_in[-1] < _FEWEST_OPEN:
        return None
    return max(
        _every(around),
        key=lambda finding: (len(finding.excludes), -len(finding.truths)),
        default=None,
    )


def _tell(names: Names, step: Deduction) -> str:
    """Return the sentences of an exocet: why base and targets have the same digits, and what goes.

    What does not go at once goes since no pair of digits fits into the base and the targets.
    """
    told = _Telling.of(names, step)
    if told is None:
        return _tell_all(names, step)
    at_once = [each for each in step.excludes if told.goes_at_once(each)]
    text = told.why_same()
    if at_once:
        text += f"; so {names.without(at_once)}"
    rest = [each for each in step.excludes if each not in at_once]
    lines, rest = told.together(rest) if told.has_all else ([], rest)
    return ".\n  ".join([text, *lines, *told.tries(rest)])


def _tell_all(names: Names, step: Deduction) -> str:
    """Return a sentence with the bases, their digits, and the lines in which these are placed."""
    base = [truth.cell for truth in step.truths if truth.unit is None]
    digits = {truth.digit for truth in step.truths if truth.unit is not None}
    units = {t.unit.number or 0: t.unit for t in step.truths if t.unit is not None}
    name, where = names.digits(digits, "or"), names.units([units[n] for n in sorted(units)])
    return (
        f"{names.cells(base)} can only be {name}, and each of these digits has a place in each of "
        f"{where}; every way to place them in these cells and lines excludes the following: "
        f"{names.without(step.excludes)}"
    )


class _Telling:
    """The words for the exocets of a step: one, or two with the same digits and lines."""

    def __init__(
        self, names: Names, step: Deduction, sheet: _Sheet, exocets: Sequence[_Exocet]
    ) -> None:
        self._names = names
        self._step = step
        self._sheet = sheet
        self._exocets = exocets
        # By pair of digits in the first base, the candidates left with it.
        self._left: dict[tuple[int, int], int] = {}
        geometry = names.board.puzzle.geometry
        self._along, self._across = geometry.row_of, geometry.column_of
        if sheet.kind == "row":
            self._along, self._across = self._across, self._along
        first = self._along(exocets[0].base[0]) // sheet.height * sheet.height
        self._band = range(first, first + sheet.height)

    @classmethod
    def of(cls, names: Names, step: Deduction) -> "_Telling | None":
        """Return the words for a step; None if its bases are no longer those of exocets."""
        units = {truth.unit for truth in step.truths if truth.unit is not None}
        sheet = _Sheet(names.board, step.before, 0, {unit.kind for unit in units} == {"row"})
        base = {truth.cell for truth in step.truths if truth.unit is None}
        lines = {unit.number for unit in units}
        exocets = [
            exocet
            for exocet in _exocets(sheet)
            if base >= {*exocet.base} and lines <= {*exocet.lines}
        ]
        bases = [cell for exocet in exocets for cell in exocet.base]
        is_whole = sorted(bases) == sorted(base) and len({each.digits for each in exocets}) == 1
        return cls(names, step, sheet, exocets) if is_whole else None

    @property
    def _other(self) -> str:
        """The kind of the lines along the band."""
        return "row" if self._sheet.kind == "column" else "column"

    @property
    def _band_name(self) -> str:
        return f"{self._other}s {self._band[0] + 1} to {self._band[-1] + 1}"

    def goes_at_once(self, candidate: int) -> bool:
        """Whether a candidate is none of the base's digits, in a target."""
        cell, digit = self._names.board.placements[candidate]
        return any(
            cell in exocet.targets and not exocet.digits >> digit & 1 for exocet in self._exocets
        )

    def why_same(self) -> str:
        """Say why the targets hold the digits of the base."""
        names, (base, targets, digits, kind, lines) = self._names, self._exocets[0]
        other, band = self._other, self._band_name
        crossing = names.units([Unit(kind, line, ()) for line in sorted(lines)])
        covers = [self._covered(digit, kind, other) for digit in digits_of(digits)]
        both, only, so = "", "", "the targets hold the same two digits as the base"
        if len(self._exocets) > 1:
            base_2, targets_2, *_ = self._exocets[1]
            both = f", and so does the base {names.cells(base_2)}"
            only = f", and one of the other base only in its targets, {names.cells(targets_2)}"
            so = "the targets of each base hold the same two digits as the base"
        first = "the first base" if only else "the base"
        return (
            f"the base {names.cells(base)} holds two of {names.digits(digits_of(digits))}{both}. "
            f"{capital(crossing)} need each of these digits three times and, outside {band}, have "
            f"room for it at most twice ({'; '.join(filter(None, covers))}), so at least one of "
            f"the three lies within {band}. There a digit of {first} can only be in the targets, "
            f"{names.cells(targets)}{only}, as the other cells see the base or lack these digits. "
            f"So {so}"
        )

    def _covered(self, digit: int, kind: str, other: str) -> str:
        """Name the lines that cover a digit's places outside the band; empty if there are none."""
        lines = self._exocets[0].lines
        along, across = _cover(self._sheet, self._band, lines, digit) or (set(), set())
        where = [
            self._names.units([Unit(each, line, ()) for line in sorted(some)])
            for each, some in ((other, along), (kind, across))
            if some
        ]
        return f"{self._names.digit(digit)} only in {' and '.join(where)}" if where else ""

    @property
    def has_all(self) -> bool:
        """Whether two bases hold four digits between them, each in one base."""
        return (
            len(self._exocets) > 1
            and self._exocets[0].digits.bit_count() == _MOST_DIGITS
            and (len({*self._beside_bases()}) > 1)
        )

    def _beside_bases(self) -> Iterator[int]:
        """Yield the target of each of two exocets that lies in the box without a base."""
        box_of = self._names.board.puzzle.geometry.box_of
        boxes = {box_of(exocet.base[0]) for exocet in self._exocets}
        for exocet in self._exocets:
            yield next(cell for cell in exocet.targets if box_of(cell) not in boxes)

    def together(self, candidates: Sequence[int]) -> tuple[list[str], list[int]]:
        """Tell what follows as no digit is in both bases; return the unexplained candidates too."""
        names, kind, band = self._names, self._sheet.kind, self._band_name
        told = [
            f"No digit is in both bases, as it would also be in both "
            f"{names.cells(self._beside_bases())}, which lie in one box. So each of "
            f"{names.digits(digits_of(self._exocets[0].digits))} is in one base and in one target"
        ]
        rest = list(candidates)
        for why, goes in (
            (f"So no other cell of these {kind}s within {band} holds one of them", self._is_beside),
            (
                f"Each of them is then also in two of these {kind}s outside {band}, once in each "
                "line that the brackets above name for it. So these lines have it nowhere else",
                self._is_in_cover,
            ),
            (
                "Each base holds two of the four, and its two targets hold the same two. So a "
                "cell that sees such a pair of the first base and one of the second holds none of "
                "them",
                self._sees_each,
            ),
            *self._full_lines(),
        ):
            gone = [each for each in rest if goes(*names.board.placements[each])]
            rest = [each for each in rest if each not in gone]
            if gone:
                told.append(f"{why}: {names.without(gone)}")
        return told, rest

    def _full_lines(self) -> Iterator[tuple[str, Callable[[int, int], bool]]]:
        """Yield the crossing lines with just as many cells outside the band as they need digits.

        With each comes what it excludes from these cells.
        """
        digits, sheet = self._exocets[0].digits, self._sheet
        targets = [cell for exocet in self._exocets for cell in exocet.targets]
        outside = [along for along in range(sheet.size) if along not in self._band]
        for line in sorted(self._exocets[0].lines):
            within = sum(self._across(cell) == line for cell in targets)
            places = [sheet.cell(along, line) for along in outside]
            places = [cell for cell in places if sheet.may_be.get(cell, 0) & digits]
            if len(places) == _MOST_DIGITS - within:
                where = f"{sheet.kind} {line + 1}"
                have = "one of them in a target" if within == 1 else "two of them in targets"
                told = f"{where} has {have}, so the others fill {self._names.cells(places)}"
                yield capital(told), partial(self._is_other_in, places)

    def _is_other_in(self, places: Sequence[int], cell: int, digit: int) -> bool:
        return cell in places and not self._exocets[0].digits >> digit & 1

    def _is_beside(self, cell: int, digit: int) -> bool:
        """Whether a cell lies in a crossing line within the band, and a base digit is excluded."""
        exocet = self._exocets[0]
        is_target = any(cell in each.targets for each in self._exocets)
        is_here = self._along(cell) in self._band and self._across(cell) in exocet.lines
        return bool(is_here and not is_target and exocet.digits >> digit & 1)

    def _is_in_cover(self, cell: int, digit: int) -> bool:
        """Whether a cell lies in a line that covers a digit, but not where the line needs it."""
        lines = self._exocets[0].lines
        if not self._exocets[0].digits >> digit & 1:
            return False
        along, across = _cover(self._sheet, self._band, lines, digit) or (set(), set())
        if len(along) + len(across) < 2:
            return False
        if self._along(cell) in self._band:
            return self._across(cell) in across
        return self._along(cell) in along and self._across(cell) not in lines

    def _sees_each(self, cell: int, digit: int) -> bool:
        """Whether a cell sees both cells of each base, or both its targets."""
        units_of = self._names.board.puzzle.constraints.units_of

        def sees(others: Sequence[int]) -> bool:
            return all(
                cell != other and not {*units_of[cell]}.isdisjoint(units_of[other])
                for other in others
            )

        return bool(self._exocets[0].digits >> digit & 1) and all(
            sees(exocet.base) or sees(exocet.targets) for exocet in self._exocets
        )

    def tries(self, candidates: Sequence[int]) -> Iterator[str]:
        """Yield lines that refute candidates, since with them no pair of digits fits the base."""
        names = self._names
        waiting, count = list(candidates), 0
        if waiting and len(self._exocets) > 1 and not self.has_all:
            # With two bases there are too many pairs to tell.
            yield (
                f"Tries of each two pairs of digits in both bases and their targets refute the "
                f"others: {names.without(waiting)}"
            )
            return
        while waiting:
            count += 1
            cases = [self._case(waiting[0], pair) for pair in self._pairs()]
            if count > _MOST_TRIES or None in cases:
                yield (
                    "Likewise, each of the following contradicts every pair that a base can hold, "
                    f"which is too long to tell: {names.without(waiting)}"
                )
                return
            some = [
                each
                for each in waiting
                if all(case is not None and case.refutes(names, each) for case in cases)
            ]
            waiting = [each for each in waiting if each not in some]
            where = "the base and the targets"
            if len(self._exocets) > 1:
                where = "the first base and its targets, with the other two in the second"
            yield (
                f"Suppose {join(list(map(names.candidate, some)), 'or')}, and try each pair of "
                f"digits in {where}"
            )
            same: dict[tuple[str, ...], list[str]] = {}
            for case in filter(None, cases):
                same.setdefault(tuple(case.tell(names, some)), []).append(names.digits(case.pair))
            for (first, *lines), pairs in same.items():
                yield f"With {', or '.join(pairs)}{first}"
                yield from lines
            yield f"So no pair is left: {names.without(some)}"

    def _pairs(self) -> Iterator[tuple[int, int]]:
        yield from combinations(digits_of(self._exocets[0].digits), 2)

    def _case(self, candidate: int, pair: tuple[int, int]) -> "_Case | None":
        """Return what follows from a candidate with a pair of digits; None if that is long."""
        board, left = self._names.board, self._left_with(pair)
        own = [c for exocet in self._exocets for c in (*exocet.base, *exocet.targets)]
        targets = [exocet.targets for exocet in self._exocets]
        if not left >> candidate & 1:
            return _Case(pair, own, targets, left, None)
        # The cells of the bases are truths of the step.
        cells = [t for t in board.truths if t.cell in own and t not in self._step.truths]
        telling = Telling(board, left, (*self._step.truths, *cells), Budget())
        for deepest in range(_DEEPEST + 1):
            story = telling.tell(candidate, _LONGEST, deepest)
            if story is not None:
                return _Case(pair, own, targets, left, story)
        return None

    def _left_with(self, pair: tuple[int, int]) -> int:
        """Return the mask of what is left if the first base and its targets hold these digits."""
        if pair not in self._left:
            self._left[pair] = self._step.before
            # With two bases, the second one holds the other digits.
            others = [d for d in digits_of(self._exocets[0].digits) if d not in pair]
            for exocet, digits in zip(self._exocets, (pair, others), strict=False):
                self._left[pair] &= ~self._gone_with(exocet, digits)
        return self._left[pair]

    def _gone_with(self, exocet: _Exocet, pair: Sequence[int]) -> int:
        """Return the mask of what goes if an exocet has these digits."""
        board, (base, targets, *_) = self._names.board, exocet
        units_of, gone = board.puzzle.constraints.units_of, 0
        for each in candidates_of(self._step.before):
            cell, digit = board.placements[each]
            if cell in base or cell in targets:
                is_gone = digit not in pair
            else:
                is_gone = digit in pair and all(
                    not {*units_of[cell]}.isdisjoint(units_of[other]) for other in base
                )
            gone |= is_gone << each
        return gone


class _Case(NamedTuple):
    """A pair of digits in the first base, the candidates left with it, and a story.

    Without a story, the pair excludes the candidate itself. `own` are the cells of all bases and
    targets, `targets` the two targets of each base: each holds one digit of its pair.
    """

    pair: tuple[int, int]
    own: Sequence[int]
    targets: Sequence[tuple[int, int]]
    left: int
    story: Story | None

    def refutes(self, names: Names, candidate: int) -> bool:
        """Whether the words for this case hold for another candidate, too."""
        if self.story is None or not self.left >> candidate & 1:
            return self.story is None and not self.left >> candidate & 1
        return refutes(names.board, self.story, candidate, self.left, 0)

    def _at_once(self, names: Names, candidate: int) -> str:
        """Say why the pair excludes a candidate itself: by a cell's digits, or as it sees one."""
        cell, digit = names.board.placements[candidate]
        if cell in self.own:
            return names.candidate(candidate, " is not ")
        base = "the base" if len(self.own) == _CELLS else "a base"
        return f"{names.candidate(candidate)} sees the {names.digit(digit)} of {base}"

    def tell(self, names: Names, supposed: list[int]) -> Iterator[str]:
        """Yield the lines of the case."""
        if self.story is None:
            yield f": {join([self._at_once(names, each) for each in supposed])}"
            return
        under = f"{join([names.candidate(each) for each in supposed], 'or')} with this pair"
        told = Told(supposed, self.story, targets=self.targets, under=under)
        if not has_cases(names, told):
            yield f": {what_follows(names, told)}"
        else:
            yield "; the indented lines hold only with this pair"
            lines = tell_lines(names, told, self.left, 0, "  ")
            yield from (line.removesuffix(".") for line in lines)


SEARCH = Search(
    {
        Technique.JUNIOR_EXOCET: ("SudokuWiki: exocet", "Sunnie: junior exocet"),
        Technique.DOUBLE_EXOCET: ("SudokuWiki: double exocet", "Sunnie: double exocet"),
    },
    Level.PATTERNS,
    _find,
    _every,
    _tell,
)
