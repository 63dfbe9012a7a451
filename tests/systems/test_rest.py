"""Every REST adapter against a local server that speaks its wire format, well-behaved and not."""

from __future__ import annotations

import asyncio
import io
import logging
import sqlite3
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest
from tests.systems.servers.base import KEY, Json, Service
from tests.systems.servers.formats import (
    AzureLlmServer,
    AzureServer,
    DeepLServer,
    GoogleServer,
    LibreTranslateServer,
    OpenAIServer,
)

from evenhand.errors import BadInput, BadReply, Refused, SystemFailed, Unknown, Unreachable
from evenhand.systems import Answer, Dispatcher, Memory, Request, Retries, System, open_system, translate
from evenhand.systems.replies import retry_after

QUICK = Retries(tries=3, first=0.01, longest=0.02)
TEXTS = [
    "The doctor arrived.",
    'Quotes "here" & <b>tags</b>',
    "Zeile\nzwei",
    "ünï¢ødé 漢字 \u2028 🙂",
    *(f"text {n}" for n in range(120)),
]


@dataclass(frozen=True)
class Case:
    """How to reach one service: its server, its spec (URL filled in), its key's variable, others it needs."""

    server: type[Service]
    spec: str
    key: str
    more: tuple[tuple[str, str], ...] = ()


CASES = {
    "deepl": Case(DeepLServer, "deepl", "DEEPL_AUTH_KEY", (("DEEPL_SERVER_URL", "{url}"),)),
    "google": Case(GoogleServer, "google:{url}", "GOOGLE_API_KEY"),
    "azure": Case(
        AzureServer,
        "azure",
        "AZURE_TEXT_TRANSLATION_APIKEY",
        (("AZURE_TEXT_TRANSLATION_REGION", "westeurope"), ("AZURE_TEXT_TRANSLATION_ENDPOINT", "{url}/")),
    ),
    "azure-llm": Case(
        AzureLlmServer,
        "azure-llm:gpt-4o",
        "AZURE_TEXT_TRANSLATION_APIKEY",
        (("AZURE_TEXT_TRANSLATION_REGION", "westeurope"), ("AZURE_TEXT_TRANSLATION_ENDPOINT", "{url}/")),
    ),
    "libretranslate": Case(LibreTranslateServer, "libretranslate:{url}", "LIBRETRANSLATE_API_KEY"),
    "openai": Case(OpenAIServer, "openai:gpt-test", "OPENAI_API_KEY", (("OPENAI_BASE_URL", "{url}/v1"),)),
}


@dataclass
class Place:
    """A running service and the system that asks it."""

    case: Case
    service: Service
    monkeypatch: pytest.MonkeyPatch

    def open(self, **settings: str | float) -> System:
        return open_system(self.case.spec.format(url=self.service.url), **settings)

    def ask(
        self, *texts: str, memory: Memory | None = None, retries: Retries = QUICK, **settings: float
    ) -> list[Answer]:
        requests = [Request(text, "en", "es") for text in texts]
        return asyncio.run(Dispatcher(self.open(**settings), memory, retries=retries).run(requests))


@pytest.fixture(params=CASES)
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    case = CASES[request.param]
    with case.server() as service:
        monkeypatch.setenv(case.key, KEY)
        for name, value in case.more:
            monkeypatch.setenv(name, value.format(url=service.url))
        yield Place(case, service, monkeypatch)


def test_texts_come_back_in_order_whatever_they_hold(place: Place) -> None:
    answers = translate(place.open(), TEXTS, source="en", target="es")
    assert answers == [place.service.translated(text) for text in TEXTS]


def test_no_call_is_larger_than_the_service_takes(place: Place) -> None:
    system = place.open()
    place.ask(*TEXTS)
    assert max(map(len, place.service.asked)) <= system.batch.texts
    assert sorted(text for call in place.service.asked for text in call) == sorted(TEXTS)


@pytest.mark.parametrize("trouble", ["429", "503", "500", "502", "truncated", "html", "short", "wrong form", "null"])
def test_a_passing_trouble_is_outlived(place: Place, trouble: str) -> None:
    place.service.trouble.append(trouble)
    assert [answer.text for answer in place.ask("a")] == [place.service.translated("a")]
    assert len(place.service.bodies) == 2


@pytest.mark.parametrize("trouble", ["timeout", "hang up", "half a reply"])
def test_a_lost_connection_is_made_again(place: Place, trouble: str) -> None:
    place.service.trouble.append(trouble)
    assert [answer.text for answer in place.ask("a", timeout=1.0 if trouble == "timeout" else 20.0)] == [
        place.service.translated("a")
    ]


