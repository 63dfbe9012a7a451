"""Localisation files made by somebody else's writers are read whole; notes are added and nothing else is touched."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.readers.catalogues import (
    NOTES,
    PAIRS,
    SUFFIXES,
    WORDS,
    Pairs,
    made,
    opened,
    pairs_of,
    read_by_others,
    xliff_2,
)

from evenhand.errors import BadInput
from evenhand.readers.layout import Layout
from evenhand.readers.registry import read


@pytest.mark.parametrize("format", SUFFIXES)
@settings(max_examples=40, deadline=None)
@given(pairs=PAIRS)
def test_what_another_tool_wrote_is_read_and_notes_leave_it_as_it_was(
    format: str, pairs: Pairs, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder, suffix, content = tmp_path_factory.mktemp("made"), SUFFIXES[format], made(format, pairs)
    catalogue = opened(content, suffix, folder)
    expected = [pair for pair in pairs for _ in range(2)] if format == "xliff2" else pairs
    assert pairs_of(catalogue) == expected
    assert {unit.target_lang for unit in catalogue.units} == {"de"}
    assert catalogue.annotated({}) == content
    noted = catalogue.annotated(dict.fromkeys(range(0, len(expected), 2), NOTES))
    again = opened(noted, suffix, folder)
    assert pairs_of(again) == expected
    assert again.annotated({}) == content
    assert again.annotated(dict.fromkeys(range(0, len(expected), 2), NOTES)) == noted
    if format != "xliff2":
        assert read_by_others(format, noted) == pairs


@pytest.mark.parametrize("format", ["xliff", "xliff2", "tmx"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r\n\r\n  \t"])
def test_encodings_and_line_ends_of_xml_are_kept(format: str, encoding: str, newline: str, tmp_path: Path) -> None:
    pairs = [("The nurse slept – ¿no?", "Die Krankenschwester"), ("<b>", "&amp; é")]
    if encoding == "iso-8859-1":
        pairs = [(source.replace("–", "-"), target) for source, target in pairs]
    declared = encoding.removesuffix("-sig")
    text = made(format, pairs).decode().replace('encoding="UTF-8"', 'encoding="utf-8"')
    content = text.replace('encoding="utf-8"', f'encoding="{declared}"').replace("\n", newline).encode(encoding)
    catalogue = opened(content, SUFFIXES[format], tmp_path)
    assert set(pairs_of(catalogue)) == set(pairs)
    assert catalogue.annotated({}) == content
    noted = catalogue.annotated({0: NOTES})
    assert noted.decode(encoding).count("Benutzer") == (1 if format == "tmx" else 2)
    assert opened(noted, SUFFIXES[format], tmp_path).annotated({}) == content


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_po_file_keeps_its_line_ends_and_odd_blanks(bom: bytes, newline: str, tmp_path: Path) -> None:
    text = (
        'msgid ""\nmsgstr "Language: de\\n"\n\n\n# a translator\n#\n#. extracted\n#: a.c:1\n'
        '  msgid   "The user\\t%s"  \nmsgstr ""\n"Der "\n  "Benutzer\\t%s"\n#~ msgid "old"\n#~ msgstr "alt"\n\n'
        'msgctxt "menu"\nmsgid "User"\nmsgstr "Nutzer"'
    )
    content = bom + text.replace("\n", newline).encode()
    catalogue = opened(content, "po", tmp_path)
    assert pairs_of(catalogue) == [("The user\t%s", "Der Benutzer\t%s"), ("User", "Nutzer")]
    assert [unit.id for unit in catalogue.units] == ["The user\t%s", "menu|User"]
    assert catalogue.annotated({}) == content
    noted = catalogue.annotated({0: NOTES[:1], 1: NOTES[1:]})
    lines = noted.decode("utf-8-sig").split(newline)
    assert lines[lines.index("#") + 1] == "# evenhand: " + NOTES[0].text
    assert lines[lines.index('msgctxt "menu"') - 1] == "# evenhand: " + NOTES[1].text
    assert opened(noted, "po", tmp_path).annotated({}) == content


def test_plural_forms_render_the_string_they_stand_for(tmp_path: Path) -> None:
    text = (
        'msgid ""\nmsgstr "Language: ru\\nPlural-Forms: nplurals=3; plural=0;\\n"\n\n'
        '#, fuzzy, c-format\nmsgid "%d user"\n'
        'msgid_plural "%d users"\nmsgstr[0] "a"\nmsgstr[1] "b"\nmsgstr[2] "c"\n\nmsgid "Save"\nmsgstr ""\n'
    )
    units = opened(text.encode(), "po", tmp_path).units
    assert [(unit.source, unit.rendering) for unit in units][:3] == [
        ("%d user", "a"),
        ("%d users", "b"),
        ("%d users", "c"),
    ]
    assert [unit.pending for unit in units] == ["fuzzy", "fuzzy", "fuzzy", "untranslated"]


def test_inline_tags_are_no_words_and_alternatives_no_translations(tmp_path: Path) -> None:
    text = (
        '<xliff version="1.2"><file original="a" source-language="en" target-language="de"><body><trans-unit id="1">'
        '<source>The <g id="1">nurse</g><x id="2"/>and<ph id="3">&lt;br/&gt;</ph> user</source>'
        '<target>Die <mrk mtype="term">Pflegekraft</mrk></target></trans-unit>'
        '<trans-unit id="2" translate="no"><source>User</source><target>User</target></trans-unit>'
        "</body></file></xliff>"
    )
    first, second = opened(text.encode(), "xlf", tmp_path).units
    assert (first.source, first.rendering) == ("The nurse and user", "Die Pflegekraft")
    assert second.pending == "not to be translated"


def test_a_tmx_of_three_languages_has_a_unit_for_each_translation(tmp_path: Path) -> None:
    seg = "<tuv xml:lang='{}'><seg>{}</seg></tuv>"
    variants = "".join(seg.format(*one) for one in (("de-DE", "Nutzer"), ("EN-us", "User"), ("fr", "Utilisateur")))
    text = f"<tmx version='1.4'><header srclang='en'/><body><tu tuid='7'>{variants}</tu></body></tmx>"
    units = opened(text.encode(), "tmx", tmp_path).units
    assert [(unit.id, unit.source, unit.rendering) for unit in units] == [
        ("7/de-DE", "User", "Nutzer"),
        ("7/fr", "User", "Utilisateur"),
    ]


JSON = st.recursive(WORDS, lambda inner: st.dictionaries(WORDS.filter(lambda key: "." not in key), inner, max_size=4))


@settings(max_examples=60, deadline=None)
@given(
    content=st.dictionaries(WORDS.filter(lambda key: "." not in key), JSON, max_size=4),
    indent=st.sampled_from([None, 2]),
)
def test_nested_messages_have_their_keys_as_another_tool_reads_them(
    content: dict[str, Any], indent: int | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    def flat(value: Any, path: str) -> list[tuple[str, str]]:
        if isinstance(value, str):
            return [(path, value)]
        return [row for key, inner in value.items() for row in flat(inner, f"{path}.{key}" if path else key)]

    path = tmp_path_factory.mktemp("json") / "a.json"
    path.write_text(json.dumps(content, indent=indent), encoding="utf-8")
    table = read(path, Layout("message", some=False))
    assert list(zip(table["id"], table["text"], strict=True)) == flat(content, "")


def test_messages_written_by_the_translate_toolkit_are_read(tmp_path: Path) -> None:
    jsonl10n = pytest.importorskip("translate.storage.jsonl10n", reason="the Translate Toolkit is not installed")
    for kind in (jsonl10n.JsonFile, jsonl10n.JsonNestedFile):
        store = kind()
        for key, text in (("menu.open", "Öffnen"), ("menu.user", "Nutzer")):
            unit = store.UnitClass(text)
            unit.setid(key)
            store.addunit(unit)
        path = tmp_path / "de.json"
        path.write_bytes(bytes(store))
        assert read(path, Layout("message")).rows()[0][1:] == ("menu.open", "Öffnen")


BOMB = '<!DOCTYPE x [<!ENTITY a "lol">{}]>'.format(
    "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
)
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


@pytest.mark.parametrize("doctype", [BOMB, OUTSIDE], ids=["billion laughs", "external entity"])
@pytest.mark.parametrize("suffix", ["xlf", "tmx"])
def test_entities_are_refused_in_one_sentence(doctype: str, suffix: str, tmp_path: Path) -> None:
    content = f"<?xml version='1.0'?>{doctype}<xliff version='1.2'><source>&i;</source></xliff>".encode()
    with pytest.raises(BadInput, match=r"a\.\w+ line 1: it declares the entity 'a', which is not expanded"):
        opened(content, suffix, tmp_path)


def test_other_hostile_xml_is_refused_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(content: bytes, told: str) -> None:
        with pytest.raises(BadInput, match=told) as error:
            opened(content, "xlf", tmp_path)
        assert "\n" not in str(error.value)

    refused(b"<a>" * 200 + b"</a>" * 200, "more than 100 elements inside each other")
    refused(b'<!DOCTYPE x SYSTEM "http://127.0.0.1/x.dtd"><x>&nope;</x>', "'nope' is not declared")
    refused(b"<xliff><file></xliff>", r"line 1 column \d+: not XML \(mismatched tag\)")
    refused(b'<?xml version="1.0" encoding="utf-99"?><x/>', "utf-99")
    monkeypatch.setattr("evenhand.readers.catalogue.LARGEST", 10)
    refused(b"<xliff version='1.2'/>", "larger than")


@pytest.mark.parametrize("suffix", ["xlf", "tmx", "po", "json"])
@settings(max_examples=60, deadline=None)
@given(at=st.integers(0, 3_000), new=st.binary(max_size=3))
def test_a_bent_file_is_read_or_one_error(
    suffix: str, at: int, new: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    makers: dict[str, Callable[[], bytes]] = {
        "xlf": lambda: xliff_2([("User", "Nutzer")] * 3).encode(),
        "tmx": lambda: (
            b"<tmx><header srclang='en'/><tu><tuv xml:lang='en'><seg>a</seg></tuv><tuv xml:lang='de'><seg>b</seg>"
            b"</tuv></tu></tmx>"
        ),
        "po": lambda: b'msgid ""\nmsgstr "Language: de\\n"\n\n# x\nmsgid "User"\nmsgstr "Nutzer"\n' * 2,
        "json": lambda: b'{"a": {"b": "c", "d": ["e", 1, null]}}',
    }
    content = makers[suffix]()
    place = at % (len(content) + 1)
    told = ""
    try:
        catalogue = opened(content[:place] + new + content[place + 1 :], suffix, tmp_path_factory.mktemp("bent"))
        catalogue.annotated({n: NOTES for n, unit in enumerate(catalogue.units) if not unit.pending})
    except BadInput as error:
        told = str(error)
    assert "\n" not in told


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("end", ["", "end"])
def test_tables_get_one_column_more_and_lose_it_again(newline: str, end: str, tmp_path: Path) -> None:
    rows = {
        "csv": 'source,target\n"The nurse, ""A""","Die\nPflegerin"\nUser,Nutzer\nSave,',
        "tsv": "# a note\nsource\ttarget\nThe nurse\tDie Pflegerin\nUser\tNutzer\nSave\t",
    }
    for suffix, text in rows.items():
        content = b"\xef\xbb\xbf" + (text + ("\n" if end else "")).replace("\n", newline).encode()
        catalogue = opened(content, suffix, tmp_path)
        assert catalogue.annotated({}) == content
        noted = catalogue.annotated({1: NOTES})
        again = opened(noted, suffix, tmp_path)
        assert pairs_of(again) == pairs_of(catalogue)
        assert again.annotated({}) == content
        assert again.annotated({1: NOTES}) == noted
        assert NOTES[1].text in noted.decode()
    assert opened(b'{"source": "The nurse", "target": "x"}', "jsonl", tmp_path).beside
