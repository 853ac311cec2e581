"""The compiled library, for tests that ask it; where it is not there, they are skipped."""

from collections.abc import Sequence
from typing import Any

import pytest

from satdoku.lanes.library import Library, find_library

needs_library = pytest.mark.skipif(find_library() is None, reason="there is no compiled library")

both_ways: Sequence[Any] = [
    pytest.param(False, id="plain"),
    pytest.param(True, id="compiled", marks=needs_library),
]
"""Values of a parameter: without the library, and with it."""


def library() -> Library:
    found = find_library()
    assert found is not None
    return found
