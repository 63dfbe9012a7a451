"""DeepL's API, version 2 (https://developers.deepl.com/docs)."""

import os

from evenhand.errors import Unknown
from evenhand.languages import primary
from evenhand.systems.http import Body, Http, Rest
from evenhand.systems.protocol import Answer, Batch, Request, fingerprint
from evenhand.systems.replies import texts_of

ASK_BY = ("instructions", "context")
FREE, PAID = "https://api-free.deepl.com", "https://api.deepl.com"
TARGETS = {"en": "EN-US", "pt": "PT-PT", "no": "NB"}
"""As a target DeepL wants a regional English or Portuguese; as a source it takes none."""


class DeepL(Rest):
    """POST /v2/translate, up to 50 texts; context goes along and is not charged.

    The key is DEEPL_AUTH_KEY; one that ends in ":fx" belongs to the free service. DEEPL_SERVER_URL, or a URL after the
    colon, names another server. `formality` (default, more, less, prefer_more, prefer_less) and `model_type` are
    DeepL's. A spent quota is status 456. A gender that is asked for goes along as the one sentence of
    `custom_instructions`, or with ask_by=context before the context.
    """

    asks = frozenset({"female", "male", "neutral"})

    batch = Batch(texts=50, characters=30_000, concurrency=4)

    def __init__(
        self,
        argument: str = "",
        *,
        formality: str = "",
        model_type: str = "",
        ask_by: str = "instructions",
        timeout: float = 60.0,
    ) -> None:
        if ask_by not in ASK_BY:
            raise Unknown("how to request a gender from DeepL", ask_by, ASK_BY)
        self._ask_by = ask_by
        self._http = Http("deepl", timeout=timeout)
        key = self._http.secret("DEEPL_AUTH_KEY")
        self._http.header("Authorization", key, prefix="DeepL-Auth-Key ")
        usual = FREE if key is not None and key.reveal().endswith(":fx") else PAID
        self._url = self._http.base(argument or os.environ.get("DEEPL_SERVER_URL", "") or usual)
        self._options = {k: v for k, v in (("formality", formality), ("model_type", model_type)) if v}
        self.name = f"deepl:{self._url}" if argument else "deepl"
        # free and paid are the same translator; another server may not be
        server = None if self._url in (FREE, PAID) else self._url
        way = {} if ask_by == ASK_BY[0] else {"ask_by": ask_by}
        self.fingerprint = fingerprint("deepl", server=server, **self._options, **way)

    async def translate(self, requests: list[Request]) -> list[Answer]:
        source, target = requests[0].source, requests[0].target
        body: dict[str, Body] = {
            "text": [request.text for request in requests],
            "source_lang": primary(source).upper(),
            "target_lang": TARGETS.get(target, target.replace("_", "-").upper()),
            **self._options,
        }
        wish, by_context = requests[0].wish, self._ask_by == "context"
        if context := " ".join(filter(None, (wish if by_context else None, requests[0].context))):
            body["context"] = context
        if wish and not by_context:
            body["custom_instructions"] = [wish]
        reply = await self._http.post_json(f"{self._url}/v2/translate", body)
        texts = texts_of(reply, "translations", each=("text",), expected=len(requests), system=self.name)
        return [Answer(text) for text in texts]
