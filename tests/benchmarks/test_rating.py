from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.__main__ import benchmarks
from benchmarks.rating import correlate
from tests.commands import EASY

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


def test_equal_values_share_a_rank() -> None:
    """Ranks 1, 2.5, 2.5, 4 beside 1, 2, 3, 4: 4.5 / sqrt(4.5 * 5)."""
    assert correlate([1, 5, 5, 9], [1, 2, 3, 4]) == pytest.approx(0.9487, abs=1e-4)
    assert correlate([1, 2, 3], [9, 8, 7]) == pytest.approx(-1)


def test_a_weight_counts_like_so_many_puzzles() -> None:
    several = correlate([1, 2, 2, 2, 5], [3, 1, 1, 1, 4])
    assert correlate([1, 2, 5], [3, 1, 4], [1, 3, 1]) == pytest.approx(several)


def test_each_of_our_ratings_shows_what_it_met(tmp_path: Path) -> None:
    path = tmp_path / "rated.csv"
    path.write_text(f"name,score,stands for,puzzle\na,1.5,3,{EASY}\nb,11,1,{HARD}\n")
    words = ["rating", str(path), "--column", "score", "--weight", "stands for"]
    result = CliRunner().invoke(benchmarks, words, catch_exceptions=False)
    assert result.output.splitlines() == [
        "2 puzzles, rank correlation 1.000",
        "weighted by stands for: 1.000",
        "",
        "| rating | level | puzzles | from | middle half | to |",
        "|---|---|---|---|---|---|",
        "| 0 | easy | 1 | 1.5 | 1.5 to 1.5 | 1.5 |",
        "| - | beyond | 1 | 11.0 | 11.0 to 11.0 | 11.0 |",
    ]


def test_a_puzzle_with_several_solutions_is_no_measure(tmp_path: Path) -> None:
    path = tmp_path / "rated.csv"
    path.write_text(f"puzzle,rating\n{'.' * 81},1\n")
    result = CliRunner().invoke(benchmarks, ["rating", str(path)])
    assert result.exit_code == 1
    assert "has not one solution" in result.output
