"""Sources other than English: persons, the gender they state, and what a rendering makes of it."""

from pathlib import Path

import polars as pl
import pytest

import evenhand
from evenhand.detect.glossed import Glosses
from evenhand.errors import Unknown
from evenhand.workflows.detect import DetectSettings, judge_pairs
from evenhand.workflows.unmarked import Persons

PAIRS = [
    ("de", "es", "Die Lehrerin rief den Arzt an.", "La profesora llamó al médico.", ["female", "male"]),
    ("de", "fr", "Meine Ärztin ist krank.", "Mon médecin est malade.", ["male"]),
    ("es", "de", "Mi abogada es amiga de mi hermano.", "Mein Anwalt ist ein Freund meines Bruders.", ["male"] * 3),
    ("it", "fr", "Il mio vicino è un attore.", "Ma voisine est actrice.", ["female", "female"]),
    ("fr", "it", "La boulangère connaît le maire.", "La panettiera conosce il sindaco.", ["female", "male"]),
    ("nl", "de", "De lerares belde de dokter.", "Die Lehrerin rief den Arzt an.", ["female", "male"]),
    ("ru", "pl", "Учительница увидела врача.", "Nauczycielka zobaczyła lekarza.", ["female", "male"]),
    ("hu", "de", "Az orvos felhívta a tanárnőt.", "Der Arzt rief die Lehrerin an.", ["male", "female"]),
    ("hu", "es", "Láttam az ápolókat a szakáccsal.", "Vi a las enfermeras con el cocinero.", ["female", "male"]),
    ("tr", "de", "Diş hekimi öğretmenlerimizi aradı.", "Die Zahnärztin rief unsere Lehrer an.", ["female", "male"]),
    ("tr", "fr", "İşçi doktora bakıyor.", "L'ouvrière regarde le médecin.", ["female", "male"]),
    ("fi", "fr", "Lääkäri soitti opettajalle.", "Le médecin a appelé l'enseignante.", ["male", "female"]),
]


@pytest.mark.parametrize(("source", "target", "text", "rendering", "genders"), PAIRS)
def test_persons_are_found_in_the_source_and_judged_in_the_rendering(
    source: str, target: str, text: str, rendering: str, genders: list[str]
) -> None:
    pairs = pl.DataFrame({"id": ["1"], "source": [text], "rendering": [rendering]})
    assert evenhand.detect(pairs, source=source, target=target, kind="nouns")["gender"].to_list() == genders


@pytest.mark.parametrize(
    ("code", "text", "said"),
    [
        ("de", "Die Lehrerin und der Arzt lachen über die Leute.", ["female", "male", "open"]),
        ("de", "Der Kochtopf und das Lehrbuch sind neu.", []),
        ("es", "La periodista habló con un dentista.", ["female", "male"]),
        ("es", "La gente tiene una casa vieja.", ["open"]),
        ("fr", "Les infirmières aident un enfant.", ["female", "male"]),
        ("it", "Mia sorella ha una lettera.", ["female"]),
        ("hu", "A tanárnő és az orvosok látták a nagyapját.", ["female", "open", "male"]),
        ("hu", "A kertben nőtt egy alma.", []),
        ("tr", "Kadın doktor annesini aradı.", ["female", "female"]),
        ("fi", "Naispoliisi tapasi asukkaan ja naapurit.", ["female", "open", "open"]),
    ],
)
def test_the_source_states_genders_by_form_and_article(code: str, text: str, said: list[str]) -> None:
    assert [person.says for person in Glosses(code).find_all([text])[0]] == said


def test_losses_are_counted_by_what_english_can_say() -> None:
    texts = [
        ("Meine Mutter kennt die Bäckerin.", "Mi madre conoce al panadero."),
        ("Die Ärztin lacht.", "El médico ríe."),
        ("Die Lehrerin schläft.", "La profesora duerme."),
    ]
    rows = [(str(n), *text) for n, text in enumerate(texts)]
    pairs = pl.DataFrame(rows, schema=["id", "source", "rendering"], orient="row")
    persons = Persons(source="de")
    verdicts, _ = judge_pairs(pairs, DetectSettings(source="de", target="es"), persons)
    assert pl.concat(list(verdicts.batches))["stated"].to_list() == ["female"] * 4
    assert persons.lost.startswith(
        "stated genders lost: 2 of 3 where English has one word (Lehrerin), 0 of 1 where English has two (Mutter)"
    )


def test_a_source_without_word_lists_is_refused_by_name(tmp_path: Path) -> None:
    pairs = pl.DataFrame({"id": ["1"], "source": ["Arsts guļ."], "rendering": ["Der Arzt schläft."]})
    with pytest.raises(Unknown, match="unknown source language 'lv'"):
        evenhand.detect(pairs, source="lv", target="de", kind="nouns")
