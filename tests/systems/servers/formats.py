"""The documented wire formats of the REST services, from the server's side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from tests.systems.servers.base import Denied, Json, Service, item, strings


class DeepLServer(Service):
    """https://developers.deepl.com/api-reference/translate"""

    wrong_key = (403, {"message": "Forbidden"})
    spent_quota = (456, {"message": "Quota for this billing period has been exceeded."})

    def check_key(self, headers: Mapping[str, str], body: Json) -> None:
        if headers.get("authorization") != f"DeepL-Auth-Key {self.key}":
            raise Denied(*self.wrong_key)

    def texts(self, path: str, query: Mapping[str, str], body: Json) -> list[str]:
        if path != "/v2/translate":
            raise Denied(404, {"message": "Not found"})
        if item(body, "target_lang") not in ("ES", "EN-US", "DE", "PT-BR", "PT-PT"):
            raise Denied(400, {"message": "Value for 'target_lang' not supported."})
        if item(body, "source_lang") not in ("EN", "ES", "DE", "PT"):
            raise Denied(400, {"message": "Value for 'source_lang' not supported."})
        texts = strings(item(body, "text"))
        if len(texts) > 50:
            raise Denied(400, {"message": "Too many texts in request."})
        return texts

    def reply(self, translations: list[str], query: Mapping[str, str], body: Json) -> Json:
        return {"translations": [{"detected_source_language": "EN", "text": text} for text in translations]}


class GoogleServer(Service):
    """https://cloud.google.com/translate/docs/reference/rest/v2/translate"""

    wrong_key = (
        400,
        {"error": {"code": 400, "message": "API key not valid. Please pass a valid API key."}},
    )
    spent_quota = (
        403,
        {
            "error": {
                "code": 403,
                "message": "Daily Limit Exceeded",
                "errors": [{"domain": "usageLimits", "reason": "dailyLimitExceeded"}],
            }
        },
    )

    def __init__(self, *, token: str = "") -> None:
        super().__init__()
        self.token = token

    def check_key(self, headers: Mapping[str, str], body: Json) -> None:
        bearer = self.token and headers.get("authorization") == f"Bearer {self.token}"
        if headers.get("x-goog-api-key") != self.key and not bearer:
            raise Denied(*self.wrong_key)

    def texts(self, path: str, query: Mapping[str, str], body: Json) -> list[str]:
        if path != "/language/translate/v2" or item(body, "format") != "text":
            raise Denied(404, {"message": "Not found"})
        texts = strings(item(body, "q"))
        if len(texts) > 128:
            raise Denied(400, {"message": "Too many text segments"})
        return texts

    def reply(self, translations: list[str], query: Mapping[str, str], body: Json) -> Json:
        return {"data": {"translations": [{"translatedText": text} for text in translations]}}


class AzureServer(Service):
    """https://learn.microsoft.com/azure/ai-services/translator/reference/v3-0-translate"""

    wrong_key = (401, {"error": {"code": 401000, "message": "The request is not authorized."}})
    spent_quota = (403, {"error": {"code": 403001, "message": "The subscription has exceeded its free quota."}})

    def check_key(self, headers: Mapping[str, str], body: Json) -> None:
        region = headers.get("ocp-apim-subscription-region") == "westeurope"
        if headers.get("ocp-apim-subscription-key") != self.key or not region:
            raise Denied(*self.wrong_key)

    def texts(self, path: str, query: Mapping[str, str], body: Json) -> list[str]:
        if path != "/translate" or query.get("api-version") != "3.0" or not query.get("to"):
            raise Denied(400, {"code": 400021, "message": "The API version parameter is missing or invalid."})
        return strings([item(one, "Text") for one in body] if isinstance(body, list) else None)

    def reply(self, translations: list[str], query: Mapping[str, str], body: Json) -> Json:
        return [{"translations": [{"text": text, "to": query["to"]}]} for text in translations]


