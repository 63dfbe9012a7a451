"""House styles and neutral words: what mend writes, what it refuses, and that the detector reads it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import polars as pl
import pytest
from tests.opened import mender as opened

import evenhand
from evenhand.errors import BadInput
from evenhand.grammar.lexicon import Column
from evenhand.mend.mender import Mender
from evenhand.mend.styles import Styler, styles_of
from evenhand.tsv import rows

TABLE = list(rows(Path(__file__).with_name("styles.tsv")))
LANGUAGES = ("de", "es", "fr", "it", "pt")
FRAMES = {
    "de": "Der {} ist neu.",
    "es": "El {} es nuevo.",
    "fr": "Le {} est nouveau.",
    "it": "Il {} è nuovo.",
    "pt": "O {} é novo.",
}


def mended(language: str, style: str, *rows: Mapping[str, str]) -> list[str]:
    table = pl.DataFrame([{name: row[name] for name in ("source", "rendering", "focus")} for row in rows])
    return evenhand.mend(table.with_row_index("id"), target=language, style=style)["mended"].to_list()


@pytest.mark.parametrize(("language", "style"), dict.fromkeys((row["language"], row["style"]) for row in TABLE))
def test_the_whole_person_is_written_in_the_style_or_declined(language: str, style: str) -> None:
    chosen = [row for row in TABLE if (row["language"], row["style"]) == (language, style)]
    assert mended(language, style, *chosen) == [row["mended"] for row in chosen]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_detector_reads_no_single_gender_in_what_a_style_writes(language: str) -> None:
    """Every fortieth noun for a man of the lexicon, in every style."""
    mender = opened(language)
    nouns = list(_men(mender))[:: 40 if language != "pt" else 20]
    assert len(nouns) > 50
    for style in styles_of(language):
        styler = Styler(mender, language, style)
        given = 0
        for english, noun in nouns:
            source, focus = f"The {english} is new.", (4, 4 + len(english))
            rendering = FRAMES[language].format(noun.capitalize() if language == "de" else noun)
            new = styler.mend(source, rendering, *focus).text
            if new and new != rendering:
                given += 1
                assert mender.detector.verdict(source, new, *focus).gender in {"both", "neutral"}, new
        assert given > (0 if style == "neutral" else len(nouns) // 2), style


def _men(mender: Mender) -> Iterator[tuple[str, str]]:
    for name, concept in sorted(mender.detector.forms.concepts.items()):
        forms = sorted(form for form, columns in concept.single.items() if columns == Column.MALE)
        if name.isalpha() and forms:
            yield name, forms[0]


def test_a_style_that_a_language_lacks_is_one_error_that_names_those_it_has() -> None:
    table = pl.DataFrame({"id": ["1"], "source": ["The user"], "rendering": ["L'utilisateur"], "focus": ["user"]})
    with pytest.raises(BadInput, match=r"'star' is not supported for French. Supported: neutral .*, point"):
        evenhand.mend(table, target="fr", style="star")
    with pytest.raises(BadInput, match="Languages with styles: de, es, fr, it, pt"):
        evenhand.mend(table, target="ru", style="pair")
    with pytest.raises(BadInput, match="either a gender"):
        evenhand.mend(table, target="fr", style="pair", to="female")


def test_a_person_of_a_stated_gender_keeps_it() -> None:
    row = {"source": "The father is here.", "rendering": "El padre está aquí.", "focus": "father"}
    assert mended("es", "slash", row) == [row["rendering"]]
