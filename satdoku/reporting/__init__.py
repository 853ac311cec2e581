"""What is said of an outcome: in words, as a JSON object, as columns of a table."""
