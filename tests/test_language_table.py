"""One table of languages: every room's languages have a name, and a code may be written as people write it."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import evenhand
from evenhand import languages
from evenhand.cli.embeddings import embeddings
from evenhand.detect import open_detector
from evenhand.detect.pronouns import rules
from evenhand.embeddings.wordlists import LANGUAGES as WITH_WORD_LISTS
from evenhand.grammar import codes
from evenhand.report.words.vocabulary import language
from evenhand.suites.registry import list_suites


def test_every_language_a_room_knows_has_a_name() -> None:
    folder = files("evenhand.grammar")
    folders = {
        place.name
        for place in folder.iterdir()
        if (place / "determiners.tsv").is_file() or (place / "nouns.tsv").is_file()
    }
    named = {folder for entry in languages.known().values() for folder in (entry.nouns, entry.source) if folder}
    assert named == folders
    sources = {entry.argument for entry in list_suites() if entry.name.startswith("pronouns-")}
    assert sources == {code for code, entry in languages.known().items() if entry.pronouns == "one"}
    judged = {code for code, rule in rules() if rule == "evenhand"}
    assert judged == {code for code, entry in languages.known().items() if entry.pronouns == "judged"}
    for code in {*codes(), *judged, *WITH_WORD_LISTS, *(source or "" for source in sources)}:
        assert language(code) == languages.known()[code].name != code


def test_greek_has_its_name_in_reports() -> None:
    assert language("el") == "Greek"
    assert language("EL") == "Greek"


@pytest.mark.parametrize(
    ("given", "kept", "base", "name"),
    [
        ("EN", "en", "en", "English"),
        ("eng", "en", "en", "English"),
        ("pt-br", "pt-BR", "pt", "Portuguese (BR)"),
        ("PT_BR", "pt-BR", "pt", "Portuguese (BR)"),
        ("por_Latn", "pt", "pt", "Portuguese"),
        ("arb_Arab", "ar", "ar", "Arabic"),
        ("zho_Hant", "zh-Hant", "zh", "Chinese (Hant)"),
        ("sr-latn-rs", "sr-Latn-RS", "sr", "Serbian (Latn-RS)"),
        ("TLH", "tlh", "tlh", "TLH"),
        ("?", "?", "?", "?"),
    ],
)
def test_a_code_is_read_as_people_write_it(given: str, kept: str, base: str, name: str) -> None:
    assert (languages.code(given), languages.primary(given), languages.name_of(given)) == (kept, base, name)
    assert languages.code(kept) == kept


def test_own_probes_and_word_lists_take_codes_as_people_write_them(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text("id\tsource\tsource_lang\np\tŐ orvos.\tHU\n", encoding="utf-8")
    assert evenhand.load_suite(path).source_lang == "hu"
    refused = CliRunner().invoke(embeddings, ["audit", "--language", "PT-br", "--vectors", str(tmp_path / "no.vec")])
    assert "no.vec: no such file" in str(refused.exception)


def test_no_two_languages_share_a_code_or_a_name() -> None:
    table = languages.known().values()
    for column in ("name", "iso639_3"):
        values = [getattr(entry, column) for entry in table]
        assert len(values) == len(set(values))
    assert all(entry.flores in ("", f"{entry.flores[:3]}_{entry.script}") for entry in table)


def test_an_audit_into_a_region_judges_that_language(tmp_path: Path) -> None:
    suite = evenhand.load_suite("pronouns-basque").only(["kind=positive"])
    run = evenhand.audit(suite, lambda texts: ["She is here."] * len(texts), target="EN_gb", memory=tmp_path / "m.db")
    assert run.manifest.target_lang == "en-GB"
    assert set(run.verdicts["gender"]) == {"female"}
    pairs = pl.DataFrame({"id": ["1"], "source": ["The nurse."], "focus": ["nurse"], "rendering": ["A enfermeira."]})
    verdicts = [open_detector("nouns", source="EN", target=code).detect(pairs) for code in ("pt", "PT-br", "por_Latn")]
    assert verdicts[0].equals(verdicts[1])
    assert verdicts[0].equals(verdicts[2])


@pytest.mark.parametrize(
    ("code", "way"), [("he", "rtl"), ("arb_Arab", "rtl"), ("fa", "rtl"), ("de", "ltr"), ("xx", "ltr"), ("", "ltr")]
)
def test_languages_are_written_from_their_own_side(code: str, way: str) -> None:
    assert languages.direction(code) == way
