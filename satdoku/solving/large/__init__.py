"""Boards above 25x25: methods take turns, since a single solver often fails."""
