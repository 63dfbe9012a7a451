"""The effect of asking for a gender: a run that asked (`audit --ask`) beside one that did not. A person in the source
besides the focus, whose gender is decided in both and differs, was interfered with."""

from functools import partial
from pathlib import Path

import polars as pl

from evenhand.detect import open_noun_judge
from evenhand.errors import BadInput, Unknown
from evenhand.gender import DECIDED
from evenhand.grammar import codes
from evenhand.languages import primary
from evenhand.measures.estimate import estimate
from evenhand.persons import LexiconFinder
from evenhand.results.runs import Run, load_run
from evenhand.storage.tables import FIRST_ANSWER
from evenhand.suites.suite import Grouping

OTHERS = {"id": pl.String, "person": pl.String, "before": pl.String, "after": pl.String, "changed": pl.Boolean}


def obedience(asked: Run | Path | str, plain: Run | Path | str) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Estimates of `obeyed` (all, and by what was wanted) and `interference`, and the other persons one by one.
    `obeyed` of group `asked`, level "no", is how often the plain run has the gender that the other asked for: a system
    that would have given it anyway does not obey. The runs must be of the same suite, system and target (or
    `mended:SYSTEM` beside SYSTEM); the probes are those of both."""
    after, before = load_run(asked), load_run(plain)
    one, two = after.manifest, before.manifest
    name, other = (
        str(run.path or f"{run.manifest.suite.name} through {run.manifest.system}") for run in (after, before)
    )
    if "wanted" not in after.probes.columns:
        raise BadInput(f"{name}: this run requested no gender; make it with `evenhand audit --ask GENDER`")
    if "wanted" in before.probes.columns:
        raise BadInput(f"{other}: this run requested a gender too; compare with a run that did not")
    alike = one.system in {two.system, f"mended:{two.system}"}
    if not alike or (one.target_lang, one.suite.name) != (two.target_lang, two.suite.name):
        raise BadInput(f"{name} and {other} are not of one suite, system and target language")
    clusters = one.suite.clusters
    estimated = partial(estimate, clusters=clusters, **one.resampling)
    judged, unasked = (_first(after.probes.join(run.verdicts, on="id")) for run in (after, before))
    by_wish = (Grouping("wanted", column="wanted"),) if judged["wanted"].n_unique() > 1 else ()
    obeyed = estimated(judged, groupings=by_wish, measures=("obeyed",))
    anyway = estimated(unasked, measures=("obeyed",)).with_columns(group=pl.lit("asked"), level=pl.lit("no"))
    others = changes(after, before)
    known = others.filter(pl.col("changed").is_not_null()).join(after.probes.select("id", *clusters), on="id")
    changed = [estimated(known, measures=("interference",))] if known.height else []
    return pl.concat([obeyed, anyway, *changed]), others


def changes(asked: Run, plain: Run) -> pl.DataFrame:
    """Every other person of a source that both runs rendered, with the gender before and after asking."""
    target = asked.manifest.target_lang
    if primary(target) not in codes():
        raise Unknown("target language whose nouns can be judged", target, codes())
    judge, finder = open_noun_judge(target=target), LexiconFinder()
    both = _texts(asked).join(_texts(plain).select("id", before="rendering"), on="id", how="inner")
    rows: list[tuple[str, str, str, str, bool | None]] = []
    named = finder.find_all(both["source"].to_list())
    for row, persons in zip(both.iter_rows(named=True), named, strict=True):
        source, start, end = row["source"], row["focus_start"], row["focus_end"]
        for person in persons:
            asked_about = start is not None and end is not None and person.start < end and person.end > start
            if person.thing or person.gendered or asked_about:
                continue
            genders = [
                judge.verdict(source, text or "", person.start, person.end).gender.value
                for text in (row["before"], row["rendering"])
            ]
            decided = all(gender in DECIDED for gender in genders)
            name = source[person.start : person.end]
            rows.append((row["id"], name, *genders, genders[0] != genders[1] if decided else None))
    return pl.DataFrame(rows, schema=OTHERS, orient="row")


def _texts(run: Run) -> pl.DataFrame:
    spans = {c: pl.lit(None, pl.Int64) for c in ("focus_start", "focus_end") if c not in run.probes.columns}
    chosen = run.probes.with_columns(**spans).select("id", "source", "focus_start", "focus_end")
    return _first(chosen.join(run.renderings, on="id"))


def _first(table: pl.DataFrame) -> pl.DataFrame:
    return table.filter(FIRST_ANSWER & (pl.col("sample") == 0))
