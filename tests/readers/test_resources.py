"""Resource files of one language, made and read again by other people's tools: texts, notes, and every other byte."""

from __future__ import annotations

import io
import json
import plistlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.readers.catalogues import NOTES, opened

from evenhand.errors import BadInput
from evenhand.workflows.check_file import check_file

Texts = dict[str, str]
SIGNS = st.characters(
    exclude_categories=["Cs", "Cc", "Co", "Cn", "Zl", "Zp"], exclude_characters="\ufeff", codec="utf-8"
)
WORDS = st.text(SIGNS, min_size=1, max_size=20).map(lambda text: f"a{text}z")
KEYS = st.from_regex(r"[a-z][a-z0-9]{2,8}", fullmatch=True).filter(
    lambda key: key not in ("yes", "null", "true", "false")
)
TEXTS = st.dictionaries(KEYS, WORDS, min_size=1, max_size=5)


def toolkit(module: str, store: str, texts: Texts, *, personality: str = "") -> bytes:
    """A file written by the Translate Toolkit."""
    storage: Any = pytest.importorskip(f"translate.storage.{module}", reason="the Translate Toolkit is not installed")
    made = getattr(storage, store)(personality=personality) if personality else getattr(storage, store)()
    for key, text in texts.items():
        unit = made.UnitClass(key) if not personality else made.addsourceunit(key)
        if personality:
            unit.name, unit.value = key, text
            continue
        unit.setid(key)
        made.addunit(unit)
        unit.target = text
    return bytes(made)


def fluent(texts: Texts) -> bytes:
    syntax: Any = pytest.importorskip("fluent.syntax", reason="fluent.syntax is not installed")
    pattern = [syntax.ast.Message(syntax.ast.Identifier(key), syntax.ast.Pattern([syntax.ast.TextElement(text)]))
               for key, text in texts.items()]  # fmt: skip
    return str(syntax.FluentSerializer().serialize(syntax.ast.Resource(pattern))).encode()


def fluent_read(content: bytes) -> Texts:
    syntax: Any = pytest.importorskip("fluent.syntax", reason="fluent.syntax is not installed")
    body = syntax.FluentParser().parse(content.decode()).body
    return {held.id.name: held.value.elements[0].value for held in body if type(held).__name__ == "Message"}


def yaml_made(texts: Texts) -> bytes:
    yaml: Any = pytest.importorskip("yaml", reason="PyYAML is not installed")
    return str(yaml.safe_dump({"de": {"menu": texts}}, allow_unicode=True, sort_keys=False)).encode()


def yaml_read(content: bytes) -> Texts:
    yaml: Any = pytest.importorskip("yaml", reason="PyYAML is not installed")
    return dict(yaml.safe_load(content.decode())["de"]["menu"])


def android(texts: Texts) -> bytes:
    return toolkit("aresource", "AndroidResourceFile", texts)


def android_read(content: bytes) -> Texts:
    storage: Any = pytest.importorskip("translate.storage.aresource", reason="the Translate Toolkit is not installed")
    store = storage.AndroidResourceFile()
    store.parse(content)
    return {unit.getid(): str(unit.target) for unit in store.units}


def resx(texts: Texts) -> bytes:
    return toolkit("resx", "RESXFile", texts)


def resx_read(content: bytes) -> Texts:
    storage: Any = pytest.importorskip("translate.storage.resx", reason="the Translate Toolkit is not installed")
    store = storage.RESXFile()
    store.parse(content)
    return {unit.getid(): str(unit.target) for unit in store.units}


def properties(texts: Texts, personality: str = "java-utf8") -> bytes:
    return toolkit("properties", "propfile", texts, personality=personality)


def properties_read(content: bytes, personality: str = "java-utf8") -> Texts:
    storage: Any = pytest.importorskip("translate.storage.properties", reason="the Translate Toolkit is not installed")
    store = storage.propfile(personality=personality)
    store.parse(content)
    return {unit.name: str(unit.source) for unit in store.units if unit.name}


