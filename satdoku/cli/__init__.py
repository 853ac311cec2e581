"""The command line: the only place that prints, exits, or reads the environment."""

import gc

# Before anything else is imported: imports make much that stays and next to no garbage, and looking
# through it again and again would cost a tenth of the time that solving a puzzle takes. A check of
# one puzzle makes some 30,000 objects, so that in it the collector never runs.
gc.set_threshold(200_000, 50, 100)
