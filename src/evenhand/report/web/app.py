"""The app: which address shows what. Pages are made on the server; a few lines of script add keys and the theme."""

import secrets
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import cached_property
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from evenhand._version import __version__
from evenhand.errors import BadInput, EvenhandError, require
from evenhand.report.pages.marks import gender_style
from evenhand.report.pages.page import environment
from evenhand.report.web import desk, pages, trial
from evenhand.report.web.security import LOCAL, Guard
from evenhand.report.web.shelf import Shelf

PATIENCE = 30.0  # seconds a request waits for the report before it
STATIC = {
    "style.css": ("evenhand.report.pages", "templates/style.css", "text/css"),
    "page.js": ("evenhand.report.pages", "templates/page.js", "text/javascript"),
    "app.css": ("evenhand.report.web", "templates/app.css", "text/css"),
    "app.js": ("evenhand.report.web", "templates/app.js", "text/javascript"),
}


class Site:
    """What every page needs: the runs, the templates, the systems that may be tried."""

    def __init__(self, shelf: Shelf, systems: Sequence[str]) -> None:
        self.shelf = shelf
        self._systems = tuple(systems)
        self.updates = desk.Updates(shelf)
        self._reporting = threading.Lock()
        self._templates = environment("evenhand.report.web", "evenhand.report.pages")

    def page(self, template: str, status: int = 200, **context: object) -> HTMLResponse:
        return HTMLResponse(
            self._templates.get_template(template).render(version=__version__, shelf=self.shelf, **context), status
        )

    @cached_property
    def offers(self) -> list[trial.Offer]:
        """The systems of the try-it page; asked what they know when it is first opened."""
        return trial.offers_of(self._systems)

    @contextmanager
    def one_report(self) -> Iterator[None]:
        """Reports are made one after the other: each holds its runs in memory. Who waits too long is told so."""
        if not self._reporting.acquire(timeout=PATIENCE):
            raise HTTPException(503)
        try:
            yield
        finally:
            self._reporting.release()


def create_app(
    runs: Sequence[Path],
    *,
    systems: Sequence[str] = (),
    host: str = "127.0.0.1",
    token: str | None = None,
) -> Starlette:
    """The app over these run folders. Without a token only requests for this machine are answered."""
    site = Site(Shelf(runs), systems)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        site.updates.close()
        site.shelf.close()

    app = Starlette(
        routes=[
            Route("/", pages.home),
            Route("/run/{run}", pages.run),
            Route("/result/{result}", pages.result),
            Route("/explore", pages.explore),
            Route("/sentence/{run}", pages.sentence),
            Route("/download.{format}", pages.download),
            Route("/report", pages.report),
            Route("/review/{run}", desk.show),
            Route("/review/{run}/label", desk.label, methods=["POST"]),
            Route("/review/{run}/undo", desk.undo, methods=["POST"]),
            Route("/review/{run}/apply", desk.apply, methods=["POST"]),
            Route("/try", trial.show),
            Route("/try", trial.answer, methods=["POST"]),
            Route("/static/{name}", static),
        ],
        middleware=[Middleware(Guard, hosts={*LOCAL, host}, token=token)],
        exception_handlers={404: not_found, 405: not_found, 503: busy, EvenhandError: failed},
        lifespan=lifespan,
    )
    app.state.site = site
    return app


def static(request: Request) -> Response:
    """Our own four files by name; nothing else can be asked for."""
    known = STATIC.get(request.path_params["name"])
    if known is None:
        return not_found(request, None)
    package, path, kind = known
    content = files(package).joinpath(path).read_text(encoding="utf-8")
    if path.endswith("style.css"):
        content += gender_style()
    return Response(content, media_type=kind, headers={"Cache-Control": "no-cache"})


def not_found(request: Request, _: Exception | None) -> Response:
    site: Site = request.app.state.site
    return site.page("problem.html", 404, title="Not here", message="There is no page at this address.")


def busy(request: Request, _: Exception | None) -> Response:
    site: Site = request.app.state.site
    page = site.page("problem.html", 503, title="Busy", message="Another report is being made; try again in a minute.")
    page.headers["Retry-After"] = "60"
    return page


def failed(request: Request, error: Exception) -> Response:
    site: Site = request.app.state.site
    return site.page("problem.html", 400, title="Request failed", message=str(error))


# Starting the server: on this machine only, or elsewhere with a token.


def serve(
    runs: Sequence[Path],
    *,
    host: str = "127.0.0.1",
    port: int = 8765,
    systems: Sequence[str] = (),
    token: str | None = None,
    announce: Callable[[str], None] = print,
) -> None:
    """Serve until interrupted. A host that others can reach always gets a token; `port` 0 takes a free one."""
    for module in ("starlette", "uvicorn", "jinja2"):
        require(module, purpose="the explorer", extra="serve")
    import uvicorn

    if token is None and host not in LOCAL:
        token = secrets.token_urlsafe(24)
    listening = _listen(host, port)
    app = create_app(runs, systems=systems, host=host, token=token)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listening.getsockname()[1]}/"
    announce(address + (f"?token={token}" if token else ""))
    config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False)
    uvicorn.Server(config).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise BadInput(f"cannot listen on {host} port {port} ({error.strerror}); choose another with --port") from error
    return listening
