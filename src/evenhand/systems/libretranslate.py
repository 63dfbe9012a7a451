"""LibreTranslate and its self-hosted servers (https://docs.libretranslate.com)."""

import functools

from evenhand.systems.http import Body, Http, Rest
from evenhand.systems.protocol import Answer, Batch, Request, at_least_none, fingerprint
from evenhand.systems.replies import Json, dig, texts_of


class LibreTranslate(Rest):
    """POST /translate with a list of texts. The server's own language list decides what it can do.

    LIBRETRANSLATE_API_KEY is sent where it is set. The fingerprint holds the server's version (from /spec).
    `alternatives` asks for so many further translations per text; a server that does not know the field gives none.
    """

    batch = Batch(texts=50, characters=5_000, concurrency=4, context=False)

    def __init__(self, argument: str, *, alternatives: int = 0, timeout: float = 60.0) -> None:
        self._further = at_least_none("alternatives", alternatives)
        self._http = Http("libretranslate", timeout=timeout)
        self._url = self._http.base(argument)
        self._key = self._http.secret("LIBRETRANSLATE_API_KEY", optional=True)
        self.name = f"libretranslate:{self._url}"

    @functools.cached_property
    def version(self) -> str | None:
        version = dig(self._http.get_json(f"{self._url}/spec"), "info", "version")
        return version if isinstance(version, str) else None

    @functools.cached_property
    def fingerprint(self) -> str:
        return fingerprint(self.name, version=self.version, **self._further)

    @functools.cached_property
    def _pairs(self) -> set[tuple[str, str]] | None:
        listed = _list(self._http.get_json(f"{self._url}/languages"))
        return {(str(dig(one, "code")), str(target)) for one in listed for target in _list(dig(one, "targets"))} or None

    def pairs(self) -> set[tuple[str, str]] | None:
        return self._pairs

    async def translate(self, requests: list[Request]) -> list[Answer]:
        body: dict[str, Body] = {"q": [request.text for request in requests], "format": "text", **self._further}
        body |= {"source": requests[0].source, "target": requests[0].target}
        if self._key is not None:
            body["api_key"] = self._key
        reply = await self._http.post_json(f"{self._url}/translate", body)
        texts = texts_of(reply, "translatedText", expected=len(requests), system=self.name)
        others = [_list(dig(reply, "alternatives", number)) for number in range(len(texts))]
        further = (dict.fromkeys(other for other in one if isinstance(other, str)) for one in others)
        return [Answer(a, tuple(b for b in more if b != a)) for a, more in zip(texts, further, strict=True)]


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
