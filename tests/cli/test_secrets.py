"""Keys and passwords stay out of everything an audit leaves behind: files, their names, what is printed."""

from __future__ import annotations

from pathlib import Path
from subprocess import CompletedProcess

import pytest
from tests.command_line import evenhand
from tests.systems.servers.base import KEY
from tests.systems.servers.formats import LibreTranslateServer

from evenhand.errors import BadInput
from evenhand.systems import settings_of
from evenhand.workflows.audit import default_folder

PASSWORD = "pass-word-8231"
FORMS = {form for secret in (KEY, PASSWORD) for form in (secret, secret.replace("/", "\\/"), secret.partition("/")[0])}


def audit(server: LibreTranslateServer, folder: Path, key: str) -> CompletedProcess[str]:
    url = server.url.replace("http://", f"http://me:{PASSWORD}@")
    environment = {"EVENHAND_MEMORY": str(folder / "memory.sqlite"), "LIBRETRANSLATE_API_KEY": key}
    asked = ("audit", "mine.tsv", "-s", f"libretranslate:{url}", "-t", "es", "--resamples", "100")
    return evenhand(*asked, folder=folder, environment=environment)


def leaks(folder: Path, *said: str) -> list[str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    found = [str(path) for path in files if any(form.encode() in path.read_bytes() for form in FORMS)]
    found += [str(path) for path in folder.rglob("*") if any(form in str(path) for form in FORMS)]
    return found + [text for text in said if any(form in text for form in FORMS)]


def test_nothing_an_audit_writes_or_prints_holds_a_key_or_a_password(tmp_path: Path) -> None:
    (tmp_path / "mine.tsv").write_text("id\tsource\np1\tThe **nurse** sings.\np2\tThe **cook** sings.\n")
    with LibreTranslateServer() as server:
        done = audit(server, tmp_path, KEY)
        assert done.returncode == 0, done.stderr
        assert len(list((tmp_path / "runs").glob("[!.]*"))) == 1  # beside it lie locks
        assert leaks(tmp_path, done.stdout, done.stderr) == []


def test_a_server_that_repeats_a_wrong_key_does_not_make_us_repeat_it(tmp_path: Path) -> None:
    (tmp_path / "mine.tsv").write_text("id\tsource\np1\tThe **nurse** sings.\n")
    with LibreTranslateServer(key="another") as server:
        refused = audit(server, tmp_path, KEY)
    assert refused.returncode == 3
    assert "Invalid API key" in refused.stderr
    assert leaks(tmp_path, refused.stdout, refused.stderr) == []


@pytest.mark.parametrize(
    "setting", ["base_url=http://me:{}@host:1/v1", "base_url=me:{}@host", "prompt=https://{}@host"]
)
def test_a_password_in_a_setting_is_no_part_of_the_folder(setting: str) -> None:
    folder = default_folder("pronouns-basque", "openai:model", "en", [setting.format(PASSWORD)])
    assert PASSWORD not in str(folder)
    with pytest.raises(BadInput, match="NAME=VALUE") as raised:
        settings_of([setting.format(PASSWORD).replace("=", ":")])
    assert PASSWORD not in str(raised.value)
