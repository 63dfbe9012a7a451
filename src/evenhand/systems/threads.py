"""Blocking work off the event loop, in threads that never keep a program from ending."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


async def in_thread(work: Callable[[], T]) -> T:
    """Await `work()` in a new daemon thread.

    Unlike `asyncio.to_thread`, a cancelled or timed-out wait leaves nothing behind that the interpreter waits for at
    its end: Ctrl-C during a call to a server that does not answer ends at once.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def finish(result: T | None, error: BaseException | None) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, failure = None, None
        try:
            result = work()
        except BaseException as error:
            failure = error
        # the loop is closed when the wait was given up
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(finish, result, failure)

    threading.Thread(target=run, daemon=True, name="evenhand-call").start()
    return await future
