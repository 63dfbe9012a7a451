"""Files with our notes before other people's checkers: gettext's programs, TMX's DTD, XLIFF's schemas."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tests.readers.catalogues import NOTES, SUFFIXES, made, opened, xliff_2


@pytest.mark.skipif(shutil.which("msgfmt") is None, reason="gettext is not installed (apt-get install gettext)")
def test_msgfmt_accepts_the_notes_and_compiles_the_same_messages(tmp_path: Path) -> None:
    content = made("po", [("The user %s left.\n", "Der Benutzer %s ging.\n"), ("Nurse", "Krankenpfleger")])
    noted = opened(content, "po", tmp_path).annotated({0: NOTES, 1: NOTES})
    compiled = []
    for name, text in (("plain.po", content), ("noted.po", noted)):
        (tmp_path / name).write_bytes(text)
        out = tmp_path / f"{name}.mo"
        subprocess.run(["msgfmt", "--check", "-o", str(out), str(tmp_path / name)], check=True, capture_output=True)
        compiled.append(out.read_bytes())
    assert compiled[0] == compiled[1]


@pytest.mark.skipif(shutil.which("msgmerge") is None, reason="gettext is not installed (apt-get install gettext)")
def test_msgmerge_keeps_the_notes(tmp_path: Path) -> None:
    content = made("po", [("Nurse", "Krankenpfleger")])
    (tmp_path / "noted.po").write_bytes(opened(content, "po", tmp_path).annotated({0: NOTES[1:]}))
    (tmp_path / "new.pot").write_bytes(made("po", [("Nurse", ""), ("User", "")]))
    merge = ["msgmerge", "-q", "-o", "-", str(tmp_path / "noted.po"), str(tmp_path / "new.pot")]
    merged = subprocess.run(merge, check=True, capture_output=True, text=True)
    assert f"# evenhand: {NOTES[1].text}" in merged.stdout


def unpacked(package: str, path: str) -> Path:
    """A file of a Debian package that is installed or was unpacked by `make schemas`."""
    places = [Path(root) / path for root in ("/", Path(sys.prefix) / package)]
    place = next((path for path in places if path.exists()), None)
    if place is None:
        pytest.skip(f"{path} is not here: Debian's {package} has it (make schemas)")
    return place


def dtd_of_tmx() -> Any:
    """TMX 1.4's DTD, as Debian's omegat has it."""
    etree = pytest.importorskip("lxml.etree")
    jar = unpacked("omegat", "usr/share/omegat/OmegaT.jar")
    return etree.DTD(io.BytesIO(zipfile.ZipFile(jar).read("schemas/tmx14.dtd")))


def schema_of_xliff(version: str) -> Any:
    """The XML Schema of XLIFF "1.2-strict" or "2.0", as Debian's php-symfony-translation has it.

    It imports the W3C's own schema of xml:lang from the net; the copy that lies beside it is taken. 1.2 strict wants a
    schema of every other namespace as well; none of ITS is to be had here, so what stands in other namespaces is
    allowed where the standard allows them and not looked into, as 1.2 transitional and 2.0 have it.
    """
    etree = pytest.importorskip("lxml.etree")
    folder = "usr/share/php/Symfony/Component/Translation/Resources/schemas"
    path = unpacked("php-symfony-translation", f"{folder}/xliff-core-{version}.xsd")
    text = path.read_text(encoding="utf-8").replace('processContents="strict"', 'processContents="lax"')
    place = re.compile(r'schemaLocation="[^"]*xml\.xsd"')
    text = place.sub(f'schemaLocation="{(path.parent / "xml.xsd").as_uri()}"', text)
    return etree.XMLSchema(etree.fromstring(text.encode()))


def test_tmx_with_notes_is_valid_by_its_dtd(tmp_path: Path) -> None:
    from lxml import etree

    dtd = dtd_of_tmx()
    content = made("tmx", [("The nurse", "Die Krankenschwester"), ("User", "Nutzer")])
    noted = opened(content, "tmx", tmp_path).annotated({0: NOTES, 1: NOTES})
    assert dtd.validate(etree.fromstring(content))
    assert dtd.validate(etree.fromstring(noted)), dtd.error_log


@pytest.mark.parametrize(("format", "version"), [("xliff", "1.2-strict"), ("xliff2", "2.0")])
def test_xliff_with_notes_is_valid_by_its_schema(format: str, version: str, tmp_path: Path) -> None:
    from lxml import etree

    schema = schema_of_xliff(version)
    content = made(format, [("The nurse", "Die Krankenschwester"), ("User", "Nutzer")])
    if format == "xliff":  # the toolkit writes 1.1, which has no schema here; what it writes is valid 1.2 as well
        content = content.replace(b"document:1.1", b"document:1.2").replace(b'version="1.1"', b'version="1.2"')
    catalogue = opened(content, SUFFIXES[format], tmp_path)
    noted = catalogue.annotated(dict.fromkeys(range(len(catalogue.units)), NOTES))
    assert noted != content
    for text in (content, noted):
        assert schema.validate(etree.fromstring(text)), schema.error_log
    unit = {"xliff": b"</trans-unit>", "xliff2": b"</unit>"}[format]
    assert not schema.validate(etree.fromstring(noted.replace(unit, b"<source/>" + unit, 1)))


def children(content: bytes, unit: str) -> list[list[str]]:
    from lxml import etree

    root = etree.fromstring(content)
    return [[etree.QName(child).localname for child in one] for one in root.iter("{*}" + unit)]


def test_notes_in_xliff_stand_where_the_specification_has_room_for_them(tmp_path: Path) -> None:
    """1.2: source, target, notes and alternatives, other namespaces last. 2.x: other namespaces, notes, segments."""
    pytest.importorskip("lxml")
    text = (
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" source-language="en" '
        'target-language="de" datatype="plaintext"><body><trans-unit id="1">'
        "<source>User</source><target>Nutzer</target>"
        "<note>mine</note><alt-trans><source>User</source><target>Benutzer</target></alt-trans></trans-unit>"
        "</body></file></xliff>"
    )
    noted = opened(text.encode(), "xlf", tmp_path).annotated({0: NOTES})
    assert children(noted, "trans-unit") == [
        ["source", "target", "note", "note", "note", "alt-trans", "locQualityIssues"]
    ]
    second = opened(xliff_2([("User", "Nutzer"), ("Nurse", "Pfleger")]).encode(), "xliff", tmp_path)
    noted = second.annotated(dict.fromkeys(range(4), NOTES[:1]))
    assert children(noted, "unit") == [["locQualityIssues", "notes", "segment", "segment"]] * 2
    assert children(noted, "notes") == [["note"] * 2, ["note"] * 3]