def strings(texts: Texts) -> bytes:
    lines = (
        f"/* {key} */\n{json.dumps(key)} = {json.dumps(text, ensure_ascii=False)};\n" for key, text in texts.items()
    )
    return "\n".join(lines).encode()


def stringsdict(texts: Texts) -> bytes:
    rules = {"NSStringFormatSpecTypeKey": "NSStringPluralRuleType", "NSStringFormatValueTypeKey": "d"}
    return plistlib.dumps({"days": {"n": rules | texts}}, sort_keys=False)


def stringsdict_read(content: bytes) -> Texts:
    return {key: text for key, text in plistlib.loads(content)["days"]["n"].items() if not key.startswith("NSString")}


Way = tuple[str, Callable[[Texts], bytes], Callable[[bytes], Texts], str]
FORMATS: dict[str, Way] = {
    "android": ("xml", android, android_read, ""),
    "resx": ("resx", resx, resx_read, ""),
    "properties": ("properties", properties, properties_read, ""),
    "strings": ("strings", strings, lambda content: properties_read(content, "strings-utf8"), ""),
    "stringsdict": ("stringsdict", stringsdict, stringsdict_read, "days.n."),
    "yaml": ("yml", yaml_made, yaml_read, "menu."),
    "fluent": ("ftl", fluent, fluent_read, ""),
}  # fmt: skip


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=40, deadline=None)
@given(texts=TEXTS)
def test_what_another_tool_wrote_is_read_and_comments_leave_it_as_it_was(
    format: str, texts: Texts, tmp_path_factory: pytest.TempPathFactory
) -> None:
    suffix, make, read_by_others, before = FORMATS[format]
    if format in ("android", "resx", "fluent"):  # what their writers cannot keep themselves
        texts = {
            key: "a" + "".join(sign for sign in text if sign not in "{}\\'\"@?") + "z" for key, text in texts.items()
        }
        texts = {key: " ".join(text.split()) for key, text in texts.items()}
    content, folder = make(texts), tmp_path_factory.mktemp("made")
    expected = {f"{before}{key}": text for key, text in read_by_others(content).items()}
    catalogue = opened(content, suffix, folder)
    assert {unit.id: unit.rendering for unit in catalogue.units} == expected
    assert catalogue.annotated({}) == content
    noted = catalogue.annotated(dict.fromkeys(range(0, len(texts), 2), NOTES))
    assert noted.count(b"evenhand: ") == 2 * len(range(0, len(texts), 2))
    again = opened(noted, suffix, folder)
    assert {unit.id: unit.rendering for unit in again.units} == expected
    assert again.annotated({}) == content
    assert {f"{before}{key}": text for key, text in read_by_others(noted).items()} == expected


QT = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>Window</name>
    <message>
        <location filename="a.cpp" line="1"/>
        <source>The user left</source>
        <translation>Der Benutzer ging</translation>
    </message>
    <message numerus="yes">
        <source>%n user(s)</source>
        <translation>
            <numerusform>%n Benutzer</numerusform>
            <numerusform>%n Benutzerinnen</numerusform>
        </translation>
    </message>
    <message>
        <source>Author</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
