"""What a Sudoku is: pure data and its referee, with no text and no SAT."""
