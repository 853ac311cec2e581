"""Making puzzles: each has one solution, is judged, and can be made again from its seed.

| file | what is in it |
|---|---|
| `request.py` | what is wanted, and what is refused before any work |
| `generator.py` | the door: makes puzzle number i of a request |
| `generate.py` | many puzzles, of a wanted rating |
| `generated.py` | a puzzle that was made, and what is known of it |
| `full_grid.py` | full grids: of classic boards, and of boards with any rules |
| `drafts.py` | deleting givens from a full grid, and givens in chosen cells by changing digits |
| `few_givens.py` | 21 and fewer givens, by exchanging givens |
| `fewest_givens.py` | provably the fewest givens |
| `distinct.py` | leaving out what was made before |
| `mask.py`, `random_regions.py` | which cells are given, and shapes of regions |
"""
