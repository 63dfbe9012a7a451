"""Azure AI Translator (https://learn.microsoft.com/azure/ai-services/translator).

Version 3.0, and 2025-10-01-preview: translation by a deployed language model, with a wanted gender
(https://learn.microsoft.com/azure/ai-services/translator/text-translation/preview/translate-api).
"""

import os

from evenhand.systems.http import Body, Http, Rest
from evenhand.systems.protocol import Answer, Batch, Request, fingerprint
from evenhand.systems.replies import texts_of

VERSION = "2025-10-01-preview"
TEXT = ("translations", 0, "text")  # the place of a translation in its part of a reply


class AzureLlm(Rest):
    """POST /translate?api-version=2025-10-01-preview: `inputs`, each with its `targets`, which may say a `gender`.

    DEPLOYMENT is the name of the language model's deployment; keys, region and endpoint are those of `azure`. `tone`
    (formal, informal, neutral) is Azure's. The gender asked for (female, male, neutral) is for the whole text: the
    service cannot be given the person.
    """

    batch = Batch(texts=50, characters=45_000, concurrency=4, context=False)
    asks = frozenset({"female", "male", "neutral"})

    def __init__(self, argument: str, *, url: str = "", tone: str = "", timeout: float = 60.0) -> None:
        self._http, address, self._url = connected("azure-llm", url, timeout, "/translator/text")
        self._target: dict[str, Body] = {"deploymentName": argument, **({"tone": tone} if tone else {})}
        self.name = f"azure-llm:{argument}"
        self.fingerprint = fingerprint(self.name, server=(url and address) or None, tone=tone, version=VERSION)

    async def translate(self, requests: list[Request]) -> list[Answer]:
        inputs: list[Body] = []
        for request in requests:
            gender = {"gender": request.ask} if request.ask else {}
            target: Body = {"language": request.target, **self._target, **gender}
            inputs.append({"text": request.text, "language": request.source, "targets": [target]})
        body: Body = {"inputs": inputs}
        reply = await self._http.post_json(f"{self._url}/translate", body, params={"api-version": VERSION})
        return [Answer(text) for text in texts_of(reply, "value", each=TEXT, expected=len(inputs), system=self.name)]


GLOBAL = "https://api.cognitive.microsofttranslator.com"


class Azure(Rest):
    """POST /translate?api-version=3.0. A spent free quota is status 403.

    Key AZURE_TEXT_TRANSLATION_APIKEY, with AZURE_TEXT_TRANSLATION_REGION and AZURE_TEXT_TRANSLATION_ENDPOINT where the
    resource needs them (or a URL after the colon). `category` names a custom model.
    """

    batch = Batch(texts=1_000, characters=45_000, concurrency=4, context=False)

    def __init__(self, argument: str = "", *, category: str = "", timeout: float = 60.0) -> None:
        self._http, url, self._url = connected("azure", argument, timeout, "/translator/text/v3.0")
        self._params = {"category": category} if category else {}
        self.name = f"azure:{url}" if argument else "azure"
        self.fingerprint = fingerprint("azure", server=url if argument else None, category=category)

    async def translate(self, requests: list[Request]) -> list[Answer]:
        params = {"api-version": "3.0", "from": requests[0].source, "to": requests[0].target, **self._params}
        body: list[Body] = [{"Text": request.text} for request in requests]
        reply = await self._http.post_json(f"{self._url}/translate", body, params=params)
        return [Answer(text) for text in texts_of(reply, each=TEXT, expected=len(body), system=self.name)]


def connected(name: str, url: str, timeout: float, path: str) -> tuple[Http, str, str]:
    """The connection with its key and region, the server's address (the one given, the environment's, the global one),
    and where it serves the translator: a resource's own address below a path, the global one at its root."""
    http = Http(name, timeout=timeout)
    http.header("Ocp-Apim-Subscription-Key", http.secret("AZURE_TEXT_TRANSLATION_APIKEY"))
    http.header("Ocp-Apim-Subscription-Region", os.environ.get("AZURE_TEXT_TRANSLATION_REGION"))
    address = http.base(url or os.environ.get("AZURE_TEXT_TRANSLATION_ENDPOINT", "") or GLOBAL)
    return http, address, address + path * address.endswith(".cognitiveservices.azure.com")
