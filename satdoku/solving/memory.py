"""Whether a formula will fit into memory, asked before it is built.

Measured per open candidate: 300 to 500 bytes with native at-most-one constraints, and 80 to 150
for every pair that takes their place.
"""

from satdoku.errors import TooLargeError
from satdoku.puzzle.geometry import Geometry

# What Python and a solver take before any formula, rounded up.
_BASE = 25_000_000
_BYTES_A_CANDIDATE = 500
_BYTES_A_CLAUSE = 100
# Where Python runs there is as much again. Asking the system takes a tenth of the time of a 9x9
# board, which needs less.
_ALWAYS_FREE = 2 * _BASE
# Measured with a board of 100x100: 1.6 million clauses, most of them of one literal.
_BYTES_A_PROVEN_CLAUSE = 500
# Its cell, row, column and box; groups of further rules are not counted.
_GROUPS_OF_A_CANDIDATE = 4
# Of the bare rules, which need no tables of what is open. Measured: 160 on 225x225.
_BYTES_A_CANDIDATE_OF_RULES = 200


def estimate_memory(geometry: Geometry, candidates: int, is_native: bool) -> int:
    """Bytes that solving will take, roughly."""
    groups = _GROUPS_OF_A_CANDIDATE * geometry.cell_count
    members = _GROUPS_OF_A_CANDIDATE * candidates / groups
    pairs = 0 if is_native else groups * members * (members - 1) / 2
    return _BASE + candidates * _BYTES_A_CANDIDATE + int(pairs) * _BYTES_A_CLAUSE


def require_memory_for_proof(geometry: Geometry, clauses: int) -> None:
    """Refuses a formula that cannot be proven to have no model: solver and checker hold it both."""
    _require(geometry, f"{clauses:,} clauses", _BASE + clauses * _BYTES_A_PROVEN_CLAUSE)


def require_memory_for_links(geometry: Geometry, candidates: int) -> None:
    """Refuses an explanation whose links, a mask of all candidates for each, will not fit.

    Of the masks a candidate one stays, with a bit for each candidate. Along the way each comes to
    have a second one, with a bit for each member of each truth: four times as many, and more where
    further rules add units. Most of these end a little before their last bit.
    """
    needed = _BASE + candidates * candidates * 5 // 8
    _require(geometry, f"{candidates:,} candidates to explain", needed)


def require_memory_for_rules(geometry: Geometry, is_native: bool, pairs: int = 0) -> None:
    """Refuses rules that will not fit; `pairs` are the clauses of further rules."""
    candidates = geometry.size * geometry.cell_count
    native = _BASE + candidates * _BYTES_A_CANDIDATE_OF_RULES
    bare = native if is_native else estimate_memory(geometry, candidates, is_native)
    _require(geometry, f"{candidates:,} candidates", bare + pairs * _BYTES_A_CLAUSE)


def require_memory(geometry: Geometry, candidates: int, is_native: bool) -> None:
    """Refuses a formula that will not fit."""
    needed = estimate_memory(geometry, candidates, is_native)
    _require(geometry, f"{candidates:,} candidates", needed)


def _require(geometry: Geometry, what: str, needed: int) -> None:
    if needed < _ALWAYS_FREE:
        return
    free = _free_memory()
    if free is not None and needed > free:
        raise TooLargeError(
            f"this {geometry.size}x{geometry.size} board has {what} and would "
            f"take about {needed / 1e9:,.1f} GB of memory; {free / 1e9:,.1f} GB are free"
        )


def _free_memory() -> int | None:
    """The memory that this process may still take, where the system tells."""
    limits = [value for value in (_available(), _limit_of_process()) if value is not None]
    return min(limits, default=None)


def _available() -> int | None:
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return None


def _limit_of_process() -> int | None:
    try:
        import resource
    except ImportError:
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return soft if soft != resource.RLIM_INFINITY else None