"""


def test_qt_keeps_notes_in_an_element_that_its_own_tools_keep(tmp_path: Path) -> None:
    catalogue = opened(QT.encode(), "ts", tmp_path)
    units = catalogue.units
    assert [(unit.source, unit.rendering, unit.pending) for unit in units] == [
        ("The user left", "Der Benutzer ging", ""),
        ("%n user(s)", "%n Benutzer", ""),
        ("%n user(s)", "%n Benutzerinnen", ""),
        ("Author", "", "unfinished"),
    ]
    assert {(unit.source_lang, unit.target_lang) for unit in units} == {("en", "de_DE")}
    noted = catalogue.annotated({0: NOTES, 2: NOTES[:1]})
    assert noted.count(b"<extra-evenhand>") == 2
    assert opened(noted, "ts", tmp_path).annotated({}) == QT.encode()
    toolkit: Any = pytest.importorskip("translate.storage.ts2", reason="the Translate Toolkit is not installed")
    store = toolkit.tsfile.parsestring(noted)
    assert [str(unit.source) for unit in store.units] == ["The user left", "%n user(s)", "Author"]


ANDROID = """<?xml version="1.0" encoding="utf-8"?>
<resources xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2">
    <string name="app" translatable="false">Chat</string>
    <string name="hi">L\\'utente <xliff:g id="n">%s</xliff:g> \u00e8 "due  blank"</string>
    <plurals name="users">
        <item quantity="one">%d utente</item>
        <item quantity="other">%d utenti</item>
    </plurals>
    <string-array name="roles"><item>Autore</item><item>Autrice</item></string-array>
    <style name="s"><item name="android:x">1</item></style>
