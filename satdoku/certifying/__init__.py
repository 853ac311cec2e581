"""Make certificates of verdicts, and check them with code that trusts no solver."""
