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
from patrizier.server.store.faults import DatabaseFault
from patrizier.server.table.commands import Refused

_STATUS = {  # of refused commands; others are conflicts (409)
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
        400: "Malformed.",
        403: "Not allowed, or from another site's page.",
        404: "Not found.",
        408: "The body took too long.",
        409: "Not possible in the present state.",
        413: "Too large.",
        421: "This server has another host name.",
        422: "Invalid.",
        429: "Too many requests; see the header Retry-After.",
        503: "The database does not answer or cannot be written; see the header Retry-After.",
    }.items()
}


def refusal(
    status: int,
    reason: Reason,
    values: Values | None = None,
    headers: dict[str, str] | None = None,
) -> JSONResponse:
    """Return a refusal: its reason for pages, and an English text for programs."""
    values = values or {}
    text = reason.text.format(**values)
    problem = Problem(code=reason.code, reason=reason, values=values, text=text)
    return JSONResponse(problem.model_dump(mode="json"), status, headers=headers)


def too_much(error: TooMuch) -> JSONResponse:
    """Return the answer to too many requests."""
    return refusal(429, error.reason, error.values, error.headers)


def broken() -> JSONResponse:
    """Return the answer after an internal error."""
    return refusal(500, Reason.BROKEN)


def database_unavailable(fault: DatabaseFault) -> JSONResponse:
    """Return the answer while the database cannot be used."""
    reason = Reason.NO_DATABASE if fault is DatabaseFault.SILENT else Reason.NOT_STORED
    return refusal(503, reason, headers={"Retry-After": "5"})


def add_refusals(app: FastAPI, routes: Sequence[BaseRoute]) -> None:
    """Register exception handlers for all refusals."""

    async def plain(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        status, headers = error.status_code, dict(error.headers or {})
        if status == 404:
            return refusal(status, Reason.NOTHING_HERE, headers=headers)
        if status == 405:  # the framework names the first route's methods only
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
    """Return the reason for a validation error, without quoting the message."""
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
    """Return the methods allowed at a path."""
    there = [
        route
        for route in routes
        if isinstance(route, Route | APIRoute) and route.matches(request.scope)[0] != Match.NONE
    ]
    return set().union(*(route.methods or () for route in there))
