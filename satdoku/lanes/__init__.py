"""The compiled library: searches of many 9x9 boards side by side, and moves of local search.

The library is optional. `library.py` loads it or states why it cannot; `bank.py` calls it.
README.md lists its sources.
"""
