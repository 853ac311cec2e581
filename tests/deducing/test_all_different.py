from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.deducing.prune import ImpossibleError, Matching, find_components
from satdoku.puzzle.constraints import digits_of, mask_of

SIZE = 6


def what_is_possible(masks: Sequence[int]) -> list[int]:
    """For each cell the digits that it has in any choice of different digits, by trying all."""
    possible = [0] * len(masks)
    for choice in product(*(digits_of(mask) for mask in masks)):
        if len(set(choice)) == len(choice):
            for cell, digit in enumerate(choice):
                possible[cell] |= 1 << digit
    return possible


def all_digits(masks: Sequence[int]) -> int:
    every = 0
    for mask in masks:
        every |= mask
    return every


def what_is_left(masks: Sequence[int]) -> list[int]:
    """The same as the components say it; zeros when there is no matching."""
    matching = Matching(SIZE)
    try:
        used = matching.complete(range(len(masks)), masks)
    except ImpossibleError:
        return [0] * len(masks)
    left = list(masks)
    for component in find_components(matching, masks, used, all_digits(masks) & ~used):
        for digit in digits_of(component.digits & used):
            left[matching.owner_of[digit]] &= ~component.outside
    return left


cell_masks = st.sets(st.integers(1, SIZE), min_size=1).map(mask_of)
units = st.lists(cell_masks, min_size=1, max_size=SIZE)


@given(units)
def test_what_stays_is_exactly_what_some_choice_of_different_digits_has(masks: list[int]) -> None:
    assert what_is_left(masks) == what_is_possible(masks)


@given(units)
def test_cells_of_a_hall_set_hold_its_digits_and_no_others(masks: list[int]) -> None:
    matching = Matching(SIZE)
    try:
        used = matching.complete(range(len(masks)), masks)
    except ImpossibleError:
        return
    unused = all_digits(masks) & ~used
    components = find_components(matching, masks, used, unused)
    for component in components:
        owners = [matching.owner_of[digit] for digit in digits_of(component.digits & used)]
        held = [masks[cell] & ~component.outside for cell in owners]
        assert component.is_hall_set == (not component.digits & unused)
        assert all_digits(held) & ~component.digits == 0
        if component.is_hall_set:
            assert all_digits(held) == component.digits
            assert len(owners) == len(digits_of(component.digits))
    assert all_digits([c.digits for c in components]) == used | unused


@given(units, st.data())
def test_a_matching_is_repaired_after_digits_are_gone(
    masks: list[int], data: st.DataObject
) -> None:
    matching = Matching(SIZE)
    cells = range(len(masks))
    fewer = [mask & data.draw(cell_masks) or mask for mask in masks]
    if not any(what_is_possible(masks)):
        return
    matching.complete(cells, masks)
    if not any(what_is_possible(fewer)):
        with pytest.raises(ImpossibleError):
            matching.complete(cells, fewer)
        return
    used = matching.complete(cells, fewer)
    given_digits = [matching.digit_of[cell] for cell in cells]
    assert all_digits(given_digits) == used
    assert used.bit_count() == len(masks)
    assert all(digit & mask for digit, mask in zip(given_digits, fewer, strict=True))


def test_the_example_of_the_explanation() -> None:
    masks = [mask_of({1, 2}), mask_of({1, 2}), mask_of({2, 3})]
    assert what_is_left(masks) == [mask_of({1, 2}), mask_of({1, 2}), mask_of({3})]


def test_three_cells_for_two_digits_are_impossible() -> None:
    with pytest.raises(ImpossibleError):
        Matching(3).complete(range(3), [mask_of({1, 2})] * 3)


def test_a_cell_with_a_digit_that_nobody_has_leaves_its_own_to_others() -> None:
    """Two cells, three digits: any of them may hold any of its digits."""
    masks = [mask_of({1, 2}), mask_of({2, 3})]
    assert what_is_left(masks) == masks
