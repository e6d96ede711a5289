"""Fetches text over HTTP, with limits on size and time."""

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Callable

MOST_BYTES = 4 * 2**20
MOST_SECONDS = 30.0
_TIMEOUT = 10.0  # seconds without a byte
_CHUNK = 2**16


class FetchError(Exception):
    """Why a download failed, as a readable message."""


class _SameKind(urllib.request.HTTPRedirectHandler):
    """Follows redirects to web addresses only: never from https to http, never to files."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):  # type: ignore[no-untyped-def]
        wanted = ("https://",) if req.full_url.lower().startswith("https://") else _WEB
        if not newurl.lower().startswith(wanted):
            fp.close()
            raise FetchError("it redirects to an insecure address")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


_WEB = ("http://", "https://")


def fetch_text(url: str, *, clock: Callable[[], float] = time.monotonic) -> str:
    """Return the text at a URL; `FetchError` says why that failed."""
    if not url.lower().startswith(_WEB):
        raise FetchError("not a URL")
    opener = urllib.request.OpenerDirector()
    handlers: list[urllib.request.BaseHandler] = [
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        _SameKind(),
    ]
    for handler in handlers:
        opener.add_handler(handler)
    until = clock() + MOST_SECONDS
    try:
        request = urllib.request.Request(url, headers={"Accept": "text/plain"})
        with opener.open(request, timeout=_TIMEOUT) as answer:
            data = _read(answer, until, clock)
    except urllib.error.HTTPError as error:
        error.close()
        raise FetchError(f"the server answers {error.code} {error.reason}") from None
    except urllib.error.URLError as error:
        raise FetchError(str(error.reason)) from None
    except TimeoutError:
        raise FetchError("the server does not answer") from None
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise FetchError(str(error) or type(error).__name__) from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise FetchError("not UTF-8 text") from None


def _read(answer: http.client.HTTPResponse, until: float, clock: Callable[[], float]) -> bytes:
    data = bytearray()
    while chunk := answer.read1(_CHUNK):
        data += chunk
        if len(data) > MOST_BYTES:
            raise FetchError(f"larger than {MOST_BYTES // 2**20} MB: not a game record")
        if clock() > until:
            raise FetchError(f"incomplete after {MOST_SECONDS:g} seconds")
    return bytes(data)
