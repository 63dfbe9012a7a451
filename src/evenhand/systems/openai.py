"""Any OpenAI-compatible chat endpoint (https://platform.openai.com/docs/api-reference/chat)."""

from __future__ import annotations

import functools
import os
import re
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from evenhand.errors import BadInput, BadReply
from evenhand.languages import name_of
from evenhand.systems.http import Body, Http, Rest
from evenhand.systems.protocol import Answer, Batch, Request, TryAgain, at_least_none, fingerprint
from evenhand.systems.replies import Json, dig

PLACE = "https://api.openai.com/v1"
PROMPT = "translate-1"
_THOUGHT = re.compile(r"\A\s*<think>.*?(?:</think>|\Z)", re.DOTALL)
_SECTION = re.compile(r"^\[(system|context|user)\]\n", re.MULTILINE)


@dataclass(frozen=True)
class Prompt:
    """A prompt file: `[system]`, `[context]` (used where a probe has one) and `[user]` sections.

    {source_language}, {target_language}, {context} and {text} are replaced; other braces stay as they are.
    """

    name: str
    hash: str
    sections: dict[str, str]

    @classmethod
    def read(cls, name: str) -> Prompt:
        """One of ours by name (`translate-1`), or a file of your own by path."""
        own = Path(name)
        place = own if own.suffix or own.exists() else files("evenhand.systems").joinpath("prompts", f"{name}.txt")
        try:
            text = place.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"the prompt {name!r} cannot be read: {error}") from error
        parts = _SECTION.split(text)
        sections = dict(zip(parts[1::2], (part.rstrip("\n") for part in parts[2::2]), strict=True))
        if "{text}" not in sections.get("user", ""):
            raise BadInput(f"{name}: a prompt needs a [user] section with {{text}} in it")
        return cls(name, sha256(text.encode()).hexdigest()[:16], sections)

    def messages(self, request: Request) -> list[Body]:
        values = {
            "source_language": name_of(request.source),
            "target_language": name_of(request.target),
            "context": request.context or "",
            "text": request.text,
        }
        system = [self.sections.get("system", "")]
        if request.context:
            system.append(self.sections.get("context", ""))
        if request.wish:
            system.append(request.wish)
        joined = "\n\n".join(part for part in system if part)
        said = [("system", joined)] if joined else []
        return [
            {"role": role, "content": _filled(part, values)} for role, part in [*said, ("user", self.sections["user"])]
        ]


class OpenAI(Rest):
    """POST /chat/completions, one text a call, so that no rendering depends on another probe.

    OPENAI_BASE_URL (or `base_url`) names another server: then OPENAI_API_KEY may be left out. `temperature` is sent as
    given; "default" leaves it to the model, which some models demand. `seed` is sent, plus the sample's number, where
    it is given. The prompt's hash is part of the fingerprint. A refusal, or a reply the service filtered, is an answer
    with an empty text; reasoning between <think> marks is no part of the translation, and one that never ends leaves
    none. `alternatives` asks for so many further samples in the same call (the field n), which a temperature of 0 would
    make all alike; those that were refused or cut off are left out. The model's own name in a reply is the answer's
    version. A gender that is asked for is the last sentence of the system's message.
    """

    asks = frozenset({"female", "male", "neutral"})

    def __init__(
        self,
        argument: str,
        *,
        base_url: str = "",
        prompt: str = PROMPT,
        temperature: str = "0",
        seed: str = "",
        max_tokens: str = "",
        alternatives: int = 0,
        concurrency: int = 8,
        timeout: float = 120.0,
    ) -> None:
        self.name = f"openai:{argument}"
        self._http = Http(self.name, timeout=timeout, judge=_judge)
        self._url = self._http.base(base_url or os.environ.get("OPENAI_BASE_URL", "") or PLACE)
        key = self._http.secret("OPENAI_API_KEY", optional=self._url != PLACE)
        self._http.header("Authorization", key, prefix="Bearer ")
        self._prompt = Prompt.read(prompt)
        self._options: dict[str, Body] = {"model": argument}
        if temperature != "default":
            self._options["temperature"] = _number("temperature", temperature)
        if max_tokens:
            self._options["max_tokens"] = int(_number("max_tokens", max_tokens))
        further = at_least_none("alternatives", alternatives)
        if further:
            if self._options.get("temperature") == 0:
                raise BadInput(
                    f"{self.name}: at temperature 0 all samples are alike; set a temperature for alternatives"
                )
            self._options["n"] = 1 + alternatives
        self._seed = int(_number("seed", seed)) if seed else None
        self.batch = Batch(texts=1, characters=20_000, concurrency=concurrency)
        server = None if self._url == PLACE else self._url
        self.fingerprint = fingerprint(
            self.name,
            server=server,
            prompt=self._prompt.hash,
            temperature=temperature,
            seed=self._seed,
            max_tokens=max_tokens,
            **further,
        )

    @functools.cached_property
    def prompt(self) -> str:
        """Name and hash of the prompt, for a run's signature."""
        return f"{self._prompt.name}:{self._prompt.hash}"

    async def translate(self, requests: list[Request]) -> list[Answer]:
        return [await self._one(request) for request in requests]

    async def _one(self, request: Request) -> Answer:
        body: dict[str, Body] = {**self._options, "messages": self._prompt.messages(request)}
        if self._seed is not None:
            body["seed"] = self._seed + request.sample
        return self._answer(await self._http.post_json(f"{self._url}/chat/completions", body))

    def _answer(self, reply: Json) -> Answer:
        choice = dig(reply, "choices", 0)
        refusal, content = dig(choice, "message", "refusal"), dig(choice, "message", "content")
        reason = dig(choice, "finish_reason")
        if isinstance(refusal, str) and refusal:
            return Answer("", refusal=refusal)
        if reason == "content_filter":
            return Answer("", refusal="the service's content filter held the answer back")
        if reason == "length":
            raise BadReply(f"{self.name}: the answer was cut off by the token limit; raise max_tokens")
        if not isinstance(content, str):
            raise TryAgain(f"{self.name}: the reply has no message content", otherwise=BadReply)
        model, text = dig(reply, "model"), _translation(content)
        return Answer(text, _further(reply, text), version=model if isinstance(model, str) else None)


def _translation(content: str) -> str:
    return _THOUGHT.sub("", content).strip()


def _further(reply: Json, text: str) -> tuple[str, ...]:
    """The other samples of a reply that are whole translations, each once."""
    choices = dig(reply, "choices")
    others = [
        _translation(content)
        for choice in (choices[1:] if isinstance(choices, list) else [])
        if isinstance(content := dig(choice, "message", "content"), str)
        and not dig(choice, "message", "refusal")
        and dig(choice, "finish_reason") not in {"content_filter", "length"}
    ]
    return tuple(other for other in dict.fromkeys(others) if other and other != text)


def _judge(status: int, said: str) -> bool | None:
    """A spent quota comes as 429, like asking too fast, but waiting does not bring it back."""
    return True if status == 429 and "insufficient_quota" in said else None


def _filled(template: str, values: dict[str, str]) -> str:
    """In one pass, so that a text that happens to hold {context} is not filled in again."""
    return re.sub(r"\{(\w+)\}", lambda match: values.get(match[1], match[0]), template)


def _number(name: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise BadInput(f"the setting {name} must be a number, not {value!r}") from None
