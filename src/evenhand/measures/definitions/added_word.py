"""What an added word does: the pronoun of a variant against that of its plain sentence (Farkas & Nemeth 2022, Table 6).

Works for any suite whose variants point to their plain sentence in `base`. Over pairs in which both renderings are
female or male: she-she, he-he, she-he, he-she. The study's test (McNemar's) takes every pair for independent, but a
word moves the sentences about one occupation together: the change is tested cluster by cluster instead, and corrected
over the words, which share their plain sentences. Pairs with a neutral, both or unknown rendering on either side are
counted separately.
"""

from collections.abc import Sequence
from typing import Unpack

import numpy as np
import polars as pl

from evenhand.errors import BadInput
from evenhand.level import Resampling
from evenhand.measures.definitions.counts import Gap, ratio
from evenhand.measures.rows import EstimateRow, as_estimates, estimate_row
from evenhand.measures.sampling import Sampler
from evenhand.statistics.measure import Floats

_SHE_HE = {"she": "female", "he": "male"}
CHANGES: dict[str, pl.Expr] = {
    f"{one}_{two}": (pl.col("before") == _SHE_HE[one]) & (pl.col("after") == _SHE_HE[two])
    for one, two in (("she", "she"), ("he", "he"), ("she", "he"), ("he", "she"))
}


class ChangeFemale(Gap):
    """Share of she after a word was added minus the share before, over pairs with she or he on both sides. Between -1
    and 1; 0: the word changes nothing on balance (he to she as often as she to he), positive: more she. NaN without
    such a pair. Source: Farkas & Nemeth 2022, Tables 6 and 7."""

    name = "change_female"
    needs = ("before", "after")

    def cells(self) -> dict[str, pl.Expr]:
        return dict(CHANGES)

    def formula(self, totals: Floats) -> Floats:
        return ratio(totals[..., 3] - totals[..., 2], totals.sum(axis=-1))


def added_word(
    table: pl.DataFrame, word: str = "adjective", *, clusters: Sequence[str] = (), **how: Unpack[Resampling]
) -> pl.DataFrame:
    """Estimates of change_female, one row per word (group: the column, level: the word); the four counts in `note`."""
    pairs = joined(table, word)
    coded, sampler = Sampler.over(pairs, [c for c in clusters if c in pairs.columns], **how)
    measure = ChangeFemale()
    parts = {
        str(value): sampler.measured(measure, group) for (value,), group in coded.group_by(word, maintain_order=True)
    }
    changes = [sampler.unchanged(part) for part in parts.values()]
    adjusted = sampler.corrected(np.array([one.p for one in changes]), [(part,) for part in parts.values()])
    rows: list[EstimateRow] = []
    for (value, part), change, p in zip(parts.items(), changes, adjusted, strict=True):
        totals = part.job.statistics.summed
        note = ", ".join(f"{name.replace('_', '-')} {int(n)}" for name, n in zip(CHANGES, totals, strict=True))
        row = estimate_row(measure.name, word, value, change.interval(), part.job.statistics, p=change.p)
        row |= {"n_decided": int(totals.sum()), "n_valid": None, "p_adjusted": float(p)}
        rows.append(row | {"family": "added words (max-T)", "note": note})
    return as_estimates(rows)


def joined(table: pl.DataFrame, word: str = "adjective") -> pl.DataFrame:
    """The variants with the gender `before` (of the plain sentence) and `after` the word was added."""
    if "base" not in table.columns or word not in table.columns:
        raise BadInput(f"the effect of an added word needs the columns 'base' and {word!r}; this suite lacks them")
    keys = [c for c in ("sample", "candidate", "target_lang") if c in table.columns]
    gender = pl.col("gender").cast(pl.String)
    plain = table.select(pl.col("id").alias("base"), *keys, gender.alias("before"))
    variants = table.drop("before", strict=False).filter(pl.col("base").is_not_null())
    variants = variants.with_columns(gender.alias("after"))
    return variants.join(plain, on=["base", *keys], how="left", maintain_order="left")
