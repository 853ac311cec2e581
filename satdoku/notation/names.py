"""The names of all formats, for who lists them and needs none.

`formats.py` has the formats themselves; a test compares the two.
"""

FORMAT_NAMES = (
    *("line", "rows", "grid", "jigsaw", "candidates", "csv", "json", "sdk", "sdm"),
    *("ss", "euler", "fpuzzles", "iss", "link:iss", "link:sudokupad", "link:fpuzzles"),
)

PASTE = "paste"
"""The name for what was copied with other text around it (`pasted.py`): read, but never written."""

READABLE = (*FORMAT_NAMES, PASTE)
"""The names of what can be read: all formats, and what was copied with other text around it."""
