"""The names of formats are those of the formats."""

from satdoku.notation.formats import FORMATS
from satdoku.notation.names import FORMAT_NAMES


def test_there_is_a_format_for_each_name_in_the_same_order() -> None:
    assert tuple(FORMATS) == FORMAT_NAMES
