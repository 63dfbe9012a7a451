"""Further candidates of the systems that give them over the wire, and that mended: takes the first that fits."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest
from tests.systems.servers.base import KEY, Json, item
from tests.systems.servers.formats import LibreTranslateServer, OpenAIServer

from evenhand.errors import BadInput
from evenhand.systems import Answer, Dispatcher, Request, open_system

SOURCE = "The doctor says that she is tired."
MALE, FEMALE, OTHER = "El doctor está cansado.", "La médica está cansada.", "El médico está cansado."


class Libre(LibreTranslateServer):
    """A server that knows the field `alternatives`, as those since version 1.6 do; a batch gets a list a text."""

    further: tuple[str, ...] = (MALE, OTHER, FEMALE, OTHER)

    def translated(self, text: str) -> str:
        return MALE

    def reply(self, translations: list[str], query: Mapping[str, str], body: Json) -> Json:
        wanted = item(body, "alternatives") if isinstance(body, dict) and "alternatives" in body else 0
        assert isinstance(wanted, int)
        plain: dict[str, Json] = {"translatedText": list(translations)}
        return {**plain, "alternatives": [list(self.further[:wanted]) for _ in translations]} if wanted else plain


class Model(OpenAIServer):
    """Gives as many choices as `n` says."""

    said: tuple[tuple[str | None, str], ...] = ((MALE, "stop"), (None, "stop"), ("El", "length"), (FEMALE, "stop"))

    def reply(self, translations: list[str], query: Mapping[str, str], body: Json) -> Json:
        number = item(body, "n") if isinstance(body, dict) and "n" in body else 1
        assert isinstance(number, int)
        choices: list[Json] = [
            {"message": {"role": "assistant", "content": text, "refusal": None}, "finish_reason": reason}
            for text, reason in self.said[:number]
        ]
        return {"choices": choices}


def asked(spec: str, *texts: str, **settings: str | int) -> list[Answer]:
    requests = [Request(text, "en", "es") for text in texts or (SOURCE,)]
    return asyncio.run(Dispatcher(open_system(spec, **settings), None).run(requests))


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIBRETRANSLATE_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.mark.usefixtures("keys")
def test_libretranslate_gives_its_alternatives_each_once_and_only_where_asked() -> None:
    with Libre() as server:
        spec = f"libretranslate:{server.url}"
        plain, second = asked(spec, SOURCE, "Good morning.")
        assert plain == second == Answer(MALE)
        assert "alternatives" not in str(server.bodies[-1])
        both = asked(spec, SOURCE, "Good morning.", alternatives=4)
        assert both == [Answer(MALE, (OTHER, FEMALE))] * 2
        assert open_system(spec, alternatives=4).fingerprint != open_system(spec).fingerprint


@pytest.mark.usefixtures("keys")
def test_a_libretranslate_server_that_does_not_know_the_field_gives_none() -> None:
    with LibreTranslateServer() as server:
        [answer] = asked(f"libretranslate:{server.url}", alternatives=2)
    assert answer.alternatives == ()


@pytest.mark.usefixtures("keys")
def test_a_chat_model_gives_whole_samples_only() -> None:
    with Model() as server:
        settings = {"base_url": f"{server.url}/v1", "temperature": "0.7"}
        assert asked("openai:m", **settings) == [Answer(MALE)]
        assert asked("openai:m", **settings, alternatives=3) == [Answer(MALE, (FEMALE,))]
        assert item(server.bodies[-1], "n") == 4
        one, four = (open_system("openai:m", **settings, alternatives=n).fingerprint for n in (0, 3))
        assert one == open_system("openai:m", **settings).fingerprint != four


@pytest.mark.usefixtures("keys")
def test_samples_that_would_all_be_alike_and_numbers_below_none_are_wrong_use() -> None:
    with pytest.raises(BadInput, match="temperature"):
        open_system("openai:m", base_url="http://127.0.0.1:9/v1", alternatives=2)
    with pytest.raises(BadInput, match="0 or more"):
        open_system("libretranslate:http://127.0.0.1:9", alternatives=-1)


@pytest.mark.usefixtures("keys")
def test_mended_takes_the_first_candidate_with_the_stated_gender_before_it_rewrites() -> None:
    with Libre() as server:
        spec = f"mended:libretranslate:{server.url}"
        [chosen] = asked(spec, alternatives=4)
        assert (chosen.text, chosen.version) == (FEMALE, "mended 1: chosen")
        [rewritten] = asked(spec)
        assert (rewritten.text, rewritten.version) == ("La doctora está cansada.", "mended 1: rewritten")
    with Model() as server:
        [chosen] = asked("mended:openai:m", base_url=f"{server.url}/v1", temperature="1", alternatives=3)
        assert (chosen.text, chosen.version) == (FEMALE, "mended 1: chosen")
