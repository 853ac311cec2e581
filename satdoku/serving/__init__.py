"""A server for one machine: a page to work on puzzles, and an API, answered by worker processes."""
