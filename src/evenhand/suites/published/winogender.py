"""Winogender's all_sentences.tsv as published (Rudinger et al. 2018)."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.readers.opening import text_lines
from evenhand.suites.suite import GOLD_GROUPINGS, Suite, gold_suite


def winogender(path: Path) -> Suite:
    """The focus is the person the pronoun means: the occupation (answer 0) or the participant (answer 1)."""
    file = path / "all_sentences.tsv" if path.is_dir() else path
    return gold_suite(
        "winogender",
        "Winogender schemas",
        lambda: _probes(file),
        groupings=(GOLD_GROUPINGS[0],),
        measures=("accuracy", "F1_female", "F1_male", "dG", "TFG"),
        citation="Rudinger et al. 2018, Gender Bias in Coreference Resolution",
    )


def _probes(file: Path) -> pl.DataFrame:
    rows = []
    for number, line in enumerate(text_lines(file)[1:], start=2):
        cells = line.split("\t")
        name = cells[0].removesuffix(".txt").split(".")
        if len(cells) != 2 or len(name) != 4 or name[2] not in {"0", "1"}:
            raise BadInput.at(file, number, "not a Winogender row (occupation.participant.answer.gender.txt, sentence)")
        occupation, participant, answer, gender = name
        sentence = cells[1]
        person = occupation if answer == "0" else participant
        place = re.search(rf"\b{re.escape(person)}\b", sentence, re.IGNORECASE)
        if place is None:
            raise BadInput.at(file, number, f"{person!r} does not stand in the sentence")
        rows.append(
            {
                "id": ".".join(name),
                "source": sentence,
                "source_lang": "en",
                "focus": place.group(),
                "focus_start": place.start(),
                "focus_end": place.end(),
                "gold": gender,
                "pair": f"{occupation}.{participant}.{answer}",
                "occupation": occupation,
                "participant": participant,
            }
        )
    return pl.DataFrame(rows)
