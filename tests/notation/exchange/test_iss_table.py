from satdoku.notation.exchange.iss_table import CLASSES, DOTS
from satdoku.puzzle.rules.registry import RULES


def test_every_class_names_a_rule_of_ours() -> None:
    assert {entry.rule for entry in CLASSES} <= set(RULES)
    assert set(DOTS) <= {entry.name for entry in CLASSES}
