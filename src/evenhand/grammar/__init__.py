"""All knowledge of a language: one folder per language, named in the column `nouns` of languages.tsv."""

from functools import cache
from importlib import import_module
from pathlib import Path

from evenhand.errors import Unknown
from evenhand.grammar.base import Language
from evenhand.languages import known, primary
from evenhand.tsv import rows

FAMILIES = Path(__file__).parent / "families.tsv"


@cache
def codes() -> frozenset[str]:
    """The codes of these languages."""
    return frozenset(code for code, entry in known().items() if entry.nouns)


def open_grammar(code: str) -> Language:
    """The grammar of a language, for a code such as "de" or "pt-BR" (the region is ignored): `analyse`, `phrase`,
    `agrees_with`, `inflect` and its traits (see `sentence.py`)."""
    if primary(code) not in codes():
        raise Unknown("target language", code, codes(), hint="Only in these is the gender of a noun judged.")
    return _opened(known()[primary(code)].nouns)


language = open_grammar


def source_grammar(code: str) -> Language:
    """The same of a language that texts are translated from, which may have no gender."""
    entry = known().get(primary(code))
    if not entry or not (entry.nouns or entry.source):
        readable = [code for code, entry in known().items() if entry.nouns or entry.source]
        raise Unknown("source language", code, ["en", *readable], hint="Only in these are nouns for persons found.")
    return _opened(entry.nouns or entry.source)


@cache
def _opened(name: str) -> Language:
    """The class named as its module, which is imported only when needed; where tables say everything, the family's."""
    table_only = next((row for row in rows(FAMILIES) if row["language"] == name), None)
    module = f"families.{table_only['family']}" if table_only else name
    found: type[Language] = getattr(import_module(f"{__name__}.{module}"), module.rpartition(".")[2].capitalize())
    if table_only:
        flipped = {trait: not getattr(found, trait) for trait in table_only["flipped"].split()}
        found = type(name.capitalize(), (found,), {"code": table_only["code"], "name": name, **flipped})
    return found()
