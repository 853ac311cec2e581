"""Certificates of verdicts, and their check by code that trusts no solver."""
