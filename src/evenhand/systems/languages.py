"""Language codes: ISO 639-1, 639-3 and English names, from one table."""

from __future__ import annotations

import functools
from importlib.resources import files


@functools.cache
def _table() -> tuple[tuple[str, str, str], ...]:
    lines = files("evenhand.systems").joinpath("iso639.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")][1:]
    return tuple((two, three, name) for two, three, name in rows)


def spellings(code: str) -> set[str]:
    """Every way to write a language: eng or en; with a region eng_US, en_US, en-US."""
    language, _, region = code.replace("-", "_").partition("_")
    both = {language}.union(*({two, three} for two, three, _ in _table() if language in (two, three)))
    return {f"{one}{mark}{region}" for one in both for mark in "_-"} if region else both


def usual_code(code: str) -> str:
    """The spelling people expect: the two-letter code where there is one, a region after a hyphen."""
    return min(spellings(code), key=lambda one: (len(one), "_" in one))


def language_name(code: str) -> str:
    """The English name of a language, its region in brackets: "Portuguese (BR)"; the code itself where we know none."""
    language, _, region = code.replace("-", "_").partition("_")
    name = next((name for two, three, name in _table() if language in (two, three)), language)
    return f"{name} ({region})" if region else name
