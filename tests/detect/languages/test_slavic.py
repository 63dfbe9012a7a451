"""Russian, Ukrainian, Polish and Czech: forms, case, agreement. The sentences are ours, right by construction."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

import polars as pl
import pytest

from evenhand.detect import open_detector
from evenhand.detect.verdict import Verdict
from evenhand.grammar import language
from evenhand.grammar.families import morphology
from evenhand.grammar.families.slavic import Slavic
from evenhand.tsv import rows

Judge = Callable[[str, str, str, str], Verdict]


@pytest.mark.parametrize(
    ("rendering", "gender"),
    [
        ("Врач ушла.", "female"),
        ("Врач ушёл.", "male"),
        ("Вчера врач опоздала на работу.", "female"),
        ("«Я устала», — сказала врач.", "female"),
        ("Врач, которая лечит меня, дома.", "female"),
        ("Мы ждали врача, которая опоздала.", "female"),
        ("Мы ждали врача, который опоздал.", "male"),
        ("Мы говорили с нашей новой врачом.", "female"),
        ("Женщина-врач ушла.", "female"),
        ("Мы позвали врача.", "male"),
        ("Врачу позвонила соседка.", "male"),
        ("Соседка видела врача.", "male"),
        ("Врач всегда готова помочь.", "female"),
        ("Врач точно не была виновата.", "female"),
        ("Здесь опоздала врач.", "female"),
        ("Это наша новая врач.", "female"),
        ("Новая врач говорит быстро.", "female"),
        ("У женщины-врача есть ключ.", "female"),
        ("Мы спросили врача-женщину.", "female"),
        ("Записка врача, которая лежала на столе, пропала.", "male"),
    ],
)
def test_what_agrees_with_a_masculine_russian_noun_can_show_a_woman(judge: Judge, rendering: str, gender: str) -> None:
    assert judge("ru", "The doctor left.", "doctor", rendering).gender == gender


@pytest.mark.parametrize(
    ("source", "focus", "rendering", "gender"),
    [
        ("We asked the judge.", "judge", "Мы спросили судью.", "neutral"),
        ("We asked the judge.", "judge", "Мы спросили молодую судью.", "female"),
        ("The judge smiled.", "judge", "Судья улыбнулся.", "male"),
        ("The victim was crying.", "victim", "Жертва плакала.", "neutral"),
        ("Someone knocked.", "Someone", "Кто-то постучал.", "neutral"),
        ("The teachers are tired.", "teachers", "Учительницы устали.", "female"),
        ("We thanked the cashier.", "cashier", "Мы поблагодарили кассиршу.", "female"),
        ("We thanked the clerk.", "clerk", "Мы поблагодарили служащую.", "female"),
        ("We thanked the clerk.", "clerk", "Мы поблагодарили служащего.", "male"),
        ("We met the patient.", "patient", "Мы встретились с больной.", "female"),
        ("The patient is asleep.", "patient", "Больной спит.", "male"),
    ],
)
def test_russian_nouns_tell_by_form_case_and_fixed_gender(
    judge: Judge, source: str, focus: str, rendering: str, gender: str
) -> None:
    assert judge("ru", source, focus, rendering).gender == gender


@pytest.mark.parametrize(
    ("focus", "rendering"),
    [("cashier", "Мы подошли к кассе."), ("mover", "Мы вызвали мотор."), ("baker", "Мы зашли в пекарню.")],
)
def test_a_russian_rendering_as_a_thing_is_unknown_and_inadequate(judge: Judge, focus: str, rendering: str) -> None:
    verdict = judge("ru", f"We called the {focus}.", focus, rendering)
    assert (verdict.gender, verdict.adequate) == ("unknown", False)


def test_a_verb_that_has_a_subject_does_not_make_its_object_a_woman(judge: Judge) -> None:
    verdict = judge("ru", "The singer woke the carpenter.", "carpenter", "Певица разбудила плотник.")
    assert verdict.gender == "male"


def test_a_headword_outside_the_forms_table_is_found_by_its_likeness_across_scripts(judge: Judge) -> None:
    source = "The old marxist met the phlebologist there."
    assert judge("ru", source, "marxist", "Там старая марксистка встретила флеболога.").gender == "female"
    assert judge("ru", source, "phlebologist", "Там старая марксистка встретила флеболога.").gender == "male"


@pytest.mark.parametrize(
    ("source", "focus", "rendering", "gender"),
    [
        ("The doctor left.", "doctor", "Лікар пішла.", "female"),
        ("The doctor left.", "doctor", "Лікарка пішла.", "female"),
        ("The doctor left.", "doctor", "Лікар пішов.", "male"),
        ("We asked the driver.", "driver", "Ми запитали водія.", "male"),
        ("We asked the driver.", "driver", "Ми запитали водійку.", "female"),
        ("We called the colleague.", "colleague", "Ми подзвонили колезі.", "neutral"),
        ("The colleague smiled.", "colleague", "Моя колега посміхнулася.", "female"),
        ("The driver must wait.", "driver", "Водій повинна чекати.", "female"),
        ("The person left.", "person", "Людина пішла.", "neutral"),
    ],
)
def test_ukrainian_nouns_tell_by_form_and_agreement(
    judge: Judge, source: str, focus: str, rendering: str, gender: str
) -> None:
    assert judge("uk", source, focus, rendering).gender == gender


@pytest.mark.parametrize(
    ("source", "focus", "rendering", "gender"),
    [
        ("The teacher asked the mechanic.", "teacher", "Nauczycielka zapytała mechanika.", "female"),
        ("The teacher asked the mechanic.", "mechanic", "Nauczycielka zapytała mechanika.", "male"),
        ("The doctor left.", "doctor", "Pani doktor wyszła.", "female"),
        ("The doctor left.", "doctor", "Lekarz wyszła.", "female"),
        ("We argued with the accountant.", "accountant", "Kłóciliśmy się z księgową.", "female"),
        ("We argued with the accountant.", "accountant", "Kłóciliśmy się z księgowym.", "male"),
        ("The CEO helped the tailor.", "CEO", "Dyrektor generalny pomógł krawcowej.", "male"),
        ("The CEO helped the tailor.", "tailor", "Dyrektor generalny pomógł krawcowej.", "female"),
        ("The victim fell asleep.", "victim", "Ofiara zasnęła.", "neutral"),
        ("The judge was singing.", "judge", "Sędzia śpiewała.", "female"),
    ],
)
def test_polish_nouns_tell_by_form_and_agreement(
    judge: Judge, source: str, focus: str, rendering: str, gender: str
) -> None:
    assert judge("pl", source, focus, rendering).gender == gender


@pytest.mark.parametrize(
    ("source", "focus", "rendering", "gender"),
    [
        ("The accountant slept.", "accountant", "Účetní spala.", "female"),
        ("The accountant slept.", "accountant", "Účetní spal.", "male"),
        ("We met the accountant.", "accountant", "Potkali jsme účetní.", "neutral"),
        ("We met the judge.", "judge", "Potkali jsme soudkyni.", "female"),
        ("We met the judge.", "judge", "Potkali jsme soudce.", "male"),
        ("We met the nurse.", "nurse", "Potkali jsme zdravotní sestru.", "female"),
        ("The guest arrived.", "guest", "Host přijel.", "neutral"),
    ],
)
def test_czech_nouns_tell_by_form_and_agreement(
    judge: Judge, source: str, focus: str, rendering: str, gender: str
) -> None:
    assert judge("cs", source, focus, rendering).gender == gender


@pytest.fixture
def without_dictionaries(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine where the extra `languages` is not installed."""
    monkeypatch.setattr(morphology, "find_spec", lambda _: None)


