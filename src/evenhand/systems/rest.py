"""What every REST adapter has: a name, a fingerprint, a client that is closed when a run ends."""

from __future__ import annotations

from evenhand.systems.http import Http


class Rest:
    """Base of the REST adapters. They build a request and read a reply; they do not retry, sleep, cache or print."""

    name: str
    remote = True  # whoever runs it may change it without a word: its fingerprint does not cover what answers
    _http: Http

    async def aclose(self) -> None:
        await self._http.aclose()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"
