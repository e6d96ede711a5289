"""Refusals as HTTP answers: one JSON form for all of them."""

from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Match, Route

from patrizier.rules.deck import DeckError
from patrizier.server.errors import BadName, Declined, TooMuch
from patrizier.server.protocol.messages import Problem
from patrizier.server.reasons import Reason, Values, reason_named
from patrizier.server.store.trouble import Trouble
from patrizier.server.table.commands import Refused

_STATUS = {  # of refused commands; whatever is not here is a conflict
    "illegal": 422,
    "invalid": 422,
    "foreign": 403,
    "not-allowed": 403,
    "unknown": 404,
    "too-much": 429,
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
        503: "The database does not answer or cannot be written; see the header Retry-After.",
    }.items()
}


def refusal(
    status: int,
    reason: Reason,
    values: Values | None = None,
    headers: dict[str, str] | None = None,
) -> JSONResponse:
    """Return an answer that refuses, with its reason for pages and an English text for programs."""
    values = values or {}
    text = reason.text.format(**values)
    problem = Problem(code=reason.code, reason=reason, values=values, text=text)
    return JSONResponse(problem.model_dump(mode="json"), status, headers=headers)


def too_much(error: TooMuch) -> JSONResponse:
    """Return the answer to who asks for more than their share."""
    return refusal(429, error.reason, error.values, error.headers)


def broken() -> JSONResponse:
    """Return the answer to a request that met an error of ours."""
    return refusal(500, Reason.BROKEN)


def out_of_order(trouble: Trouble) -> JSONResponse:
    """Return the answer to a request that met a database in trouble."""
    reason = Reason.NO_DATABASE if trouble is Trouble.SILENT else Reason.NOT_STORED
    return refusal(503, reason, headers={"Retry-After": "5"})


def add_refusals(app: FastAPI, routes: Sequence[BaseRoute]) -> None:
    """Give every exception that stands for a refusal its answer."""

    async def plain(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        status, headers = error.status_code, dict(error.headers or {})
        if status == 404:
            return refusal(status, Reason.NOTHING_HERE, headers=headers)
        if status == 405:  # what the framework says is only the first route's
            headers["Allow"] = ", ".join(sorted(_methods(routes, request))) or "GET"
            return refusal(status, Reason.NO_METHOD, headers=headers)
        return refusal(status, Reason.NOT_VALID, {"what": str(error.detail)}, headers)

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


def reason_of(errors: Sequence[Any]) -> tuple[Reason, Values]:
    """Return what is wrong with a message, by pydantic, without quoting the message."""
    for error in errors[:1]:
        cause = error.get("ctx", {}).get("error")
        if isinstance(cause, DeckError) and (reason := reason_named(f"deck-{cause.rule}")):
            return reason, {**cause.values, "why": str(cause)}
    return Reason.NOT_VALID, {"what": _described(errors)}


def _described(errors: Sequence[Any]) -> str:
    parts = []
    for error in errors[:3]:
        where = ".".join(str(step)[:40] for step in error["loc"] if step != "body")
        parts.append(f"{where}: {error['msg']}" if where else str(error["msg"]))
    return "; ".join(parts)[:300]


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return refusal(_STATUS.get(error.code, 409), error.reason, error.values)


async def _declined(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Declined)
    return refusal(error.status, error.reason, error.values)


async def _bad_name(_request: Request, error: Exception) -> Response:
    assert isinstance(error, BadName)
    return refusal(422, error.reason, error.values)


async def _too_much(_request: Request, error: Exception) -> Response:
    assert isinstance(error, TooMuch)
    return too_much(error)


async def _not_valid(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return refusal(422, *reason_of(error.errors()))


def _methods(routes: Sequence[BaseRoute], request: Request) -> set[str]:
    """Return what can be done at an address."""
    there = [
        route
        for route in routes
        if isinstance(route, Route | APIRoute) and route.matches(request.scope)[0] != Match.NONE
    ]
    return set().union(*(route.methods or () for route in there))
