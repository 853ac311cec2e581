import pytest

from satdoku.output.ending import Ending
from satdoku.puzzle.verdict import Verdict


@pytest.mark.parametrize("verdict", Verdict)
def test_every_verdict_is_an_ending(verdict: Verdict) -> None:
    assert Ending.of(verdict).value == verdict.value
