"""Whole puzzles with rules: their verdicts, their solutions and their certificates."""

from random import Random

import pytest

from satdoku.certifying.certify import certify
from satdoku.certifying.verify import verify
from satdoku.encoding.choices import Encoding
from satdoku.puzzle.grid import EMPTY
from satdoku.puzzle.rules.registry import RULES
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.questions import check
from satdoku.solving.solvers import Settings
from tests.crossing import crossed
from tests.each import for_each
from tests.puzzle.rules.instances import WITHOUT_CERTIFICATES
from tests.variants import Variant, ours, published, read_published

VARIANTS = [*ours(), *published()]

# Their proofs take seconds; those of other variants with these rules take a tenth of one.
HARD = ("3 non-consecutive 3x3", "0 anti-knight 3x3")


def test_there_is_a_puzzle_for_every_rule() -> None:
    seen = {rule.name for variant in VARIANTS for rule in variant.puzzle.rules}
    assert seen == set(RULES)


@crossed(2, variant=VARIANTS, encoding=[Encoding.REDUCED, Encoding.EXTENDED])
def test_it_is_unique_with_its_solution(variant: Variant, encoding: Encoding) -> None:
    outcome = check(variant.puzzle, Settings(encoding=encoding))
    assert (outcome.verdict, outcome.solution) == (Verdict.UNIQUE, variant.solution)


# Proofs of 16x16 take a minute, and there are none yet about a few rules. Certificates of all
# rules on 4x4 are verified always, in `puzzle/rules/test_every_rule.py`.
PROVEN = [
    each
    for each in VARIANTS
    if each.puzzle.geometry.size <= 9 and not WITHOUT_CERTIFICATES.intersection(each.name.split())
]
USUAL = [each for each in PROVEN if each.name not in HARD][::9]


@for_each("variant", USUAL)
def test_its_certificate_verifies(variant: Variant) -> None:
    require_certificate(variant)


@pytest.mark.slow
@for_each("variant", [each for each in PROVEN if each not in USUAL])
def test_other_certificates_verify(variant: Variant) -> None:
    require_certificate(variant)


def require_certificate(variant: Variant) -> None:
    certificate = certify(variant.puzzle, "satdoku 1")
    assert certificate.solutions == (variant.solution,)
    assert verify(certificate).verdict is Verdict.UNIQUE


@crossed(2, variant=[v for v in ours() if v.puzzle.givens])
def test_without_a_given_it_has_several_solutions(variant: Variant) -> None:
    """Ours are minimal, but for those of 16x16; so no rule is stricter than it should be."""
    if variant.puzzle.geometry.size > 9:
        return
    cell = Random(variant.name).choice(sorted(variant.puzzle.givens))
    fewer = variant.puzzle.with_grid(variant.puzzle.grid.with_digits({cell: EMPTY}))
    assert check(fewer).verdict is Verdict.MULTIPLE


def test_the_plain_reading_of_published_puzzles_is_understood() -> None:
    boxes = ["0011", "0011", "2233", "2233"]
    reading = {
        "size": 4,
        "regions": boxes,
        "grid": ["1...", "....", "....", "...."],
        "candidates": {"r1c2": [2]},
        "rules": [{"rule": "diagonal", "which": "+"}, {"rule": "anti-king"}],
    }
    content = {"id": "x", "title": "X", "solution": "1" * 16, "reading": reading}
    variant = read_published(content)
    names = [rule.name for rule in variant.puzzle.rules]
    assert names == ["rows", "columns", "boxes", "diagonal", "anti-king", "candidates"]
    assert variant.puzzle.givens == {0: 1}
