"""Our name and version, as files and reports quote it."""


def program() -> str:
    """`satdoku 0.1.0`; read from the installed package, where the version stands once."""
    from importlib.metadata import version

    return f"satdoku {version('satdoku')}"
