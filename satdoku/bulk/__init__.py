"""Many small boards at once: by the compiled library where it fits, by a solver everywhere else.

`Bulk` is the door. It gives the same answers as `satdoku.solving`, several times as fast.
README.md says what each file is for.
"""

from satdoku.bulk.door import Bulk, BulkAnswer, Only, Solved

__all__ = ["Bulk", "BulkAnswer", "Only", "Solved"]
