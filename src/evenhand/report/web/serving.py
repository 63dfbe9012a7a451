"""Starting the server: on this machine only, or elsewhere with a token."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from pathlib import Path

from evenhand.errors import BadInput, require


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
    for module in ("starlette", "uvicorn"):
        require(module, purpose="the explorer", extra="serve")
    require("jinja2", purpose="the explorer", extra="serve")
    import uvicorn

    from evenhand.report.web.app import create_app
    from evenhand.report.web.security import is_local, new_token

    if token is None and not is_local(host):
        token = new_token()
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
