"""What a Sudoku is: pure data and its judge, with no text and no SAT."""
