"""What is said of outcomes, and where rows go: streams, resumable files, and what is counted."""
