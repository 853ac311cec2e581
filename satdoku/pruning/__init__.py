"""Candidates that no solution can have, found by reasoning about units, without a solver."""
