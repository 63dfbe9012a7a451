"""Sentences of the WinoBias kind, of our own: two occupations, one pronoun that can mean only one of them.

Each pair has one occupation held mostly by women and one held mostly by men (US shares printed in WiBeMT's Table 1;
within MARGIN of one half an occupation is left out). The pronoun's gender agrees with the referent's majority in the
stereotypical version and is the other one in the anti-stereotypical version.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl

from evenhand import tsv
from evenhand.suites.history import CURRENT, as_of, check_version
from evenhand.suites.suite import GOLD_MEASURES, Suite, gold_suite

NAME = "occupations-coreference"
HERE = Path(__file__).resolve().parent
MARGIN = 3.0  # percentage points around one half
PAIRS_PER_FRAME = 8
PRONOUNS = {
    "female": {"subject": "she", "object": "her", "possessive": "her"},
    "male": {"subject": "he", "object": "him", "possessive": "his"},
}
OTHER = {"female": "male", "male": "female"}


def coreference(version: str = CURRENT) -> Suite:
    """416 pairs, 832 sentences; focus first or second, on a male or a female majority occupation equally often."""
    check_version(NAME, version)
    return gold_suite(
        NAME,
        "our own sentence pairs of the WinoBias kind, stereotypical and anti-stereotypical",
        lambda: coreference_probes(version),
        version=version,
        measures=(*GOLD_MEASURES, "share_female", "share_male", "share_neutral"),
        citation="after Zhao et al. 2018, Gender Bias in Coreference Resolution",
    )


def majorities() -> dict[str, list[str]]:
    """Occupations held mostly by women and mostly by men, in the order of Table 1's gender score."""
    table = tsv.frame(HERE / "occupations.tsv").with_columns(pl.col("share_women").cast(pl.Float64))
    listed = table.filter(pl.col("share_women").is_not_null())
    women = listed.filter(pl.col("share_women") >= 50 + MARGIN)["occupation"].to_list()
    men = listed.filter(pl.col("share_women") <= 50 - MARGIN)["occupation"].to_list()
    return {"female": women, "male": men}


def coreference_probes(version: str = CURRENT) -> pl.DataFrame:
    """Every frame with eight pairs of occupations, turned so that referent and order are balanced."""
    people = majorities()
    rows = []
    number = 0
    frames = as_of(tsv.frame(HERE / "coreference.tsv"), "coreference", language="en", version=version, key="code")
    for code, referent, frame in frames.iter_rows():
        for turn in range(PAIRS_PER_FRAME):
            majority = "female" if turn % 2 else "male"
            focuses, others = people[majority], people[OTHER[majority]]
            step = number // 2  # every second pair is about the same majority
            focus = focuses[step % len(focuses)]
            other = others[(step + step // len(others)) % len(others)]
            first, second = (focus, other) if referent == "first" else (other, focus)
            for stereotype, gold in (("pro", majority), ("anti", OTHER[majority])):
                source = frame.format(first=first, second=second, **PRONOUNS[gold])
                at = frame.index("{" + referent + "}") + (len(first) - len("{first}") if referent == "second" else 0)
                rows.append(
                    {
                        "id": f"{code}-{turn + 1}-{stereotype}",
                        "source": source,
                        "source_lang": "en",
                        "focus": focus,
                        "focus_start": at,
                        "focus_end": at + len(focus),
                        "gold": gold,
                        "stereotype": stereotype,
                        "pair": f"{code}-{turn + 1}",
                        "occupation": focus,
                        "other_occupation": other,
                        "referent": referent,
                    }
                )
            number += 1
    return pl.DataFrame(rows)
