"""Solve boards above 25x25: several methods take turns, since a single solver often fails."""
