"""The OpenAPI document: made by FastAPI from the routes, and corrected where it errs."""

from typing import Annotated, Any

from fastapi import Body, FastAPI

from patrizier.server.protocol.messages import ClientMessage, ServerMessage

_PROBLEM = {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}


def describe(app: FastAPI) -> None:
    """Let the application tell its document in full."""
    _add_socket(app)
    make = app.openapi  # keeps what it made

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            _correct(make())
        return make()

    app.openapi = openapi  # type: ignore[method-assign]


def _add_socket(app: FastAPI) -> None:
    """Put the messages of the socket into the document, which knows no sockets."""

    @app.webhooks.post("live", summary="Messages of the socket /api/live")
    async def _live(message: Annotated[ClientMessage, Body()]) -> ServerMessage:
        """A client sends messages of the one kind and gets any number of the other."""
        raise NotImplementedError


def _correct(document: dict[str, Any]) -> None:
    for item in document["paths"].values():
        for call in item.values():
            for status, answer in call["responses"].items():
                if int(status) >= 400 and "content" in answer:
                    answer["content"] = _PROBLEM  # also where the route answers with text
    for schema in document["components"]["schemas"].values():
        _require_kinds(schema)


def _require_kinds(schema: dict[str, Any]) -> None:
    """Make what tells the kinds of a union apart required, default or not."""
    required = list(schema.get("required", ()))
    for name, field in schema.get("properties", {}).items():
        if "const" in field and name not in required:
            required.append(name)
    if required:
        schema["required"] = required
