"""Views and the texts of records, parts of many messages. Import them from `messages`."""

from typing import Annotated, Any, TypeAlias

from pydantic import ConfigDict, Field, RootModel

LongRecord: TypeAlias = Annotated[str, Field(min_length=1, max_length=60_000)]
TurnText: TypeAlias = Annotated[str, Field(max_length=32)]
DecisionText: TypeAlias = Annotated[str, Field(max_length=16)]


class View(RootModel[dict[str, Any]]):
    """What one seat, or a watcher, may know: docs/view.md, without history (see the log)."""

    model_config = ConfigDict(frozen=True, json_schema_extra={"x-view": True})
