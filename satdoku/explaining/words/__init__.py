"""Explanations as sentences, in the words that players use."""
