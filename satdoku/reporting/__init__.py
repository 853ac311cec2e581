"""What is said of an outcome: in words, in JSON, in a table, and as the answer to a record."""
