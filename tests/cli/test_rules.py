from satdoku.puzzle.rules.registry import RULES
from tests.commands import run


def test_every_rule_is_listed_with_its_example_and_its_sentence() -> None:
    result = run("rules")
    lines = result.stdout.splitlines()
    assert [line.split()[0].partition(":")[0] for line in lines] == list(RULES)
    assert all(len(line.split("  ", 1)[1].strip()) > 15 for line in lines)
    assert "anti-knight                  no two cells a knight's move apart" in result.stdout
