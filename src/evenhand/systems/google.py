"""Google Cloud Translation, Basic edition v2 (https://cloud.google.com/translate/docs/reference/rest/v2)."""

from __future__ import annotations

import asyncio
import functools
import os
from collections.abc import Mapping

import httpx

from evenhand.errors import BadInput, Refused, SystemFailed, require
from evenhand.systems.http import Body, Http, Rest
from evenhand.systems.protocol import Answer, Batch, Request, TryAgain, fingerprint
from evenhand.systems.replies import Reply, exchange, texts_of

PLACE = "https://translation.googleapis.com"
SCOPE = "https://www.googleapis.com/auth/cloud-translation"
PASSING_REASONS = ("userRateLimitExceeded", "rateLimitExceeded", "RATE_LIMIT_EXCEEDED", "User Rate Limit Exceeded")


class Google(Rest):
    """POST /language/translate/v2. The key is GOOGLE_API_KEY, else the application credentials.

    Application credentials (GOOGLE_APPLICATION_CREDENTIALS, or `gcloud auth application-default login`) need the
    package google-auth. `model` is "nmt" or "base" where the account has them; a URL after the colon is another server.

    A 403 is a wrong right or a spent daily quota and ends the run; the 403 that only means "too fast" is waited out.
    """

    batch = Batch(texts=100, characters=5_000, concurrency=4, context=False)

    def __init__(self, argument: str = "", *, model: str = "", timeout: float = 60.0) -> None:
        self._http = Http("google", timeout=timeout, judge=_judge)
        key = self._http.secret("GOOGLE_API_KEY", optional=True)
        # in a header, because an address ends up in logs
        self._http.header("X-Goog-Api-Key", key)
        self._has_key, self._timeout = key is not None, timeout
        self._url = self._http.base(argument or PLACE)
        self._options = {"model": model} if model else {}
        self.name = f"google:{self._url}" if argument else "google"
        self.fingerprint = fingerprint("google", server=self._url if argument else None, model=model)

    @functools.cached_property
    def _tokens(self) -> _Tokens:
        """Made when something is sent: a plan needs no credentials."""
        return _Tokens(self._http, self._timeout)

    async def translate(self, requests: list[Request]) -> list[Answer]:
        if not self._has_key and self._http.any_key:
            await asyncio.to_thread(self._tokens.refresh)
        body: dict[str, Body] = {"q": [request.text for request in requests], "format": "text"}
        body |= {"source": requests[0].source, "target": requests[0].target, **self._options}
        reply = await self._http.post_json(f"{self._url}/language/translate/v2", body)
        place, each = ("data", "translations"), ("translatedText",)
        return [Answer(text) for text in texts_of(reply, *place, each=each, expected=len(requests), system=self.name)]


def _judge(status: int, text: str) -> bool | None:
    return False if status == 403 and any(reason in text for reason in PASSING_REASONS) else None


class _Tokens:
    """Google's application default credentials, refreshed when they run out."""

    def __init__(self, http: Http, timeout: float) -> None:
        needed = "google needs a key: set the environment variable GOOGLE_API_KEY or GOOGLE_APPLICATION_CREDENTIALS"
        try:
            auth = require("google.auth", purpose="Google's application credentials", extra="google")
        except Exception:
            # without the package a credentials file is the only sign that the user meant them
            if os.environ.get("GOOGLE_APPLICATION_CREDENTIALS"):
                raise
            raise BadInput(needed) from None
        self._http, self._timeout = http, timeout
        self._errors = require("google.auth.exceptions", purpose="Google's application credentials", extra="google")
        try:
            self._credentials, _ = auth.default(scopes=[SCOPE])
        except self._errors.DefaultCredentialsError as error:
            raise BadInput(f"{needed} ({str(error).partition('. ')[0]})") from None
        http.header("X-Goog-User-Project", getattr(self._credentials, "quota_project_id", None))

    def refresh(self) -> None:
        """Put a valid token on the client; a refused one ends the run, a lost connection does not."""
        if self._credentials.valid:
            return
        failure: Refused | TryAgain
        try:
            self._credentials.refresh(self._ask)
        except self._errors.TransportError as error:
            failure = TryAgain(f"google's token service cannot be reached: {error}")
        except self._errors.RefreshError as error:
            failure = Refused(f"google refused the application credentials: {str(error)[:200]}")
        else:
            self._http.header("Authorization", self._http.guard(self._credentials.token), prefix="Bearer ")
            return
        raise failure

    def _ask(
        self,
        url: str,
        method: str = "GET",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
        **ignored: object,
    ) -> Reply:
        """What google-auth calls a transport, over the HTTP library we already have."""
        seconds = timeout or self._timeout
        try:
            with httpx.Client(timeout=seconds) as client:
                request = client.build_request(method, url, content=body, headers=headers)
                reply = exchange(client, request, seconds=seconds)
        except (httpx.HTTPError, TimeoutError, SystemFailed) as error:
            raise self._errors.TransportError(type(error).__name__) from None
        return reply
