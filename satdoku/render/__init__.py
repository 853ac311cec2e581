"""Puzzles for eyes: in terminals, as drawings and as pages. What programs read is in `notation`."""
