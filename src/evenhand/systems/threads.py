"""Blocking work off the event loop, in threads that never keep a program from ending."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


async def in_thread(work: Callable[[], T]) -> T:
    """Await `work()` in a new daemon thread.

    Unlike `asyncio.to_thread`, a cancelled or timed-out wait leaves nothing behind that the interpreter waits for at
    its end: Ctrl-C during a call to a server that does not answer ends at once.
    """
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()  # so that a cancelled wait does not end it a second time

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True, name="evenhand-call").start()
    return await asyncio.wrap_future(future)
