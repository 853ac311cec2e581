"""Making puzzles: each has one solution, is judged, and can be made again from its seed.

| file | what is in it |
|---|---|
| `request.py` | what is wanted, and what is refused before any work |
| `generator.py` | the door: makes puzzle number i of a request |
| `generate.py`, `wishes.py` | many puzzles, of a wanted rating; requests in names and texts |
| `generated.py` | a puzzle that was made, and what is known of it |
| `full_grid.py`, `asked_grid.py` | full grids: of classic boards, and of boards with any rules |
| `by_deletion.py` | the usual way: deleting givens from a full grid |
| `by_mask.py` | givens in chosen cells, by changing digits |
| `few_givens.py`, `differences.py` | 21 and fewer givens, by exchanging givens |
| `fewest_givens.py` | provably the fewest givens |
| `distinct.py` | leaving out what was made before |
| `mask.py`, `random_regions.py` | which cells are given, and shapes of regions |
| `draft.py`, `solvers.py` | what the ways share |
"""
