"""JSON objects of other programs, told apart by what they have."""

from typing import Any

from satdoku.notation.exchange.draft import Draft
from satdoku.notation.exchange.fpuzzles import is_fpuzzles, read_fpuzzles
from satdoku.notation.exchange.scl import read_scl


def read_object(value: dict[str, Any]) -> Draft:
    """What an object holds that `is_foreign` is true of; RuleError where that cannot be kept."""
    return read_fpuzzles(value) if is_fpuzzles(value) else read_scl(value)
