"""Machines as tables."""

from satdoku.puzzle.machines import build_layers


def test_a_machine_that_no_first_digit_enters_has_a_table() -> None:
    dead = ((-1, -1, -1),)
    assert build_layers(3, 2, 0, lambda _state, _digit: None, lambda _state: True) == (dead,) * 3
