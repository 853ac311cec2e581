"""Boards as lists of rows, in JSON or in Python."""
