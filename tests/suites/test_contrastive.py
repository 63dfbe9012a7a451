"""Contrastive suites: published files as they are, own tables, and pairs whose halves differ elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenhand.errors import BadInput
from evenhand.suites.contrastive import differing
from evenhand.suites.registry import load_suite


@pytest.mark.parametrize(
    ("feminine", "masculine", "odd"),
    [
        ("Ich bin Ärztin.", "Ich bin Arzt.", []),
        ("La doctora estaba cansada.", "El doctor estaba cansado.", []),
        ("Elle est l'une des meilleures.", "Il est l'un des meilleurs.", []),
        ("Я устала и ушла.", "Я устал и ушёл.", []),
        ("delle maestre", "dei maestri", []),
        ("Soy la jefa y cantaba.", "Soy el jefe y bailaré siempre.", ["cantaba", "bailaré", "siempre"]),
    ],
)
def test_halves_may_differ_in_forms_of_one_word_only(feminine: str, masculine: str, odd: list[str]) -> None:
    assert differing(feminine, masculine) == odd


def test_eurogest_has_its_stereotypes_and_its_language_from_the_file_s_name(tmp_path: Path) -> None:
    path = tmp_path / "pairs.es.tsv"
    path.write_text(
        "id\tsource\tmasculine\tfeminine\tstereotype\n"
        "1\tI am tired.\tEstoy cansado.\tEstoy cansada.\t3\n"
        "3\tI am proud.\tEstoy orgulloso.\tEstoy orgullosa.\t9\n"
    )
    suite = load_suite(f"eurogest-pairs:{path}")
    assert (suite.kind, suite.targets, suite.name) == ("contrastive", ("es",), "eurogest-es")
    assert suite.probes["about"].to_list() == ["women", "men"]
    assert suite.probes["elsewhere"].null_count() == 2
    with pytest.raises(BadInput, match="does not contain its language"):
        load_suite(f"eurogest-pairs:{path.rename(tmp_path / 'pairs.tsv')}")


def test_gate_s_key_word_is_the_focus(tmp_path: Path) -> None:
    path = tmp_path / "IT_2_variants.tsv"
    path.write_text("source\tf\tm\tkw_s\nThe old boss left.\tLa capa.\tIl capo.\told [boss]\n")
    row = load_suite(f"gate:{path}").probes.row(0, named=True)
    assert (row["focus"], row["focus_start"], row["word"]) == ("boss", 8, "boss")
    assert (row["feminine"], row["masculine"]) == ("La capa.", "Il capo.")


def test_alternatives_keep_sentences_with_one_open_person(tmp_path: Path) -> None:
    path = tmp_path / "gate.en-es.tsv"
    head = (
        "id\tsource\tgender labels of headwords\tsource with headwords\ttranslation with gender structures\t"
        "gender alignments\n"
    )
    rows = [
        "1\tA friend came.\tAmb\tA [[friend]] came.\tVino [[un amigo/una amiga]].\t0-0",
        "2\tA king came.\tMale\tA [[king]] came.\tVino [[un rey/una reina]].\t0-0",
        "3\tA friend met a cook.\tAmb,Amb\tA [[friend]] met a [[cook]].\t[[Un/Una]] a [[un/una]].\t0-0,1-1",
    ]
    path.write_text(head + "\n".join(rows) + "\n")
    probes = load_suite(f"gender-alternatives:{path}").probes
    assert probes.select("feminine", "masculine", "focus").rows() == [("Vino una amiga.", "Vino un amigo.", "friend")]


def test_mt_geneval_s_references_are_halves_of_both_sources(tmp_path: Path) -> None:
    texts = {"feminine": ("She is a boss.", "Sie ist Chefin."), "masculine": ("He is a boss.", "Er ist Chef.")}
    for gender, (english, german) in texts.items():
        for language, text in (("en", english), ("de", german)):
            (tmp_path / f"geneval-sentences-{gender}-test.en_de.{language}").write_text(f"{text}\n")
    suite = load_suite(f"mtgeneval-pairs:{tmp_path}/geneval-sentences-feminine-test.en_de.en")
    assert suite.probes.select("gold", "feminine", "masculine").rows() == [
        ("female", "Sie ist Chefin.", "Er ist Chef."),
        ("male", "Sie ist Chefin.", "Er ist Chef."),
    ]
    assert "contrastive_accuracy" in suite.measures


def test_a_table_with_both_halves_is_a_contrastive_suite(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text(
        "id\tsource\toccupation\tfeminine\tmasculine\tgold\n"
        "a\tThe nurse left.\tnurse\tLa enfermera.\tEl enfermero.\tfemale\n"
        "b\tThe pilot left.\tzeppelin pilot\tLa piloto.\tEl piloto.\tmale\n"
    )
    suite = load_suite(str(path))
    assert suite.kind == "contrastive"
    assert suite.clusters == ("occupation",)
    assert suite.probes["isco08"].to_list()[1] == "none"
    assert suite.probes["isco08"][0].startswith("2") or suite.probes["isco08"][0].startswith("3")
