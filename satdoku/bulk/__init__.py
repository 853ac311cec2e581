"""Many small boards at once, every answer proven by a solver.

    boards -> the sieve -> a small formula each -> a solver -> the judge -> solutions

`Bulk` is the door. It gives the same answers as `satdoku.solving`, more than twice as fast: the
sieve excludes candidates on thousands of boards together, and only solutions come out. README.md
says what each file is for.
"""

from satdoku.bulk.door import Bulk, BulkAnswer

__all__ = ["Bulk", "BulkAnswer"]