@pytest.mark.usefixtures("without_dictionaries")
@pytest.mark.parametrize(("code", "form", "lemma"), [("ru", "кассиршей", "кассирша"), ("uk", "водієві", "водій")])
def test_without_pymorphy_endings_still_lead_to_the_listed_form(code: str, form: str, lemma: str) -> None:
    spoken = cast("type[Slavic]", type(language(code)))()
    assert spoken.analyser.source == "endings"
    assert lemma in spoken.lookups(form)


@pytest.mark.parametrize("code", ["ru", "uk", "pl", "cs"])
def test_the_form_itself_is_looked_up_first(code: str) -> None:
    spoken = language(code)
    for form in ("врача", "лікаря", "lekarza", "lékaře"):
        assert spoken.lookups(form)[0] == form


PAIRS = list(rows(Path(__file__).parent / "slavic_pairs.tsv"))


@pytest.mark.parametrize("code", sorted({row["language"] for row in PAIRS}))
def test_persons_of_the_newer_languages_have_the_gender_a_reader_sees(code: str) -> None:
    mine = [row for row in PAIRS if row["language"] == code]
    cut = [row["source"].split("*") for row in mine]
    table = pl.DataFrame(
        {
            "id": [str(n) for n in range(len(mine))],
            "source": ["".join(parts) for parts in cut],
            "focus_start": [len(before) for before, _, _ in cut],
            "focus_end": [len(before) + len(focus) for before, focus, _ in cut],
            "rendering": [row["rendering"] for row in mine],
        }
    )
    verdicts = open_detector("nouns", source="en", target=code).detect(table)["gender"]
    wrong = [
        (row["rendering"], gender)
        for row, gender in zip(mine, verdicts.cast(pl.String), strict=True)
        if gender != row["gender"]
    ]
    assert not wrong


def test_a_serbian_blonde_is_a_woman_in_both_scripts() -> None:
    renderings = ["Meri je prirodna plavuša.", "Мери је природна плавуша."]
    pairs = pl.DataFrame({"id": ["1", "2"], "source": ["Mary is a natural blonde."] * 2, "rendering": renderings})
    verdicts = open_detector("nouns", source="en", target="sr").detect(pairs.with_columns(focus=pl.lit("blonde")))
    assert verdicts["gender"].cast(pl.String).to_list() == ["female", "female"]
