"""The compiled library: many 9x9 boards side by side, and the moves of local search.

It is optional. `library.py` loads it or says why it cannot; `bank.py` calls it. README.md lists its
sources.
"""