</resources>
"""


def test_android_plurals_arrays_escapes_and_what_is_not_translated(tmp_path: Path) -> None:
    catalogue = opened(ANDROID.encode(), "xml", tmp_path)
    assert [(unit.id, unit.rendering, unit.pending) for unit in catalogue.units] == [
        ("app", "Chat", "not to be translated"),
        ("hi", "L'utente %s è due  blank", ""),
        ("users.one", "%d utente", ""),
        ("users.other", "%d utenti", ""),
        ("roles.0", "Autore", ""),
        ("roles.1", "Autrice", ""),
    ]
    noted = catalogue.annotated({1: NOTES, 3: NOTES})
    assert opened(noted, "xml", tmp_path).annotated({}) == ANDROID.encode()


def test_properties_follow_java(tmp_path: Path) -> None:
    """The example of java.util.Properties, whose lines have one value."""
    text = "Truth = Beauty\n Truth2:Beauty\n! a comment\n"
    text += "fruits    apple, banana, \\\n      pear\ncheeses\nu=\\u00e9\\\\\n\n"
    catalogue = opened(text.encode(), "properties", tmp_path)
    assert {unit.id: unit.rendering for unit in catalogue.units} == {
        "Truth": "Beauty", "Truth2": "Beauty", "fruits": "apple, banana, pear", "cheeses": "", "u": "é\\"
    }  # fmt: skip
    assert opened(catalogue.annotated({1: NOTES}), "properties", tmp_path).annotated({}) == text.encode()
    latin = opened("a=Büro".encode("iso-8859-1"), "properties", tmp_path)
    assert latin.units[0].rendering == "Büro"
    with pytest.raises(BadInput, match=r"line 2: .u without four hexadecimal digits"):
        opened(b"a=1\nb=\\u12", "properties", tmp_path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_strings_of_apple_keep_their_encoding(encoding: str, tmp_path: Path) -> None:
    content = '/* a */\n"a" = "Der \\"Nutzer\\"";\n// b\nb = "x\\Ue9";\n"alone";\n'.replace("Ue9", "U00e9").encode(
        encoding
    )
    catalogue = opened(content, "strings", tmp_path)
    assert [(unit.id, unit.rendering) for unit in catalogue.units] == [
        ("a", 'Der "Nutzer"'), ("b", "xé"), ("alone", "alone")
    ]  # fmt: skip
    noted = catalogue.annotated({0: NOTES, 2: NOTES})
    assert noted.decode(encoding).count("evenhand: ") == 4
    assert opened(noted, "strings", tmp_path).annotated({}) == content


def test_a_string_catalogue_of_xcode_has_all_languages(tmp_path: Path) -> None:
    unit = {"stringUnit": {"state": "translated", "value": "Der Benutzer"}}
    plural = {"variations": {"plural": {"one": {"stringUnit": {"state": "new", "value": "ein Autor"}}}}}
    held = {"User": {"localizations": {"de": unit, "fr": {}}}, "%d authors": {"localizations": {"de": plural}}}
    content = json.dumps({"sourceLanguage": "en", "strings": held, "version": "1.0"}).encode()
    catalogue = opened(content, "xcstrings", tmp_path)
    assert [tuple(unit)[1:7] for unit in catalogue.units] == [
        ("User", "User", "Der Benutzer", "en", "de", ""),
        ("%d authors/one", "%d authors", "ein Autor", "en", "de", "untranslated"),
    ]
    assert catalogue.beside
    with pytest.raises(BadInput, match="sourceLanguage and strings were expected"):
        opened(b"[1]", "xcstrings", tmp_path)


def test_subtitles_are_matched_by_the_number_of_the_cue(tmp_path: Path) -> None:
    (tmp_path / "en.srt").write_text(
        "1\n00:00:01,000 --> 00:00:02,000\nThe doctor left.\n\n2\n00:00:03,000 --> 00:00:04,000\nHi.\n"
    )
    (tmp_path / "de.vtt").write_text(
        "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Anna><i>Die Ärztin</i> ging.</v>\n\n"
        "NOTE x\n\n00:03.000 --> 00:04.000\nHallo.\n"
    )
    checked = check_file(tmp_path / "de.vtt", sources=tmp_path / "en.srt")
    assert checked.target_lang == "de"
    assert checked.persons.select("person", "gender", "finding").rows() == [("doctor", "female", "open")]


def test_a_compiled_catalogue_is_read_like_its_source(tmp_path: Path) -> None:
    storage: Any = pytest.importorskip("translate.storage.mo", reason="the Translate Toolkit is not installed")
    po: Any = pytest.importorskip("translate.storage.pypo")
    store = storage.mofile()
    header = po.pofile()
    header.updateheader(add=True, Language="de", Content_Type="text/plain; charset=UTF-8")
    for source, target in (("", str(header.units[0].target)), ("The user", "Die Nutzerin")):
        unit = store.addsourceunit(source)
        unit.target = target
    catalogue = opened(bytes(store), "mo", tmp_path)
    assert [(unit.source, unit.rendering, unit.target_lang) for unit in catalogue.units] == [
        ("The user", "Die Nutzerin", "de")
    ]
    with pytest.raises(BadInput, match="not a compiled catalogue"):
        opened(b"\xde\x12\x04\x95" + bytes(3), "mo", tmp_path)


def test_a_workbook_is_read_by_its_header(tmp_path: Path) -> None:
    openpyxl: Any = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    book = openpyxl.Workbook()
    for row in (
        ("id", "source", "target", None),
        ("a", "The nurse", "Die Krankenschwester", None),
        (None, None, None, None),
        (3, "x", None, None),
    ):
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    catalogue = opened(stream.getvalue(), "xlsx", tmp_path)
    assert [(unit.line, unit.id, unit.rendering, unit.pending) for unit in catalogue.units] == [
        (2, "a", "Die Krankenschwester", ""), (4, "3", "", "untranslated")
    ]  # fmt: skip
    with pytest.raises(BadInput, match="not a workbook"):
        opened(b"PK\x03\x04none", "xlsx", tmp_path)


def test_every_branch_of_a_selector_of_fluent_is_judged(tmp_path: Path) -> None:
    (tmp_path / "en.ftl").write_text(
        "invited = { $gender ->\n    [female] The teacher invited her.\n   *[other] The teacher invited you.\n }\n"
    )
    (tmp_path / "de.ftl").write_text(
        "invited = { $gender ->\n    [female] Der Lehrer hat sie eingeladen.\n"
        "   *[other] Die Lehrerin hat dich eingeladen.\n }\n"
    )
    checked = check_file(tmp_path / "de.ftl", sources=tmp_path / "en.ftl")
    found = checked.persons.filter(person="teacher")
    assert sorted(found["gender"].to_list()) == ["female", "male"]


def test_a_catalogue_keyed_by_ids_takes_its_english_from_the_comment_or_another_file(tmp_path: Path) -> None:
    head = 'msgid ""\nmsgstr "Language: {}\\n"\n\n'
    keyed = '#. Default: "The doctor "\n#. "left"\nmsgid "doctor_left"\nmsgstr "Die Ärztin ging"\n'
    (tmp_path / "a.po").write_text(head.format("de") + keyed)
    assert check_file(tmp_path / "a.po").persons["gender"].to_list() == ["female"]
    (tmp_path / "b.po").write_text(head.format("de") + 'msgid "doctor_left"\nmsgstr "Die Ärztin ging"\n')
    (tmp_path / "en.po").write_text(head.format("en") + 'msgid "doctor_left"\nmsgstr "The doctor left"\n')
    assert check_file(tmp_path / "b.po", sources=tmp_path / "en.po").persons["gender"].to_list() == ["female"]


def test_the_segments_of_a_unit_are_strings_of_their_own(tmp_path: Path) -> None:
    text = """<?xml version="1.0" encoding="utf-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" source-language="en-US"
 target-language="de-DE" datatype="x"><body><trans-unit id="1"><source>The nurse slept. The doctor left.</source>
