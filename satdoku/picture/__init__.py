"""Boards as pictures: a value that says what is to be seen, and its making from puzzles.

A picture says nothing about ink or characters; `render/` turns it into text, SVG, PDF or HTML.
"""
