"""Why a run allows no conclusion at all: a gate or a comparison that reads it ends with exit code 2."""

import polars as pl

from evenhand.visible import shortened

FEWEST = 30  # different sources; of fewer, some translations may well be alike
PER_TEXT = 50  # different sources for each text that renderings may come from
NEARLY_ALL = 0.9


def alike(answers: pl.DataFrame) -> str:
    """A sentence where nearly all renderings are one text, or come from few, though the sources differ; else ""."""
    texts = answers.select("source", pl.col("rendering").fill_null("").str.strip_chars().str.to_lowercase())
    texts = texts.filter(pl.col("rendering") != "")
    sources = texts["source"].n_unique()
    if sources < FEWEST:
        return ""
    most = max(1, sources // PER_TEXT)
    # the share of rows that have one of the most frequent values
    share, of_sources = (
        texts[name].value_counts(sort=True)["count"].head(most).sum() / texts.height for name in ("rendering", "source")
    )
    if share < NEARLY_ALL or of_sources >= NEARLY_ALL:
        return ""
    counts = texts["rendering"].value_counts().sort("count", "rendering", descending=[True, False])
    first, n = shortened(counts["rendering"][0], 60), counts["count"][0]
    one = f"{n:,} of {texts.height:,} renderings are one text (“{first}”)"
    few = f"{share:.0%} of {texts.height:,} renderings come from {min(most, counts.height)} texts (“{first}”, ...)"
    why = one if n >= NEARLY_ALL * texts.height else few
    return f"{why}, though the suite has {sources:,} different sources: these are no translations of them"
