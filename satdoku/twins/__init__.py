"""One name for all symmetric twins of a puzzle.

Renaming digits, shuffling lines within bands and bands among each other, and transposing a board
with square boxes, leave a classic puzzle the same in all that matters. Of all these twins the
*canonical form* is the one that comes first when they are written line by line, with 0 for empty
cells. Lists of puzzles on the web are often in this form (they call it minlex).

| file | what is in it |
|---|---|
| `canonical.py` | the door: the form of a puzzle or of its solution, and its automorphisms |
| `columns.py` | column orders that are not decided yet |
| `smallest.py` | the smallest twin, row by row |
| `full_grid.py` | the smallest twin of a full 9x9 grid |
"""
