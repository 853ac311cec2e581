"""Rules beside a puzzle, in its JSON object or in columns of its table; author and drawings.

    {"puzzle": [...],
     "regions": ["AABB", "ABBC", "ADCC", "DDDC"],            in place of boxes
     "candidates": {"r1c1": [1, 2]},
     "rules": ["anti-knight", {"diagonal": "/"}, {"odd": "r1c1,r2c4"}]}

A rule without an argument is a string; one with an argument is an object, or a string as --rule
takes it: `"odd:r1c1,r2c4"`. An argument may also be a list of texts, or an object with the parts
that `satdoku rules NAME` lists: {"killer": {"sum": 20, "cells": "r1c1-3 r2c1"}}. In place of the
list there may be one text with spaces between rules, as in a table.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from satdoku.errors import FormatError, RuleError, SatdokuError, UnknownRuleError, quote
from satdoku.notation.hints import NO_COLUMN, Hints, alphabet_of_rules
from satdoku.notation.record import find_name
from satdoku.notation.spelling import agreed_geometry
from satdoku.notation.stated_rules import says_variant, spoken_rules, stated_rules
from satdoku.puzzle.grid import Geometry, is_arrangement
from satdoku.puzzle.puzzle import UNPUBLISHED, Publication, Puzzle
from satdoku.puzzle.rules.arguments import read_cell
from satdoku.puzzle.rules.classic import CLASSIC, Columns, Rows
from satdoku.puzzle.rules.regions import Regions, read_regions, region_letters
from satdoku.puzzle.rules.registry import (
    RULES,
    is_unmistakable,
    read_unsettled,
    settle,
    write_argument,
)
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.rules.single_cells import Candidates

RULE_COLUMNS = ("regions", "rules", "rule")
"""The columns that hold rules; `rule` is usual for one rule in each row.

A column `candidates` is not read: it usually has their number.
"""

_BOX = "box"

VARIANT_COLUMNS = ("variant", "variants", "type", "kind")
"""The columns with a word for the kind of each puzzle, or for its difficulty."""

SHAPE_COLUMNS = (*RULE_COLUMNS, _BOX)
"""The columns that define the puzzle besides its cells: its rules, and its boxes as `3x2`."""

RULE_KEYS = (*RULE_COLUMNS, "candidates")
"""The entries of an object that hold rules; case is ignored."""

_NAMES = frozenset(RULE_KEYS)
_VARIANTS = frozenset(VARIANT_COLUMNS)
_LISTS = ("rules", "rule")
_BOX_SHAPE = "[1-9][0-9]?x[1-9][0-9]?"

# Least size of a board whose regions are recognised even if a symbol is missing.
_LEAST_SIZE = 4


def with_rule_entries(puzzle: Puzzle, value: object) -> Puzzle:
    """Return the puzzle with the rules beside it; a RuleError names a fault.

    `value` is the JSON object of the puzzle, or its table row as a mapping from column names.
    """
    # Fast path: most puzzles of files with millions have no rules beside them.
    if not isinstance(value, Mapping):
        return puzzle
    if _NAMES.isdisjoint(_bare_names(value)) and not _names_variant(value):
        return puzzle
    try:
        rules = settle(read_rule_entries(value, puzzle.geometry), puzzle.geometry)
        ruled = puzzle.with_rules(rules)
        _require_variants_held(ruled, value)
        return ruled
    except SatdokuError as error:
        hint = _IN_WORDS if _has_words_for_rules(value, error) else ""
        raise RuleError(f"{error}{hint}") from None


def variants_applied(value: Mapping[str, Any]) -> str:
    """Return a sentence about a variant beside a puzzle that is applied as a rule; else empty."""
    said = dict(_said_variants(value))
    names = " and ".join(quote(key) for key, text in said.items() if stated_rules(f"rules: {text}"))
    return f"the value of {names} is applied as a rule" if names else ""


def _bare_names(value: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of entries as they are compared: without spaces around them or capitals."""
    return (name.strip().lower() for name in value)


def _names_variant(value: Mapping[str, Any]) -> bool:
    """Return whether an entry for the kind of a puzzle, which few data sets have, names a rule."""
    is_there = not _VARIANTS.isdisjoint(_bare_names(value))
    return is_there and any(says_variant(text) for _, text in _said_variants(value))


