"""Make puzzles from seeds, minimise puzzles, and compute canonical forms.

A generated puzzle has one solution, is judged, and is reproducible from its seed. A classic puzzle
can be turned into an equivalent one, its twin: by renaming digits, by reordering bands, or lines
within bands, and by transposing a board with square boxes. The *canonical form* is the twin that
comes first when all are written line by line, with 0 for empty cells. Lists on the web are often in
this form (minlex).

| file | contents |
|---|---|
| `request.py` | the wishes for a run, checked before any work |
| `generator.py` | the entry point: makes puzzle number i of a request |
| `full_grid.py` | random full grids, of classic boards and with other rules; random regions |
| `drafts.py` | the givens: by deletion, for a mask, few by exchanges, provably fewest |
| `clues.py` | cages, lines and other clues, drawn at random |
| `minimizer.py` | needed givens and clues; minimal sets: one, all, or the smallest |
| `canonical.py` | canonical forms of puzzles and solutions, automorphisms, random twins |
"""
