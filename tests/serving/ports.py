"""Ports that nobody uses."""

import socket


def free_port() -> int:
    """One that was free a moment ago."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        number: int = found.getsockname()[1]
        return number
