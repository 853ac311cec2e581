"""All rules by name, and rules as text: `anti-knight`, `extra-region:r1c1,r1c2`."""

from difflib import get_close_matches

from satdoku.errors import SatdokuError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.candidates import Candidates
from satdoku.puzzle.rules.classic import Boxes, Columns, Rows
from satdoku.puzzle.rules.diagonals import Diagonal, Diagonals
from satdoku.puzzle.rules.disjoint_groups import DisjointGroups
from satdoku.puzzle.rules.extra_region import ExtraRegion
from satdoku.puzzle.rules.moves import AntiKing, AntiKnight
from satdoku.puzzle.rules.non_consecutive import NonConsecutive
from satdoku.puzzle.rules.parity import Even, Odd
from satdoku.puzzle.rules.regions import Regions
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.rules.windoku import Windoku

RULES: dict[str, type[Rule]] = {
    rule.name: rule
    for rule in (
        Rows,
        Columns,
        Boxes,
        Regions,
        Diagonal,
        Diagonals,
        Windoku,
        DisjointGroups,
        ExtraRegion,
        AntiKnight,
        AntiKing,
        NonConsecutive,
        Odd,
        Even,
        Candidates,
    )
}


def require_rule_name(name: str) -> type[Rule]:
    """The kind of rule of that name; an unknown name is answered with the nearest one."""
    if name in RULES:
        return RULES[name]
    near = get_close_matches(name, RULES, 1)
    hint = f"did you mean {near[0]}?" if near else "`satdoku rules` lists them"
    # A long name is a slip, such as a whole puzzle, and is not repeated in full.
    raise SatdokuError(f"there is no rule {name[:40]!r}; {hint}")


def read_rule(text: str, geometry: Geometry) -> Rule:
    """The rule that a text names, with its argument behind a colon.

    >>> read_rule("odd:r1c1", Geometry(2, 2))
    Odd(marked=(0,))
    """
    name, colon, argument = text.partition(":")
    kind = require_rule_name(name.strip())
    if kind.example and not argument.strip():
        raise SatdokuError(f"the rule {kind.name} needs an argument: {kind.name}:{kind.example}")
    if not kind.example and colon:
        raise SatdokuError(f"the rule {kind.name} takes no argument")
    try:
        rule = kind.parse(argument.strip(), geometry) if kind.example else kind()
        rule.require_fit(geometry)
    except SatdokuError as error:
        raise SatdokuError(f"the rule {kind.name}: {error}") from None
    return rule
