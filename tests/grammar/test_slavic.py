"""What agrees with a person in Slavic languages, and the forms of words, through `evenhand.open_grammar`."""

from __future__ import annotations

import pytest

import evenhand


def links(code: str, text: str, noun: str) -> dict[str, str]:
    """Words that agree with a noun of the text, with their kinds."""
    grammar = evenhand.open_grammar(code)
    sentence = grammar.analyse(text)
    at = next(i for i, token in enumerate(sentence.tokens) if token.text == noun)
    return {sentence.tokens[link.at].text: link.kind for link in grammar.agrees_with(sentence, at)}


@pytest.mark.parametrize(
    ("code", "text", "noun", "expected"),
    [
        ("ru", "Хулиган сбежала.", "Хулиган", {"сбежала": "predicate"}),
        ("ru", "Спасибо врачу, принявшей больного.", "врачу", {"принявшей": "participle"}),
        ("ru", "Наш новый врач, которая приехала вчера, устала.", "врач",
         {"Наш": "determiner", "новый": "adjective", "которая": "relative", "приехала": "predicate",
          "устала": "predicate"}),
        ("ru", "Встретили присланных из города учителей.", "учителей", {"присланных": "participle"}),
        ("ru", "Он прочёл петицию фермера, которая лежала на столе.", "фермера", {}),
        ("ru", "Вчера родилась его дочь.", "дочь", {"его": "determiner", "родилась": "predicate"}),
        ("ru", "Он снялся в фильме «Офицер» и уехал.", "Офицер", {}),
        ("ru", "Брат, вдруг погасла лампа.", "Брат", {}),
        ("ru", "Врачи уехали без нас, которых никто не спросил.", "Врачи", {"уехали": "predicate"}),
        ("ru", "Среди гостей находился и посол Франции.", "посол", {"находился": "predicate"}),
        ("uk", "Дружні й уважні лікарі прийшли.", "лікарі",
         {"Дружні": "adjective", "уважні": "adjective", "прийшли": "predicate"}),
        ("pl", "Sędziowie przyszli.", "Sędziowie", {"przyszli": "predicate"}),
        ("cs", "Nové lékařky přišly.", "lékařky", {"Nové": "adjective", "přišly": "predicate"}),
        ("cs", "Vedení učitelů rozhodlo.", "učitelů", {}),
        ("cs", "Pomohl mladým lidem a odpovědné pracovníky pochválil.", "lidem", {"mladým": "adjective"}),
        ("cs", "Pochválili odpovědné pracovníky.", "pracovníky", {"odpovědné": "adjective"}),
        ("cs", "Práce starších lidí, kteří tu žijí, je těžká.", "lidí", {"starších": "adjective", "kteří": "relative"}),
        ("sk", "Zahraničná politika je tvrdá.", "politika", {"Zahraničná": "adjective"}),
        ("sl", "Poznam zdravnico, ki je prišla.", "zdravnico", {"prišla": "predicate"}),
        ("sl", "Poznam zdravnico, ki jo je srečal.", "zdravnico", {}),
        ("sl", "To je naredil zdravnik.", "zdravnik", {"naredil": "predicate"}),
        ("sl", "Ker so novinarji skeptični, molčijo.", "novinarji", {"skeptični": "predicate"}),
        ("hr", "To ne bi bila parada, kazala je članica odbora.", "članica", {"kazala": "predicate"}),
        ("pl", "Wbrew lekarce wyszli.", "lekarce", {}),
        ("cs", "Všichni včetně lékařky odešli.", "lékařky", {}),
        ("bg", "Съдията беше доволна.", "Съдията", {"доволна": "predicate"}),
        ("cs", "Ministr je spokojená.", "Ministr", {"spokojená": "predicate"}),
        ("hr", "Države su dobile tisuće igrača.", "igrača", {}),
        ("cs", "Cena určená účetní jednotkou platí.", "účetní", {}),
    ],
)  # fmt: skip
def test_what_agrees_with_a_person(code: str, text: str, noun: str, expected: dict[str, str]) -> None:
    if code in {"ru", "uk"}:
        pytest.importorskip(f"pymorphy3_dicts_{code}")
    assert links(code, text, noun) == expected


@pytest.mark.parametrize(
    ("code", "word", "gender", "form"),
    [
        ("ru", "учитель", "f", "учительница"),
        ("ru", "студентам", "f", "студенткам"),
        ("ru", "который", "f", "которая"),
        ("ru", "пришла", "m", "пришёл"),
        ("uk", "вчителька", "m", "вчитель"),
        ("pl", "nauczyciela", "f", "nauczycielki"),
        ("pl", "zrobiła", "m", "zrobił"),
        ("pl", "któremu", "f", "której"),
        ("cs", "učitel", "f", "učitelka"),
        ("cs", "přišla", "m", "přišel"),
        ("cs", "mladého", "f", "mladé"),
        ("sk", "učiteľ", "f", None),
    ],
)
def test_a_word_is_inflected_where_a_paradigm_has_the_form(code: str, word: str, gender: str, form: str | None) -> None:
    package = {"ru": "pymorphy3_dicts_ru", "uk": "pymorphy3_dicts_uk", "pl": "morfeusz2"}.get(code)
    if package:
        pytest.importorskip(package)
    grammar = evenhand.open_grammar(code)
    assert grammar.inflect(grammar.analyse(word)[0], gender=gender) == form


@pytest.mark.parametrize(
    ("code", "word", "gender", "number"),
    [("ru", "назначена", "f", "s"), ("uk", "яка", "f", "s"), ("cs", "hradu", "m", "s"), ("cs", "nová", "f", "s")],
)
def test_readings_hold_gender_and_number(code: str, word: str, gender: str, number: str) -> None:
    readings = evenhand.open_grammar(code).analyse(word)[0].readings
    assert any(reading.can_be(gender=gender, number=number) for reading in readings)


@pytest.mark.parametrize(("code", "word"), [("pl", "wbrew"), ("pl", "spod"), ("cs", "včetně"), ("uk", "заради")])
def test_a_preposition_is_one_wherever_it_is_listed(code: str, word: str) -> None:
    grammar = evenhand.open_grammar(code)
    assert grammar.kind(word) == "preposition"  # type: ignore[attr-defined]
    assert grammar.function_word(word)
