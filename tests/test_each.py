"""A test of many values fails for the first fault, and names all values that have one."""

import pytest

from tests.each import for_each


def test_all_values_are_tried_and_the_faulty_ones_named() -> None:
    tried = []

    @for_each("left, right", [(1, 1), (1, 2), (3, 3), (4, 2)])
    def check(left: int, right: int) -> None:
        tried.append(left)
        assert left == right

    with pytest.raises(AssertionError, match=r"2 of 4 fail: .*'right': 2.*'left': 4") as caught:
        check()
    assert tried == [1, 1, 3, 4]
    assert "1 == 2" in str(caught.value.__cause__)


def test_values_are_crossed_and_the_rest_comes_from_outside() -> None:
    tried = []

    @for_each("left", "ab")
    @for_each("right", range(2))
    def check(left: str, right: int, fixture: bool) -> None:
        tried.append((left, right, fixture))

    check(fixture=True)
    assert tried == [("a", 0, True), ("a", 1, True), ("b", 0, True), ("b", 1, True)]


def test_a_name_that_the_test_does_not_have_is_refused() -> None:
    with pytest.raises(AssertionError, match="other"):
        for_each("other", [1])(test_all_values_are_tried_and_the_faulty_ones_named)
