"""An Apertium APY server (https://wiki.apertium.org/wiki/Apertium-apy)."""

from __future__ import annotations

import functools

from evenhand.errors import BadReply
from evenhand.languages import spellings
from evenhand.systems.http import Http, Rest
from evenhand.systems.protocol import Answer, Batch, Request, TryAgain, check_pair, fingerprint
from evenhand.systems.replies import dig


class ApertiumApy(Rest):
    """POST /translate, one text a call (the service takes no list), unknown-word marks off, plain text.

    The service does not tell the version of its pairs, so the fingerprint holds its address only.
    """

    batch = Batch(texts=1, characters=10_000, concurrency=4, context=False)

    def __init__(self, argument: str, *, timeout: float = 60.0) -> None:
        self._http = Http("apertium-apy", timeout=timeout)
        self._url = self._http.base(argument)
        self.name = f"apertium-apy:{self._url}"
        self.fingerprint = fingerprint(self.name)

    @functools.cached_property
    def _modes(self) -> dict[tuple[str, str], tuple[str, str]]:
        """The server's own pairs, under every spelling of their languages."""
        listed = dig(self._http.get_json(f"{self._url}/listPairs"), "responseData")
        found: dict[tuple[str, str], tuple[str, str]] = {}
        for pair in listed if isinstance(listed, list) else []:
            source, target = str(dig(pair, "sourceLanguage")), str(dig(pair, "targetLanguage"))
            for spelt in ((s, t) for s in spellings(source) for t in spellings(target)):
                found.setdefault(spelt, (source, target))
        return found

    def pairs(self) -> set[tuple[str, str]] | None:
        return set(self._modes) or None

    async def translate(self, requests: list[Request]) -> list[Answer]:
        check_pair(self, requests[0].source, requests[0].target)
        return [Answer(await self._one(request)) for request in requests]

    async def _one(self, request: Request) -> str:
        source, target = self._modes.get((request.source, request.target), (request.source, request.target))
        fields = {"langpair": f"{source}|{target}", "q": request.text, "markUnknown": "no", "format": "txt"}
        reply = await self._http.post_json(f"{self._url}/translate", dict(fields), form=True)
        text = dig(reply, "responseData", "translatedText")
        if not isinstance(text, str):
            raise TryAgain(f"{self.name}: the reply has no translatedText", otherwise=BadReply)
        return text