def test_retry_after_is_waited_out(place: Place) -> None:
    place.service.trouble.append("429")
    place.ask("a")
    first, second = place.service.times
    assert second - first >= 0.2


@pytest.mark.parametrize(
    ("trouble", "error", "said"),
    [
        ("429", Unreachable, "429 .*slow down"),
        ("500", Unreachable, "500 .*internal error"),
        ("hang up", Unreachable, "cannot be reached"),
        ("html", BadReply, "answered text/html that is not JSON: Please log in"),
        ("truncated", BadReply, "not JSON"),
    ],
)
def test_a_lasting_trouble_is_named(place: Place, trouble: str, error: type[SystemFailed], said: str) -> None:
    place.service.trouble.extend([trouble] * 3)
    with pytest.raises(error, match=rf"{said}.*asked 3 times") as caught:
        place.ask("a")
    assert caught.value.exit_code == 3
    assert len(place.service.bodies) == 3


def test_a_time_out_names_its_length(place: Place) -> None:
    place.service.trouble.append("timeout")
    with pytest.raises(Unreachable, match=r"no answer within 0\.3 s"):
        place.ask("a", timeout=0.3, retries=Retries(tries=1))


@pytest.mark.parametrize("place", [name for name in CASES if name != "openai"], indirect=True)
def test_a_wrong_number_of_translations_names_both_counts(place: Place) -> None:
    place.service.trouble.extend(["short"] * 3)
    with pytest.raises(BadReply, match="2 texts were sent and 1 came back"):
        place.ask("a", "b")
    place.service.trouble.extend(["long"] * 3)
    with pytest.raises(BadReply, match="2 texts were sent and 3 came back"):
        place.ask("a", "b")


def test_a_wrong_key_stops_at_once(place: Place) -> None:
    place.monkeypatch.setenv(place.case.key, "not-the-right-key")
    with pytest.raises(Refused) as caught:
        place.ask("a")
    assert len(place.service.bodies) == 1
    assert "not-the-right-key" not in str(caught.value)


