"""The line that shows how far a run is."""

import pytest

from satdoku.output.progress import progress_line


@pytest.mark.parametrize("width", [1, 20, 40, 60, 80, 200])
@pytest.mark.parametrize("total", [None, 0, 10, 12_345])
@pytest.mark.parametrize("done", [0, 10, 5000])
def test_progress_fits_the_width(done: int, total: int | None, width: int) -> None:
    line = progress_line(done, total, 1.5, [("unique", done)], width)
    assert len(line) <= width
    assert ("%" in progress_line(done, total, 1.5, width=80)) == (total is not None)


def test_progress_of_a_resumed_run_counts_only_its_own_pace() -> None:
    line = progress_line(1100, 1200, 10, earlier=1000, width=40)
    assert line == " 91% 1,100/1,200  10/s  0:10 left"


def test_an_estimated_total_is_marked() -> None:
    assert "10/~100 " in progress_line(10, 100, 1, is_exact=False)
