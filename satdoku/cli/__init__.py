"""The command line: the only package that prints, exits, or reads the environment."""

import gc

# Set this before any other import: imports create many long-lived objects and almost no garbage,
# and scanning them repeatedly costs a tenth of the time that solving a puzzle takes. Checking one
# puzzle creates about 30,000 objects, so the collector never runs then.
gc.set_threshold(200_000, 50, 100)
