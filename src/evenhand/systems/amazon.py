"""Amazon Translate, through boto3, which signs requests and finds credentials the way AWS users expect."""

import asyncio
from collections.abc import Callable
from typing import cast

from evenhand.errors import BadInput, Refused, SystemFailed, require
from evenhand.systems.protocol import Answer, Batch, Request, TryAgain, fingerprint

PASSING = "ThrottlingException TooManyRequestsException ServiceUnavailableException InternalServerException".split()


class Amazon:
    """TranslateText, one text per call. Keys, profile and region come from the environment or ~/.aws, as boto3 reads.

    `formality` is "FORMAL" or "INFORMAL" for the languages that have it. boto3's own retries are off: the dispatcher's
    would multiply with them.
    """

    remote = True
    batch = Batch(texts=1, characters=9_000, concurrency=8, context=False)

    def __init__(self, argument: str = "", *, formality: str = "", timeout: float = 60.0) -> None:
        boto3 = require("boto3", purpose="the system amazon", extra="amazon")
        config = require("botocore.config", purpose="the system amazon", extra="amazon")
        self._errors = require("botocore.exceptions", purpose="the system amazon", extra="amazon")
        self.name = "amazon"
        self._settings = {"Settings": {"Formality": formality}} if formality else {}
        self.fingerprint = fingerprint("amazon", formality=formality)
        quiet = config.Config(
            retries={"total_max_attempts": 1}, read_timeout=timeout, connect_timeout=timeout, max_pool_connections=64
        )
        try:
            self._client = boto3.session.Session().client("translate", config=quiet)
        except self._errors.NoRegionError:
            self._client = None  # a plan sends nothing and needs none
        except self._errors.BotoCoreError as error:
            raise BadInput(f"amazon cannot be set up: {error}") from None

    async def translate(self, requests: list[Request]) -> list[Answer]:
        [request] = requests
        return [Answer(await asyncio.to_thread(self._one, request))]

    def _one(self, request: Request) -> str:
        if self._client is None:
            raise BadInput("amazon needs a region: set the environment variable AWS_REGION")
        ask = cast("Callable[..., dict[str, str]]", self._client.translate_text)
        failure: SystemFailed
        try:
            languages = {"SourceLanguageCode": request.source, "TargetLanguageCode": request.target}
            return ask(Text=request.text, **languages, **self._settings)["TranslatedText"]
        except self._errors.ClientError as error:
            failure = _client_failure(error.response)
        except self._errors.NoCredentialsError:
            failure = Refused("amazon needs keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile")
        except (self._errors.BotoCoreError, KeyError, ValueError) as error:
            failure = TryAgain(f"amazon cannot be reached: {type(error).__name__}: {str(error)[:200]}")
        raise failure


def _client_failure(response: dict[str, dict[str, object]]) -> SystemFailed:
    """AWS puts throttling into status 400, so the error's code decides."""
    details = response.get("Error", {})
    status = response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    message = f"amazon answered {status} {details.get('Code')}: {str(details.get('Message', ''))[:200]}"
    passing = details.get("Code") in PASSING or (isinstance(status, int) and (status >= 500 or status == 429))
    return TryAgain(message) if passing else Refused(message)
