"""Many small boards at once, every answer proven by a solver.

    boards -> the sieve -> a small formula each -> a solver -> the judge -> solutions

`Bulk` is the door. It gives the same answers as `satdoku.solving`, three times as fast: what is the
same for all boards of a geometry is worked out once, the sieve excludes candidates on thousands of
boards together, and what it excludes never reaches a solver. README.md says what each file is for.
"""

from satdoku.bulk.door import Bulk, BulkAnswer, supports

__all__ = ["Bulk", "BulkAnswer", "supports"]
