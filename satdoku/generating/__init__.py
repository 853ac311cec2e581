"""Making puzzles: each has one solution, is judged, and can be made again from its seed.

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
"""
