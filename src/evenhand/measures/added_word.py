"""What an added word does: the pronoun of a variant against that of its plain sentence (Farkas & Nemeth 2022, Table 6).

Works for any suite whose variants point to their plain sentence in `base`. Over pairs in which both renderings are
female or male: she-she, he-he, she-he, he-she; McNemar's exact test on the last two, Holm-corrected over the words.
Pairs with a neutral, both or unknown rendering on either side are counted apart.
"""

from __future__ import annotations

import polars as pl

from evenhand.errors import BadInput
from evenhand.statistics.classical import adjust, mcnemar_exact

NAMES = {
    ("female", "female"): "she_she",
    ("male", "male"): "he_he",
    ("female", "male"): "she_he",
    ("male", "female"): "he_she",
}


def added_word(table: pl.DataFrame, word: str = "adjective") -> pl.DataFrame:
    """One row a word: counts of the four changes, n, left_out, shares of she before and after, p, p_adjusted.

    Before and after are over the same pairs, so that share_after - share_before = (he_she - she_he) / n.
    """
    if "base" not in table.columns or word not in table.columns:
        raise BadInput(f"the effect of an added word needs the columns 'base' and {word!r}; this suite lacks them")
    keys = [c for c in ("sample", "candidate", "target_lang") if c in table.columns]
    gender = pl.col("gender").cast(pl.String)
    plain = table.select(pl.col("id").alias("base"), *keys, gender.alias("before"))
    variants = table.filter(pl.col("base").is_not_null()).with_columns(gender.alias("after"))
    pairs = variants.join(plain, on=["base", *keys], how="left", maintain_order="left")
    rows = []
    for (value,), group in pairs.group_by(word, maintain_order=True):
        counts = dict.fromkeys(NAMES.values(), 0)
        for before, after in group.select("before", "after").iter_rows():
            if (before, after) in NAMES:
                counts[NAMES[before, after]] += 1
        n = sum(counts.values())
        test = mcnemar_exact(counts["she_he"], counts["he_she"])
        rows.append(
            {
                word: value,
                **counts,
                "n": n,
                "left_out": group.height - n,
                "share_before": (counts["she_she"] + counts["she_he"]) / n if n else None,
                "share_after": (counts["she_she"] + counts["he_she"]) / n if n else None,
                "p": test.p,
            }
        )
    words = pl.DataFrame(rows, infer_schema_length=None)
    if not words.height:
        return words
    return words.with_columns(p_adjusted=pl.Series(adjust(words["p"].to_list(), "holm")))
