"""Answerers and output: turn each record of the input into a row that holds its answer."""
