"""One HTTP layer for every REST service: one attempt per call, and whether another can help: `TryAgain`, or `Refused`.
Keys come from the environment only and are removed from every message about a call."""

import asyncio
import functools
import ipaddress
import json
import os
import ssl
import time
import warnings
from base64 import b64encode
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias
from urllib.parse import quote, unquote

import httpx

from evenhand.errors import BadInput, BadReply, Caution, Refused, SystemFailed, Unreachable
from evenhand.systems.protocol import TryAgain, without_password
from evenhand.systems.replies import Json, Reply, exchange, retry_after, said
from evenhand.systems.threads import in_thread

ReplyJudge: TypeAlias = Callable[[int, str], bool | None]
"""A service's own reading of a failed status and reply: True stop, False try again, None as usual."""

PASSING = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})


_ALLOWED: ContextVar[str | None] = ContextVar("allowed", default=None)


@contextmanager
def only_key(variable: str) -> Iterator[None]:
    """Systems opened inside read no key but the one in this environment variable ("": none): a server that a file names
    may belong to its author, who is not to get the user's other keys."""
    before = _ALLOWED.set(variable)
    try:
        yield
    finally:
        _ALLOWED.reset(before)


@functools.cache
def _tls() -> ssl.SSLContext:
    """The usual certificates, read once: httpx would read them for every client, which takes longer than a call."""
    return httpx.create_ssl_context()


