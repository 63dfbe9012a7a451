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
        listed = self._http.get_json(f"{self._url}/languages")
        pairs = {
            (str(dig(language, "code")), str(target))
            for language in (listed if isinstance(listed, list) else [])
            for target in _list(dig(language, "targets"))
        }
        return pairs or None

    def pairs(self) -> set[tuple[str, str]] | None:
        return self._pairs

    async def translate(self, requests: list[Request]) -> list[Answer]:
        body: dict[str, Body] = {
            "q": [request.text for request in requests],
            "source": requests[0].source,
            "target": requests[0].target,
            "format": "text",
            **self._further,
        }
        if self._key is not None:
            body["api_key"] = self._key
        reply = await self._http.post_json(f"{self._url}/translate", body)
        texts = texts_of(reply, "translatedText", expected=len(requests), system=self.name)
        return [Answer(text, _others(reply, number, text)) for number, text in enumerate(texts)]


def _others(reply: Json, number: int, text: str) -> tuple[str, ...]:
    """The further translations of one text, each once."""
    others = [other for other in _list(dig(reply, "alternatives", number)) if isinstance(other, str) and other != text]
    return tuple(dict.fromkeys(others))


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
