"""Spec strings, suggestions, and systems of other packages."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from evenhand.errors import BadInput, MissingExtra, Unknown
from evenhand.systems import list_systems, open_system, settings_of, translate

Install = Callable[..., None]


def test_a_misspelt_system_is_suggested_and_all_are_listed() -> None:
    with pytest.raises(Unknown, match=r"Did you mean 'apertium'.*Known: .*command.*file.*python"):
        open_system("apertum")


def test_a_missing_argument_shows_the_form() -> None:
    with pytest.raises(BadInput, match="file:PATH"):
        open_system("file")


def test_an_unknown_setting_lists_the_known_ones() -> None:
    with pytest.raises(Unknown, match="version"):
        open_system("command:cat", versoin="2")


def test_settings_from_a_command_line_get_their_types() -> None:
    assert open_system("command:cat", texts="7").batch.texts == 7
    with pytest.raises(BadInput, match="whole number, not 'many'"):
        open_system("command:cat", texts="many")


def test_settings_are_written_with_an_equals_sign() -> None:
    assert settings_of(["temperature=0.7", "prompt=a=b.txt"]) == {"temperature": "0.7", "prompt": "a=b.txt"}
    for wrong in ("temperature", "=3", "a b=3"):
        with pytest.raises(BadInput, match="NAME=VALUE"):
            settings_of([wrong])


def test_every_described_system_has_a_summary() -> None:
    described = list_systems()
    assert {"apertium", "command", "file", "python"} <= {line.name for line in described}
    assert all(line.summary for line in described)
    assert [line.name for line in described] == sorted(line.name for line in described)


def test_a_number_is_no_system() -> None:
    with pytest.raises(BadInput, match="not int"):
        open_system(3)  # type: ignore[arg-type]


def test_a_broken_package_is_told_and_hides_nothing(install: Install) -> None:
    install("evenhand.systems", "brokenplugin", "no_such_module_at_all:System")
    listed = {line.name: line.summary for line in list_systems()}
    assert "cannot be loaded" in listed["brokenplugin"]
    assert "apertium" in listed
    with pytest.raises(BadInput, match="brokenplugin of another package cannot be loaded"):
        open_system("brokenplugin")


def test_another_package_adds_a_system_by_an_entry_point(install: Install) -> None:
    code = (
        "from evenhand.systems import Answer, Batch\n"
        "class Backwards:\n"
        '    """Texts from right to left."""\n'
        "    takes = '[SUFFIX]'\n"
        "    batch = Batch()\n"
        "    def __init__(self, argument, *, mark='!'):\n"
        "        self.name, self.fingerprint, self.end = f'backwards:{argument}', argument, argument + mark\n"
        "    async def translate(self, requests):\n"
        "        return [Answer(r.text[::-1] + self.end) for r in requests]\n"
    )
    install("evenhand.systems", "backwards", "backwards:Backwards", code)
    assert translate(open_system("backwards:x", mark="?"), ["abc"], source="en", target="es") == ["cbax?"]
    [line] = [line for line in list_systems() if line.name == "backwards"]
    assert (line.takes, line.summary) == ("[SUFFIX]", "Texts from right to left.")
    with pytest.raises(Unknown, match="Did you mean 'backwards'"):
        open_system("backward")


@pytest.mark.parametrize(
    ("spec", "package", "extra"),
    [
        ("amazon", "boto3", "amazon"),
        ("ctranslate2:{folder}", "ctranslate2", "ctranslate2"),
        ("huggingface:some/model", "transformers", "hf"),
        ("google", "google.auth", "google"),
    ],
)
def test_a_missing_package_is_told_with_the_command_that_installs_it(
    spec: str, package: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model.bin").touch()
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "account.json"))
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=rf"pip install 'evenhand\[{extra}\]'"):
        translate(spec.format(folder=tmp_path), ["x"], source="en", target="es")  # a plan needs no credentials
