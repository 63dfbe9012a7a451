"""House styles and neutral words: what mend writes, what it refuses, and that the detector reads it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

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


def mended(language: str, style: str, source: str, rendering: str, focus: str) -> str:
    table = pl.DataFrame({"id": ["1"], "source": [source], "rendering": [rendering], "focus": [focus]})
    return str(evenhand.mend(table, target=language, style=style)["mended"][0])


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row['language']}-{row['style']}-{row['rendering'][:30]}")
def test_the_whole_person_is_written_in_the_style_or_declined(row: dict[str, str]) -> None:
    new = mended(row["language"], row["style"], row["source"], row["rendering"], row["focus"])
    assert new == row["mended"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_detector_reads_no_single_gender_in_what_a_style_writes(language: str) -> None:
    """Every fortieth noun for a man of the lexicon, in every style."""
    mender = Mender(language)
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
    assert mended("es", "slash", "The father is here.", "El padre está aquí.", "father") == "El padre está aquí."
