"""WinoMT with sentences between the noun and its pronoun (mt_gender_pt, 2025): does a system look back?

The folder has en_inter1.txt to en_inter3.txt in WinoMT's columns: the pronoun in the noun's sentence, in the next one,
and in the one after that.
"""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.suites.published.winomt import focus_span, read_winomt
from evenhand.suites.suite import GOLD_MEASURES, Grouping, Suite, gold_suite

FILES = ("en_inter1.txt", "en_inter2.txt", "en_inter3.txt")
END = re.compile(r"[.!?]\s+")
PRONOUN = re.compile(r"\b(?:she|he|her|him|his|hers|herself|himself)\b", re.IGNORECASE)


def winomt_distance(path: Path) -> Suite:
    """A suite of the three files; `distance` counts the ends of sentences between the noun and the first pronoun."""
    folder = path if path.is_dir() else path.parent
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise BadInput(f"{folder}: no {missing[0]} there; name the folder with {', '.join(FILES)}")
    return gold_suite(
        "winomt-distance",
        "WinoMT with none to two ends of sentences between the noun and its pronoun",
        lambda: pl.concat([_probes(folder / name) for name in FILES]),
        groupings=(
            Grouping("distance", column="distance"),
            Grouping("gold", column="gold"),
            Grouping("distance and gender", column="distance_gender"),
        ),
        measures=tuple(measure for measure in GOLD_MEASURES if measure != "dS"),
        citation="after Stanovsky, Smith & Zettlemoyer 2019; sbonifacio/mt_gender_pt",
    )


def _probes(file: Path) -> pl.DataFrame:
    rows = []
    for number, line in enumerate(read_winomt(file), start=1):
        gold, _, sentence, entity = line
        start, end = focus_span(line, file, number)
        pronoun = PRONOUN.search(sentence, end) or PRONOUN.search(sentence)
        if pronoun is None:
            raise BadInput.at(file, number, "no pronoun that says the person's gender")
        between = sentence[min(end, pronoun.start()) : max(start, pronoun.start())]
        distance = str(len(END.findall(between)))
        rows.append(
            {
                "id": f"{file.stem}-{number:04d}",
                "source": sentence,
                "source_lang": "en",
                "focus": sentence[start:end],
                "focus_start": start,
                "focus_end": end,
                "gold": gold,
                "occupation": entity.casefold(),
                "distance": distance,
                "distance_gender": f"{distance} {gold}",
            }
        )
    return pl.DataFrame(rows)
