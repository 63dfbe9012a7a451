"""All knowledge of a language: one folder per language, named in the column `nouns` of languages.tsv."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

from evenhand.errors import Unknown
from evenhand.grammar.protocol import Language
from evenhand.languages import known, primary


@cache
def codes() -> frozenset[str]:
    """The codes of these languages."""
    return frozenset(code for code, entry in known().items() if entry.nouns)


@cache
def with_table(name: str) -> tuple[str, ...]:
    """The codes of the languages whose folder has this table, in order."""
    folder = Path(__file__).parent
    return tuple(sorted(code for code in codes() if (folder / known()[code].nouns / name).exists()))


def open_grammar(code: str) -> Language:
    """The grammar of a language: `analyse`, `phrase`, `agrees_with`, `inflect` and its traits (see `sentence.py`)."""
    return language(code)


def language(code: str) -> Language:
    """The language for a code such as "de" or "pt-BR" (the region is ignored)."""
    if primary(code) not in codes():
        raise Unknown("target language", code, codes(), hint="Only in these is the gender of a noun judged.")
    return _made(known()[primary(code)].nouns)


@cache
def _made(module: str) -> Language:
    """The class named as its module, which is imported only when its language is asked for."""
    made: Language = getattr(import_module(f"{__name__}.{module}"), module.capitalize())()
    return made
