"""Chains in the notation of forums."""

import re

from satdoku.explaining.explain import explain
from satdoku.explaining.words.explanation import Style, describe
from satdoku.puzzle.puzzle import Puzzle
from tests.boards import read_grid

LINE = ".5........9.7..1.6.72.6.4......4...38....6..4...3.19.7.....7.9......9.3.6...2...."


def test_chains_are_written_as_in_forums() -> None:
    explanation = explain(Puzzle(read_grid(LINE)))
    lines = "\n".join(describe(explanation, Style(is_eureka=True))).splitlines()
    chains = [line.split(": ", 1)[1] for line in lines if "=>" in line]
    assert chains[0] == "(4)r1c6=(4)r2c6-(2)r2c6=(2)r2c8-(2=8)r1c9 => r1c6<>8."
    one = r"(\(\d+\)[rc\d,]+=\(\d+\)[rc\d,]+|\(\d+=\d+\)[rc\d,]+)"
    for chain in chains:
        assert re.fullmatch(rf"{one}(-{one})* => [rc\d,]+<>\d(, [rc\d,]+<>\d)*\.", chain)
    assert len(chains) == sum(bool(step.chain) for step in explanation.way.steps)
