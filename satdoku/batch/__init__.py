"""Many records, one after another or at once; knows nothing of Sudoku, formats or solvers."""
