"""Optional libraries, imported when first used."""

from importlib import import_module
from typing import Any


class MissingExtra(ImportError):
    """A library of an extra is not installed."""


def load(name: str, extra: str = "arena") -> Any:
    """Import a module of an optional library; `MissingExtra` says how to install it."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != name.split(".")[0]:
            raise
        library = name.split(".")[0]
        raise MissingExtra(f"{library} is not installed: pip install patrizier[{extra}]") from None