def _said_variants(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the name and text of each entry for the kind of a puzzle."""
    for name in VARIANT_COLUMNS:
        said = _entry(value, name)
        texts = said if isinstance(said, list) else [said]
        if texts and all(isinstance(text, str) for text in texts):
            yield name, ", ".join(texts)


def _require_variants_held(puzzle: Puzzle, value: Mapping[str, Any]) -> None:
    """Refuse a puzzle that is labelled as a variant which its rules do not state."""
    names = {rule.name for rule in puzzle.rules}
    for key, text in _said_variants(value):
        for words, rule, others in spoken_rules(text):
            if others.isdisjoint(names):
                raise SatdokuError(
                    f"{quote(key)} names {quote(words)}, but no rule beside this puzzle does: "
                    f"'rules' or --rule takes {rule}; --rules-column none ignores it"
                )


_IN_WORDS = (
    "; these rules are in words: --rules-column names the column or key of rules as --rule takes "
    "them, and none leaves this one unread"
)


def _has_words_for_rules(value: Mapping[str, Any], fault: SatdokuError) -> bool:
    """Return whether sentences are in place of rules; `fault` is the error they caused."""
    is_usual = find_name(value, "rules") is not None
    said = _entry(value, "rules" if is_usual else "rule") or []
    texts = [str(text) for text in (said if isinstance(said, list) else [said])]
    has_sentence = any(len(text.split()) > 2 and ":" not in text for text in texts)
    is_unlike = isinstance(fault, UnknownRuleError) and not fault.is_like_one
    is_known = any(text.partition(":")[0].strip().lower() in RULES for text in texts)
    return has_sentence or (is_unlike and bool(texts) and not is_known)


# Keys by which other programs and data sets state rules, in their spelling. `names_rules_of_others`
# adds the names of our own rules.
_OF_OTHERS = (
    r"(?i)cages?|killer\w*|thermo\w*|arrows?|(?:non)?cons\w*|anti\w*|kropki\w*|(?:extra)?regions?|"
    r"diagonal\S*|lines?|constraints?|whispers?|palindromes?|sandwich\w*|jigsaw|rules?|renban\w*|xv|"
    r"odd|even|quadruples?|clones?|windoku|skyscrapers?"
)


# Values that mean no, as tables say it in text.
_SAYS_NO = r"(?i)[\d.]*|no|none|false|-|null"


def refuse_rules_beside(value: Mapping[str, Any], but: Collection[str] = ()) -> None:
    """Refuse an object with rules in entries of other names, except those in `but`.

    A number under such a name is a count, and an empty or false entry, also as text, means no.
    """
    # If both `rules` and `rule` are there, only `rules` is read.
    unread = {"rule"} if find_name(value, "rules") is not None else set()
    for key, inner in value.items():
        is_said = inner and (inner is True or not isinstance(inner, int | float))
        is_said = is_said and not (isinstance(inner, str) and re.fullmatch(_SAYS_NO, inner))
        if is_said and key.strip().lower() not in {*but} - unread and names_rules_of_others(key):
            hint = ": rules stand in 'rules'" if but else ""
            fault = f"this puzzle has {quote(key)} beside its board, which satdoku does not read"
            raise RuleError(fault + hint)


def names_rules_of_others(name: str) -> bool:
    """Whether an entry or column of that name has rules that are not read from it."""
    bare = name.strip()
    return re.fullmatch(_OF_OTHERS, bare) is not None or is_unmistakable(bare.lower())


def says_more(name: str, hints: Hints) -> bool:
    """Whether an entry of that name may say more about a puzzle than its cells.

    False for names of entries with the kind of a puzzle, such as `variant`.
    """
    lower = name.strip().lower()
    if hints.rules_column is not None:
        return lower == hints.rules_column.strip().lower() or not _is_passed(name)
    return lower in (_BOX, *RULE_KEYS) or names_rules_of_others(name)


def with_chosen_rules(value: Mapping[str, Any], hints: Hints) -> Mapping[str, Any]:
    """Return the entries of an object, with the column that the user chose as `rules`.

    Other entries that usually hold rules are left out, as they then hold something else. A
    FormatError if there is no entry of the chosen name.
    """
    chosen = hints.rules_column
    if chosen is None:
        return value
    rest = {key: inner for key, inner in value.items() if not _is_passed(key)}
    if chosen.lower() == NO_COLUMN and find_name(value, chosen) is None:
        return rest
    key = find_name(value, chosen.strip())
    if key is None:
        known = ", ".join(map(quote, list(value)[:12]))
        raise FormatError(f"there is no {chosen!r} for --rules-column, only {known or 'none'}")
    return {**rest, "rules": value[key]}


def _is_passed(name: str) -> bool:
    """Return whether a name is one that usually holds rules and is replaced by a chosen column."""
    lower = name.strip().lower()
    is_shape = lower in ("regions", "candidates", _BOX)
    is_listed = lower in (*_LISTS, *VARIANT_COLUMNS)
    return not is_shape and (is_listed or names_rules_of_others(name))


def with_digits(hints: Hints, value: Mapping[str, Any]) -> Hints:
    """Return the hints with the digits that rules beside the puzzle define (`digits:0-8`)."""
    digits = [rule for rule in _texts_of_rules(value) if alphabet_of_rules([rule]) is not None]
    return replace(hints, rules=(*hints.rules, *digits)) if digits else hints


def _texts_of_rules(value: Mapping[str, Any]) -> Iterator[str]:
    """Yield the rules beside a puzzle as texts; `read_rule_entries` reports invalid ones."""
    listed = _listed(value)
    for rule in listed if isinstance(listed, list) else ():
        try:
            yield _text_of_rule(rule)
        except SatdokuError:
            continue


def _listed(value: Mapping[str, Any]) -> object:
    """Return the list of rules beside a puzzle; a text, as in a table, is split at spaces.

    The arguments that `write_rule` makes have no spaces.
    """
    is_usual = find_name(value, "rules") is not None
    rules = _entry(value, "rules" if is_usual else "rule") or []
    return rules.split() if isinstance(rules, str) else rules


def regions_size(value: Mapping[str, Any]) -> int | None:
    """Return the size of the board for the regions beside a puzzle; None without regions."""
    regions = _entry(value, "regions") or _regions_among(_texts_of_rules(value))
    try:
        symbols = region_letters(_text_of(Regions.name, regions)) if regions else ""
    except SatdokuError:
        return None  # `read_rule_entries` reports it
    size = round(len(symbols) ** 0.5)
    # If the number of symbols is no square, the nearest size is used, so that the missing symbol is
    # reported when the rules are read. A few symbols are not taken for regions.
    return size if size >= _LEAST_SIZE or (symbols and size * size == len(symbols)) else None


def _regions_among(rules: Iterable[str]) -> str:
    """Return the regions in a list of rules; empty if there are none."""
    named = (rule.partition(":") for rule in rules)
    found = (argument for name, _, argument in named if name.strip().lower() == Regions.name)
    return next(found, "")


def with_shape(hints: Hints, value: Mapping[str, Any]) -> Hints:
    """Return the hints with the board shape of a table row: its box, or its regions.

    With regions the boxes are the usual ones, which the regions replace; so 7x7, which has no
    boxes, is read too. A FormatError if the box contradicts a hint.
    """
    hints = with_digits(hints, value)
    box = _entry(value, _BOX)
    # A column of that name may hold something else, such as the number of a box on a shelf.
    if isinstance(box, str) and (re.fullmatch(_BOX_SHAPE, box.strip()) or is_arrangement(box)):
        geometry = Geometry.parse(box.strip())
        return replace(hints, geometry=agreed_geometry(hints.geometry, geometry))
    size = None if hints.size is not None else regions_size(value)
    return hints if size is None else replace(hints, geometry=Geometry.of_size(size))


def read_rule_entries(value: Mapping[str, Any], geometry: Geometry) -> Iterator[Rule]:
    """Yield the rules that an object adds to rows, columns and boxes."""
    if regions := _entry(value, "regions"):
        yield _read_rule({"regions": regions}, geometry)
    if candidates := _entry(value, "candidates"):
        yield _read_candidates(candidates, geometry)
    rules = _listed(value)
    if not isinstance(rules, list):
        raise SatdokuError("the entry 'rules' must be a list, such as [\"anti-knight\"]")
    found = [_read_rule(rule, geometry) for rule in rules]
    for _, text in _said_variants(value):
        found += [_read_rule(rule, geometry) for rule in stated_rules(f"rules: {text}")]
    if _has_no_boxes(found) and not regions:
        yield read_regions("." * geometry.cell_count, geometry)
    yield from found


def _has_no_boxes(rules: Sequence[Rule]) -> bool:
    """Return whether a list of rules names rows and columns, but neither boxes nor regions.

    Such a list means a Latin square. Any other list with some but not all of rows, columns and
    boxes is refused, as no puzzle without rows or columns is supported.
    """
    named = {rule for rule in rules if rule in CLASSIC}
    if not named or named == set(CLASSIC):
        return False
    is_latin = named == {Rows(), Columns()}
    if not is_latin:
        names = " and ".join(rule.name for rule in CLASSIC if rule in named)
        raise SatdokuError(
            f"{names} are rules of every puzzle; a list of rules names rows and columns, "
            "which means no boxes, or none of the three"
        )
    return not any(rule.stands_in_for_boxes for rule in rules)


def write_rule_entries(puzzle: Puzzle) -> dict[str, Any]:
    """Return the entries for the rules of a puzzle beyond rows, columns and boxes."""
    entries: dict[str, Any] = {}
    others: list[Any] = []
    for rule in puzzle.further_rules:
        argument = rule.argument(puzzle.geometry)
        if isinstance(rule, Regions):
            entries["regions"] = argument.split("/")
        elif isinstance(rule, Candidates) and "candidates" not in entries:
            name_of = puzzle.geometry.name_of
            entries["candidates"] = {name_of(cell): list(digits) for cell, digits in rule.sets}
        else:
            others.append({rule.name: argument} if argument else rule.name)
    return entries | ({"rules": others} if others else {})


def _entry(value: Mapping[str, Any], name: str) -> Any:
    """Return the entry of that name in any case; None if there is none."""
    key = find_name(value, name)
    return None if key is None else value[key]


def _read_rule(rule: object, geometry: Geometry) -> Rule:
    for name, argument in rule.items() if isinstance(rule, Mapping) and len(rule) == 1 else ():
        if str(name).lower() == Candidates.name and isinstance(argument, Mapping):
            return _read_candidates(argument, geometry)
    return read_unsettled(_text_of_rule(rule), geometry)


def _text_of_rule(rule: object) -> str:
    """Return a rule of a list as `--rule` takes it."""
    if isinstance(rule, str):
        return rule
    if isinstance(rule, Mapping) and len(rule) == 1:
        ((name, argument),) = rule.items()
        if argument is True:
            return str(name)
        if isinstance(argument, Mapping):
            return f"{name}:{write_argument(str(name), argument)}"
        return f"{name}:{_text_of(str(name), argument)}"
    raise SatdokuError(
        'a rule must be a name such as "anti-knight", or an object such as {"odd": "r1c1"}'
    )


def _text_of(name: str, argument: object) -> str:
    """Return an argument as one text; the parts of a list are joined by spaces."""
    if isinstance(argument, str):
        return argument
    if isinstance(argument, list) and all(isinstance(part, str) for part in argument):
        return " ".join(argument)
    raise SatdokuError(f"the entry {quote(name, 40)} must be a text, or a list of texts")


def _read_candidates(candidates: object, geometry: Geometry) -> Rule:
    """Return the rule for the digits of some cells, by name, or of all cells in a list.

    An empty entry of a list says nothing about its cell, which usually has a digit.
    """
    if isinstance(candidates, list):
        candidates = _named_marks(candidates, geometry)
    if not isinstance(candidates, Mapping):
        raise SatdokuError(
            "the entry 'candidates' must be an object such as {\"r1c1\": [1, 2]}, or a list with "
            "the digits of each cell"
        )
    digits_at: dict[int, list[int]] = {}
    for name, digits in candidates.items():
        if not isinstance(digits, list) or not all(type(digit) is int for digit in digits):
            raise SatdokuError(f"the candidates of {str(name)[:20]} must be a list of numbers")
        digits_at[read_cell(str(name), geometry)] = digits
    return Candidates.of(digits_at)


def _named_marks(marks: list[object], geometry: Geometry) -> dict[str, object]:
    """Return candidates in a list of all cells, or of rows of cells, as an object by cell name."""
    if len(marks) == geometry.size and all(
        isinstance(row, list) and len(row) == geometry.size for row in marks
    ):
        marks = [digits for row in marks if isinstance(row, list) for digits in row]
    if len(marks) != geometry.cell_count:
        raise SatdokuError(
            f"the entry 'candidates' lists {len(marks)} cells; the board has {geometry.cell_count}"
        )
    return {geometry.name_of(cell): digits for cell, digits in enumerate(marks) if digits != []}


# Author, rules in words and drawings of a puzzle, as entries of a JSON object
#
#     {"puzzle": [...], "author": "Ann", "rules_text": "Digits in cages ...",
#      "drawings": {"f-puzzles": {"line": [...], "foglight": [...]}}}
#
# Drawings are kept as the program with that name writes them, and have no meaning here.

_DRAWINGS = "drawings"


def publication_entries(puzzle: Puzzle) -> dict[str, Any]:
    """Return the entries that `read_publication` reads; empty if there is nothing to say."""
    about = puzzle.publication
    found: dict[str, Any] = {"author": about.author, "rules_text": about.rules_text}
    if about.drawings:
        found[_DRAWINGS] = {about.program: dict(about.drawings)}
    return {name: entry for name, entry in found.items() if entry}


def read_publication(value: Mapping[str, Any]) -> Publication:
    """Return author, rules in words and drawings of an object; other types are ignored."""
    author, rules_text, drawings = (value.get(k) for k in ("author", "rules_text", _DRAWINGS))
    if author is None and rules_text is None and drawings is None:
        return UNPUBLISHED
    programs = list(drawings.items()) if isinstance(drawings, Mapping) else []
    is_known = len(programs) == 1 and isinstance(programs[0][1], Mapping)
    program, parts = programs[0] if is_known else ("", {})
    return Publication(_text(author), _text(rules_text), str(program), dict(parts))


def _text(value: object) -> str:
    # Some programs write a list of lines.
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "\n".join(value)
    return value if isinstance(value, str) else ""
