"""The chat endpoint: the prompt, samples, refusals."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tests.systems.servers.base import KEY, Json, item
from tests.systems.servers.formats import OpenAIServer

from evenhand.errors import BadInput, BadReply
from evenhand.systems import Answer, Dispatcher, Memory, Request, open_system, translate
from evenhand.systems.openai import Prompt


class Chat(OpenAIServer):
    """Answers with whatever the test wants the model to say."""

    content: str | None = "Hola."
    refusal: str | None = None
    reason = "stop"

    def reply(self, translations: list[str], query: Mapping[str, str], body: Json) -> Json:
        message: Json = {"role": "assistant", "content": self.content, "refusal": self.refusal}
        return {"choices": [{"message": message, "finish_reason": self.reason}]}


@pytest.fixture
def chat(monkeypatch: pytest.MonkeyPatch) -> Iterator[Chat]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with Chat() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1/")
        yield server


def ask(*requests: Request, memory: Memory | None = None, **settings: str) -> list[Answer]:
    return asyncio.run(Dispatcher(open_system("openai:gpt-test", **settings), memory).run(requests))


HELLO = Request("Hello.", "en", "es")


def test_the_prompt_names_the_languages_and_the_text_stands_alone(chat: Chat) -> None:
    assert ask(HELLO) == [Answer("Hola.")]
    [body] = chat.bodies
    assert item(body, "model") == "gpt-test"
    assert item(body, "temperature") == 0
    messages = item(body, "messages")
    assert isinstance(messages, list)
    assert [item(message, "role") for message in messages] == ["system", "user"]
    assert "from English into Spanish" in str(item(messages[0], "content"))
    assert item(messages[1], "content") == "Hello."


def test_the_context_is_shown_but_is_not_the_text(chat: Chat) -> None:
    ask(Request("She left.", "en", "es", context="Anna {text} came."))
    messages = item(chat.bodies[0], "messages")
    assert isinstance(messages, list)
    assert "Anna {text} came." in str(item(messages[0], "content"))
    assert item(messages[-1], "content") == "She left."


def test_each_sample_is_asked_and_kept_apart(chat: Chat, tmp_path: Path) -> None:
    samples = [Request("Hello.", "en", "es", sample=n) for n in range(3)]
    with Memory(tmp_path / "m.db") as memory:
        ask(*samples, memory=memory, temperature="0.7", seed="100")
        ask(*samples, memory=memory, temperature="0.7", seed="100")
    assert sorted(str(item(body, "seed")) for body in chat.bodies) == ["100", "101", "102"]


def test_the_temperature_can_be_left_to_the_model(chat: Chat) -> None:
    ask(HELLO, temperature="default")
    assert "temperature" not in str(chat.bodies[0])


@pytest.mark.parametrize(
    ("content", "refusal", "reason", "answer"),
    [
        (None, "I can't help.", "stop", Answer("", refusal="I can't help.")),
        ("", None, "content_filter", Answer("", refusal="the service's content filter held the answer back")),
        ("<think>Is she a nurse?</think>\n\nHola. ", None, "stop", Answer("Hola.")),
        ("He said <think> twice.", None, "stop", Answer("He said <think> twice.")),
    ],
)
def test_what_a_model_says_is_read(
    chat: Chat, content: str | None, refusal: str | None, reason: str, answer: Answer
) -> None:
    chat.content, chat.refusal, chat.reason = content, refusal, reason
    assert ask(HELLO) == [answer]


def test_an_answer_cut_off_by_the_limit_is_no_answer(chat: Chat) -> None:
    chat.reason = "length"
    with pytest.raises(BadReply, match="max_tokens"):
        ask(HELLO, max_tokens="1")


def test_prompt_temperature_and_server_are_part_of_the_fingerprint(chat: Chat, tmp_path: Path) -> None:
    own = tmp_path / "mine.txt"
    own.write_text("[user]\nTranslate into {target_language}, keep {braces}: {text}\n")
    other = tmp_path / "other.txt"
    other.write_text("[user]\nPlease translate into {target_language}: {text}\n")
    settings: list[dict[str, str]] = [
        {},
        {"temperature": "0.5"},
        {"prompt": str(own)},
        {"prompt": str(other)},
        {"base_url": "http://127.0.0.1:9/v1"},
        {"seed": "3"},
    ]
    assert len({open_system("openai:gpt-test", **each).fingerprint for each in settings}) == len(settings)
    ask(HELLO, prompt=str(own))
    messages = item(chat.bodies[0], "messages")
    assert isinstance(messages, list)
    assert item(messages[-1], "content") == "Translate into Spanish, keep {braces}: Hello."


def test_our_prompt_is_pinned() -> None:
    """A changed prompt is another system: write translate-2.txt instead of editing this one."""
    assert Prompt.read("translate-1").hash == "ac2d0c77bbb03c48"


@pytest.mark.parametrize("text", ["no sections", "[user]\nno place for it", "[system]\n{text}"])
def test_a_prompt_without_a_place_for_the_text_is_wrong_use(text: str, tmp_path: Path) -> None:
    file = tmp_path / "p.txt"
    file.write_text(text)
    with pytest.raises(BadInput, match=r"\[user\] section"):
        Prompt.read(str(file))


def test_a_prompt_that_is_not_there_is_named() -> None:
    with pytest.raises(BadInput, match="nowhere"):
        Prompt.read("nowhere")


def test_a_temperature_that_is_no_number_is_wrong_use(chat: Chat) -> None:
    with pytest.raises(BadInput, match="temperature must be a number, not 'warm'"):
        open_system("openai:gpt-test", temperature="warm")


def test_a_server_of_ones_own_needs_no_key_but_the_public_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    assert open_system("openai:llama", base_url="http://127.0.0.1:9/v1").name == "openai:llama"
    with pytest.raises(BadInput, match="OPENAI_API_KEY"):
        translate("openai:gpt-test", ["a"], source="en", target="es")  # nothing goes out without one
