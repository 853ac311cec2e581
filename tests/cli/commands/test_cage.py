"""`satdoku cage`: which digits a cage can hold."""

from itertools import combinations, combinations_with_replacement

from satdoku.puzzle.rules.cages import digits_with_sum
from tests.commands import require_failure, run


def test_combinations_are_those_of_killers() -> None:
    result = run("cage", 15, 3)
    assert result.lines[0] == "1 5 9"
    assert len(result.lines) == 8
    assert result.stderr == "8 combinations\n"
    result = run("cage", 7, 3)
    assert result == (
        0,
        "1 2 4\n",
        "1 combination; all have 1, 2 and 4; none has 3, 5, 6, 7, 8 or 9\n",
    )


def test_digits_may_be_wanted_or_barred() -> None:
    assert run("cage", 15, 3, "--with", "1", "-q").lines == ["1 5 9", "1 6 8"]
    assert run("cage", 15, 3, "--with", "1", "--without", "5,7", "-q").lines == ["1 6 8"]
    assert run("cage", 12, 4, "--repeats", "--size", 6, "--with", "11", "-q").lines == [
        "1 1 4 6",
        "1 1 5 5",
    ]
    assert run("cage", 2, 3) == (20, "", "no combination\n")
    require_failure(run("cage", 5, 3, "--with", "x"), "no list of digits", code=2)


def test_none_is_left_out_and_none_added() -> None:
    for size in range(1, 7):
        for count in range(size + 2):
            for total in range(25):
                digits = range(1, size + 1)
                single = [each for each in combinations(digits, count) if sum(each) == total]
                several = combinations_with_replacement(digits, count)
                repeated = [each for each in several if sum(each) == total]
                assert list(digits_with_sum(digits, count, total)) == single
                assert list(digits_with_sum(digits, count, total, True)) == repeated
