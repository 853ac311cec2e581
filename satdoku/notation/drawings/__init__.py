"""Formats with a line for each row of a board, as people and programs draw them."""
