"""Puzzles as ISS strings: a class or more for each rule."""

from collections.abc import Iterator, Sequence

from satdoku.errors import SatdokuError
from satdoku.notation.exchange.fpuzzles.dots import KINDS, NUMBERS, Meaning, meaning_of
from satdoku.notation.exchange.fpuzzles.dots import RULES as DOT_RULES
from satdoku.notation.exchange.iss.items import DIGITS, edges_among, their_cells
from satdoku.notation.exchange.iss.packed import write_pairs
from satdoku.notation.exchange.iss.table import CLASSES
from satdoku.puzzle.constraints import Allowed, Masks, Pair, cells_of, digits_of
from satdoku.puzzle.geometry import Geometry, Unit
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.classic import Boxes
from satdoku.puzzle.rules.registry import read_unsettled
from satdoku.puzzle.rules.rule import Rule, lowest_of
from satdoku.puzzle.rules.single_cells import Candidates, Digits

_CLASSES_OF: dict[str, list[str]] = {}
for _entry in CLASSES:
    _CLASSES_OF.setdefault(_entry.rule, []).append(_entry.name)

# What is written with givens or the shape, and what is two classes.
_ELSEWHERE: dict[str, list[str]] = {
    **{name: [] for name in ("regions", "candidates", "odd", "even", "digits")},
    "diagonals": [".Diagonal~1", ".Diagonal~-1"],
}
# Rules that ISS has no class for, and that are relations of two cells.
_RELATIONS = {"slow-thermo", "minimum", "maximum", "nabner", "anti-move", "box-indexer"}
_WRITTEN_HERE = {*_ELSEWHERE, *DOT_RULES, *_RELATIONS, "either"}
_NO_EDGES: frozenset[frozenset[str]] = frozenset()
_MARKS = {
    ("difference", "1"): "WhiteDot",
    ("ratio", "2"): "BlackDot",
    ("xv", "x"): "X",
    ("xv", "v"): "V",
}
_MARKED = {kind: rule for rule, kind in KINDS.items()}
_UNMARKED = {"difference": "no-difference", "ratio": "no-ratio", "xv": "no-sum"}


def can_hold(rule: Rule) -> bool:
    """Whether ISS has a class for a rule, or can say it by others."""
    return rule.name in _CLASSES_OF or rule.name in _WRITTEN_HERE


def write_iss(puzzle: Puzzle) -> str:
    """The puzzle as one string; SatdokuError for a rule that ISS cannot hold as it is used."""
    geometry, size = puzzle.geometry, puzzle.geometry.size
    lowest = lowest_of(puzzle.further_rules)
    digits = "" if lowest == 1 else f"~{lowest}-{lowest + size - 1}"
    words = [f".Shape~{size}x{size}{digits}"]
    words += _write_regions(puzzle)
    words += _write_givens(puzzle, lowest)
    dots = [rule for rule in puzzle.further_rules if rule.name in DOT_RULES]
    for rule in puzzle.further_rules:
        if rule not in dots:
            words += _write_rule(rule, geometry, lowest)
    # All at once: what holds of edges without a mark depends on every rule of marks.
    words += _write_dots(dots, geometry, lowest)
    return "".join(words)


def _write_regions(puzzle: Puzzle) -> Iterator[str]:
    """Nothing for the boxes that ISS has; else no boxes, and the regions in their place."""
    geometry = puzzle.geometry
    has_boxes = Boxes() in puzzle.rules
    if has_boxes and geometry == Geometry.of_size(geometry.size) and geometry.box_rows > 1:
        return
    yield ".NoBoxes"
    if puzzle.regions is not None:
        yield f".Jigsaw~{puzzle.regions.letters}"
    elif has_boxes and geometry.box_rows > 1 and geometry.box_columns > 1:
        box_of = map(geometry.box_of, range(geometry.cell_count))
        yield f".Jigsaw~{''.join(DIGITS[box] for box in box_of)}"


