"""Boards with a line for each row, as people and programs draw them."""
