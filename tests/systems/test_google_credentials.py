"""Google's application credentials: google-auth signs for a service account whose token server runs here."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.systems.servers.base import Json, Service, item
from tests.systems.servers.formats import GoogleServer

from evenhand.errors import BadInput, Refused, Unreachable
from evenhand.systems import Dispatcher, Request, Retries, open_system

pytest.importorskip("google.auth", reason="google-auth is not installed: pip install 'evenhand[google]'")
rsa = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.rsa", reason="cryptography is not installed")

TOKEN = "ya29.a-token-worth-an-hour"
QUICK = Retries(tries=2, first=0.01)


class TokenServer(Service):
    """RFC 7523: a signed assertion in, a bearer token out."""

    def check_key(self, headers: Mapping[str, str], body: Json) -> None:
        assert item(body, "grant_type") == "urn:ietf:params:oauth:grant-type:jwt-bearer"

    def texts(self, path: str, query: Mapping[str, str], body: Json) -> list[str]:
        return [str(item(body, "assertion"))]

    def reply(self, translations: list[str], query: Mapping[str, str], body: Json) -> Json:
        return {"access_token": TOKEN, "expires_in": 3600, "token_type": "Bearer"}


def credentials(folder: Path, token_url: str) -> Path:
    from cryptography.hazmat.primitives import serialization

    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
    file = folder / "account.json"
    account = {
        "type": "service_account",
        "project_id": "p",
        "private_key_id": "1",
        "private_key": pem,
        "client_email": "us@p.iam.gserviceaccount.com",
        "token_uri": token_url,
    }
    file.write_text(json.dumps(account))
    return file


def ask(url: str) -> str:
    system = open_system(f"google:{url}")
    [answer] = asyncio.run(Dispatcher(system, retries=QUICK).run([Request("ab", "en", "es")]))
    assert TOKEN not in repr(vars(system))
    return answer.text


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NO_GCE_CHECK", "true")


def test_a_service_account_gets_a_token_and_translates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with TokenServer() as tokens, GoogleServer(token=TOKEN) as google:
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(credentials(tmp_path, f"{tokens.url}/token")))
        assert ask(google.url) == "<ba>"


def test_refused_credentials_stop_and_a_lost_token_server_is_unreachable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with TokenServer() as tokens, GoogleServer(token=TOKEN) as google:
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(credentials(tmp_path, f"{tokens.url}/token")))
        tokens.spent_quota = (400, {"error": "invalid_grant"})
        tokens.trouble.append("quota")
        with pytest.raises(Refused, match="refused the application credentials"):
            ask(google.url)
        tokens.close()
        with pytest.raises(Unreachable, match="token service cannot be reached"):
            ask(google.url)


def test_no_credentials_at_all_name_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GOOGLE_APPLICATION_CREDENTIALS", raising=False)
    with pytest.raises(BadInput, match="GOOGLE_API_KEY or GOOGLE_APPLICATION_CREDENTIALS"):
        ask("http://127.0.0.1:9")