def test_a_spent_quota_stops_at_once_and_keeps_what_was_answered(place: Place, tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db") as memory:
        place.ask("paid for", memory=memory)
        place.service.trouble.append("quota")
        with pytest.raises(Refused, match=r"1 of 2 texts are answered and kept"):
            place.ask("paid for", "b", memory=memory)
        assert len(memory) == 1
    assert len(place.service.bodies) == 2


def test_a_redirect_is_not_followed_with_a_key(place: Place) -> None:
    place.service.trouble.append("redirect")
    with pytest.raises(Refused, match="elsewhere"):
        place.ask("a")


def test_a_missing_key_names_the_variable(place: Place) -> None:
    place.monkeypatch.delenv(place.case.key)
    place.monkeypatch.delenv("GOOGLE_APPLICATION_CREDENTIALS", raising=False)
    place.monkeypatch.setenv("HOME", "/nonexistent")
    place.monkeypatch.setenv("NO_GCE_CHECK", "true")
    if place.case.key in ("LIBRETRANSLATE_API_KEY", "OPENAI_API_KEY"):
        # a private server may want no key; this one does
        with pytest.raises(Refused):
            place.ask("a")
    else:
        with pytest.raises(BadInput, match=place.case.key):
            place.ask("a")


def test_nothing_listens_is_unreachable(place: Place) -> None:
    system = place.open()
    assert system.fingerprint
    place.service.close()
    with pytest.raises(Unreachable, match="cannot be reached"):
        asyncio.run(Dispatcher(system, retries=QUICK).run([Request("a", "en", "es")]))


@pytest.mark.parametrize("trouble", ["", "500", "html", "quota", "timeout", "redirect", "wrong key"])
def test_the_key_is_nowhere_but_in_the_request(place: Place, trouble: str, tmp_path: Path) -> None:
    """Logs at the finest level, exceptions with their chain and their frames' locals, reprs, memory, fingerprint."""
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    secret = KEY
    if trouble == "wrong key":
        secret = "wrong-key-+/=987654321"
        place.monkeypatch.setenv(place.case.key, secret)
    elif trouble:
        place.service.trouble.extend([trouble] * 2)
    said = [log.getvalue()]
    system = place.open(timeout=0.5 if trouble == "timeout" else 20.0)
    with Memory(tmp_path / "m.db") as memory:
        try:
            asyncio.run(
                Dispatcher(system, memory, retries=Retries(tries=2, first=0.01)).run([Request("a", "en", "es")])
            )
        except SystemFailed as error:
            assert trouble
            seen: BaseException | None = error
            while seen is not None:
                said += [str(seen), repr(seen)]
                said += [
                    repr(f.f_locals)
                    for f, _ in traceback.walk_tb(seen.__traceback__)
                    if f.f_code.co_filename != __file__
                ]
                seen = seen.__cause__ or seen.__context__
        else:
            assert not trouble
        finally:
            root.removeHandler(handler)
            root.setLevel(level)
    said += [log.getvalue(), repr(system), repr(vars(system)), system.name, system.fingerprint]
    with sqlite3.connect(tmp_path / "m.db") as plain:
        said += list(plain.iterdump())
    assert log.getvalue()
    assert any(
        secret in str(headers) + str(body)
        for headers, body in zip(place.service.seen, place.service.bodies, strict=True)
    )
    for text in said:
        assert secret not in text
    for file in tmp_path.iterdir():
        assert secret.encode() not in file.read_bytes()


def test_a_password_in_an_address_is_used_and_never_shown() -> None:
    with LibreTranslateServer(key="unused") as service:
        address = service.url.replace("http://", "http://anna:geheim%2Fwort@")
        system = open_system(f"libretranslate:{address}")
        with pytest.raises(Refused) as caught:
            translate(system, ["a"], source="en", target="es")
        assert service.seen[0]["Authorization"] == "Basic YW5uYTpnZWhlaW0vd29ydA=="
        for text in (system.name, repr(system), str(caught.value)):
            assert "geheim" not in text
            assert "YW5uYTpnZWhlaW0vd29ydA" not in text


def test_a_pair_the_server_does_not_list_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIBRETRANSLATE_API_KEY", KEY)
    with LibreTranslateServer() as service, pytest.raises(Unknown, match=r"'es-eu'.*en-es"):
        translate(f"libretranslate:{service.url}", ["a"], source="es", target="eu")


def test_a_server_that_says_nothing_about_itself_is_asked_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIBRETRANSLATE_API_KEY", KEY)

    class Silent(LibreTranslateServer):
        about: ClassVar[Mapping[str, Json]] = {}

    with Silent() as service:
        assert translate(f"libretranslate:{service.url}", ["ab"], source="en", target="es") == ["<ba>"]


def test_google_saying_too_fast_by_403_is_waited_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", KEY)
    with GoogleServer() as service:
        service.spent_quota = (
            403,
            {
                "error": {
                    "code": 403,
                    "message": "User Rate Limit Exceeded",
                    "errors": [{"reason": "userRateLimitExceeded"}],
                }
            },
        )
        service.trouble.append("quota")
        system = open_system(f"google:{service.url}")
        [answer] = asyncio.run(Dispatcher(system, retries=QUICK).run([Request("ab", "en", "es")]))
    assert answer.text == "<ba>"


def test_deepl_gets_regional_targets_plain_sources_and_the_context(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPL_AUTH_KEY", KEY)
    with DeepLServer() as service:
        system = open_system(f"deepl:{service.url}", formality="less")
        requests = [Request("a", "pt-BR", "en", context="Before."), Request("b", "en", "pt-br")]
        asyncio.run(Dispatcher(system).run(requests))
        sent = sorted((body for body in service.bodies if isinstance(body, dict)), key=lambda body: str(body["text"]))
    assert [(body["source_lang"], body["target_lang"], body.get("context")) for body in sent] == [
        ("PT", "EN-US", "Before."),
        ("EN", "PT-BR", None),
    ]
    assert all(body["formality"] == "less" for body in sent)


def test_a_free_deepl_key_goes_to_the_free_service(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DEEPL_SERVER_URL", raising=False)
    marks = []
    for key, host in (("abc:fx", "api-free.deepl.com"), ("abc", "api.deepl.com")):
        monkeypatch.setenv("DEEPL_AUTH_KEY", key)
        system = open_system("deepl")
        assert vars(system)["_url"] == f"https://{host}"
        marks.append(system.fingerprint)
    assert marks[0] == marks[1]


@pytest.mark.parametrize("value", ["nonsense", "", None, "inf", "nan"])
def test_an_unreadable_retry_after_is_none(value: str | None) -> None:
    assert retry_after(value) is None


def test_retry_after_may_be_seconds_or_a_date() -> None:
    assert retry_after("7") == 7
    assert retry_after("-3") == 0
    assert retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    later = retry_after("Fri, 01 Jan 2100 00:00:00 GMT")
    assert later is not None
    assert later > 1_000_000


@pytest.mark.parametrize(
    "spec", ["libretranslate:ftp://x", "libretranslate:http://", "libretranslate:http://h/?key=abcd"]
)
def test_an_address_that_cannot_be_used_is_wrong_use(spec: str) -> None:
    with pytest.raises(BadInput, match="URL"):
        open_system(spec)
