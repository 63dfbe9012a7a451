"""Settings are declared once: the command line, the project file and Python follow from the declaration."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, get_type_hints

import pytest
from tests.command_line import evenhand
from typer.testing import CliRunner

from evenhand.cli.options import chosen, verb
from evenhand.options import Argument, Option, by_keywords, option_of
from evenhand.workflows.settings import AskSettings, CompareSettings, GateSettings, RescoreSettings, Settings


def pair(text: str) -> tuple[str, float]:
    name, _, size = text.partition("=")
    return name, float(size)


@dataclass(frozen=True, kw_only=True)
class Limit:
    most: Annotated[int | None, Option("at most so many", "N", least=1)] = None


@dataclass(frozen=True, kw_only=True)
class Choice:
    words: Annotated[tuple[str, ...], Option("a word (repeatable)", "WORD", "--word -w")] = ()
    sizes: Annotated[Mapping[str, float], Option("sizes", "NAME=X", "--size", parse=pair)] = field(default_factory=dict)
    place: Annotated[Path | str | None, Option("a place", "FILE")] = None
    limit: Limit | None = None
    internal: int = 7


@by_keywords(Choice)
def work(text: str, choice: Choice) -> str:
    """Work on a text."""
    return f"{text} {choice}"


def listed(
    text: str, *, names: Annotated[Sequence[str], Option("a name", "NAME", "--name")] = (), more: int = 1
) -> str:
    return f"{text} {list(names)} {more}"


SEEN: list[object] = []


@verb
def tried(
    text: Annotated[str, Argument("a text", "TEXT")],
    choice: Annotated[Choice, "now: "],
    naming: object = chosen(listed),
    loud: Annotated[bool, Option("loud")] = False,
) -> None:
    """Try it."""
    assert callable(naming)
    SEEN[:] = [text, choice, naming(text), loud]


def test_options_follow_from_the_declarations() -> None:
    given = ["a text", "-w", "one", "--word", "two", "--size", "a=1", "--size", "b=.5", "--most", "3", "--name", "x"]
    done = CliRunner().invoke(tried, [*given, "--place", "here", "--loud"])
    assert done.exit_code == 0, done.output
    made = Choice(words=("one", "two"), sizes={"a": 1.0, "b": 0.5}, place=Path("here"), limit=Limit(most=3))
    assert ["a text", made, "a text ['x'] 1", True] == SEEN
    assert CliRunner().invoke(tried, ["a text"]).exit_code == 0
    assert ["a text", Choice(limit=Limit()), "a text [] 1", False] == SEEN


def test_help_and_limits_are_those_of_the_declaration() -> None:
    helped = CliRunner().invoke(tried, ["--help"]).output
    assert "now: a word (repeatable)" in helped
    assert "internal" not in helped
    assert CliRunner().invoke(tried, ["a text", "--most", "0"]).exit_code == 2


def test_python_takes_the_same_settings_as_keywords_and_no_others() -> None:
    assert work("x", words=("a",)) == f"x {Choice(words=('a',))}"
    parameters = inspect.signature(work).parameters
    assert list(parameters) == ["text", *(one.name for one in fields(Choice))]
    assert all(one.kind is one.KEYWORD_ONLY for one in list(parameters.values())[1:])
    with pytest.raises(TypeError):
        work("x", wrds=("a",))  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("verb_name", "kind"),
    [
        ("audit", Settings),
        ("plan", AskSettings),
        ("score", RescoreSettings),
        ("compare", CompareSettings),
        ("check", GateSettings),
    ],
)
def test_every_setting_is_an_option_of_its_verb(verb_name: str, kind: type, tmp_path: Path) -> None:
    helped = evenhand(verb_name, "--help", folder=tmp_path).stdout
    for name, hint in get_type_hints(kind, include_extras=True).items():
        option = option_of(hint)
        if option is not None:
            flag = (option.flags or f"--{name.replace('_', '-')}").split()[0]
            assert flag in helped, f"{verb_name} has no {flag}"
