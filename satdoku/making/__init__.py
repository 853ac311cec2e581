"""Puzzles made from seeds, and from other puzzles: minimal ones, and one for all symmetric twins.

What is generated has one solution, is judged, and can be made again from its seed. Which givens a
puzzle needs is asked of it as a whole. Renaming digits, shuffling lines within bands and bands
among each other, and transposing a board with square boxes, leave a classic puzzle the same in all
that matters. Of all these twins the *canonical form* is the one that comes first when they are
written line by line, with 0 for empty cells. Lists on the web are often in this form (they call it
minlex).

| file | what is in it |
|---|---|
| `request.py` | what is wanted, and what is refused before any work |
| `needs.py` | steps that the explanation of a puzzle has to have |
| `generator.py` | the door: makes puzzle number i of a request; many, of a wanted rating |
| `generated.py` | a puzzle that was made, what is known of it, and whether it was made before |
| `full_grid.py` | full grids: of classic boards, and of boards with any rules; random regions |
| `drafts.py` | deleting givens, changing digits in chosen cells, provably the fewest givens |
| `few_givens.py` | 21 and fewer givens, by exchanging givens |
| `mask.py` | which cells are given |
| `minimizer.py` | the door to what a puzzle needs, givens and clues: one puzzle after the other |
| `deletion.py` | which givens are redundant, each for itself; one minimal set by deleting them |
| `fewest.py` | all minimal sets of givens; the smallest, with the proof that none is smaller |
| `canonical.py` | the door to twins: the form of a puzzle or of a solution, and its automorphisms |
| `smallest.py` | the smallest twin, row by row |
"""
