"""Azure AI Translator, version 2025-10-01-preview: translation by a deployed language model, with a wanted gender.

https://learn.microsoft.com/azure/ai-services/translator/text-translation/preview/translate-api
"""

from __future__ import annotations

from evenhand.systems.azure import connected
from evenhand.systems.http import Body, Rest
from evenhand.systems.protocol import Answer, Batch, Request, fingerprint
from evenhand.systems.replies import texts_of

VERSION = "2025-10-01-preview"


class AzureLlm(Rest):
    """POST /translate?api-version=2025-10-01-preview: `inputs`, each with its `targets`, which may say a `gender`.

    DEPLOYMENT is the name of the language model's deployment; keys, region and endpoint are those of `azure`. `tone`
    (formal, informal, neutral) is Azure's. The gender asked for (female, male, neutral) is for the whole text: the
    service is not told whom.
    """

    batch = Batch(texts=50, characters=45_000, concurrency=4, context=False)
    asks = frozenset({"female", "male", "neutral"})

    def __init__(self, argument: str, *, url: str = "", tone: str = "", timeout: float = 60.0) -> None:
        self._http, address = connected("azure-llm", url, timeout)
        self._url = f"{address}/translator/text" if address.endswith(".cognitiveservices.azure.com") else address
        self._target: dict[str, Body] = {"deploymentName": argument}
        if tone:
            self._target["tone"] = tone
        self.name = f"azure-llm:{argument}"
        self.fingerprint = fingerprint(self.name, server=(url and address) or None, tone=tone, version=VERSION)

    async def translate(self, requests: list[Request]) -> list[Answer]:
        inputs: list[Body] = []
        for request in requests:
            target = {"language": request.target, **self._target}
            if request.ask:
                target["gender"] = request.ask
            inputs.append({"text": request.text, "language": request.source, "targets": [target]})
        reply = await self._http.post_json(
            f"{self._url}/translate", {"inputs": inputs}, params={"api-version": VERSION}
        )
        each = ("translations", 0, "text")
        texts = texts_of(reply, "value", each=each, expected=len(requests), system=self.name)
        return [Answer(text) for text in texts]
