"""Learning a translation table from sentence pairs: from open text for the shipped priors, or from the rows at hand.

Rows at hand are learnt from only when the user asks (`NounDetector(..., pool=table)`): then a verdict depends on the
other rows, and the detector's fingerprint says so.
"""

import tempfile
from collections.abc import Iterable
from pathlib import Path

import polars as pl

from evenhand.errors import require
from evenhand.grammar.base import Language
from evenhand.grammar.english import source_words

Pair = tuple[list[str], list[str]]
SCHEMA = pl.Schema({"source": pl.String, "target": pl.String, "score": pl.Float32})
MAX_WORDS = 50  # longer sentences align badly and slowly
BATCH = 5_000


def translation_table(pairs: Iterable[Pair], *, least: float = 0.02, top: int = 12, rare: int = 2) -> pl.DataFrame:
    """One row per pair of words: source, target, score = sqrt(p(target|source) * p(source|target)), in (0, 1].

    The pairs are aligned by systran-align (fast_align's models, five iterations, both directions, symmetrised) and the
    links counted. Cut: scores under `least`, all but the `top` targets of a source word, source words seen less than
    `rare` times. No usable pair gives an empty table.
    """
    aligner = require("systran_align", purpose="learning a translation table", extra="pool")
    usable = [(s, t) for s, t in pairs if 0 < len(s) <= MAX_WORDS and 0 < len(t) <= MAX_WORDS]
    if not usable:
        return pl.DataFrame(schema=SCHEMA)
    links: list[tuple[str, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        text, forward, backward = (str(Path(folder) / name) for name in ("text", "forward", "backward"))
        Path(text).write_text("".join(f"{' '.join(s)} ||| {' '.join(t)}\n" for s, t in usable), encoding="utf-8")
        aligner.generate_alignment_probabilities(text, forward, backward, favor_diagonal=True, optimize_tension=True)
        model = aligner.Aligner(forward, backward)
        for start in range(0, len(usable), BATCH):
            batch = usable[start : start + BATCH]
            answers = model.align_batch([source for source, _ in batch], [target for _, target in batch])
            for (source, target), answer in zip(batch, answers, strict=True):
                links += [(source[i], target[j]) for i, j in answer["alignments"]]
    counted = pl.DataFrame(links, schema=["source", "target"], orient="row").group_by("source", "target").len()
    of_source, of_target = (pl.col("len").sum().over(side) for side in ("source", "target"))
    scored = counted.with_columns(score=pl.col("len") / (of_source * of_target).sqrt(), seen=of_source)
    letters = pl.all_horizontal(pl.col("source", "target").str.contains(r"\p{L}"))
    kept = scored.filter(letters & (pl.col("seen") >= rare) & (pl.col("score") >= least))
    best = kept.sort("source", "score", "target", descending=[False, True, False])
    return best.group_by("source", maintain_order=True).head(top).select(*SCHEMA).cast(SCHEMA)


def learn(pool: pl.DataFrame, language: Language) -> pl.DataFrame:
    """The table of the rows at hand (columns source, rendering); equal pairs count once."""
    unique = pool.select(pl.col("source", "rendering").fill_null("")).unique(maintain_order=True)
    return translation_table(
        ([word.low for word in source_words(source)], [token.low for token in language.tokens(rendering)])
        for source, rendering in unique.iter_rows()
    )
