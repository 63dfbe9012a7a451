"""check_file: persons in the source strings, the gender of the translation, notes and what fails a gate."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import evenhand
from evenhand.detect.branches import branches, paired
from evenhand.detect.markup import plain
from evenhand.errors import BadInput
from evenhand.persons.finder import LexiconFinder, decapitalised

FINDER = LexiconFinder()


def tsv(folder: Path, *pairs: tuple[str, str]) -> Path:
    path = folder / "strings.tsv"
    path.write_text("source\trendering\n" + "".join(f"{a}\t{b}\n" for a, b in pairs), encoding="utf-8")
    return path


def findings(path: Path) -> list[tuple[str, str, str, str | None]]:
    table = evenhand.check_file(path, target="de", workers=1).persons
    return table.select("person", "says", "gender", "finding").rows()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The doctor finished her shift.", [("doctor", "female")]),
        ("He is a nurse.", [("nurse", "male")]),
        ("A female pilot landed.", [("pilot", "female")]),
        ("The woman pilot landed.", [("pilot", "female")]),
        ("My mother called.", [("mother", "female")]),
        ("The user has been deleted.", [("user", "open")]),
        ("A user can change his or her name.", [("user", "open")]),
        ("Her manager agreed.", [("manager", "open")]),
        ("The pilot taught the gardener to draw her.", [("pilot", "unclear"), ("gardener", "unclear")]),
        ("She said that the driver left.", [("driver", "unclear")]),
        ("The baker showed someone where he could sleep.", [("baker", "unclear"), ("someone", "unclear")]),
        ("The poet sent the baker flour before he slept.", [("poet", "unclear")]),
        ("Anna is the owner.", [("owner", "unclear")]),
        ("The users lost his file.", [("users", "unclear")]),
        ("Save changes", []),
    ],
)
def test_what_a_string_says_of_the_gender(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(text[m.start : m.end], m.says) for m in FINDER.find_all([text])[0]] == expected


def test_a_label_in_title_case_names_its_persons() -> None:
    assert decapitalised("Delete This User") == "Delete this user"
    assert decapitalised("Ask Anna for the key") == "Ask Anna for the key"
    assert decapitalised("User") == "User"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("%d users of <b>%1$s</b>, {name} and ${x}", "users of , and"),
        ("100% of %(n)s users", "100% of users"),
        ("E&xit as _user", "Exit as user"),
        ("{{count}} users &amp; guests", "users & guests"),
        ("%1 of %2 %n %@", "of"),
        ("Write to a.b@example.org or https://example.org/user?a=1 now", "Write to or now"),
        ("user_id goes, 5 % of users stay", "goes, 5 % of users stay"),
        ("MAILMAN_CONFIG_FILE, $owner_email and list:admin:notice.txt", ", and"),
    ],
)
def test_placeholders_tags_and_shortcuts_are_no_words(text: str, words: str) -> None:
    assert " ".join(plain(text).split()) == words


def test_an_icu_message_is_judged_in_every_text_it_can_become() -> None:
    message = "{n, plural, one {# user of {g, select, female {her} other {their}} group} other {# users}}"
    assert [(one.keys, one.text.split()) for one in branches(message)] == [
        ({"n": "one", "g": "female"}, ["user", "of", "her", "group"]),
        ({"n": "one", "g": "other"}, ["user", "of", "their", "group"]),
        ({"n": "other"}, ["users"]),
    ]
    both = paired("{n, plural, one {a user} other {users}}", "{n, plural, one {A} few {B} other {C}}")
    assert [(source.text, text) for source, text in both] == [("a user", "A"), ("users", "B"), ("users", "C")]
    assert branches("{n, plural, one {broken")[0].text == "{n, plural, one {broken"
    assert branches("Use '{' and {name}")[0].text == "Use '{' and {name}"


def test_open_and_stated_genders_beside_what_the_translation_gives(tmp_path: Path) -> None:
    path = tsv(
        tmp_path,
        ("The user <b>%s</b> has been deleted.", "Der Benutzer <b>%s</b> wurde gelöscht."),
        ("The nurse finished his shift.", "Die Krankenschwester hat ihre Schicht beendet."),
        ("The nurse finished his shift.", "Der Krankenpfleger hat seine Schicht beendet."),
        ("Contact Your Teacher", "Wenden Sie sich an Ihre Lehrkraft"),
        ("Save", "Sichern"),
        ("The user left.", ""),
    )
    assert findings(path) == [
        ("user", "open", "male", "open"),
        ("nurse", "male", "female", "wrong"),
        ("nurse", "male", "male", None),
        ("teacher", "open", "neutral", None),
    ]
    checked = evenhand.check_file(path, target="de", workers=1)
    assert (checked.strings, dict(checked.pending)) == (6, {"untranslated": 1})
    assert checked.failing(["wrong"])["unit"].to_list() == [1]
    assert checked.failing(["open-female"]).is_empty()
    assert checked.failing(["open-male", "wrong"]).height == 2
    with pytest.raises(BadInput, match="unknown failure 'stated'"):
        checked.failing(["stated"])


def test_words_that_are_things_in_programs_are_no_findings(tmp_path: Path) -> None:
    path = tsv(
        tmp_path,
        ("The driver is missing.", "Der Treiber fehlt."),
        ("Drop the placeholder", "Den Platzhalter entfernen"),
        ("Set user.name or --user first.", "Zuerst user.name oder --user setzen."),
    )
    assert findings(path) == [("driver", "thing?", "male", None)]
    checked = evenhand.check_file(path, target="de", persons=["Driver"], things=["nurse"])
    assert checked.persons.select("person", "says", "finding").rows() == [("driver", "open", "open")]


def test_a_select_by_gender_states_it(tmp_path: Path) -> None:
    source = "{g, select, female {The user left.} other {The user left.}}"
    path = tsv(tmp_path, (source, "{g, select, female {Der Benutzer ging.} other {Die Person ging.}}"))
    assert findings(path) == [("user", "female", "male", "wrong"), ("user", "open", "neutral", None)]


def test_two_processes_find_what_one_finds(tmp_path: Path) -> None:
    lines = [(f"The user left at {n}.", f"Der Benutzer ging um {n}.") for n in range(4_500)]
    path = tsv(tmp_path, *lines)
    alone, together = (evenhand.check_file(path, target="de", workers=n).persons for n in (1, 2))
    assert alone.equals(together)
    assert alone.filter(pl.col("finding") == "open").height == 4_500


def test_messages_of_one_language_find_their_sources_in_another_file(tmp_path: Path) -> None:
    english, german = tmp_path / "en.json", tmp_path / "de.json"
    english.write_text(json.dumps({"a": {"b": "The doctor lost her keys."}, "c": "The user"}))
    german.write_text(json.dumps({"a": {"b": "Der Arzt hat seine Schlüssel verloren."}, "d": "Nutzer"}))
    checked = evenhand.check_file(german, target="de", sources=english)
    assert checked.persons.select("id", "finding").rows() == [("a.b", "wrong")]
    assert dict(checked.pending) == {"no source": 1}
    assert list(json.loads(checked.annotated())) == ["a.b"]
    with pytest.raises(BadInput, match="this format has no place for notes"):
        checked.write(german)
    with pytest.raises(BadInput, match="contains no source strings; name their file with --sources"):
        evenhand.check_file(german, target="de")
    with pytest.raises(BadInput, match="name the language of the translations with --target"):
        evenhand.check_file(german.rename(tmp_path / "messages.json"), sources=english)


def test_a_language_without_she_and_he_is_judged_by_pronouns(tmp_path: Path) -> None:
    path = tsv(tmp_path, ("Ő orvos.", "He is a doctor."), ("Ő ápoló.", "They are a nurse."), ("Mentés", "Save"))
    checked = evenhand.check_file(path, source="hu", target="en")
    assert checked.persons.select("gender", "finding").rows() == [("male", "open"), ("neutral", None)]
    with pytest.raises(BadInput, match="strings in German cannot be checked"):
        evenhand.check_file(path, source="de", target="fr")


def test_what_was_wrong_is_written_into_the_file_and_only_that(tmp_path: Path) -> None:
    path = tmp_path / "de.po"
    content = 'msgid ""\nmsgstr "Language: de\\n"\n\nmsgid "The user left."\nmsgstr "{}"\n'
    path.write_text(content.format("Die Person ging."))
    checked = evenhand.check_file(path)
    checked.write(tmp_path / "same.po")
    assert (tmp_path / "same.po").read_bytes() == path.read_bytes()
    path.write_text(content.format("Der Benutzer ging."))
    evenhand.check_file(path).write(path)
    told = "# evenhand: user: the source leaves the gender open, the translation says male (Benutzer)\n"
    assert path.read_text() == content.format("Der Benutzer ging.").replace('msgid "The', f'{told}msgid "The')


def test_own_strings_of_a_localisation_file_are_audited_with_the_translations_in_it(tmp_path: Path) -> None:
    path = tmp_path / "de.po"
    path.write_text(
        'msgid ""\nmsgstr "Language: de\\n"\n\nmsgid "The user met the teacher."\n'
        'msgstr "Der Benutzer traf die Lehrerin."\n\nmsgid "Save"\nmsgstr "Sichern"\n'
    )
    settings = evenhand.Settings(resamples=50)
    run = evenhand.audit(str(path), f"file:{path}", target="de", memory=tmp_path / "m.sqlite", settings=settings)
    assert run.table["gender"].cast(pl.String).to_list() == ["male", "female"]
    keys, german = tmp_path / "en.json", tmp_path / "de.json"
    keys.write_text(json.dumps({"a": {"b": "The user left."}, "c": "Save"}))
    german.write_text(json.dumps({"a": {"b": "Die Benutzerin ging."}, "c": "Sichern"}))
    run = evenhand.audit(str(keys), f"file:{german}", target="de", memory=tmp_path / "m.sqlite", settings=settings)
    assert run.table["gender"].cast(pl.String).to_list() == ["female"]
    judged = evenhand.detect(path, target="de")
    assert judged["gender"].cast(pl.String).to_list() == ["male", "female"]


def test_a_suggestion_is_withheld_where_it_would_lose_inline_elements(tmp_path: Path) -> None:
    path = tmp_path / "es.xlf"
    unit = '<trans-unit id="{}"><source>The doctor is here.</source><target>{}</target></trans-unit>'
    units = unit.format(1, 'El <g id="1">doctor</g> está aquí.') + unit.format(2, "El doctor está aquí.")
    path.write_text(
        '<xliff version="1.2"><file original="a" source-language="en" target-language="es"><body>'
        f"{units}</body></file></xliff>",
        encoding="utf-8",
    )
    noted = evenhand.check_file(path).annotated(suggest=True).decode()
    first, _, second = noted.partition('id="2"')
    assert "La doctora" not in first
    assert "; female: La doctora está aquí." in second


def test_notes_may_suggest_the_string_with_the_other_gender(tmp_path: Path) -> None:
    path = tmp_path / "es.po"
    path.write_text(
        'msgid ""\nmsgstr "Language: es\\n"\n\n'
        'msgid "The doctor called {name}."\nmsgstr "El doctor llamó a {name}."\n\n'
        'msgid "Our <b>nurse</b> says that she is tired."\nmsgstr "Nuestro <b>enfermero</b> dice que está cansado."\n',
        encoding="utf-8",
    )
    checked = evenhand.check_file(path)
    plain, suggested = checked.annotated().decode(), checked.annotated(suggest=True).decode()
    assert "La doctora" not in plain
    assert "; female: La doctora llamó a {name}." in suggested
    assert "Nuestra <b>enfermera</b> dice que está cansada." in suggested
