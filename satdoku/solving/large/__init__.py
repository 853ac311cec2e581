"""Boards above 25x25: methods that take turns where one solver alone often ends with nothing."""
