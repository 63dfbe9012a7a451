"""Who is a person: one answer in every verb, for the same kind of text. Own sentences, read by hand."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import polars as pl
import pytest

import evenhand
from evenhand.persons import DOMAINS, Domain, find
from evenhand.persons.finder import Outcome, open_finder
from evenhand.pipeline.engines import LocalEngine
from evenhand.systems.protocol import Answer, Request
from evenhand.workflows.corpus import corpus
from evenhand.workflows.mended import MendedSystem

# source, rendering, its persons; * may name a thing in interface strings
TABLE = [
    ("The password manager is locked.", "Der Passwortmanager ist gesperrt.", ""),
    ("Use a screen reader.", "Verwenden Sie einen Bildschirmleser.", ""),
    ("The manager is on leave.", "Der Manager ist im Urlaub.", "manager"),
]
INTERFACE = [
    ("Install the printer driver first.", "Installieren Sie zuerst den Druckertreiber.", ""),
    ("The web crawler ignores this page.", "Der Webcrawler ignoriert diese Seite.", ""),
    ("Your disk controller is too old.", "Ihr Festplattencontroller ist zu alt.", ""),
    ("Open the log with a text editor.", "Öffnen Sie das Protokoll mit einem Texteditor.", ""),
    ("Choose a media player.", "Wählen Sie einen Medienspieler.", ""),
    ("The package manager is busy.", "Der Paketmanager ist beschäftigt.", ""),
    ("Insert a card into the card reader.", "Stecken Sie eine Karte in den Kartenleser.", ""),
    ("An SSH agent is running already.", "Ein SSH-Agent läuft schon.", ""),
    ("Ask the owner of this folder.", "Fragen Sie den Besitzer dieses Ordners.", "owner"),
    ("Your administrator has to agree.", "Ihr Administrator muss zustimmen.", "administrator"),
    ("Only members can see this page.", "Nur Mitglieder können diese Seite sehen.", "members"),
    ("Tell your customers what is new.", "Sagen Sie Ihren Kunden, was neu ist.", "customers"),
    ("A teacher has shared a file with you.", "Ein Lehrer hat eine Datei mit Ihnen geteilt.", "teacher"),
    ("The driver could not be loaded.", "Der Treiber konnte nicht geladen werden.", "driver*"),
    ("Enter the name of the host.", "Geben Sie den Namen des Rechners ein.", "host*"),
]
PROSE = [
    ("My grandmother gave her old record player away.", "Meine Oma gab ihren Plattenspieler weg.", "grandmother"),
    ("The vacuum cleaner woke the baby.", "Der Staubsauger weckte das Baby.", "baby"),
    ("He hung the coat on a coat hanger.", "Er hängte den Mantel auf einen Kleiderbügel.", ""),
    ("The bus driver waved at the pupils.", "Der Busfahrer winkte den Schülern.", "driver pupils"),
    ("The chess player lost again.", "Der Schachspieler verlor schon wieder.", "player"),
    ("A window cleaner fell off the ladder.", "Ein Fensterputzer fiel von der Leiter.", "cleaner"),
    ("The newspaper editor was tired.", "Der Zeitungsredakteur war müde.", "editor"),
    ("Our bank manager retired last year.", "Unser Bankdirektor ging letztes Jahr in Rente.", "manager"),
    ("The host greeted every guest.", "Der Gastgeber begrüßte jeden Gast.", "host guest"),
    ("Whoever built this must be a genius.", "Wer das gebaut hat, muss ein Genie sein.", "Whoever genius"),
    ("In this village, the farmers wake up early.", "In diesem Dorf wachen die Bauern früh auf.", "farmers"),
    ("Norway is a candidate for that.", "Norwegen ist dafür ein Kandidat.", ""),
    ("The ladder is the carpenter's best friend.", "Die Leiter ist der beste Freund des Tischlers.", "carpenter"),
    ("I lost my driver's licence in the snow.", "Ich habe im Schnee meinen Führerschein verloren.", ""),
    ("My sister works in a bank as a secretary.", "Meine Schwester ist Sekretärin bei einer Bank.", "sister secretary"),
    ("The American actor left early.", "Der amerikanische Schauspieler ging früh.", "actor"),
    ("The film is not suitable for minors.", "Der Film ist für Minderjährige nicht geeignet.", "minors"),
    ("That was a minor mistake.", "Das war ein kleiner Fehler.", ""),
    ("A master's student helped us.", "Ein Masterstudent half uns.", "student"),
    ("My sister is a doctor who never sleeps.", "Meine Schwester ist Ärztin und schläft nie.", "sister doctor"),
]
PRONOUNS = [
    ("Everyone may leave.", "Jeder darf gehen.", "Everyone"),
    ("Nobody told the teacher.", "Niemand sagte es dem Lehrer.", "Nobody teacher"),
    ("Someone has shared a file with you.", "Jemand hat eine Datei mit Ihnen geteilt.", "Someone"),
    ("One of us has to stay.", "Eine von uns muss bleiben.", "One_of_us"),
    ("Those who asked were right.", "Die, die fragten, hatten recht.", "Those"),
    ("A few of you know it.", "Ein paar von euch wissen es.", "A_few_of_you"),
    ("Some of them were broken.", "Einige von ihnen waren kaputt.", "Some_of_them*"),
    ("She was kind to others.", "Sie war nett zu anderen.", "others*"),
    ("There was hardly anyone who did not laugh.", "Kaum jemand lachte nicht.", "anyone"),
    ("He felt like a nobody.", "Er kam sich wie eine Null vor.", ""),
    ("Shopping malls are popular among teenagers.", "Einkaufszentren sind bei Jugendlichen beliebt.", "teenagers"),
]
SENTENCES = [*TABLE, *INTERFACE, *PROSE, *PRONOUNS]
ALWAYS = ("The nurse came.", "Die Pflegerin kam.", "nurse")  # an audit of text without any person is an error


def expected(domain: Domain) -> dict[str, str]:
    """The persons that verbs judge: in interface strings, not those that may name a thing."""
    judged = {}
    for source, _, persons in (*SENTENCES, ALWAYS):
        words = [word for word in persons.split() if domain == "prose" or not word.endswith("*")]
        judged[source] = " ".join(words).replace("*", "").replace("_", " ")
    return judged


def pairs(folder: Path) -> Path:
    path = folder / "pairs.tsv"
    lines = [f"{n}\t{source}\t{rendering}" for n, (source, rendering, _) in enumerate((*SENTENCES, ALWAYS))]
    path.write_text("\n".join(["id\tsource\trendering", *lines]) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("domain", DOMAINS)
def test_detect_without_marks_judges_them(tmp_path: Path, domain: Domain) -> None:
    verdicts = evenhand.detect(pairs(tmp_path), target="de", domain=domain)
    named: dict[str, list[str]] = defaultdict(list)
    for id_, focus in verdicts.select("id", "focus").iter_rows():
        named[id_.partition("-")[0]].append(focus)
    rows = enumerate((*SENTENCES, ALWAYS))
    assert {source: " ".join(named[str(n)]) for n, (source, _, _) in rows} == expected(domain)


@pytest.mark.parametrize("domain", DOMAINS)
def test_check_file_judges_them(tmp_path: Path, domain: Domain) -> None:
    persons = evenhand.check_file(pairs(tmp_path), target="de", domain=domain, workers=1).persons
    named: dict[str, list[str]] = defaultdict(list)
    for source, person in persons.filter(pl.col("says") != "thing?").select("source", "person").iter_rows():
        named[source].append(person)
    assert {source: " ".join(named[source]) for source in expected(domain)} == expected(domain)


@pytest.mark.parametrize("domain", DOMAINS)
def test_corpus_counts_them(tmp_path: Path, domain: Domain) -> None:
    audited = corpus(pairs(tmp_path), target="de", output=tmp_path / "out", engine=LocalEngine(1), domain=domain)
    named: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for row in evenhand.load_run(tmp_path / "out" / "sample").table.iter_rows(named=True):
        start, end = row["focus_start"], row["focus_end"]
        named[row["source"]].append((start, row["source"][start:end]))
    found = {source: " ".join(word for _, word in sorted(named[source])) for source in expected(domain)}
    assert found == expected(domain)
    assert f"read as {domain}" in audited.findings.manifest.measured


def test_mine_keeps_the_sentences_with_exactly_one_of_open_gender() -> None:
    finder = open_finder("lexicon")
    for source, words in expected("prose").items():
        sighting = finder.only([source])[0]
        if sighting.outcome is Outcome.KEPT:
            assert source[sighting.start : sighting.end] == words
        else:
            pronoun = words and find(source)[0].kind == "pronoun"  # no noun that another one could stand for
            assert pronoun or words.count(" ") or not words or sighting.outcome is Outcome.GENDERED, source


def test_mended_systems_wish_for_them() -> None:
    """A wrapped system offers both genders of everyone whose gender the source leaves open, and of no one else."""
    system = MendedSystem("command:cat", leave_open="alternatives")
    for source, rendering, persons in TABLE:
        request = Request(source, "en", "de")
        offered = system.answer(request, Answer(rendering)).alternatives
        assert bool(offered) == bool(persons), source


@pytest.mark.parametrize("domain", DOMAINS)
def test_find_gives_them_with_what_the_text_says(domain: Domain) -> None:
    for source, words in expected(domain).items():
        nouns = [person for person in find(source, domain=domain) if person.kind != "attributive"]
        assert " ".join(source[one.start : one.end] for one in nouns if not one.thing) == words
        assert all(0 < one.sure <= 1 for one in nouns)


def test_persons_have_a_kind_and_what_states_their_gender() -> None:
    def told(text: str) -> list[tuple[str, str, str, str]]:
        return [(text[one.start : one.end], one.kind, one.says, one.by) for one in find(text)]

    assert told("The nurse lost her keys.") == [("nurse", "noun", "female", "her")]
    assert told("Her manager is late.") == [("manager", "noun", "open", "")]
    assert told("A female pilot met the mechanic.") == [
        ("pilot", "noun", "female", "female"),
        ("mechanic", "noun", "open", ""),
    ]
    assert told("Enter the patient name.") == [("patient", "attributive", "open", "")]
    assert told("Anyone may ask one of us.") == [
        ("Anyone", "pronoun", "open", ""),
        ("one of us", "pronoun", "open", ""),
    ]


def test_he_and_she_beside_a_pronoun_may_mean_that_person() -> None:
    assert [(one.says, one.by) for one in find("Everyone lost her keys.")] == [("unclear", "her")]
    assert [(one.says, one.by) for one in find("Everyone lost his or her keys.")] == [("open", "")]