def _write_givens(puzzle: Puzzle, lowest: int) -> Iterator[str]:
    """Givens and candidates, each cell once."""
    size = puzzle.geometry.size
    allowed = {cell: {digit} for cell, digit in puzzle.givens.items()}
    for rule in puzzle.further_rules:
        if isinstance(rule, Candidates) or rule.name in ("odd", "even"):
            for cell in rule.cells(puzzle.geometry):
                found = {
                    digit
                    for digit in range(1, size + 1)
                    if not rule.forbids(puzzle.geometry, cell, digit)
                }
                allowed[cell] = allowed.get(cell, found) & found
    words = []
    for cell, digits in sorted(allowed.items()):
        (name,) = their_cells(puzzle.geometry.name_of(cell))
        if not digits:
            raise SatdokuError(
                f"ISS cannot say that {puzzle.geometry.name_of(cell)} holds no digit"
            )
        words.append("_".join([name, *(str(digit + lowest - 1) for digit in sorted(digits))]))
    if words:
        yield ".~" + "~".join(words)


def _write_rule(rule: Rule, geometry: Geometry, lowest: int) -> list[str]:
    """The classes of a rule that is not about givens, regions and dots."""
    name, argument = rule.name, rule.argument(geometry)
    if name in _ELSEWHERE:
        return _ELSEWHERE[name]
    if name == "either":
        return _write_either(rule, geometry, lowest)
    if name in ("pair", "each-pair"):
        argument = _with_table(rule, geometry, lowest)
    fault = f" as it is used here: {argument[:40]}"
    try:
        words = [
            "~".join([f".{entry.name}", *args])
            for entry in CLASSES
            if entry.rule == name
            for args in entry.shape.counted_from(lowest).write(argument, geometry.size)
        ]
    except SatdokuError as error:
        words, fault = [], f": {error}"
    words = words or _as_pairs(rule, geometry, lowest)
    if not words:
        raise SatdokuError(f"ISS cannot hold the rule {name}{fault}")
    return words


def _as_pairs(rule: Rule, geometry: Geometry, lowest: int) -> list[str]:
    """A rule without a class as relations of two cells and digits of one; empty if it says more."""
    edges_of: dict[Masks, list[str]] = {}
    givens = []
    for each in rule.constraints(geometry):
        if isinstance(each, Pair):
            names = (geometry.name_of(cell) for cell in (each.first, each.second))
            edges_of.setdefault(each.excludes, []).append("~".join(their_cells(",".join(names))))
        elif isinstance(each, Allowed) and each.digits:
            digits = (str(digit + lowest - 1) for digit in digits_of(each.digits))
            givens.append("_".join([*their_cells(geometry.name_of(each.cell)), *digits]))
        else:
            return []
    words = [".~" + "~".join(givens)] if givens else []
    for excludes, edges in edges_of.items():
        packed = write_pairs(_allowed_by(excludes, lowest), _digits(geometry, lowest))
        # A relation that holds of no two digits would be none to whoever reads it.
        if not packed:
            return []
        words.append(f".Pair~{packed}~~{'~~'.join(edges)}")
    return words


def _digits(geometry: Geometry, lowest: int) -> range:
    return range(lowest, lowest + geometry.size)


def _allowed_by(excludes: Masks, lowest: int) -> list[tuple[int, int]]:
    """The pairs of digits that are left, in the digits of the puzzle."""
    digits = range(1, len(excludes))
    return [
        (a + lowest - 1, b + lowest - 1) for a in digits for b in digits if not excludes[a] >> b & 1
    ]


def _with_table(rule: Rule, geometry: Geometry, lowest: int) -> str:
    """The argument of a relation with a table in place of an expression."""
    cells = rule.argument(geometry).partition(":")[0]
    first, second = tuple(rule.cells(geometry))[:2]
    digits = range(1, geometry.size + 1)
    pairs = [
        f"{a + lowest - 1}-{b + lowest - 1}"
        for a in digits
        for b in digits
        if not rule.forbids_both(geometry, first, a, second, b)
    ]
    return f"{cells}:{'/'.join(pairs)}"


