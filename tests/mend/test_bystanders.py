"""A pronoun that is an argument beside the person means somebody else and stays, in every language of mend."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evenhand.gender import Gender
from evenhand.mend.mender import LANGUAGES, Mender
from evenhand.tsv import rows

PROBES = list(rows(Path(__file__).with_name("bystanders.tsv")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_beside_the_person_changes(language: str) -> None:
    mender, asked, declined = Mender(language), 0, 0
    for row in PROBES:
        if row["language"] != language:
            continue
        start = row["source"].lower().index(row["focus"])
        mended = mender.mend(row["source"], row["rendering"], start, start + len(row["focus"]), Gender(row["to"])).text
        asked, declined = asked + 1, declined + (not mended)
        for word in row["kept"].split() if mended else ():
            assert re.search(rf"(?<!\w){word}(?!\w)", mended), (row["rendering"], mended)
    assert asked >= 30
    assert declined <= 1
