"""A local server: a page to work on puzzles and an API, with answers from worker processes."""
