"""Cho et al. 2019: Table 1 from the published translations, file by file.

Each set is scored from its own file, because the stored Papago files contradict each other on the same sentence. The
rule is the paper's word list; P_S is truncated to four decimals before it is compared, as the paper does.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl

from evenhand.detect.pronouns import PronounDetector
from evenhand.errors import BadInput, Unknown
from evenhand.readers.opening import text_lines
from evenhand.replicate.cell import Row
from evenhand.replicate.published import Published, published

PAPER, TABLE = "cho2019", "Table 1"
SETS = {
    "informal": ("inf", "set1_informal"),
    "formal": ("f", "set2_formal"),
    "impolite": ("imp", "set3_impolite"),
    "polite": ("p", "set4_polite"),
    "negative": ("neg", "set5_neg"),
    "positive": ("pos", "set6_pos"),
    "occupation": ("job", "set7_job"),
}
_FILE = re.compile(r"^total_(.+)_(inf|f|imp|p|neg|pos|job)\.txt$")


def replicate(data: Path, *, system: str | None = None) -> list[Row]:
    """P_S, p_w and p_n of every set and their average, for every system whose seven files are there."""
    printed = published(PAPER)
    rows = []
    for name in _chosen(data, system):
        scores = []
        for set_name, (code, _) in SETS.items():
            counts = count(data / "translations" / f"total_{name}_{code}.txt")
            scores.append(counts["P_S"])
            rows += [
                _row(name, set_name, column, counts[column], printed.get((TABLE, name, set_name, column)))
                for column in ("P_S", "p_w", "p_n")
            ]
        rows.append(_row(name, "average", "P_S", float(np.mean(scores)), printed.get((TABLE, name, "average", "P_S"))))
    return rows


def count(file: Path) -> dict[str, float]:
    """Shares and P_S of one translations file under the published rule."""
    lines = text_lines(file)
    if not lines:
        raise BadInput(f"{file}: empty")
    verdicts = PronounDetector("en", rule="cho2019").detect(
        pl.DataFrame({"id": [str(n) for n in range(len(lines))], "rendering": lines})
    )
    found = Counter(verdicts["gender"].to_list())
    n = len(lines)
    women, men, neutral = found["female"], found["male"], n - found["female"] - found["male"]
    return {
        "female": women,
        "male": men,
        "neutral": neutral,
        "p_w": women / n,
        "p_n": neutral / n,
        "P_S": math.sqrt(women * men / n**2 + neutral / n),
    }


def remarks(data: Path, *, system: str | None = None) -> list[str]:
    """What a reader must know: files that contradict each other, and the paper's own slips."""
    told = []
    for name in _chosen(data, system):
        differing, overlaps = contradictions(data, name)
        if differing:
            told.append(
                f"the {name} files contradict each other: {differing:,} of {overlaps:,} repeated source sentences have "
                "another translation in another file; every set is scored from its own file"
            )
    if "google" in _chosen(data, system):
        told.append("known misprint: the Google average is printed 0.2992; the mean of its own column is 0.2997")
    told.append("known slip: the text says the reverse of Table 1 about which polarity scores low")
    told.append('known slip: "occupation is the most biased set for all systems" does not hold for Papago in Table 1')
    return told


def contradictions(data: Path, system: str) -> tuple[int, int]:
    """How many source sentences in a further file have another translation than in the first; and how many recur."""
    sources = data / "sets"
    if not sources.is_dir():
        return 0, 0
    first: dict[tuple[str, int], str] = {}
    differing = overlaps = 0
    for code, set_file in SETS.values():
        asked = text_lines(sources / f"{set_file}.txt")
        answered = text_lines(data / "translations" / f"total_{system}_{code}.txt")
        seen: Counter[str] = Counter()
        for source, rendering in zip(asked, answered, strict=False):
            key = (source, seen[source])  # the lexicon has duplicates: the second one is a sentence of its own
            seen[source] += 1
            if key in first:
                overlaps += 1
                differing += first[key] != rendering
            else:
                first[key] = rendering
    return differing, overlaps


def systems(data: Path) -> list[str]:
    """Names of all systems with a complete set of files."""
    folder = data / "translations"
    if not folder.is_dir():
        raise BadInput(f"{data}: no folder 'translations' (expected files like total_google_inf.txt in it)")
    found: dict[str, set[str]] = {}
    for file in folder.iterdir():
        if match := _FILE.match(file.name):
            found.setdefault(match.group(1), set()).add(match.group(2))
    codes = {code for code, _ in SETS.values()}
    return sorted(name for name, have in found.items() if have == codes)


def _chosen(data: Path, system: str | None) -> list[str]:
    known = systems(data)
    if system is None:
        return known
    if system not in known:
        raise Unknown("system", system, known, hint=f"{data} needs its seven files total_{system}_*.txt.")
    return [system]


def _row(system: str, row: str, column: str, computed: float, known: Published | None) -> Row:
    if known is None:
        return Row(PAPER, TABLE, system, row, column, None, computed, None)
    agrees = abs(truncated(computed) - known.value) < 1e-9
    return Row(PAPER, TABLE, system, row, column, known.value, computed, agrees, known.note)


def truncated(value: float, decimals: int = 4) -> float:
    """Cut, not rounded, as the paper does; the nudge keeps 0.0650 from becoming 0.0649 in binary."""
    scale: int = 10**decimals
    return math.floor(value * scale + 1e-9) / scale
