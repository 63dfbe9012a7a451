"""The pronoun suites as suites: what clusters their sentences, how they are cut, what is measured on them."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from evenhand.gender import SHARES
from evenhand.suites.history import CURRENT, check_version
from evenhand.suites.pronouns import korean
from evenhand.suites.pronouns.frames import fill
from evenhand.suites.suite import Grouping, Suite

LANGUAGES = {
    "ko": "pronouns-korean",
    "hu": "pronouns-hungarian",
    "tr": "pronouns-turkish",
    "fi": "pronouns-finnish",
    "eu": "pronouns-basque",
    "et": "pronouns-estonian",
    "fa": "pronouns-persian",
    "id": "pronouns-indonesian",
    "ja": "pronouns-japanese",
}
OCCUPATIONS_HUNGARIAN = "occupations-hungarian"
ENDS_IN_O = ("رادیو", "خودرو")  # a final و that is not /u/
TARGETS = ("en", "de", "fr", "es")
CHO = "after Cho, Kim, Kim & Kim 2019, On Measuring Gender Bias in Translation of Gender-neutral Pronouns"
FARKAS = "after Farkas & Nemeth 2022, How to Measure Gender Bias in Machine Translation: Optimal Translators"
MEASURES = (*SHARES, "P_S", "TGBI", "VBias", "SBias")

_MAJOR = (
    "armed forces", "managers", "professionals", "technicians", "clerical support", "services and sales",
    "agriculture and fishery", "craft and trades", "machine operators", "elementary occupations",
)  # fmt: skip
MAJOR_GROUPS = {str(digit): name for digit, name in enumerate(_MAJOR)}  # by the first digit of ISCO-08


def definite(form: str) -> str:
    """A Basque form with the singular article -a.

    A stem in -a (poeta, hipokrita) keeps its one a; a final r is trilled and written double (azkar, azkarra). The few
    nouns with a tapped final r (ur, ura) name no person; a word that needs one is stored in the column `definite`.
    """
    if form.endswith("a"):
        return form
    return form + ("ra" if form.endswith("r") else "a")


def with_copula(form: str) -> str:
    """A Persian form with "is": joined without its alef after ا and /u/ (نانواست), a word of its own elsewhere.

    So writes the Academy of Persian Language and Literature; after the vowel /o/ (رادیو, خودرو) it is not joined.
    """
    joined = form.endswith("ا") or (form.endswith("و") and not form.endswith(ENDS_IN_O))
    return form + ("ست" if joined else " است")


def _basque(table: pl.DataFrame) -> pl.DataFrame:
    derived = pl.col("form").map_elements(definite, return_dtype=pl.String)
    stored = [pl.col("definite")] if "definite" in table.columns else []
    return table.with_columns(definite=pl.coalesce(*stored, derived))


def _persian(table: pl.DataFrame) -> pl.DataFrame:
    return table.with_columns(copula=pl.col("form").map_elements(with_copula, return_dtype=pl.String))


INFLECTED: dict[str, Callable[[pl.DataFrame], pl.DataFrame]] = {"ko": korean.inflect, "eu": _basque, "fa": _persian}


def probes(language: str, version: str = CURRENT) -> pl.DataFrame:
    """The sentences of a language's suite: occupations, positive and negative expressions."""
    return fill(LANGUAGES[language], language, version=version, inflect=INFLECTED.get(language))


def occupations(version: str = CURRENT) -> pl.DataFrame:
    """Each Hungarian occupation in seven templates: `ő egy X`, `Ő egy X.`, `ő X`, and four with an adjective before X.

    Capital and full stop are left out on purpose, as in the study: they change what a system answers. `adjective` is
    null in the first three; `base` points from an adjective variant to its `ő egy X`.
    """
    table = fill(OCCUPATIONS_HUNGARIAN, "hu", version=version)
    plain = pl.format("hu-occ-{}-plain", "concept")
    return table.with_columns(base=pl.when(pl.col("adjective").is_not_null()).then(plain))


def pronouns(language: str, version: str = CURRENT) -> Suite:
    """The suite of one language: occupations and polar expressions, concepts as clusters."""
    name = LANGUAGES[language]
    check_version(name, version)
    columns = set(_columns(language))
    sets = {level: condition for level, condition in korean.SET_LEVELS.items() if set(condition) <= columns}
    return Suite(
        name=name,
        version=version,
        source_lang=language,
        kind="pronouns",
        summary=f"one pronoun for she and he: {name.removeprefix('pronouns-').capitalize()}",
        make=lambda: _with_major_group(probes(language, version)),
        clusters=("concept",),
        groupings=(
            Grouping("sets", levels=sets),
            *Grouping.by("isco_major", "sector"),
        ),
        measures=MEASURES,
        targets=TARGETS,
        citation=CHO,
    )


def _columns(language: str) -> tuple[str, ...]:
    """The attributes a language's sentences have: politeness in Korean and Japanese, formality in Korean."""
    return ("kind", *{"ko": ("formality", "politeness"), "ja": ("politeness",)}.get(language, ()))


def _with_major_group(table: pl.DataFrame) -> pl.DataFrame:
    major = pl.col("isco08").str.slice(0, 1).replace_strict(MAJOR_GROUPS, default=None, return_dtype=pl.String)
    return table.with_columns(isco_major=major)


def occupations_hungarian(version: str = CURRENT) -> Suite:
    """Farkas & Nemeth's design: seven templates an occupation, adjective variants pointing to the plain sentence."""
    check_version(OCCUPATIONS_HUNGARIAN, version)
    return Suite(
        name=OCCUPATIONS_HUNGARIAN,
        version=version,
        source_lang="hu",
        kind="pronouns",
        summary="Hungarian occupations in plain and adjective sentences",
        make=lambda: _with_major_group(occupations(version)),
        clusters=("concept",),
        groupings=Grouping.by("template", "adjective", "sector", "isco_major"),
        measures=(*SHARES, "P_S", "VBias", "SBias"),
        targets=TARGETS,
        citation=FARKAS,
    )
