"""Every rule is certified and verified, or refused by name with the reason in the docs."""

from pathlib import Path

import pytest

from satdoku.certifying.certify import certify
from satdoku.certifying.verify import verify
from satdoku.encoding.choices import Encoding
from satdoku.errors import SatdokuError
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import RULES, read_rules
from satdoku.puzzle.verdict import Verdict
from tests.certifying.second import ROOT, known_rules, needs_compiler, says
from tests.each import for_each
from tests.puzzle.rules.instances import WITHOUT_CERTIFICATES, example_of


def hopeless(name: str) -> Puzzle:
    """A rule's example on an empty board with a cell that is to be odd and even, or 1 and 2.

    The puzzle has no solution, and its formula has all clauses of the rule.
    """
    geometry = RULES[name].example_board
    rule = example_of(name, geometry)
    opposites = ["odd:r1c1", "even:r1c1"]
    if name == "schrodinger":  # a cell may hold an odd digit and an even one
        opposites = ["killer:1=r1c1", "killer:2=r1c1"]
    both = read_rules(opposites, geometry)
    added = [each for each in both if each != rule]
    return Puzzle(Grid.empty(geometry)).with_rules([rule, *added])


def reasons(heading: str) -> str:
    """The part of the page on certificates under a heading."""
    text = (ROOT / "docs" / "certificates.md").read_text("utf-8")
    return text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


@needs_compiler
@for_each("name", sorted(RULES.keys() - WITHOUT_CERTIFICATES))
def test_both_verifiers_accept_a_certificate_or_name_the_rule(name: str, tmp_path: Path) -> None:
    certificate = certify(hopeless(name), "satdoku 1", encoding=Encoding.EXTENDED, is_whole=True)
    assert certificate.verdict is Verdict.NONE
    # A rule that by itself leaves a cell no digit is no reason to be without clauses.
    assert verify(certificate).clauses > 64
    is_accepted, told = says(certificate, tmp_path)
    assert is_accepted == (name in known_rules()), told
    if not is_accepted:
        assert f"the rule {name} is not known to this program" in told
        assert f"`{name}`" in reasons("Rules that the second verifier does not know")


@for_each("name", sorted(WITHOUT_CERTIFICATES))
def test_other_rules_are_refused_by_name_with_the_reason_in_the_docs(name: str) -> None:
    with pytest.raises(SatdokuError, match=f"no certificates yet for the rule {name}$"):
        certify(hopeless(name), "satdoku 1")
    assert f"`{name}`" in reasons("Rules without certificates")
