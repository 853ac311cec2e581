"""Read and write puzzles as text; README.md shows which file handles which text."""
