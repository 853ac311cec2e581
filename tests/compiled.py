"""The compiled library, for tests that ask it; where it is not there, they are skipped."""

import pytest

from satdoku.lanes.library import Library, find_library

_MISSING = "there is no compiled library"
needs_library = pytest.mark.skipif(find_library() is None, reason=_MISSING)


def library() -> Library:
    found = find_library()
    if found is None:
        pytest.skip(_MISSING)
    return found
