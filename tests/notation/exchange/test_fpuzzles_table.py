from satdoku.notation.exchange.fpuzzles import DRAWN, FLAGS, KEYS, LISTED, RULES, SILENT


def test_every_key_has_one_meaning() -> None:
    keys = [*FLAGS, *(listed.key for listed in LISTED), *KEYS, *DRAWN, *SILENT]
    assert len(keys) == len(set(keys))


def test_every_rule_has_one_key() -> None:
    rules = [*(listed.rule for listed in LISTED), *RULES]
    assert len(rules) == len(set(rules))
