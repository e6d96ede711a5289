"""The built page and the documentation, if they are there; else short notices."""

import asyncio
import mimetypes
import re
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from patrizier.server.http.context import Reads, language_of, parts_of
from patrizier.server.language import DEFAULT, known
from patrizier.server.table.commands import Refused

from .pictures import preview_of
from .plain_pages import guide, welcome

STATIC = Path(__file__).parents[2] / "static"
DOCS = Path(__file__).parents[2] / "docs"

_TABLE = re.compile(r"(?:t|replay|analysis)/([A-Za-z0-9_-]{16,64})")
_FOR_EVER = "public, max-age=31536000, immutable"


class Site(StaticFiles):
    """The page's files; any other path is a route within the page.

    Pages that are the same for everybody are prerendered in every language (`written/`), so that
    there is something to read before the scripts are loaded.
    """

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file, or the page itself for any other path."""
        if written := await self._written(path, scope):
            return await _with_preview(written, path, scope)
        if pressed := await self._pressed(path, scope):
            return pressed
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or path.startswith("api") or "." in Path(path).name:
                raise
            response = await super().get_response("index.html", scope)
            response = await _with_preview(response, path, scope)
            path = "index.html"
        # Names in assets/ change with their content; everything else is revalidated.
        response.headers["Cache-Control"] = _FOR_EVER if path.startswith("assets/") else "no-cache"
        return response

    async def _pressed(self, path: str, scope: Scope) -> Response | None:
        """Return the compressed form of a file, if the build made one and the client accepts it."""
        welcome = Request(scope).headers.get("accept-encoding", "")
        if not path.startswith("assets/") or "br" not in [
            each.split(";")[0].strip() for each in welcome.split(",")
        ]:
            return None
        try:
            response = await super().get_response(f"{path}.br", scope)
        except HTTPException:
            return None
        kind, _ = mimetypes.guess_type(path)
        response.headers["Content-Type"] = f"{kind}; charset=utf-8"
        response.headers["Content-Encoding"] = "br"
        response.headers["Vary"] = "Accept-Encoding"
        response.headers["Cache-Control"] = _FOR_EVER
        return response

    async def _written(self, path: str, scope: Scope) -> Response | None:
        """Return the prerendered page of this path, or of its first segment."""
        if "." in Path(path).name:
            return None
        language = language_of(Request(scope)) or DEFAULT
        names = [f"{Path(path).parts[0]}/any"] if Path(path).parts else []
        if not scope["query_string"]:  # queries were unknown at build time
            names.insert(0, path if Path(path).parts else "index")
        for name in names:
            try:
                response = await super().get_response(f"written/{language}/{name}.html", scope)
            except HTTPException:
                continue
            response.headers["Cache-Control"] = "no-cache"
            response.headers["Vary"] = "Accept-Language, Cookie"
            return response
        return None


async def _with_preview(response: Response, path: str, scope: Scope) -> Response:
    """Return the page of a table, with tags for previews of its link."""
    found = _TABLE.fullmatch(path)
    if found is None or not isinstance(response, FileResponse):
        return response
    request = Request(scope)
    here, asked = parts_of(request), request.query_params
    try:
        table = await here.service.tables.get(found[1])
    except Refused:
        return response
    language = known(asked.get("lang", "")) or language_of(request) or DEFAULT
    preview = preview_of(table, asked.get("key", "")[:64], language)
    page = await asyncio.to_thread(Path(response.path).read_text, "utf-8")
    if preview is None:
        return response
    site = here.settings.public_url or str(request.base_url).rstrip("/")
    query = f"?{request.url.query}" if request.url.query else ""
    tags = preview.tags(site, f"/{path}{query}", language)
    headers = {name: response.headers[name] for name in ("vary",) if name in response.headers}
    headers["Cache-Control"] = "no-cache"
    return HTMLResponse(page.replace("</head>", f"{tags}</head>", 1), headers=headers)


class Documentation(StaticFiles):
    """Files of the documentation; browsers revalidate them on every visit."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """Return a file that browsers must revalidate."""
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "no-cache"
        return response


def add_docs(app: FastAPI, docs: Path = DOCS) -> bool:
    """Serve the documentation and the list of requests below it; return whether it is there."""
    is_there = (docs / "index.html").is_file()

    @app.get("/docs", include_in_schema=False)
    async def home() -> RedirectResponse:
        return RedirectResponse("/docs/" if is_there else "/docs/http")

    @app.get("/docs/http", include_in_schema=False)
    async def http() -> Response:
        if is_there:
            return RedirectResponse("/docs/reference/http.html")
        return guide(await asyncio.to_thread(app.openapi))

    if is_there:
        files = Documentation(directory=docs, html=True)
        app.mount("/docs", GZipMiddleware(files, minimum_size=1000))
        return True

    @app.get("/docs/", include_in_schema=False)
    async def nothing() -> RedirectResponse:
        return RedirectResponse("/docs/http")

    return False


def add_site(app: FastAPI, static: Path = STATIC) -> None:
    """Serve the built page at the root."""

    @app.get("/api/openapi.json", include_in_schema=False)
    async def openapi() -> JSONResponse:
        return JSONResponse(await asyncio.to_thread(app.openapi))

    if (static / "index.html").is_file():

        @app.get("/favicon.ico", include_in_schema=False)
        async def icon() -> RedirectResponse:
            return RedirectResponse("/icon-192.png")  # of plain texts, which cannot name theirs

        # Only the page is compressed: the size of a compressed secret could leak it (BREACH).
        app.mount("/", GZipMiddleware(Site(directory=static, html=True), minimum_size=1000))
        return

    @app.get("/", include_in_schema=False)
    async def root(reads: Reads) -> HTMLResponse:
        return welcome(reads)
