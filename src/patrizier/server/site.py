"""The built pages of the game, if they are there; else a few words."""

import asyncio
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from .pages import guide, welcome

STATIC = Path(__file__).parent / "static"

_FOR_EVER = "public, max-age=31536000, immutable"


class Site(StaticFiles):
    """Files of the page; every address without a file is a place within the page."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file, or the page itself for any other address."""
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or path.startswith("api") or "." in Path(path).name:
                raise
            response = await super().get_response("index.html", scope)
            path = "index.html"
        # Names in assets/ change with their content; everything else is asked for anew.
        response.headers["Cache-Control"] = _FOR_EVER if path.startswith("assets/") else "no-cache"
        return response


def add_site(app: FastAPI, static: Path = STATIC) -> None:
    """Serve the built page at the root, and the guide for programs."""

    @app.get("/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return guide(await asyncio.to_thread(app.openapi))

    @app.get("/api/openapi.json", include_in_schema=False)
    async def openapi() -> JSONResponse:
        return JSONResponse(await asyncio.to_thread(app.openapi))

    if (static / "index.html").is_file():
        # Only the page travels compressed: sizes of what is secret must tell nothing.
        app.mount("/", GZipMiddleware(Site(directory=static, html=True), minimum_size=1000))
        return

    @app.get("/", include_in_schema=False)
    async def root() -> HTMLResponse:
        return welcome()