class AzureLlmServer(AzureServer):
    """https://learn.microsoft.com/azure/ai-services/translator/text-translation/preview/translate-api"""

    def texts(self, path: str, query: Mapping[str, str], body: Json) -> list[str]:
        if path != "/translate" or query.get("api-version") != "2025-10-01-preview":
            raise Denied(400, {"code": 400021, "message": "The API version parameter is missing or invalid."})
        inputs = item(body, "inputs")
        if not isinstance(inputs, list):
            raise Denied(400, {"code": 400006, "message": "The body has no inputs."})
        for one in inputs:
            targets = item(one, "targets")
            target = targets[0] if isinstance(targets, list) and targets else None
            if not item(target, "language") or not item(target, "deploymentName"):
                raise Denied(400, {"code": 400036, "message": "The target language or deployment is missing."})
            if item(target, "gender") not in (None, "female", "male", "neutral"):
                raise Denied(400, {"code": 400000, "message": "The gender is not valid."})
        return strings([item(one, "text") for one in inputs])

    def reply(self, translations: list[str], query: Mapping[str, str], body: Json) -> Json:
        return {"value": [{"translations": [{"language": "es", "text": text}]} for text in translations]}


class LibreTranslateServer(Service):
    """https://docs.libretranslate.com/api/operations/translate"""

    wrong_key = (403, {"error": "Invalid API key"})
    spent_quota = (403, {"error": "Your quota is spent"})
    about: ClassVar[Mapping[str, Json]] = {
        "/languages": [
            {"code": "en", "name": "English", "targets": ["en", "es", "eu"]},
            {"code": "es", "name": "Spanish", "targets": ["en", "es"]},
        ],
        "/spec": {"swagger": "2.0", "info": {"title": "LibreTranslate", "version": "1.6.2"}},
    }

    def check_key(self, headers: Mapping[str, str], body: Json) -> None:
        if item(body, "api_key") != self.key:
            raise Denied(*self.wrong_key)

    def texts(self, path: str, query: Mapping[str, str], body: Json) -> list[str]:
        if path != "/translate" or item(body, "format") != "text":
            raise Denied(404, {"error": "Not found"})
        return strings(item(body, "q"))

    def reply(self, translations: list[str], query: Mapping[str, str], body: Json) -> Json:
        return {"translatedText": list(translations)}


class OpenAIServer(Service):
    """https://platform.openai.com/docs/api-reference/chat/create"""

    wrong_key = (401, {"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}})
    spent_quota = (
        429,
        {
            "error": {
                "message": "You exceeded your current quota",
                "type": "insufficient_quota",
                "code": "insufficient_quota",
            }
        },
    )

    def check_key(self, headers: Mapping[str, str], body: Json) -> None:
        if headers.get("authorization") != f"Bearer {self.key}":
            raise Denied(*self.wrong_key)

    def texts(self, path: str, query: Mapping[str, str], body: Json) -> list[str]:
        messages = item(body, "messages")
        if path != "/v1/chat/completions" or not item(body, "model") or not isinstance(messages, list):
            raise Denied(400, {"message": "you must provide a model parameter"})
        return strings([item(messages[-1], "content")])

    def reply(self, translations: list[str], query: Mapping[str, str], body: Json) -> Json:
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "model": item(body, "model"),
            "choices": [
                {
                    "index": n,
                    "message": {"role": "assistant", "content": text, "refusal": None},
                    "finish_reason": "stop",
                }
                for n, text in enumerate(translations)
            ],
        }


class AmazonServer(Service):
    """https://docs.aws.amazon.com/translate/latest/APIReference/API_TranslateText.html (JSON 1.1 protocol)"""

    wrong_key = (400, {"__type": "UnrecognizedClientException", "message": "The security token is invalid."})
    spent_quota = (400, {"__type": "LimitExceededException", "message": "The specified limit has been exceeded."})

    def check_key(self, headers: Mapping[str, str], body: Json) -> None:
        if headers.get("x-amz-target") != "AWSShineFrontendService_20170701.TranslateText":
            raise Denied(400, {"__type": "UnknownOperationException"})
        if f"Credential={self.key}/" not in headers.get("authorization", ""):
            raise Denied(*self.wrong_key)

    def texts(self, path: str, query: Mapping[str, str], body: Json) -> list[str]:
        return strings([item(body, "Text")])

    def reply(self, translations: list[str], query: Mapping[str, str], body: Json) -> Json:
        if not translations:
            return {}
        return {
            "TranslatedText": translations[0],
            "SourceLanguageCode": item(body, "SourceLanguageCode"),
            "TargetLanguageCode": item(body, "TargetLanguageCode"),
        }
