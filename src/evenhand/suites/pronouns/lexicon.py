"""The lexicon behind the pronoun suites: concepts once, and one table of forms for each language.

    lexicon/occupations.tsv          concept, english, isco08, sector, core
    lexicon/expressions.tsv          concept, english, polarity, core
    lexicon/forms/<lang>.tsv         concept, form, ...     occupations
    lexicon/expressions/<lang>.tsv   concept, form, ...     polar expressions; word_class where it is not "adjective"
    lexicon/esco.tsv                 concept, english, isco08, hu, fi, et: ESCO's occupations

Lines that start with # come first and state the source; then a header; an empty cell is null. Sentence frames are data
too (frames.tsv: kinds and word classes, a code that ends the probe's id, attributes, the pronoun, the template): a slot
names a column of forms, stored or computed by a language module.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import polars as pl

from evenhand import tsv
from evenhand.errors import BadInput
from evenhand.suites.history import CURRENT, as_of

LEXICON = Path(__file__).resolve().parent.parent / "lexicon"
FRAMES = Path(__file__).resolve().parent / "frames.tsv"
ITEM_ATTRIBUTES = ("concept", "kind", "polarity", "occupation", "isco08", "sector", "english")
#: Attributes a frame may set; a suite has the column only if one of its frames sets it.
FRAME_ATTRIBUTES = ("formality", "politeness", "adjective")
MARKED = "marked"
_CODES = {"occupation": "occ", "positive": "pos", "negative": "neg"}


def occupations() -> pl.DataFrame:
    """Every occupation concept: english gloss, ISCO-08 unit group, sector, core ("1" or "0")."""
    return tsv.frame(LEXICON / "occupations.tsv")


def expressions() -> pl.DataFrame:
    """Every polar expression: english gloss, polarity (positive or negative), core ("1" or "0")."""
    return tsv.frame(LEXICON / "expressions.tsv")


def items(language: str, version: str = CURRENT) -> pl.DataFrame:
    """What can be said of a person in this language, one row per concept: concept, english, kind (occupation, positive,
    negative), polarity, occupation, isco08, sector, form, word_class, and the language's further forms."""
    jobs = _with_forms(occupations(), "forms", language, version).with_columns(
        kind=pl.lit("occupation"), occupation=pl.col("concept"), word_class=pl.lit("noun")
    )
    polar = _with_forms(expressions(), "expressions", language, version).with_columns(kind=pl.col("polarity"))
    if "word_class" not in polar.columns:
        polar = polar.with_columns(word_class=pl.lit("adjective"))
    return pl.concat([jobs, polar.sort(pl.col("polarity") == "negative", maintain_order=True)], how="diagonal")


def esco(language: str) -> pl.DataFrame:
    """ESCO's occupations with a title in this language, in the columns of `items`."""
    table = tsv.frame(LEXICON / "esco.tsv").filter(pl.col(language).is_not_null())
    fixed = {"kind": pl.lit("occupation"), "word_class": pl.lit("noun"), "occupation": pl.col("concept")}
    return table.select("concept", "english", "isco08", form=language).with_columns(**fixed)


def _with_forms(concepts: pl.DataFrame, table: str, language: str, version: str) -> pl.DataFrame:
    path = LEXICON / table / f"{language}.tsv"
    forms = as_of(tsv.frame(path), table, language=language, version=version)
    for problem, rows in (
        ("is not a concept of the lexicon", forms.join(concepts, on="concept", how="anti")),
        ("occurs more than once", forms.filter(pl.col("concept").is_duplicated())),
        ("has no form", forms.filter(pl.col("form").is_null())),
    ):
        if rows.height:
            raise BadInput.at(path, None, f"{rows['concept'][0]!r} {problem}")
    return concepts.join(forms, on="concept", how="inner", maintain_order="left")


@cache
def frames(suite: str, language: str, version: str = CURRENT) -> tuple[dict[str, str | None], ...]:
    """The frames of a suite, in the order its sentences come in."""
    place = {"language": language, "version": version}
    table = as_of(tsv.frame(FRAMES), "frames", **place, key=lambda row: f"{row['suite']}/{row['word_class']}")
    return tuple(table.filter(pl.col("suite") == suite).to_dicts())


def fill(
    suite: str,
    language: str,
    *,
    version: str = CURRENT,
    inflect: Callable[[pl.DataFrame], pl.DataFrame] | None = None,
    words: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Every item of the language's lexicon (or of `words`) in every frame of the suite that takes it; `inflect` adds
    forms derived by rule. Ids read language, kind, concept, frame; `marked` names what gives a title away."""
    rows: list[dict[str, str | int | None]] = []
    words = items(language, version) if words is None else words
    for item in (inflect(words) if inflect else words).iter_rows(named=True):
        for frame in frames(suite, language, version):
            if frame["kind"] in ("*", item["kind"]) and frame["word_class"] in ("*", item["word_class"]):
                rows.append(_probe(item, frame, language))
    table = pl.DataFrame(rows, infer_schema_length=None)
    unset = [name for name in (*FRAME_ATTRIBUTES, MARKED) if table[name].null_count() == table.height]
    return table.drop(unset).with_columns(pl.col("polarity", "occupation", "isco08", "sector").cast(pl.String))


def _probe(item: dict[str, str | None], frame: dict[str, str | None], language: str) -> dict[str, str | int | None]:
    template, focus, kind = frame["template"] or "", frame["focus"] or "", item["kind"] or ""
    start = template.index(focus)
    return {
        "id": "-".join(part for part in (language, _CODES[kind], item["concept"], frame["code"]) if part),
        "source": template.format_map(item),
        "source_lang": language,
        "focus": focus,
        "focus_start": start,
        "focus_end": start + len(focus),
        **{name: item.get(name) for name in ITEM_ATTRIBUTES},
        **{name: frame[name] for name in FRAME_ATTRIBUTES},
        "template": template,
        MARKED: item.get(MARKED),
    }
