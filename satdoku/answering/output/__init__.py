"""Messages about outcomes, and the destinations of rows: streams, resumable files, counters."""
