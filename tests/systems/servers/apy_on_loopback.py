"""Starts the installed Apertium APY on 127.0.0.1 only: it has no option for an address and would listen to the world.

Run by the system's Python, which has the Debian package; arguments go to APY.
"""

from __future__ import annotations

from apertium_apy.apy import main  # type: ignore[import-not-found]
from tornado.tcpserver import TCPServer

bind = TCPServer.bind


def bind_here(server: TCPServer, port: int, address: str | None = None) -> None:
    bind(server, port, "127.0.0.1")


TCPServer.bind = bind_here
main()
