"""Amazon Translate: boto3 itself against a local server of its JSON protocol."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from tests.systems.servers.formats import AmazonServer

from evenhand.errors import BadInput, Refused, Unreachable
from evenhand.systems import Dispatcher, Request, Retries, open_system, translate

pytest.importorskip("boto3", reason="boto3 is not installed: pip install 'evenhand[amazon]'")

ID, SECRET = "AKIAEXAMPLE12345", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
QUICK = Retries(tries=3, first=0.01, longest=0.02)


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[AmazonServer]:
    with AmazonServer(key=ID) as server:
        for name, value in {
            "AWS_ACCESS_KEY_ID": ID,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_REGION": "eu-west-1",
            "AWS_DEFAULT_REGION": "eu-west-1",
            "AWS_ENDPOINT_URL_TRANSLATE": server.url,
            "AWS_CONFIG_FILE": "/nonexistent",
            "AWS_SHARED_CREDENTIALS_FILE": "/nonexistent",
            "AWS_EC2_METADATA_DISABLED": "true",
        }.items():
            monkeypatch.setenv(name, value)
        yield server


def ask(*texts: str) -> list[str]:
    requests = [Request(text, "en", "es") for text in texts]
    answers = asyncio.run(Dispatcher(open_system("amazon"), retries=QUICK).run(requests))
    return [answer.text for answer in answers]


def test_texts_come_back_in_order(service: AmazonServer) -> None:
    texts = [f"text {n} ü" for n in range(20)]
    assert translate("amazon", texts, source="en", target="es") == [service.translated(text) for text in texts]


@pytest.mark.parametrize("trouble", ["500", "503", "429", "hang up", "truncated", "short"])
def test_a_passing_trouble_is_outlived_by_our_retries_only(service: AmazonServer, trouble: str) -> None:
    service.trouble.append(trouble)
    assert ask("ab") == ["<ba>"]
    assert len(service.bodies) == 2


def test_throttling_comes_as_400_and_is_waited_out(service: AmazonServer) -> None:
    service.spent_quota = (400, {"__type": "ThrottlingException", "message": "Rate exceeded"})
    service.trouble.append("quota")
    assert ask("ab") == ["<ba>"]


def test_a_spent_limit_and_a_wrong_key_stop_at_once(service: AmazonServer, monkeypatch: pytest.MonkeyPatch) -> None:
    service.trouble.append("quota")
    with pytest.raises(Refused, match="LimitExceededException"):
        ask("a")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIASOMEONEELSE")
    with pytest.raises(Refused) as caught:
        ask("a")
    assert len(service.bodies) == 2
    for key in (ID, SECRET, "AKIASOMEONEELSE"):
        assert key not in str(caught.value)


def test_a_lasting_trouble_is_unreachable(service: AmazonServer) -> None:
    service.trouble.extend(["500"] * 3)
    with pytest.raises(Unreachable, match=r"amazon answered 500.*asked 3 times"):
        ask("a")


def test_missing_keys_and_a_missing_region_say_what_to_set(
    service: AmazonServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    with pytest.raises(Refused, match="AWS_ACCESS_KEY_ID"):
        ask("a")
    monkeypatch.delenv("AWS_REGION")
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    with pytest.raises(BadInput, match="AWS_REGION"):
        ask("a")
