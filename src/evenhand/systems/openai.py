"""Any OpenAI-compatible server: its chat endpoint translates (https://platform.openai.com/docs/api-reference/chat), its
completion endpoint scores, where it gives `prompt_logprobs` as vLLM does."""

from __future__ import annotations

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
from evenhand.systems.scoring import Scale, Score

PLACE = "https://api.openai.com/v1"
PROMPT, SCORING_PROMPT = "translate-1", "score-1"
_THOUGHT = re.compile(r"\A\s*<think>.*?(?:</think>|\Z)", re.DOTALL)
_SECTION = re.compile(r"^\[(system|context|user)\]\n", re.MULTILINE)


@dataclass(frozen=True)
class Prompt:
    """A prompt file with sections [system], [context] (where a probe has one) and [user], in which {source_language},
    {target_language}, {context} and {text} are replaced."""

    name: str
    hash: str
    sections: dict[str, str]

    @classmethod
    def read(cls, name: str) -> Prompt:
        """One of ours by name (`translate-1`), or your file by path."""
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

    def text(self, request: Request) -> str:
        """The [user] section with its parts filled in: the whole prompt of a model that completes."""
        return _filled(self.sections["user"], request)

    def messages(self, request: Request) -> list[Body]:
        context = self.sections.get("context") if request.context else None
        system = "\n\n".join(filter(None, (self.sections.get("system"), context, request.wish)))
        roles = {"system": system, "user": self.sections["user"]}
        return [{"role": role, "content": _filled(part, request)} for role, part in roles.items() if part]


