"""Dots and letters on edges of f-puzzles, and what follows for the edges that have none.

White dots are differences, black ones ratios; X and V are sums of 10 and 5. Where all of them are
given, as `negative` or `nonconsecutive` says, an edge without any is one whose cells have none of
these relations. An edge with a dot of either colour is exempt from what the other colour forbids.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from satdoku.errors import RuleError, quote
from satdoku.notation.exchange.foreign import placed
from satdoku.notation.exchange.fpuzzles.entries import Entry, entries_of, is_empty, value_of
from satdoku.notation.exchange.names import our_cells, row_and_column, their_cells

KEYS = ("difference", "ratio", "xv", "negative", "nonconsecutive")
"""The keys that are read and written here."""

RULES = (
    "difference", "ratio", "pair-sum", "kropki", "xv", "non-consecutive", "no-difference",
    "no-ratio", "no-sum",
)  # fmt: skip
"""The rules that are read and written here."""

_SUMS = {"x": "x", "v": "v", "10": "x", "5": "v"}
Edge = tuple[str, str]
Text = tuple[str, str, str]
"""The name of a rule, its argument, and the key that it comes from."""


def read_dots(board: Mapping[str, Any], size: int) -> Iterator[Text]:
    """Our rules for all dots and letters of a board."""
    negative = board.get("negative") or []
    if not isinstance(negative, list) or not set(negative) <= {"ratio", "xv"}:
        raise RuleError(f"negative: satdoku has no rule for {quote(str(negative))}")
    differences = _edges_by_value(board, "difference", "1", size)
    ratios = _edges_by_value(board, "ratio", "2", size)
    yield from _kropki(differences, ratios, bool(board.get("nonconsecutive")), "ratio" in negative)
    yield from _xv(board, "xv" in negative, size)


def _kropki(
    differences: dict[str, list[str]],
    ratios: dict[str, list[str]],
    has_all_differences: bool,
    has_all_ratios: bool,
) -> Iterator[Text]:
    has_dots = bool(differences or ratios)
    if has_all_differences and not has_dots:
        yield "non-consecutive", "", "nonconsecutive"
        has_all_differences = False
    # Dots without a number are those of Kropki, which one rule says; all others say so each.
    are_usual = set(differences) <= {"1"} and set(ratios) <= {"2"}
    if has_dots and are_usual and has_all_differences == has_all_ratios:
        parts = [f"white={edge}" for edge in differences.get("1", ())]
        parts += [f"black={edge}" for edge in ratios.get("2", ())]
        yield "kropki", "/".join([*parts, *(["all"] if has_all_ratios else [])]), "difference"
    else:
        yield from _each_dot(differences, ratios)
        yield from _hidden_dots(differences, ratios, has_all_differences, has_all_ratios)


def _each_dot(differences: dict[str, list[str]], ratios: dict[str, list[str]]) -> Iterator[Text]:
    for rule, found in (("difference", differences), ("ratio", ratios)):
        for value, edges in found.items():
            yield from ((rule, f"{value}={edge}", rule) for edge in edges)


def _hidden_dots(
    differences: dict[str, list[str]],
    ratios: dict[str, list[str]],
    has_all_differences: bool,
    has_all_ratios: bool,
) -> Iterator[Text]:
    """What holds of all edges without a dot, where all dots are shown."""
    marked = [edge for found in (differences, ratios) for edges in found.values() for edge in edges]
    if has_all_differences:
        yield "no-difference", "/".join(["1", *marked]), "nonconsecutive"
    if has_all_ratios:
        # Each ratio that is shown somewhere is forbidden where no dot is, not 2 alone.
        for value in ratios or ("2",):
            yield "no-ratio", "/".join([value, *marked]), "negative"


def _xv(board: Mapping[str, Any], has_all: bool, size: int) -> Iterator[Text]:
    edges: dict[str, list[str]] = {}
    for place, entry in _entries(board, "xv"):
        letter = str(entry.get("value") or "").strip().lower()
        with placed(place):
            if letter and letter not in _SUMS:
                raise RuleError(f"{quote(letter)} is neither X nor V")
            if letter:  # an edge without a letter has not been filled in
                edges.setdefault(_SUMS[letter], []).append(_edge(entry, size))
    if has_all and not edges:
        yield from (("no-sum", value, "negative") for value in ("10", "5"))
    elif edges:
        parts = [f"{letter}={edge}" for letter in "xv" for edge in edges.get(letter, ())]
        yield "xv", "/".join([*parts, *(["all"] if has_all else [])]), "xv"


def _edges_by_value(
    board: Mapping[str, Any], key: str, usual: str, size: int
) -> dict[str, list[str]]:
    """The edges that have a dot, by what is written in it."""
    found: dict[str, list[str]] = {}
    for place, entry in _entries(board, key):
        with placed(place):
            found.setdefault(value_of(entry) or usual, []).append(_edge(entry, size))
    return found


def _entries(board: Mapping[str, Any], key: str) -> Iterator[tuple[str, Entry]]:
    """The entries of a key that name cells, each with its place in words."""
    found = entries_of(board, key, ("cells", "value"))
    return ((place, entry) for place, entry in found if not is_empty(entry, place))


def _edge(entry: Entry, size: int) -> str:
    cells = our_cells(entry.get("cells"), size)
    if cells.count(",") != 1:
        raise RuleError(f"{quote(cells)} are not two cells")
    return cells


class Meaning(NamedTuple):
    """What rules of dots and letters say, however they are put: marks, and what is forbidden.

    Marks have the kind, the value and the two cells. What is forbidden at all other edges has the
    kind, the value, and the edges that are exempt.
    """

    marks: frozenset[tuple[str, str, frozenset[str]]]
    forbidden: frozenset[tuple[str, str, frozenset[frozenset[str]]]]


def meaning_of(rules: Iterable[tuple[str, str]]) -> Meaning:
    """The meaning of rules by their names and arguments."""
    marks: list[tuple[str, str, frozenset[str]]] = []
    forbidden = []
    for name, argument in rules:
        if name in KINDS:
            value, _, cells = argument.rpartition("=")
            mark = _SUMS.get(value, value) if name == "pair-sum" else value
            for pair in pairwise(cells.split(",")):
                marks.append((KINDS[name], mark or _USUAL[name], frozenset(pair)))
        elif name in _FORBIDDING:
            value, *edges = argument.split("/")
            exempt = frozenset(frozenset(edge.split(",")) for edge in edges)
            forbidden.append((_FORBIDDING[name], value or "1", exempt))
        else:
            # `kropki` and `xv` say marks and what is forbidden in one argument.
            found, all_of = _dots_of(name, argument)
            marks += found
            exempt = frozenset(edge for _, _, edge in found)
            forbidden += [(kind, value, exempt) for kind, value in all_of]
    return Meaning(frozenset(marks), frozenset(forbidden))


KINDS = {"difference": "difference", "ratio": "ratio", "pair-sum": "xv"}
_USUAL = {"difference": "1", "ratio": "2"}
_FORBIDDING = {
    "non-consecutive": "difference",
    "no-difference": "difference",
    "no-ratio": "ratio",
    "no-sum": "xv",
}
NUMBERS = {"x": "10", "v": "5"}
"""What digits sum to at a letter; where none is given, `no-sum` says this number."""
_COLOURS = {
    "kropki": {"white": ("difference", "1"), "black": ("ratio", "2")},
    "xv": {"x": ("xv", "x"), "v": ("xv", "v")},
}


def _dots_of(
    name: str, argument: str
) -> tuple[list[tuple[str, str, frozenset[str]]], set[tuple[str, str]]]:
    """The marks of `kropki` or `xv`, and the kinds and values of which all are given."""
    marks: list[tuple[str, str, frozenset[str]]] = []
    all_of: set[tuple[str, str]] = set()
    colours = _COLOURS[name]
    for part in argument.split("/"):
        colour, _, cells = part.partition("=")
        if colour.startswith("all"):
            # `all` speaks of every colour, `all-x` of one of them.
            named = colours.get(colour.removeprefix("all-"))
            all_of |= {named} if named else set(colours.values())
            continue
        kind, value = colours[colour]
        line = cells.split(",")
        marks += [
            (kind, value, frozenset(edge)) for edge in zip(line[::2], line[1::2], strict=True)
        ]
    return marks, {(kind, NUMBERS.get(value, value)) for kind, value in all_of}


def _can_stand(kind: str, value: str, edge: frozenset[str]) -> bool:
    """Whether f-puzzles has such a mark: between cells that share a side, and of sums X and V."""
    places = [row_and_column(cell) for cell in edge]
    apart = sum(abs(one - other) for one, other in zip(*places, strict=True))
    return apart == 1 and (kind != "xv" or value in _SUMS.values())


def write_dots(rules: Sequence[tuple[str, str]], size: int) -> dict[str, Any] | None:
    """The keys for these rules, by their names and arguments; None where no keys say the same.

    What is written is read again: an edge may be exempt in one program and not in the other.
    """
    meaning = meaning_of(rules)
    if not all(_can_stand(*mark) for mark in meaning.marks):
        return None
    keys: dict[str, Any] = {}
    # Sorted, since sets come in another order in each process.
    for kind, value, edge in sorted(meaning.marks, key=lambda mark: (*mark[:2], sorted(mark[2]))):
        entry: dict[str, Any] = {"cells": their_cells(",".join(sorted(edge)))}
        # A dot without a number has the usual one.
        if value != _USUAL.get(kind):
            entry["value"] = value
        keys.setdefault(kind, []).append(entry)
    kinds = {kind for kind, _, _ in meaning.forbidden}
    if "difference" in kinds:
        keys["nonconsecutive"] = True
    if negative := sorted(kinds - {"difference"}):
        keys["negative"] = negative
    again = meaning_of([(name, argument) for name, argument, _ in read_dots(keys, size)])
    return keys if again == meaning else None