class Secret:
    """A key that no repr, log or f-string shows; `reveal` is called where the request leaves and nowhere else."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def __repr__(self) -> str:
        return "***"

    def __bool__(self) -> bool:
        return bool(self._value)

    def reveal(self) -> str:
        return self._value


Body: TypeAlias = "bool | int | float | str | Secret | list[Body] | dict[str, Body] | None"


class _Headers(httpx.Auth):
    """Puts secret headers on a request at the last moment."""

    def __init__(self, secrets: Mapping[str, tuple[str, Secret]]) -> None:
        self._secrets = secrets

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        for header, (prefix, secret) in self._secrets.items():
            request.headers[header] = prefix + secret.reveal()
        yield request


class Http:
    """A client for one service. `system` names it in messages; `timeout` is in seconds for the whole answer."""

    def __init__(self, system: str, *, timeout: float = 60.0, judge: ReplyJudge | None = None) -> None:
        self._system, self._timeout, self._judge = system, timeout, judge or (lambda status, said: None)
        self._missing = ""
        self.any_key = True  # else only the one that `only_key` names
        self._secrets: list[Secret] = []
        self._headers: dict[str, tuple[str, Secret]] = {}
        self._client: httpx.Client | None = None
        self._in_the_clear = ""

    def secret(self, *names: str, optional: bool = False) -> Secret | None:
        """The first of these environment variables that is set; without one, sending (but no plan) is an error."""
        allowed = _ALLOWED.get()
        self.any_key = allowed is None
        usable = names if allowed is None else [allowed]  # no variable has an empty name
        value = next((os.environ[name].strip() for name in usable if os.environ.get(name, "").strip()), "")
        if not value and allowed is not None:
            key = f'key = "{names[0]}" in the file' if not allowed else f"the environment variable {allowed}"
            why = f"{self._system}: a server that a file names gets only the key that the file names; set {key}"
            self._missing = "" if optional else why
            if any(map(os.environ.get, names)):
                warnings.warn(why, Caution, stacklevel=2)
        elif not value and not optional:
            self._missing = f"{self._system} needs a key: set the environment variable {' or '.join(names)}"
        if value and not (value.isascii() and value.isprintable()):
            raise BadInput(f"{self._system}: the key in {' or '.join(names)} has characters no key has")
        return self.guard(value) if value else None

    def guard(self, value: str) -> Secret:
        """From now on blot this value out of every message."""
        secret = Secret(value)
        self._secrets.append(secret)
        return secret

    def header(self, name: str, value: Secret | str | None, *, prefix: str = "") -> None:
        """Send a header with every request; nothing is sent for None or an empty text."""
        if value:
            self._headers[name] = (prefix, value if isinstance(value, Secret) else Secret(value))

    def base(self, url: str) -> str:
        """A base URL without its last slash; a user and password in it are sent as basic auth. Without http:// or
        https:// it must be on this machine: elsewhere a guess would send texts and keys in the clear."""
        shown = without_password(url)
        try:
            parsed = httpx.URL(url if "://" in url else f"http://{url}")
        except (httpx.InvalidURL, ValueError):
            raise BadInput(f"{shown!r} is not a URL") from None
        if parsed.scheme not in ("http", "https") or not parsed.host:
            raise BadInput(f"{shown!r} is not an http(s) URL")
        if "://" not in url and not _on_this_machine(parsed.host):
            raise BadInput(f"{shown!r}: write https:// before it (or http://, which sends texts and keys unencrypted)")
        if parsed.userinfo:
            user, _, password = parsed.userinfo.decode().partition(":")
            self.guard(unquote(password or user))
            pair = b64encode(f"{unquote(user)}:{unquote(password)}".encode()).decode()
            self.header("Authorization", self.guard(pair), prefix="Basic ")
        if parsed.scheme == "http" and not _on_this_machine(parsed.host):
            self._in_the_clear = parsed.host
        if parsed.query or parsed.fragment:
            raise BadInput("a system's URL may have no ? or # part; keys belong into the environment")
        return str(parsed.copy_with(userinfo=b"")).rstrip("/")

    async def post_json(
        self,
        url: str,
        body: Body = None,
        *,
        params: Mapping[str, str] | None = None,
        form: Mapping[str, str] | None = None,
    ) -> Json:
        """The reply's JSON to the body as JSON, or to fields of a form. A call in a new thread: on a busy machine eight
        calls that wait for one event loop lose a fifth of the throughput, and reading a reply delays no other call
        (benchmarks/dispatch.py)."""
        client, headers = self._open(), {"Accept": "application/json"}
        headers |= {"Content-Type": "application/json"} if form is None else {}

        def called() -> Json:
            # the content has keys, so that no variable may hold it: a traceback would show it
            request = client.build_request(
                "POST", url, content=None if form else _encode(body).encode(), data=form, params=params, headers=headers
            )
            return self._read(self._exchanged(client, request, self._timeout))

        failure: SystemFailed
        try:
            # one limit for the whole exchange: httpx's own count each read, which a dripping server never exceeds
            async with asyncio.timeout(self._timeout):
                return await in_thread(called)
        except (httpx.HTTPError, TimeoutError) as error:
            failure = self._failure(error)
        raise failure

    def _exchanged(self, client: httpx.Client, request: httpx.Request, seconds: float) -> Reply:
        try:
            return exchange(client, request, seconds=seconds, auth=_Headers(self._headers))
        except TryAgain as error:
            failure: SystemFailed = TryAgain(f"{self._system}: {error}", otherwise=error.otherwise)
        except BadReply as error:
            failure = BadReply(f"{self._system}: {error}")
        raise failure

    def get_json(self, url: str, *, tries: int = 3, wait: float = 0.5) -> Json:
        """GET, from plain code: what a server says about itself when it is opened; None where it does not know the
        address."""
        failure: SystemFailed = Unreachable(f"{self._system}: not asked")
        for attempt in range(tries):
            if attempt:
                time.sleep(wait * 2 ** (attempt - 1))
            client = self._open()
            request = client.build_request("GET", url, headers={"Accept": "application/json"})
            try:
                reply = self._exchanged(client, request, min(self._timeout, 20.0))
                if reply.status not in PASSING:
                    return reply.json() if reply.good else None
                failure = self._status(reply)
            except (httpx.HTTPError, TimeoutError) as error:
                failure = self._failure(error)
            except TryAgain as error:
                failure = error
            except ValueError:  # no JSON
                return None
        raise Unreachable(str(failure))

    async def aclose(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None

    def _open(self) -> httpx.Client:
        if self._missing:
            raise BadInput(self._missing)
        if self._client is None:
            if self._in_the_clear and self._secrets:
                why = f"{self._system}: the key goes to {self._in_the_clear} unencrypted (http://)"
                warnings.warn(why, Caution, stacklevel=2)
            limits = httpx.Limits(max_connections=None, max_keepalive_connections=64)
            self._client = httpx.Client(timeout=self._timeout, limits=limits, verify=_tls())
        return self._client

    def _read(self, reply: Reply) -> Json:
        if not reply.good:
            raise self._status(reply)
        try:
            return reply.json()
        except ValueError:
            kind = reply.headers.get("content-type", "").partition(";")[0] or "something"
            message = f"{self._system} answered {kind} that is not JSON: {self._said(reply)}"
        raise TryAgain(message, otherwise=BadReply)

    def _status(self, reply: Reply) -> SystemFailed:
        message = f"{self._system} answered {reply.status} {reply.reason}: {self._said(reply)}".rstrip(": ")
        stop = self._judge(reply.status, reply.text)
        if stop is False or (stop is None and reply.status in PASSING):
            return TryAgain(message, after=retry_after(reply.headers.get("retry-after")))
        if 300 <= reply.status < 400 and "location" in reply.headers:
            place = without_password(self._blotted(reply.headers["location"]))
            return Refused(f"{message} (it sends us to {said(place)}: name that address)")
        return Refused(message)

    def _failure(self, error: Exception) -> TryAgain:
        if isinstance(error, httpx.TimeoutException | TimeoutError):
            return TryAgain(f"{self._system} gave no answer within {self._timeout:g} s")
        return TryAgain(self._blotted(f"{self._system} cannot be reached: {str(error) or type(error).__name__}"))

    def _said(self, reply: Reply) -> str:
        """What the server said, without keys: removed first, so that no half of one is left at the cut."""
        return said(self._blotted(reply.text))

    def _blotted(self, text: str) -> str:
        # blotting out one or two letters would only garble the message
        values = {secret.reveal() for secret in self._secrets}
        for secret in sorted((value for value in values if len(value) > 3), key=len, reverse=True):
            for form in {secret, quote(secret, safe=""), json.dumps(secret)[1:-1]}:
                text = text.replace(form, "***")
        return text


def _on_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _reveal(value: object) -> str:
    if isinstance(value, Secret):
        return value.reveal()
    raise TypeError(f"{type(value).__name__} cannot be sent as JSON")


_encode = json.JSONEncoder(default=_reveal, ensure_ascii=False).encode


# What every REST adapter has: a name, a fingerprint, a client that is closed when a run ends.


class Rest:
    """Base of the REST adapters. They build a request and read a reply; they do not retry, sleep, cache or print."""

    name: str
    remote = True  # whoever runs it may change it without a word: its fingerprint does not cover what answers
    _http: Http

    async def aclose(self) -> None:
        await self._http.aclose()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"
