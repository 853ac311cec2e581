"""All that some truths exclude together.

One member of each truth holds. Whichever members these are, what each choice of them excludes is
excluded: so of a pair, of a fish and of a chain that closes into a loop alike.
"""

from collections.abc import Sequence

from satdoku.explaining.board import candidates_of

# How many choices are looked at. Chains through ten cells with several digits each may have
# thousands; then it is left at what is known already.
_MOST_CHOICES = 300


def excluded_by(truths: Sequence[int], links: Sequence[int], left: int) -> int | None:
    """What of `left` cannot hold with any choice of a member from each truth, as a mask.

    None where there are too many choices to be looked at.
    """
    common = left
    looked_at = 0
    # What is still to be chosen from, and what the members chosen so far exclude.
    waiting = [([members & left for members in truths], 0)]
    while waiting:
        open_truths, excluded = waiting.pop()
        looked_at += 1
        if looked_at > _MOST_CHOICES:
            return None
        if not common & ~excluded:
            continue  # whatever this choice excludes beside, it changes nothing
        if not open_truths:
            common &= excluded
            continue
        # The narrowest first: so most choices end soon.
        narrow = min(open_truths, key=int.bit_count)
        for member in candidates_of(narrow):
            off = links[member]
            others = [mask & ~off for mask in open_truths if not mask >> member & 1]
            if all(others):
                waiting.append((others, excluded | off))
    return common