<seg-source><mrk mtype="seg" mid="1">The nurse <g id="2">slept</g>.</mrk>
<mrk mtype="seg" mid="2">The doctor left.</mrk></seg-source>
<target><mrk mtype="seg" mid="1">Der Pfleger <g id="2">schlief</g>.</mrk>
<mrk mtype="seg" mid="2">Die Ärztin ging.</mrk></target>
</trans-unit></body></file></xliff>"""
    catalogue = opened(text.encode(), "sdlxliff", tmp_path)
    assert [(unit.id, unit.source, unit.rendering) for unit in catalogue.units] == [
        ("1/1", "The nurse slept.", "Der Pfleger schlief."),
        ("1/2", "The doctor left.", "Die Ärztin ging."),
    ]
    noted = catalogue.annotated({0: NOTES, 1: NOTES})
    assert opened(noted, "sdlxliff", tmp_path).annotated({}) == text.encode()


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("app/res/values-pt-rBR/strings.xml", "pt-BR"),
        ("de.lproj/Localizable.strings", "de"),
        ("locale/fr/LC_MESSAGES/django.mo", "fr"),
        ("messages_es.properties", "es"),
        ("Resources.it.resx", "it"),
        ("config/locales/ru.yml", "ru"),
        ("strings.xml", ""),
    ],
)
def test_a_path_names_the_language_where_files_usually_do(path: str, language: str, tmp_path: Path) -> None:
    from evenhand.readers.strings import language_of

    assert "".join(language_of(tmp_path / path)) == language


def test_a_compiled_catalogue_keeps_the_context_of_a_string(tmp_path: Path) -> None:
    storage: Any = pytest.importorskip("translate.storage.mo", reason="the Translate Toolkit is not installed")
    store = storage.mofile()
    store.addsourceunit("profession_female\4Miner").target = "Minero"
    assert [(unit.source, unit.context) for unit in opened(bytes(store), "mo", tmp_path).units] == [
        ("Miner", "profession_female")
    ]


def test_a_header_that_holds_the_name_of_a_language_holds_no_code(tmp_path: Path) -> None:
    named = 'msgid ""\nmsgstr "Language: Français\\n"\n\nmsgid "User"\nmsgstr "Utilisateur"\n'
    assert opened(named.encode(), "po", tmp_path).units[0].target_lang == ""


def test_a_property_list_that_was_compiled_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="a binary property list"):
        opened(plistlib.dumps({"a": "b"}, fmt=plistlib.FMT_BINARY), "strings", tmp_path)
