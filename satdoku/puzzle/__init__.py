"""What a Sudoku is, and its judge: pure data, without parsing and without SAT."""
