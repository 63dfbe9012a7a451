"""Sentences whose gender a reader of the language sees at once, by kind of evidence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from evenhand.detect.nouns import NounDetector, shipped
from evenhand.detect.verdict import Verdict
from evenhand.errors import Unknown
from evenhand.grammar.english import singular
from evenhand.storage.tables import JUDGED

Judge = Callable[[str, str, str, str], Verdict]

FORMS = [
    ("de", "The nurse slept.", "nurse", "Die Krankenschwester schlief.", "female"),
    ("de", "The nurse slept.", "nurse", "Der Krankenpfleger schlief.", "male"),
    ("de", "He thanked the teachers.", "teachers", "Er dankte den Lehrerinnen.", "female"),
    ("de", "He met the software developer.", "developer", "Er traf die Softwareentwicklerin.", "female"),
    ("es", "The lawyer left.", "lawyer", "La abogada se fue.", "female"),
    ("es", "The housekeeper slept.", "housekeeper", "El ama de llaves dormía.", "female"),
    ("fr", "The lawyer left.", "lawyer", "L'avocate est partie.", "female"),
    ("fr", "The lawyer left.", "lawyer", "L’avocat est parti.", "male"),
    ("it", "He thanked the nurses.", "nurses", "Ringraziò le infermiere.", "female"),
    ("it", "The nurse slept.", "nurse", "L'infermiere dormiva.", "male"),
    ("pt", "The teacher left.", "teacher", "A professora saiu.", "female"),
    ("ca", "The doctor left.", "doctor", "La metgessa va marxar.", "female"),
]
ARTICLES = [
    ("uk", "The nurse and the engineer came.", "engineer", "Медсестра та інженер прийшли.", "male"),  # та: and
    ("uk", "The cook and his lawyer came.", "lawyer", "Кухар та його адвокат прийшли.", "male"),
    ("uk", "That doctor left.", "doctor", "Та лікар пішла.", "female"),
    ("de", "The employee sat there.", "employee", "Die Angestellte saß da.", "female"),
    ("de", "The employee sat there.", "employee", "Der Angestellte saß da.", "male"),
    ("de", "He saw the employee.", "employee", "Er sah den Angestellten.", "male"),
    ("de", "He spoke with the employee.", "employee", "Er sprach mit der Angestellten.", "female"),
    ("de", "An employee came.", "employee", "Ein Angestellter kam.", "male"),
    ("de", "The CEO went home.", "CEO", "Der CEO ging nach Hause.", "male"),
    ("de", "He talked to the CEO.", "CEO", "Er sprach mit der CEO.", "female"),
    ("es", "The manager left.", "manager", "La gerente se fue.", "female"),
    ("es", "He thanked the manager.", "manager", "Dio las gracias al gerente.", "male"),
    ("es", "The doctor left.", "doctor", "La médico se fue.", "female"),
    ("fr", "The secretary left.", "secretary", "La secrétaire est partie.", "female"),
    ("fr", "He talked to the judge.", "judge", "Il a parlé au juge.", "male"),
    ("it", "He wrote to a colleague.", "colleague", "Scrisse a un'altra collega.", "female"),
    ("it", "He wrote to a colleague.", "colleague", "Scrisse a un collega.", "male"),
    ("pt", "He called the dentist.", "dentist", "Ele ligou para a dentista.", "female"),
    ("pt", "the dentist's chair", "dentist", "a cadeira do dentista", "male"),
]
AGREEMENT = [
    ("fr", "The student left.", "student", "L'élève est partie.", "female"),
    ("fr", "The student left.", "student", "L'élève est arrivé.", "male"),
    ("it", "The teacher left.", "teacher", "L'insegnante è andata via.", "female"),
    ("it", "The teacher was hired.", "teacher", "L'insegnante che è stato assunto sorride.", "male"),
    ("es", "She was named officer.", "officer", "Fue nombrada oficial.", "female"),
    ("es", "as an interim manager", "manager", "como gerente interina", "female"),
    ("pt", "She is active as an artist.", "artist", "É ativa como artista.", "female"),
    ("es", "He is very active as an artist.", "artist", "Es muy activo como artista.", "male"),
]
NEUTRAL = [
    ("de", "The cleaner slept.", "cleaner", "Die Reinigungskraft schlief."),
    ("de", "The guard slept.", "guard", "Die Wache schlief."),
    ("de", "The employees left.", "employees", "Die Angestellten gingen."),
    ("de", "He met someone.", "someone", "Er traf jemanden."),
    ("fr", "The victim slept.", "victim", "La victime dormait."),
    ("fr", "Someone slept.", "Someone", "Quelqu'un dormait."),
    ("es", "The person slept.", "person", "La persona dormía."),
    ("es", "his manager's car", "manager", "el coche de su gerente"),
    ("it", "The guard slept.", "guard", "La guardia dormiva."),
    ("it", "He talked to the teacher.", "teacher", "Parlò con l'insegnante."),
    ("pt", "The child slept.", "child", "A criança dormia."),
]
BOTH = [
    ("de", "The teachers left.", "teachers", "Die Lehrer:innen gingen."),
    ("de", "The teachers left.", "teachers", "Die Lehrer*innen gingen."),
    ("de", "The teachers left.", "teachers", "Die LehrerInnen gingen."),
    ("de", "The teachers left.", "teachers", "Die Lehrerinnen und Lehrer gingen."),
    ("de", "The employee left.", "employee", "Der/die Angestellte ging."),
    ("es", "The doctor left.", "doctor", "El/la médico se fue."),
    ("es", "The doctor left.", "doctor", "El doctor o la doctora se fue."),
    ("es", "The students left.", "students", "L@s alumn@s se fueron."),
    ("fr", "The students left.", "students", "Les étudiant·e·s sont partis."),
    ("fr", "The students left.", "students", "Les étudiant(e)s sont partis."),
    ("pt", "The teacher left.", "teacher", "O professor ou a professora saiu."),
]


@pytest.mark.parametrize(("code", "source", "focus", "rendering", "gender"), FORMS + ARTICLES + AGREEMENT)
def test_the_noun_phrase_tells_the_gender(
    *, judge: Judge, code: str, source: str, focus: str, rendering: str, gender: str
) -> None:
    assert judge(code, source, focus, rendering).gender == gender


@pytest.mark.parametrize(("code", "source", "focus", "rendering"), NEUTRAL)
def test_words_that_leave_the_gender_open_are_neutral(
    judge: Judge, code: str, source: str, focus: str, rendering: str
) -> None:
    assert judge(code, source, focus, rendering).gender == "neutral"


@pytest.mark.parametrize(("code", "source", "focus", "rendering"), BOTH)
def test_notations_and_pairs_name_both_genders(
    judge: Judge, code: str, source: str, focus: str, rendering: str
) -> None:
    assert judge(code, source, focus, rendering).gender == "both"


def test_a_pronoun_never_decides_but_its_contradiction_is_recorded(judge: Judge) -> None:
    verdict = judge("de", "The clerk slept because she was tired.", "clerk", "Der Beamte schlief, weil sie müde war.")
    assert (verdict.gender, verdict.conflict) == ("male", True)
    assert not judge("de", "The clerk slept.", "clerk", "Der Beamte schlief, weil er müde war.").conflict


def test_the_evidence_points_at_the_noun_in_the_rendering(judge: Judge) -> None:
    rendering = "Gestern schlief die müde Krankenschwester."
    verdict = judge("de", "Yesterday the tired nurse slept.", "nurse", rendering)
    assert rendering[verdict.start : verdict.end] == "Krankenschwester"
    assert str(verdict.evidence).split()[-1] == "Krankenschwester"


def test_a_focus_rendered_as_a_thing_is_unknown_and_inadequate(judge: Judge) -> None:
    verdict = judge("de", "The mover slept.", "mover", "Der Umzug schlief.")
    assert (verdict.gender, verdict.adequate) == ("unknown", False)
    assert "Umzug" in (verdict.reason or "")


def test_an_empty_rendering_is_unknown_with_its_reason(judge: Judge) -> None:
    verdict = judge("es", "The nurse slept.", "nurse", "  ")
    assert (verdict.gender, verdict.confidence, verdict.reason) == ("unknown", 0.0, "the rendering is empty")


def test_the_users_forms_win_over_the_shipped_ones(tmp_path: Path) -> None:
    own = tmp_path / "own.tsv"
    own.write_text("concept\tfemale\tmale\tneutral\tother\nmover\t\t\tMover\t\n", encoding="utf-8")
    plain, taught = shipped("en", "de"), NounDetector("en", "de", user_forms=own)
    assert plain.verdict("The mover slept.", "Der Mover schlief.", 4, 9).gender == "male"
    assert taught.verdict("The mover slept.", "Der Mover schlief.", 4, 9).gender == "neutral"
    assert taught.verdict("The mover slept.", "Der Mover schlief.", 4, 9).how == "person"
    assert plain.fingerprint != taught.fingerprint


def test_a_label_for_words_with_their_article_holds_for_exactly_those_words(tmp_path: Path) -> None:
    own = tmp_path / "own.tsv"
    own.write_text("concept\tfemale\tmale\tneutral\tother\nguard\tdie Wache\t\t\t\n", encoding="utf-8")
    taught = NounDetector("en", "de", user_forms=own)
    assert taught.verdict("The guard slept.", "Die Wache schlief.", 4, 9).gender == "female"
    assert taught.verdict("He saw a guard.", "Er sah eine Wache.", 9, 14).gender == "neutral"


def test_the_table_has_one_row_a_pair_in_the_same_order() -> None:
    pairs = pl.DataFrame(
        {
            "id": ["b", "a", "c"],
            "source": ["The nurse slept.", "The nurse slept.", "The nurse slept."],
            "rendering": ["La enfermera dormía.", "", "El enfermero dormía."],
            "focus": ["nurse", "nurse", "nurse"],
        }
    )
    verdicts = shipped("en", "es").detect(pairs)
    assert verdicts.schema == pl.Schema({"id": pl.String(), **JUDGED})
    assert verdicts["id"].to_list() == ["b", "a", "c"]
    assert verdicts["gender"].to_list() == ["female", "unknown", "male"]
    assert shipped("en", "es").detect(pairs.clear()).height == 0


def test_an_unknown_language_is_named_with_the_known_ones() -> None:
    with pytest.raises(Unknown, match="de, el, es"):
        NounDetector("en", "tlh")
    with pytest.raises(Unknown, match="unknown source language 'lv'"):
        NounDetector("lv", "de")


def test_learning_from_the_rows_at_hand_finds_a_word_no_table_knows() -> None:
    """In a made-up tongue only the pool can say which word renders the focus."""
    pytest.importorskip("systran_align")
    things = ["bread", "milk", "water", "tea", "rice", "soup", "fish", "meat"]
    said = ["brot", "milch", "wasser", "tee", "reis", "suppe", "fisch", "fleisch"]
    rows = [(f"The frobnicator ate {a}.", f"Der Quaxler aß {b}.") for a, b in zip(things, said, strict=True)]
    rows += [(f"The cook ate {a}.", f"Der Koch aß {b}.") for a, b in zip(things, said, strict=True)]
    pool = pl.DataFrame(rows * 4, schema=["source", "rendering"], orient="row")
    plain, taught = shipped("en", "de"), NounDetector("en", "de", pool=pool)
    source, rendering = "The cook saw the frobnicator.", "Der Koch sah die Nudel und die Quaxlerin."
    start = source.index("frob")
    assert taught.fingerprint != plain.fingerprint
    verdict = taught.verdict(source, rendering, start, start + len("frobnicator"))
    assert rendering[verdict.start : verdict.end] == "Quaxlerin"
    assert verdict.gender == "female"


@pytest.mark.parametrize(
    ("plural", "single"),
    [
        ("critics", "critic"),
        ("rookies", "rookie"),
        ("ladies", "lady"),
        ("heroes", "hero"),
        ("Iraqis", "iraqi"),
        ("crisis", "crisis"),
        ("genius", "genius"),
        ("geniuses", "genius"),
        ("passers-by", "passer-by"),
        ("sisters-in-law", "sister-in-law"),
        ("witnesses", "witness"),
        ("spouses", "spouse"),
    ],
)
def test_english_plurals_are_cut_to_the_word_in_the_tables(plural: str, single: str) -> None:
    assert singular(plural.lower()) == single


def test_a_borrowed_word_spelt_as_in_english_renders_the_focus() -> None:
    assert shipped("en", "fr").verdict("The hooligan fled.", "Le hooligan s'est enfui.", 4, 12).adequate is not False
