"""A user's own function as a system."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from evenhand.errors import BadInput, BadReply, SystemFailed, Unknown
from evenhand.systems import Memory, open_system, translate
from evenhand.systems.python import Function


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "my_translator", raising=False)
    file = tmp_path / "my_translator.py"
    file.write_text("def shout(texts):\n    return [t.upper() for t in texts]\n\nlimit = 3\n")
    return file


def test_a_function_can_be_passed_in_place_of_a_spec() -> None:
    assert translate(lambda texts: [t[::-1] for t in texts], ["abc", "", "de"], source="en", target="es") == [
        "cba",
        "",
        "ed",
    ]


def test_a_function_of_the_users_folder_is_found(module: Path) -> None:
    assert translate("python:my_translator:shout", ["abc"], source="en", target="es") == ["ABC"]


def test_an_unknown_function_is_suggested(module: Path) -> None:
    with pytest.raises(Unknown, match="Did you mean 'shout'"):
        open_system("python:my_translator:shuot")


def test_a_missing_module_or_a_number_is_wrong_use(module: Path) -> None:
    with pytest.raises(BadInput, match="no_such_module"):
        open_system("python:no_such_module:f")
    with pytest.raises(BadInput, match="not a function but int"):
        open_system("python:my_translator:limit")
    with pytest.raises(BadInput, match="name a module and a function"):
        open_system("python:my_translator")


def test_languages_are_handed_over_where_the_function_asks_for_them() -> None:
    def tagged(texts: list[str], source: str, *, target: str) -> list[str]:
        return [f"{source}>{target} {text}" for text in texts]

    assert translate(Function(tagged), ["x"], source="eu", target="en") == ["eu>en x"]


def test_an_async_function_is_awaited() -> None:
    async def slow(texts: list[str]) -> list[str]:
        await asyncio.sleep(0)
        return [text.title() for text in texts]

    assert translate(Function(slow), ["abc"], source="en", target="es") == ["Abc"]


def test_a_wrong_count_names_both() -> None:
    with pytest.raises(BadReply, match="given 2 texts and returned 1"):
        translate(lambda texts: texts[:1], ["a", "b"], source="en", target="es")


def test_anything_but_strings_is_refused() -> None:
    def nothing(texts: list[str]) -> list[None]:
        return [None for _ in texts]

    with pytest.raises(BadReply, match="NoneType"):
        translate(Function(nothing), ["a"], source="en", target="es")
    with pytest.raises(BadReply, match="not str"):
        translate(Function(lambda texts: "a"), ["a"], source="en", target="es")


def test_an_exception_inside_is_told_as_the_systems_failure() -> None:
    def broken(texts: list[str]) -> list[str]:
        raise ValueError("model not loaded")

    with pytest.raises(SystemFailed, match="ValueError: model not loaded"):
        translate(broken, ["a"], source="en", target="es")


def test_a_notebook_function_is_asked_again_but_a_versioned_one_is_remembered(tmp_path: Path) -> None:
    asked: list[str] = []

    def counting(texts: list[str]) -> list[str]:
        asked.extend(texts)
        return texts

    for _ in range(2):
        translate(counting, ["a"], source="en", target="es", memory=tmp_path / "m.db")
    assert asked == ["a", "a"]
    for _ in range(2):
        versioned = open_system(counting, version="1")
        translate(versioned, ["b"], source="en", target="es", memory=tmp_path / "m.db")
    assert asked == ["a", "a", "b"]


def test_an_edited_module_is_asked_again(module: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = open_system("python:my_translator:shout").fingerprint
    assert open_system("python:my_translator:shout").fingerprint == before
    monkeypatch.delitem(sys.modules, "my_translator")
    module.write_text(module.read_text().replace("upper", "lower"))
    assert open_system("python:my_translator:shout").fingerprint != before


def test_it_works_inside_a_running_event_loop(tmp_path: Path) -> None:
    async def cell() -> list[str]:
        with Memory(tmp_path / "m.db") as memory:
            return translate(lambda texts: texts, ["a", "b"], source="en", target="es", memory=memory)

    assert asyncio.run(cell()) == ["a", "b"]


def test_a_single_string_or_a_missing_text_is_not_taken_for_a_list() -> None:
    for texts in ("one text", ["one", None], [1]):
        with pytest.raises(BadInput, match="a list of strings"):
            translate(lambda given: given, texts, source="en", target="es")  # type: ignore[arg-type]