class OpenAI(Rest):
    """POST /chat/completions, one text per call, so that no rendering depends on another probe.

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
        self._http, self._url = _connected(self.name, base_url, timeout)
        self._prompt = Prompt.read(prompt)
        self._options: dict[str, Body] = {"model": argument}
        if temperature != "default":
            self._options["temperature"] = _number("temperature", temperature)
        if max_tokens:
            self._options["max_tokens"] = int(_number("max_tokens", max_tokens))
        further = at_least_none("alternatives", alternatives)
        if further:
            if self._options.get("temperature") == 0:
                raise BadInput(f"{self.name}: at temperature 0 alternatives are all alike; set another temperature")
            self._options["n"] = 1 + alternatives
        self._seed = int(_number("seed", seed)) if seed else None
        self.batch = Batch(texts=1, characters=20_000, concurrency=concurrency)
        self.prompt = f"{self._prompt.name}:{self._prompt.hash}"  # for a run's signature
        how = {"prompt": self._prompt.hash, "temperature": temperature, "seed": self._seed, "max_tokens": max_tokens}
        server = None if self._url == PLACE else self._url
        self.fingerprint = fingerprint(self.name, server=server, **how, **further)

    async def translate(self, requests: list[Request]) -> list[Answer]:
        [request] = requests
        body: dict[str, Body] = {**self._options, "messages": self._prompt.messages(request)}
        if self._seed is not None:
            body["seed"] = self._seed + request.sample
        return [self._answer(await self._http.post_json(f"{self._url}/chat/completions", body))]

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


def _connected(name: str, base_url: str, timeout: float) -> tuple[Http, str]:
    """The connection with its key, which only OpenAI's own service must have, and the server's address."""
    http = Http(name, timeout=timeout, judge=_judge)
    url = http.base(base_url or os.environ.get("OPENAI_BASE_URL", "") or PLACE)
    http.header("Authorization", http.secret("OPENAI_API_KEY", optional=url != PLACE), prefix="Bearer ")
    return http, url


def _judge(status: int, text: str) -> bool | None:
    """A spent quota comes as 429, like asking too fast, but waiting does not bring it back."""
    return True if status == 429 and "insufficient_quota" in text else None


def _filled(template: str, request: Request) -> str:
    """In one pass, so that a text that happens to hold {context} is not filled in again."""
    values = {"source_language": name_of(request.source), "target_language": name_of(request.target)}
    values |= {"context": request.context or "", "text": request.text}
    return re.sub(r"\{(\w+)\}", lambda match: values.get(match[1], match[0]), template)


def _number(name: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise BadInput(f"the setting {name} must be a number, not {value!r}") from None


class PromptScorer(Rest):
    """POST /completions with prompt_logprobs. Each rendering is scored after the prompt, and the prompt's own
    log-probability is taken off: what is left is the rendering's. OPENAI_BASE_URL (or `base_url`) names the server.
    """

    scale = Scale()

    def __init__(
        self,
        argument: str,
        *,
        base_url: str = "",
        prompt: str = SCORING_PROMPT,
        texts: int = 16,
        concurrency: int = 4,
        timeout: float = 120.0,
    ) -> None:
        self.name = f"openai:{argument}"
        self._http, self._url = _connected(self.name, base_url, timeout)
        if self._url == PLACE:
            raise BadInput(f"{self.name}: {PLACE} gives no prompt log-probabilities; name your server by base_url")
        self._prompt, self._model = Prompt.read(prompt), argument
        self.batch = Batch(texts=texts, characters=20_000, concurrency=concurrency, context=False)
        self.fingerprint = fingerprint(self.name, server=self._url, prompt=self._prompt.hash, kind="prompt_logprobs")

    async def score(self, requests: list[Request]) -> list[Score]:
        starts = [self._prompt.text(request) for request in requests]
        prompts = list(dict.fromkeys([*starts, *map(_joined, starts, requests)]))
        body: dict[str, Body] = {"model": self._model, "prompt": list(prompts), "max_tokens": 1, "temperature": 0}
        reply = await self._http.post_json(f"{self._url}/completions", {**body, "prompt_logprobs": 0})
        sums = dict(zip(prompts, self._sums(reply, prompts), strict=True))
        return [self._score(sums[start], sums[_joined(start, r)], r) for start, r in zip(starts, requests, strict=True)]

    def _score(self, start: Score, whole: Score, request: Request) -> Score:
        if whole.tokens <= start.tokens:
            counts = f"{whole.tokens} for the prompt with {request.rendering!r}, {start.tokens} for the prompt alone"
            raise BadReply(f"{self.name}: prompt log-probabilities of a wrong length: {counts}")
        return Score(min(whole.value - start.value, 0.0), whole.tokens - start.tokens)

    def _sums(self, reply: Json, prompts: list[str]) -> list[Score]:
        choices = dig(reply, "choices")
        if not isinstance(choices, list) or len(choices) != len(prompts):
            count = len(choices) if isinstance(choices, list) else 0
            raise BadReply(f"{self.name}: {len(prompts)} prompts were sent and {count} choices came back")
        places = [dig(choice, "index") for choice in choices]
        if any(place not in places for place in range(len(prompts))):
            raise BadReply(f"{self.name}: the choices are numbered {places}, not 0 to {len(prompts) - 1}")
        return [self._sum(choices[places.index(place)]) for place in range(len(prompts))]

    def _sum(self, choice: Json) -> Score:
        tokens = dig(choice, "prompt_logprobs")
        if not isinstance(tokens, list) or not tokens:
            raise BadReply(f"{self.name} gives no prompt_logprobs; a vLLM server does, most other servers do not")
        values = [_chosen(token) for token in tokens[1:]]  # the first token has nothing before it
        if any(value is None for value in values):
            place = values.index(None) + 2
            raise BadReply(f"{self.name}: prompt_logprobs has no value for token {place} of {len(tokens)}")
        return Score(sum(value for value in values if value is not None), len(tokens))


def _joined(start: str, request: Request) -> str:
    return f"{start} {request.rendering}"


def _chosen(token: Json) -> float | None:
    """The log-probability of the prompt's own token: the only entry, or the first where the server adds others."""
    entry = next(iter(token.values()), None) if isinstance(token, dict) else None
    value = dig(entry, "logprob")
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
