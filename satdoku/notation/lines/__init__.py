"""Formats with one puzzle on each line."""
