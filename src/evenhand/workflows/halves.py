"""The two halves of contrastive probes: what a scorer is asked about them, and its scores as renderings of a run."""

from collections.abc import Iterator, Sequence
from typing import Final

import polars as pl

from evenhand.detect import RULE
from evenhand.detect.preference import LENGTHS, normalised
from evenhand.errors import BadInput
from evenhand.storage.tables import RENDERINGS
from evenhand.suites.contrastive import HALVES, SOURCES
from evenhand.suites.suite import Suite
from evenhand.systems.protocol import Answer, Request, System
from evenhand.systems.scoring import ScoringSystem, read_score

CONTRASTIVE: Final = "contrastive"


def _halves(suite: Suite) -> Iterator[tuple[str, str, str, str, str | None]]:
    """id, form, source, rendering and reference of every half, the two of a pair one after the other."""
    probes = suite.probes
    conditioned = set(SOURCES) <= set(probes.columns)
    texts = [*SOURCES, "text", "text"] if conditioned else ["source", "source", *HALVES]
    missing = [name for name in texts if name not in probes.columns]
    if missing:
        raise BadInput(f"suite {suite.name} has no column {missing[0]!r}: a pair is a feminine and a masculine one")
    reference = pl.col("reference") if "reference" in probes.columns else pl.lit(None, pl.String)
    copies = (pl.col(column).fill_null("").alias(name) for column, name in zip(texts, "abcd", strict=True))
    for name, last, *row in probes.select("id", reference.alias("e"), *copies).iter_rows():
        for number, form in enumerate(HALVES):
            yield name, form, row[number], row[number + 2], last


def halves_of(suite: Suite, target: str) -> Iterator[Request]:
    """A request for the score of every half."""
    for name, _, source, rendering, reference in _halves(suite):
        if not rendering.strip():
            raise BadInput(f"suite {suite.name}: the pair {name!r} has an empty half")
        yield Request(source, suite.source_lang, target, probe=name, rendering=rendering, reference=reference)


def scored_halves(
    suite: Suite, target: str, answers: Sequence[Answer], system: System, rule: str = RULE
) -> pl.DataFrame:
    """The renderings table: the preferred half is candidate 0, the other candidate 1; `form`, `score` (higher is
    better) and `tokens` say which half it is and what it scored."""
    if not isinstance(system, ScoringSystem):
        raise BadInput(f"{system.name} gives no scores")
    length = LENGTHS[0] if rule == RULE else rule
    rows: list[tuple[str, str, int, int, str, str, float, int]] = []
    pair: list[tuple[float, str, str, float, int]] = []
    for (name, form, _, rendering, _), answer in zip(_halves(suite), answers, strict=True):
        score = read_score(answer.text)
        value = system.scale.turned(score.value)
        pair.append((normalised(value, score.tokens, rendering, length), form, rendering, value, score.tokens))
        if len(pair) == len(HALVES):
            pair.sort(key=lambda half: (-half[0], half[1]))
            rows += [
                (name, target, 0, n, text, form, value, tokens) for n, (_, form, text, value, tokens) in enumerate(pair)
            ]
            pair = []
    schema = {**RENDERINGS, "form": pl.String(), "score": pl.Float64(), "tokens": pl.Int64()}
    return pl.DataFrame(rows, schema=schema, orient="row")