# What ISS knows of the whole board only, and not as a choice.
_OF_BOARD = {".StrictKropki", ".StrictXV", ".AntiConsecutive"}
_BOARD_RULES = {
    *("anti-knight", "anti-king", "anti-taxicab", "non-consecutive", "diagonal", "diagonals"),
    *("windoku", "disjoint-groups", "global-entropy", "global-modular", "dutch-flatmates"),
}


def _write_of_board(rule: Rule, geometry: Geometry, lowest: int) -> list[str]:
    """A rule of the whole board by what it says of cells, which may be a choice."""
    parts = list(rule.constraints(geometry))
    words = []
    if all(isinstance(part, Unit) for part in parts):
        names = (",".join(map(geometry.name_of, cells_of(part))) for part in parts)
        words = [f".AllDifferent~{'~'.join(their_cells(cells))}" for cells in names]
    words = words or _as_pairs(rule, geometry, lowest)
    if not words:
        raise SatdokuError(f"ISS cannot hold the rule {rule.name} as one of several choices")
    return words


def _write_either(rule: Rule, geometry: Geometry, lowest: int) -> list[str]:
    words = [".Or"]
    for choice in rule.choices:  # type: ignore[attr-defined]
        words.append(".And")
        for each in choice:
            if each.name in _BOARD_RULES:
                words += _write_of_board(each, geometry, lowest)
            elif each.name in DOT_RULES:
                dots = _write_dots([each], geometry, lowest)
                # These speak of the marks of the whole board, not of those of a choice.
                is_of_board = not _OF_BOARD.isdisjoint(dots)
                words += _write_of_board(each, geometry, lowest) if is_of_board else dots
            elif isinstance(each, Candidates) or each.name in ("odd", "even"):
                # A choice knows nothing of the givens: an empty board tells what it allows.
                empty = Puzzle.from_line("." * geometry.cell_count, geometry)
                words += _write_givens(empty.with_rules([Digits(lowest=lowest), each]), lowest)
            else:
                words += _write_rule(each, geometry, lowest)
        words.append(".End")
    return [*words, ".End"]


def _write_dots(rules: Sequence[Rule], geometry: Geometry, lowest: int) -> list[str]:
    """The classes of dots and letters, which say together what is not at other edges."""
    meaning = meaning_of((rule.name, rule.argument(geometry)) for rule in rules)
    words = []
    others = []
    for kind, value, edge in sorted(meaning.marks, key=lambda mark: (*mark[:2], sorted(mark[2]))):
        cells = their_cells(",".join(sorted(edge)))
        # ISS has marks with these numbers only, and between cells that share a side.
        if (kind, value) in _MARKS and edges_among(cells, geometry.size):
            words.append("~".join([f".{_MARKS[kind, value]}", *cells]))
        else:
            others.append(f"{_MARKED[kind]}:{NUMBERS.get(value, value)}={','.join(sorted(edge))}")
    left = set(meaning.forbidden)
    for name, kinds in (
        ("StrictKropki", _all_of(meaning, {"difference": ("1",), "ratio": ("2",)})),
        ("StrictXV", _all_of(meaning, {"xv": ("5", "10")})),
        ("AntiConsecutive", {("difference", "1", _NO_EDGES)}),
    ):
        # A class is written where all that it says is meant: ISS has none for a part of it.
        if kinds <= left:
            words.append(f".{name}")
            left -= kinds
    for kind, value, exempt in sorted(left, key=lambda each: each[:2]):
        edges = sorted(",".join(sorted(edge)) for edge in exempt)
        others.append(f"{_UNMARKED[kind]}:{'/'.join([value, *edges])}")
    for text in others:
        rule = read_unsettled(text, geometry).beside([Digits(lowest=lowest)])
        found = _as_pairs(rule, geometry, lowest)
        if not found:
            raise SatdokuError(f"ISS cannot hold the rule {text[:40]}")
        words += found
    return words


def _all_of(
    meaning: Meaning, values: dict[str, tuple[str, ...]]
) -> set[tuple[str, str, frozenset[frozenset[str]]]]:
    """What is forbidden where all marks of some kinds are given."""
    marked = frozenset(edge for kind, _, edge in meaning.marks if kind in values)
    return {(kind, value, marked) for kind, each in values.items() for value in each}
