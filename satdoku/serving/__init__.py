"""A local server: a page to work on puzzles, and an API whose questions worker processes answer."""
