"""GEST (Pikuliak et al. 2024): male rates by stereotype of the authors' translations into Slavic languages. Their rule
looks at first-person predicates only (past tense, adjectives, participles), so nouns said of the speaker and
comparisons (like an adult: jako dospělá) do not count here; an audit counts them. Published rates are those of the
authors' notebook; a file published_p_i.tsv in the data folder adds languages that we do not ship."""

from functools import lru_cache
from pathlib import Path

import polars as pl

from evenhand.detect import open_detector
from evenhand.errors import BadInput
from evenhand.measures.definitions.registry import by_name
from evenhand.readers.layout import Column, Layout
from evenhand.readers.registry import read
from evenhand.replicate.cell import CellKey, Input, Published, TableCell, chosen, compare, value
from evenhand.suites.published.gest import gest
from evenhand.tsv import rows as tsv_rows

PAPER, TABLE = "pikuliak2024", "Male rates"
OUTPUTS: Input = "authors' outputs"
LANGUAGES = ("cs", "pl", "ru", "uk")
COMPARISON = r"(?i)\bjako\s+$"  # Czech, Polish: no predicate follows; как, як and jak (how) also open clauses
LAYOUT = Layout("translation", (Column("from", required=True), Column("to", required=True)))


def replicate(data: Path, *, system: str | None = None) -> list[TableCell]:
    """p_i of every system, language and stereotype beside the published one; f_m and f_s from the computed p_i."""
    further = _further(data)
    compared: list[TableCell] = []
    for name, language in _files(data, system):
        judged = _judged(data, name, language)
        for stereotype in sorted(judged["stereotype"].unique().to_list(), key=int):
            part = judged.filter(stereotype=stereotype)
            key = (TABLE, name, language, f"p_{stereotype}")
            note = f"{part.filter(pl.col('gender').is_in(['female', 'male'])).height} of {part.height} take a gender"
            rate = value("male_rate", part)
            compared.append(compare(PAPER, key, rate, OUTPUTS, note, printed=further.get(key)))
        note = f"{judged.filter(gender='neutral').height} of {judged.height} renderings show no gender"
        for measure in ("f_m", "f_s"):
            over = value(by_name(measure).bind(judged, {}), judged)
            compared.append(compare(PAPER, (TABLE, name, language, measure), over, OUTPUTS, note))
    return compared


def remarks(data: Path, *, system: str | None = None) -> list[str]:
    """How far the rates are from the published ones, by system and language."""
    rates = pl.DataFrame(replicate(data, system=system)).drop_nulls("published")
    gap = (pl.col("computed") - pl.col("published")).abs()
    compared = rates.group_by("system", "row", maintain_order=True).agg(
        pl.len(), gap.mean().alias("mean"), gap.max().alias("most"), pl.corr("computed", "published").alias("like")
    )
    return [
        f"{name} into {language}: {n} rates differ by {mean:.3f} on average, {most:.3f} at most; correlation {like:.3f}"
        for name, language, n, mean, most, like in compared.iter_rows()
    ]


def _files(data: Path, system: str | None) -> list[tuple[str, str]]:
    paths = sorted((data / "translations").glob("*/*.csv"))
    files = [(path.parent.name, path.stem) for path in paths if path.stem in LANGUAGES]
    if not files:
        raise BadInput(f"{data}: no translations/SYSTEM/LANGUAGE.csv there for {', '.join(LANGUAGES)}")
    names = chosen({name: None for name, _ in files}, system)
    return [(name, language) for name, language in files if name in names]


def _further(data: Path) -> dict[CellKey, Published]:
    return {
        (TABLE, row["system"], row["language"], f"p_{row['stereotype']}"): Published(
            float(row["p_i"]), max(len(row["p_i"].partition(".")[2]), 2)
        )
        for row in tsv_rows(data / "published_p_i.tsv")
    }


@lru_cache(maxsize=64)
def _judged(data: Path, system: str, language: str) -> pl.DataFrame:
    """Verdicts on the set's sentences that the system translated, by the authors' kind of evidence only."""
    translations = read(data / "translations" / system / f"{language}.csv", LAYOUT, format="csv")
    known = dict(zip(map(_plain, translations["from"]), translations["to"], strict=True))
    probes = gest(data).probes.with_columns(
        rendering=pl.col("source").map_elements(lambda text: known.get(_plain(text)), return_dtype=pl.String)
    )
    pairs = probes.filter(pl.col("rendering").is_not_null())
    if not pairs.height:
        raise BadInput(f"{data}/translations/{system}/{language}.csv: it has none of the sentences of gest.csv")
    verdicts = open_detector("speaker", source="en", target=language).detect(pairs)
    noun = pl.col("how").eq_missing("forms")
    before = pairs["rendering"].str.slice(0, verdicts["evidence_start"].fill_null(0))
    compared = before.str.contains(COMPARISON)
    gender = pl.when(noun | compared).then(pl.lit("neutral")).otherwise(pl.col("gender").cast(pl.String))
    return pairs.with_columns(verdicts.select(gender=gender))


def _plain(text: str) -> str:
    """A sentence as it is looked up: the systems' files write some apostrophes otherwise than the set does."""
    return " ".join(text.replace("’", "'").replace("‘", "'").split()).casefold()
