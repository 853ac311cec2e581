"""From a record to its row: what is asked about a puzzle, and how the answer is written."""
