"""The compiled library: many 9x9 boards side by side, and the moves of local search.

It is optional. `library.py` finds it, or says why there is none; `bank.py` asks it. README.md says
what each of its sources is for.
"""
