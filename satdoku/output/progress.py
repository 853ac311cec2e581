"""The text of the line that shows how far a run is."""

from collections.abc import Sequence

from satdoku.output.tally import format_rate, format_seconds

# A shorter bar says less than the percentage beside it; a longer one says no more.
_LEAST_BAR, _MOST_BAR = 10, 30


def progress_line(
    done: int,
    total: int | None,
    seconds: float,
    counts: Sequence[tuple[str, int]] = (),
    width: int = 80,
    earlier: int = 0,
    is_exact: bool = True,
) -> str:
    """Done, total, rate, time left and counts, in at most `width` characters.

    `earlier` of the `done` records were answered before this run, so they do not count for its
    rate. An estimated total has a `~` before it; None is no total at all.

    >>> progress_line(500, 2000, 2.0, [("unique", 499), ("none", 1)], width=79)
    '[######------------------]  25% 500/2,000  250/s  0:06 left  499 unique, 1 none'
    """
    fresh = done - earlier
    numbers = f"{done:,}"
    parts = [format_rate(fresh, seconds)]
    if total is not None:
        total = max(total, done)
        mark = "" if is_exact else "~"
        numbers = f"{_percentage(done, total)} {done:,}/{mark}{total:,}"
        if fresh and done < total:
            parts.append(f"{format_seconds(seconds / fresh * (total - done))} left")
    words = ", ".join(f"{count:,} {name}" for name, count in counts)
    line = "  ".join(part for part in (numbers, *parts, words) if part)
    room = width - len(line) - len("[] ")
    if total is not None and room >= _LEAST_BAR:
        line = f"{_bar(done, total, min(room, _MOST_BAR))} {line}"
    return line[:width]


def _percentage(done: int, total: int) -> str:
    return f"{done * 100 // total if total else 100:3}%"


def _bar(done: int, total: int, length: int) -> str:
    filled = length * done // total if total else length
    return f"[{'#' * filled}{'-' * (length - filled)}]"
