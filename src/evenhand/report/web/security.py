"""Who may ask and who may write: local by default, a token elsewhere, the same origin for every write."""

import secrets
from collections.abc import Iterable
from contextlib import suppress
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})
COOKIE = "evenhand-token"
COSTLY = ("/report", "/download")
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


class Guard:
    """Middleware around the whole app.

    - A request for a host name that is not ours is refused (a foreign page cannot reach us through its own DNS name).
    - With a token, a request needs it: once in the URL (then kept in a cookie and taken out of the URL), or as cookie.
    - A write needs an Origin header that is ours. Browsers always send one.
    - Another site's page may lead here by a link, but embeds nothing, and cannot set off what costs time and memory
      (`COSTLY`): browsers say where a request comes from (Sec-Fetch-Site).
    - Every answer forbids other hosts, framing, sniffing and referrers, and is not stored.
    """

    def __init__(self, app: ASGIApp, *, hosts: Iterable[str], token: str | None) -> None:
        self._app, self._hosts, self._token = app, frozenset(hosts), token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # there are no websockets here
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("Content-Security-Policy", POLICY)
                headers["X-Content-Type-Options"] = "nosniff"
                headers["X-Frame-Options"] = "DENY"
                headers["Referrer-Policy"] = "same-origin"
                headers["Cross-Origin-Opener-Policy"] = "same-origin"
                headers["Cross-Origin-Resource-Policy"] = "same-origin"
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refused = self._refuse(Request(scope))
        with suppress(ClientDisconnect):  # whoever hung up waits for nothing
            await (refused or self._app)(scope, receive, guarded)

    def _refuse(self, request: Request) -> Response | None:
        host = _parts(f"//{request.headers.get('host', '')}")
        if host is None or (self._token is None and (host.hostname or "") not in self._hosts):
            return PlainTextResponse("Unknown host name.", 421)
        if self._token is not None:
            given = request.query_params.get("token")
            if (
                given is not None
                and request.method == "GET"
                and secrets.compare_digest(given.encode(), self._token.encode())
            ):
                return self._welcome(request)
            kept = request.cookies.get(COOKIE, "")
            if not secrets.compare_digest(kept.encode(), self._token.encode()):
                return PlainTextResponse("A token is needed: open the address that `evenhand serve` printed.", 403)
        if _from_elsewhere(request.headers) and not _plain_visit(request):
            return PlainTextResponse("Another site sent this request: open the page from the explorer.", 403)
        if request.method not in ("GET", "HEAD") and not _same_origin(request.headers):
            return PlainTextResponse("Only pages of the explorer can write.", 403)
        return None

    def _welcome(self, request: Request) -> Response:
        clean = request.url.remove_query_params("token")
        path = "/" + clean.path.lstrip("/")  # "//elsewhere" would lead away
        answer = RedirectResponse(f"{path}?{clean.query}" if clean.query else path, 303)
        answer.set_cookie(COOKIE, self._token or "", httponly=True, samesite="strict", path="/")
        return answer


def _parts(address: str) -> SplitResult | None:
    """The parts of an address; None where it is none ("[")."""
    try:
        return urlsplit(address)
    except ValueError:
        return None


def _from_elsewhere(headers: Headers) -> bool:
    return headers.get("sec-fetch-site") in ("cross-site", "same-site")


def _plain_visit(request: Request) -> bool:
    """Somebody followed a link to a page that is cheap to make."""
    visit = request.headers.get("sec-fetch-mode") == "navigate" and request.headers.get("sec-fetch-dest") == "document"
    return visit and request.method == "GET" and not request.url.path.startswith(COSTLY)


def _same_origin(headers: Headers) -> bool:
    """The page that writes is ours: scheme and host of Origin are those that were asked for."""
    origin = _parts(headers.get("origin", ""))
    site = headers.get("sec-fetch-site")
    if origin is None:
        return False
    return origin.scheme in ("http", "https") and origin.netloc == headers.get("host") and site in (None, "same-origin")
