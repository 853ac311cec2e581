"""Boards as pictures: a value that says what is to be seen, its making, and its ways to paper.

A picture says nothing about ink or characters. `text.py` writes it as characters; `figure.py` makes
shapes of it, which become SVG, PNG, PDF or HTML.
"""
