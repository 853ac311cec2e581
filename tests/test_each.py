"""A test of many values fails for the first fault, and names all values that have one."""

import os
from pathlib import Path

import pytest

from tests.each import for_each


def test_all_values_are_tried_and_the_faulty_ones_named() -> None:
    tried = []

    @for_each("left, right", [(1, 1), (1, 2), (3, 3), (4, 2)])
    def check(left: int, right: int) -> None:
        tried.append(left)
        assert left == right

    with pytest.raises(AssertionError, match=r"2 of 4 fail: .*right=2.*left=4") as caught:
        check()
    assert tried == [1, 1, 3, 4]
    assert "1 == 2" in str(caught.value.__cause__)


def test_a_value_that_does_not_raise_what_it_should_is_named() -> None:
    @for_each("value", "12x4")
    def check(value: str) -> None:
        with pytest.raises(ValueError, match="invalid"):
            int(value if value == "x" else f"{value}x")
        with pytest.raises(ValueError, match="invalid"):
            int(value)

    with pytest.raises(AssertionError, match=r"3 of 4 fail: value='1'; value='2'; value='4'"):
        check()


def test_a_value_that_is_skipped_does_not_skip_the_others() -> None:
    tried = []

    @for_each("value", [1, 2, 3])
    def check(value: int, wrong: int) -> None:
        if value == 1:
            pytest.skip("it is not here")
        tried.append(value)
        assert value != wrong

    with pytest.raises(AssertionError, match=r"1 of 3 fail: value=2$"):
        check(wrong=2)
    with pytest.raises(pytest.skip.Exception, match=r"^1 of 3: it is not here$"):
        check(wrong=4)
    assert tried == [2, 3, 2, 3]


def test_the_second_of_two_values_is_named_behind_a_long_one() -> None:
    @for_each("text, number", [("a" * 5000 + "b", 7)])
    def check(text: str, number: int) -> None:
        assert len(text) == number

    with pytest.raises(AssertionError, match=r"fail: text='a+ \.\.\. a+b', number=7$"):
        check()


def test_values_are_crossed_and_the_rest_comes_from_outside() -> None:
    tried = []

    @for_each("left", "ab")
    @for_each("right", range(2))
    def check(left: str, right: int, fixture: bool) -> None:
        tried.append((left, right, fixture))

    check(fixture=True)
    assert tried == [("a", 0, True), ("a", 1, True), ("b", 0, True), ("b", 1, True)]


@for_each("value", "ab")
def test_every_value_has_a_folder_patches_and_an_output_of_its_own(
    value: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert not list(tmp_path.iterdir())
    assert "PATCHED_BY_A_VALUE" not in os.environ
    assert capsys.readouterr().out == ""
    (tmp_path / value).touch()
    monkeypatch.setenv("PATCHED_BY_A_VALUE", value)
    print(value)


def test_a_name_that_the_test_does_not_have_is_refused() -> None:
    with pytest.raises(AssertionError, match="other"):
        for_each("other", [1])(test_all_values_are_tried_and_the_faulty_ones_named)
