"""How the server says no: one small JSON form for every kind of refusal."""

from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Match, Route

from patrizier.server.errors import Declined, TooMuch
from patrizier.server.names import BadName
from patrizier.server.protocol.messages import Problem
from patrizier.server.table.commands import Refused

_STATUS = {  # of refused commands; whatever is not here is a conflict
    "illegal": 422,
    "invalid": 422,
    "foreign": 403,
    "not-allowed": 403,
    "unknown": 404,
    "too-much": 429,
}
_TEXTS = {
    404: ("unknown", "There is nothing here."),
    405: ("method", "That cannot be done here."),
}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": text}
    for status, text in {
        400: "Not readable.",
        403: "Not allowed, or from another site's page.",
        404: "There is no such thing.",
        408: "Too slow.",
        409: "Not now.",
        413: "Too large.",
        421: "This server does not go by that name.",
        422: "Not valid.",
        429: "Too much at once; see the header Retry-After.",
        503: "The database does not answer; see the header Retry-After.",
    }.items()
}


def refusal(
    status: int, code: str, text: str, headers: dict[str, str] | None = None
) -> JSONResponse:
    """Return an answer that refuses, with a code for programs and a sentence for people."""
    return JSONResponse(Problem(code=code, text=text).model_dump(), status, headers=headers)


def broken() -> JSONResponse:
    """Return the answer to a request that met an error of ours."""
    return refusal(500, "broken", "Something went wrong here. It has been noted.")


def out_of_order() -> JSONResponse:
    """Return the answer to a request that met a database that does not answer."""
    text = "The database does not answer. Please try again in a moment."
    return refusal(503, "no-database", text, {"Retry-After": "5"})


def add_refusals(app: FastAPI, routes: Sequence[BaseRoute]) -> None:
    """Give every exception that stands for a refusal its answer."""

    async def plain(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        code, text = _TEXTS.get(error.status_code, ("invalid", str(error.detail)))
        headers = dict(error.headers or {})
        if error.status_code == 405:  # what the framework says is only the first route's
            headers["Allow"] = ", ".join(sorted(_methods(routes, request))) or "GET"
        return refusal(error.status_code, code, text, headers)

    answers = {
        Refused: _refused,
        Declined: _declined,
        BadName: _bad_name,
        TooMuch: _too_much,
        RequestValidationError: _not_valid,
        HTTPException: plain,
    }
    for error, answer in answers.items():
        app.add_exception_handler(error, answer)


def describe(errors: Any) -> str:
    """Return what is wrong with a message, by pydantic, without quoting the message."""
    parts = []
    for error in list(errors)[:3]:
        where = ".".join(str(step)[:40] for step in error["loc"] if step != "body")
        parts.append(f"{where}: {error['msg']}" if where else str(error["msg"]))
    return "; ".join(parts)[:300]


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return refusal(_STATUS.get(error.code, 409), error.code, error.text)


async def _declined(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Declined)
    return refusal(error.status, error.code, error.text)


async def _bad_name(_request: Request, error: Exception) -> Response:
    return refusal(422, "invalid", str(error))


async def _too_much(_request: Request, error: Exception) -> Response:
    assert isinstance(error, TooMuch)
    return refusal(429, "too-much", error.text, error.headers)


async def _not_valid(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return refusal(422, "invalid", describe(error.errors()))


def _methods(routes: Sequence[BaseRoute], request: Request) -> set[str]:
    """Return what can be done at an address."""
    there = [
        route
        for route in routes
        if isinstance(route, Route | APIRoute) and route.matches(request.scope)[0] != Match.NONE
    ]
    return set().union(*(route.methods or () for route in there))
