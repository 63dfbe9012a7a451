"""The pronoun suites as suites: what clusters their sentences, how they are cut, what is measured on them."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from evenhand.gender import SHARES
from evenhand.suites.history import CURRENT, check_version
from evenhand.suites.pronouns import LANGUAGES, hungarian, korean
from evenhand.suites.suite import Grouping, Suite

TARGETS = ("en", "de", "fr", "es")
CHO = "after Cho, Kim, Kim & Kim 2019, On Measuring Gender Bias in Translation of Gender-neutral Pronouns"
FARKAS = "after Farkas & Nemeth 2022, How to Measure Gender Bias in Machine Translation: Optimal Translators"
MEASURES = (*SHARES, "P_S", "TGBI", "VBias", "SBias")

MAJOR_GROUPS = {
    "0": "armed forces",
    "1": "managers",
    "2": "professionals",
    "3": "technicians",
    "4": "clerical support",
    "5": "services and sales",
    "6": "agriculture and fishery",
    "7": "craft and trades",
    "8": "machine operators",
    "9": "elementary occupations",
}


def pronouns(language: str, version: str = CURRENT) -> Suite:
    """The suite of one language: occupations and polar expressions, concepts as clusters."""
    name, module = LANGUAGES[language]
    check_version(name, version)
    probes = _with_major_group(lambda: module.probes(version))
    columns = set(_columns(language))
    sets = {level: condition for level, condition in korean.SET_LEVELS.items() if set(condition) <= columns}
    return Suite(
        name=name,
        version=version,
        source_lang=language,
        kind="pronouns",
        summary=f"one pronoun for she and he: {name.removeprefix('pronouns-').capitalize()}",
        make=probes,
        clusters=("concept",),
        groupings=(
            Grouping("sets", levels=sets),
            Grouping("isco_major", column="isco_major"),
            Grouping("sector", column="sector"),
        ),
        measures=MEASURES,
        targets=TARGETS,
        citation=CHO,
    )


def _columns(language: str) -> tuple[str, ...]:
    """The attributes a language's sentences have: politeness in Korean and Japanese, formality in Korean."""
    return ("kind", *{"ko": ("formality", "politeness"), "ja": ("politeness",)}.get(language, ()))


def _with_major_group(probes: Callable[[], pl.DataFrame]) -> Callable[[], pl.DataFrame]:
    def make() -> pl.DataFrame:
        major = pl.col("isco08").str.slice(0, 1).replace_strict(MAJOR_GROUPS, default=None, return_dtype=pl.String)
        return probes().with_columns(isco_major=major)

    return make


def occupations_hungarian(version: str = CURRENT) -> Suite:
    """Farkas & Nemeth's design: seven templates an occupation, adjective variants pointing to the plain sentence."""
    check_version(hungarian.OCCUPATIONS_SUITE, version)
    return Suite(
        name=hungarian.OCCUPATIONS_SUITE,
        version=version,
        source_lang="hu",
        kind="pronouns",
        summary="Hungarian occupations in plain and adjective sentences",
        make=_with_major_group(lambda: hungarian.occupations(version)),
        clusters=("concept",),
        groupings=(
            Grouping("template", column="template"),
            Grouping("adjective", column="adjective"),
            Grouping("sector", column="sector"),
            Grouping("isco_major", column="isco_major"),
        ),
        measures=(*SHARES, "P_S", "VBias", "SBias"),
        targets=TARGETS,
        citation=FARKAS,
    )
