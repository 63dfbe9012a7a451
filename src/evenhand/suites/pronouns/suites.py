"""The pronoun suites as suites: what clusters their sentences, how they are cut, what is measured on them."""

from collections.abc import Callable
from dataclasses import replace

import polars as pl

from evenhand.languages import name_of
from evenhand.suites.history import CURRENT, check_version
from evenhand.suites.pronouns import korean
from evenhand.suites.pronouns.lexicon import esco, fill
from evenhand.suites.suite import Grouping, Suite, designed

LANGUAGES = {
    code: f"pronouns-{name_of(code).lower()}" for code in ("ko", "hu", "tr", "fi", "eu", "et", "fa", "id", "ja")
}
OCCUPATIONS_HUNGARIAN = "occupations-hungarian"
ENDS_IN_O = ("رادیو", "خودرو")  # a final و that is not /u/

_MAJOR = (
    "armed forces", "managers", "professionals", "technicians", "clerical support", "services and sales",
    "agriculture and fishery", "craft and trades", "machine operators", "elementary occupations",
)  # fmt: skip
MAJOR_GROUPS = {str(digit): name for digit, name in enumerate(_MAJOR)}  # by the first digit of ISCO-08


def definite(form: str) -> str:
    """A Basque form with the singular article -a: a stem in -a keeps its one a, a final r is trilled and written double
    (azkarra); a word with a tapped r is stored in the column `definite`."""
    if form.endswith("a"):
        return form
    return form + ("ra" if form.endswith("r") else "a")


def with_copula(form: str) -> str:
    """A Persian form with "is": joined without its alef after ا and /u/ (نانواست), but not after /o/ (رادیو, خودرو), as
    the Academy of Persian Language and Literature writes it."""
    joined = form.endswith("ا") or (form.endswith("و") and not form.endswith(ENDS_IN_O))
    return form + ("ست" if joined else " است")


def _basque(table: pl.DataFrame) -> pl.DataFrame:
    derived = pl.col("form").map_elements(definite, return_dtype=pl.String)
    return table.with_columns(definite=pl.coalesce(pl.col("^definite$"), derived))


def _persian(table: pl.DataFrame) -> pl.DataFrame:
    return table.with_columns(copula=pl.col("form").map_elements(with_copula, return_dtype=pl.String))


INFLECTED: dict[str, Callable[[pl.DataFrame], pl.DataFrame]] = {"ko": korean.inflect, "eu": _basque, "fa": _persian}


def probes(language: str, version: str = CURRENT) -> pl.DataFrame:
    """The sentences of a language's suite: occupations, positive and negative expressions."""
    return fill(LANGUAGES[language], language, version=version, inflect=INFLECTED.get(language))


def occupations(version: str = CURRENT) -> pl.DataFrame:
    """Each Hungarian occupation in seven templates: `ő egy X`, `Ő egy X.`, `ő X`, and four with an adjective before X,
    whose `base` is `ő egy X`. Capital and full stop change what a system answers, as in the study."""
    table = fill(OCCUPATIONS_HUNGARIAN, "hu", version=version)
    plain = pl.format("hu-occ-{}-plain", "concept")
    return table.with_columns(base=pl.when(pl.col("adjective").is_not_null()).then(plain))


def pronouns(language: str, version: str = CURRENT) -> Suite:
    """The suite of one language: occupations and polar expressions, concepts as clusters."""
    name = LANGUAGES[language]
    check_version(name, version)
    columns = {"kind", *{"ko": ("formality", "politeness"), "ja": ("politeness",)}.get(language, ())}
    sets = {level: condition for level, condition in korean.SET_LEVELS.items() if set(condition) <= columns}
    fields = {"name": name, "version": version, "source_lang": language}
    made = designed("pronouns", lambda: _with_major_group(probes(language, version)), name_of(language), **fields)
    return replace(made, groupings=(Grouping("sets", levels=sets), *made.groupings))


def _with_major_group(table: pl.DataFrame) -> pl.DataFrame:
    major = pl.col("isco08").str.slice(0, 1).replace_strict(MAJOR_GROUPS, default=None, return_dtype=pl.String)
    return table.with_columns(isco_major=major)


def occupations_hungarian(version: str = CURRENT) -> Suite:
    """Farkas & Nemeth's design: seven templates an occupation, adjective variants pointing to the plain sentence."""
    check_version(OCCUPATIONS_HUNGARIAN, version)
    return designed(OCCUPATIONS_HUNGARIAN, lambda: _with_major_group(occupations(version)), version=version)


def occupations_esco(language: str) -> Suite:
    """The occupations of ESCO with their ISCO-08 groups; in Hungarian with and without the article."""
    name = f"occupations-esco-{name_of(language).lower()}"

    def make() -> pl.DataFrame:
        return _with_major_group(fill(name, language, words=esco(language)).drop("polarity", "sector"))

    return designed("occupations-esco", make, name=name, source_lang=language)
