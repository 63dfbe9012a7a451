"""Files of other people that notes are written into: everything but the notes stays, or nothing is written."""

from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path
from xml.etree import ElementTree

import pytest

import evenhand
from evenhand.errors import BadInput
from evenhand.readers.catalogue import Edit, UnitNote, edited
from evenhand.readers.opening import UserFile
from evenhand.readers.strings import open_catalogue

ITS = "http://www.w3.org/2005/11/its"
NURSE = "<source>The user left.</source>", "Der Benutzer ging.</target>"
FIRST = (
    '<?xml version="1.0"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"{root}>'
    '<file original="f" source-language="en" target-language="de" datatype="plaintext"><body>\n'
    '<trans-unit id="1">{source}\n<target{target}>{text}\n{after}</trans-unit>\n</body></file></xliff>\n'
)
SECOND = (
    '<?xml version="1.0"?>\n<xliff{version} xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" trgLang="de">'
    '<file id="f"><unit id="1">{notes}<segment>{source}<target>{text}</segment></unit>\n</file></xliff>\n'
)
NOTE = UnitNote("open", "user: the source leaves the gender open")


def first(root: str = "", target: str = "", after: str = "") -> str:
    return FIRST.format(root=root, target=target, source=NURSE[0], text=NURSE[1], after=after)


def second(version: str = ' version="2.0"', notes: str = "") -> str:
    return SECOND.format(version=version, notes=notes, source=NURSE[0], text=NURSE[1])


def noted(path: Path, text: str) -> ElementTree.Element:
    """The file after notes were written into it, as another parser reads it."""
    path.write_text(text, encoding="utf-8")
    checked = evenhand.check_file(path, workers=1)
    assert checked.persons["finding"].to_list() == ["open"]
    checked.write(path)
    return ElementTree.fromstring(path.read_bytes())


def local(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


@pytest.mark.parametrize(
    ("root", "target"),
    [
        (f' xmlns:its="{ITS}" its:version="2.0"', ' its:version="2.0"'),
        (f' xmlns:i="{ITS}"', ' i:version="2.0"'),
        (' xmlns:its="urn:other"', ' its:mine="1"'),
        ("", f' xmlns:its="{ITS}" its:version="2.0" its:locQualityIssueType="other"'),
    ],
)
def test_xliff_1_that_uses_its_already_stays_xml(tmp_path: Path, root: str, target: str) -> None:
    tree = noted(tmp_path / "a.xlf", first(root, target))
    unit = next(element for element in tree.iter() if local(element) == "trans-unit")
    assert [local(child) for child in unit] == ["source", "target", "note", "locQualityIssues"]
    assert unit[1].text == "Der Benutzer ging."


def test_an_empty_note_behind_the_target_does_not_push_ours_out_of_the_unit(tmp_path: Path) -> None:
    tree = noted(tmp_path / "a.xlf", first(after="<note/>"))
    unit = next(element for element in tree.iter() if local(element) == "trans-unit")
    assert [local(child) for child in unit] == ["source", "target", "note", "note", "locQualityIssues"]


@pytest.mark.parametrize("version", ["", ' version="2.0"'])
@pytest.mark.parametrize(
    ("notes", "texts"),
    [
        ("", 1),
        ("<notes/>", 1),
        ("<notes></notes>", 1),
        ("<notes><note/></notes>", 2),
        ("<notes><note>a</note></notes>", 2),
    ],
)
def test_xliff_2_gets_its_notes_inside_the_unit_in_one_element(
    tmp_path: Path, version: str, notes: str, texts: int
) -> None:
    path = tmp_path / "a.xlf"
    tree = noted(path, second(version, notes))
    unit = next(element for element in tree.iter() if local(element) == "unit")
    assert [local(child) for child in unit] == ["locQualityIssues", "notes", "segment"]
    assert len(unit[1]) == texts
    once = path.read_bytes()
    evenhand.check_file(path, workers=1).write(path)
    assert path.read_bytes() == once


def test_a_format_without_room_for_notes_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"source": "The user left.", "rendering": "Der Benutzer ging."}) + "\n")
    before = path.read_bytes()
    with pytest.raises(BadInput, match="no place for notes; write them to another file"):
        evenhand.check_file(path, target="de", workers=1).write(path)
    assert path.read_bytes() == before
    evenhand.check_file(path, target="de", workers=1).write(tmp_path / "notes.txt")
    assert "user: the source leaves" in (tmp_path / "notes.txt").read_text(encoding="utf-8")


def test_a_compressed_file_is_written_compressed(tmp_path: Path) -> None:
    text = b'msgid ""\nmsgstr "Language: de\\n"\n\nmsgid "The user left."\nmsgstr "Der Benutzer ging."\n'
    path = tmp_path / "a.po.gz"
    path.write_bytes(gzip.compress(text))
    checked = evenhand.check_file(path, workers=1)
    checked.write(path)
    written = gzip.decompress(path.read_bytes())
    assert b"# evenhand: user" in written
    assert [line for line in written.splitlines() if not line.startswith(b"#")] == text.splitlines()
    checked.write(tmp_path / "b.po.xz")
    assert lzma.decompress((tmp_path / "b.po.xz").read_bytes()) == written
    checked.write(tmp_path / "c.po")
    assert (tmp_path / "c.po").read_bytes() == written


LINES = {
    "a.po": 'msgid ""\nmsgstr "Language: de\\n"\n\nmsgid "The user left."\nmsgstr "Der Benutzer ging."\n',
    "a.csv": "source,rendering\nThe user left.,Der Benutzer ging.\n",
    "a.tsv": "source\trendering\nThe user left.\tDer Benutzer ging.\n",
    "a.xlf": first(),
    "b.xlf": second(),
    "a.tmx": '<tmx version="1.4"><header srclang="en"/><body><tu><tuv xml:lang="en"><seg>The user left.</seg></tuv>'
    '<tuv xml:lang="de"><seg>Der Benutzer ging.</seg></tuv></tu></body></tmx>',
}


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("damage", ["a byte lost", "a text changed", "cut"])
def test_a_writer_that_damages_a_file_is_found_out_before_anything_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, damage: str
) -> None:
    """Every format: the writer is made wrong on purpose, as an unknown fault would make it."""
    path = tmp_path / name
    path.write_text(LINES[name], encoding="utf-8")
    before = path.read_bytes()
    at = before.index(b"Benutzer")
    wrong = {
        "a byte lost": Edit(at + 3, at + 4, b""),
        "a text changed": Edit(at, at + 8, b"Benutzen"),
        "cut": Edit(at + 8, len(before), b""),
    }[damage]
    opened = open_catalogue(UserFile(path))
    for module in ("commented", "strings", "xliff", "tmx"):
        monkeypatch.setattr(f"evenhand.readers.{module}.edited", lambda content, _: edited(content, [wrong]))
    with pytest.raises(BadInput, match=r"would damage this file.*Nothing was written"):
        opened.annotated({len(opened.units) - 1: [NOTE]})
    assert path.read_bytes() == before


def test_notes_written_in_place_keep_the_rights_of_the_file_and_the_link_to_it(tmp_path: Path) -> None:
    path, link = tmp_path / "a.tsv", tmp_path / "link.tsv"
    path.write_text(LINES["a.tsv"], encoding="utf-8")
    path.chmod(0o640)
    link.symlink_to(path)
    evenhand.check_file(link, target="de", workers=1).write(link)
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert "evenhand" in path.read_text(encoding="utf-8")
