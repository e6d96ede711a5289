"""Looks after packages while they are built: each carries the page."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_PAGE = Path("src/patrizier/server/static/index.html")


class Page(BuildHookInterface):  # type: ignore[type-arg,misc,unused-ignore]
    """Refuses to build a package whose page has not been built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Check, unless the package is only linked to a checkout."""
        if version != "editable" and not (Path(self.root) / _PAGE).is_file():
            raise FileNotFoundError(f"{_PAGE} is missing: build the page first with `make wheel`")
