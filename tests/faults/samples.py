"""A small file that is right for each door of doors.py; `make soak` changes it a little."""

from __future__ import annotations

import io
import json
import plistlib
import struct
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
import openpyxl
import polars as pl
from tests.faults.doors import small_run

import evenhand
from evenhand.review.labels import FILE as LABELS
from evenhand.review.labels import LabelLine, append
from evenhand.workflows.frozen import Frozen, write_plan

Rows = list[dict[str, str]]
PROBES = [
    {"id": "p1", "source": "The **nurse** sings.", "source_lang": "en", "gold": "female", "word": "nurse"},
    {"id": "p2", "source": "The **cook** is here.", "source_lang": "en", "gold": "male", "word": "cook"},
]
PAIRS = [
    {"id": "p1", "source": "The nurse sings.", "rendering": "La enfermera canta.", "focus": "nurse", "sample": "0"},
    {"id": "p2", "source": "The cook is here.", "rendering": "El cocinero está aquí.", "focus": "cook", "sample": "1"},
    {"id": "p3", "source": "A “teacher”, too.", "rendering": "Una maestra también.", "focus": "teacher", "sample": "0"},
]
TABLES = (".tsv", ".csv", ".jsonl", ".json", ".parquet")
XLIFF = """<?xml version="1.0"?><xliff version="1.2"><file source-language="en" target-language="es" original="a"><body>
<trans-unit id="1"><source>The nurse.</source><target>La enfermera.</target></trans-unit></body></file></xliff>"""
TMX = """<?xml version="1.0"?><tmx version="1.4"><header srclang="en"/><body>
<tu><tuv xml:lang="en"><seg>The nurse.</seg></tuv>
<tuv xml:lang="es"><seg>La enfermera.</seg></tuv></tu></body></tmx>"""
PO = 'msgid ""\nmsgstr "Language: es\\n"\n\n#: a\nmsgid "The nurse."\nmsgstr "La enfermera."\n'
ARB = '{"@@locale": "es", "greeting": "Hola {name}", "who": "{g, select, female {ella} other {él}}", "a": {"b": "c"}}'
TWO_LANGUAGES = '{"translation": {"en": "The nurse came.", "es": "Vino la enfermera."}, "doc": "a"}\n'
NATIONAL = "code\ttitle\twomen\tmen\tyear\n2211\tphysicians\t400\t600\t2024\n3221\tnurses\t900\t100\t2024\n"
REFERENCE = (
    "# a comment\nisco08\tshare_women\temployed\tsample\tsource\n2211\t0.4\t1,000\t50\tmade up\n3221\t0.9\t\t\t\n"
)
SURVEY = "occupation\t" + "\t".join(f"answer_{n}" for n in range(1, 7)) + "\nnurse\t9\t4\t3\t2\t1\t0\n"
PROJECT = """suites = ["pronouns-basque"]
targets = ["en"]
level = 0.95
max_age = "30d"
[[system]]
name = "a"
spec = "file:a.tsv"
settings = { formality = "more" }
price_per_million = 20
concurrency = 2
[[limit]]
measure = "P_S"
min = "30 %"
[gate]
against = "old"
measures = ["P_S"]
margins = { P_S = "2 points" }
[budget]
characters = 500_000
money = 10.0
"""
FORMS = "# source\tmade up\nconcept\tfemale\tmale\nnurse\tenfermera\tenfermero\ncook\tcocinera|chef\tcocinero\n"
DECIDED = ("female", "male", "neutral", "both")
WINOMT = "female\t1\tThe nurse sings because she can.\tnurse\nmale\t1\tThe cook is here because he can.\tcook\n"
WINOBIAS = "1 [The gardener] sang to the violinist while [he] was pruning the roses.\n"
WINOGENDER = "sentid\tsentence\ngardener.guest.1.female.txt\tThe gardener promised the guest a rose if she sang.\n"
GEST = "sentence,stereotype\nI am gentle.,1\nI am rational.,9\n"
EUROGEST = "id\tsource\tmasculine\tfeminine\tstereotype\n1\tI am calm.\tSoy tranquilo\tSoy tranquila\t9\n"
GATE = "source\tf\tm\tkw_s\nThe cook sings.\tLa cocinera canta.\tEl cocinero canta.\tcook=cook\n"
ALTERNATIVES = (
    "id\tsource\tsource with headwords\tgender labels of headwords\ttranslation with gender structures\t"
    "gender alignments\n1\tThe cook sings.\tThe [[cook]] sings.\tAmb\t[[El cocinero/La cocinera]] canta.\t0-0\n"
)
MITTENS = "example,targets,lang,encoded_gender,eval_set_key,format\nElla es médica. Canta.,she,es,feminine,a,2en\n"


def _workbook() -> bytes:
    book, held = openpyxl.Workbook(), io.BytesIO()
    book.active.append(("id", "source", "target"))
    book.active.append(("1", "The nurse.", "La enfermera."))
    book.save(held)
    return held.getvalue()


RESOURCES = {
    ".android": b'<resources><string name="a">Die Nutzerin</string></resources>',
    ".strings": b'/* a */ "a" = "Der Nutzer";',
    ".stringsdict": plistlib.dumps({"days": {"n": {"one": "ein Nutzer", "other": "%d Nutzer"}}}),
    ".xcstrings": b'{"sourceLanguage": "en", "strings": {"User": {"localizations": {"de": {}}}}}',
    ".properties": b"a = Der Nutzer\nb: Die \\\n  Nutzerin\n",
    ".resx": b'<root><data name="a"><value>Der Nutzer</value></data></root>',
    ".ts": b'<TS language="de"><context><name>w</name><message><source>User</source><translation>Nutzer</translation>'
    b"</message></context></TS>",
    ".yml": b"de:\n  menu:\n    a: Der Nutzer\n",
    ".ftl": b"a = Der Nutzer\nb = { $n ->\n    [one] x\n   *[other] y\n }\n",
    ".srt": b"1\n00:00:01,000 --> 00:00:02,000\nANNA: Ich bin hier.\n",
    ".mo": struct.pack("<7I", 0x950412DE, 0, 1, 28, 36, 0, 44) + struct.pack("<4I", 1, 44, 1, 46) + b"a\0b\0",
    ".xlsx": _workbook(),
}  # what is right for "strings" as a file of its own; those of one language are read for their keys


class Sample(NamedTuple):
    """A file that is right for its door."""

    door: str
    suffix: str
    content: bytes


def tables(rows: Rows) -> dict[str, bytes]:
    """The same rows in every format of a table, by suffix."""
    head = list(rows[0])
    lines = (head, *([*row.values()] for row in rows))
    parquet = io.BytesIO()
    pl.DataFrame(rows).write_parquet(parquet)
    return {
        ".tsv": "\n".join("\t".join(row) for row in lines).encode(),
        ".csv": "\n".join(",".join(f'"{cell}"' for cell in row) for row in lines).encode(),
        ".jsonl": "\n".join(json.dumps(row) for row in rows).encode(),
        ".json": json.dumps(rows).encode(),
        ".parquet": parquet.getvalue(),
    }


def texts() -> dict[str, bytes]:
    """Pairs in every format there is, by suffix."""
    return {
        **tables(PAIRS),
        ".txt": "\n".join(row["rendering"] for row in PAIRS).encode(),
        ".pairs": "\n".join(f"{row['source']} ||| {row['rendering']}" for row in PAIRS).encode(),
        ".xlf": XLIFF.encode(),
        ".tmx": TMX.encode(),
        ".po": PO.encode(),
    }


#: Formats that a door takes.
TAKES = {
    "translations": tuple(texts()),
    "pairs": TABLES,
    "strings": (*TABLES, ".xlf", ".tmx", ".po"),
    "parallel text": (".tsv", ".csv", ".jsonl", ".parquet", ".pairs", ".tmx"),
    "text": tuple(texts()),
}


def samples() -> list[Sample]:
    """At least one file a door."""
    every = [Sample("probes", suffix, content) for suffix, content in tables(PROBES).items()]
    every += [Sample("probes", suffix, texts()[suffix]) for suffix in (".xlf", ".tmx", ".po")]
    every += [Sample(door, suffix, texts()[suffix]) for door, suffixes in TAKES.items() for suffix in suffixes]
    numbers = {verdict: dict.fromkeys(DECIDED, 1.0) for verdict in DECIDED}
    calibration = {"language": "es", "kind": "nouns", "labels": numbers, "weights": dict.fromkeys(DECIDED, 1.0)}
    header = json.dumps({"vectors": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}).encode()
    array = io.BytesIO()
    np.save(array, np.ones((2, 3), dtype=np.float32))
    floats = struct.pack("<3f", 0.5, 1.0, 1.5)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_plan(folder / "plan.toml", _plan())
        append(folder, [LabelLine("p1", "es", 0, 0, "female", "ana", "2026-01-01T00:00:00+00:00", False, "0" * 16)])
        small_run().save(folder / "run")
        written = {
            "plan file": (folder / "plan.toml").read_bytes(),
            "labels": (folder / LABELS).read_bytes(),
            "manifest": (folder / "run" / "manifest.json").read_bytes(),
        }
    return [
        *every,
        Sample("strings", ".arb", ARB.encode()),
        *(Sample("strings", suffix, content) for suffix, content in RESOURCES.items()),
        Sample("parallel text", ".jsonl", TWO_LANGUAGES.encode()),
        Sample("reference", ".tsv", REFERENCE.encode()),
        Sample("reference", ".tsv", SURVEY.encode()),
        Sample("references add", ".tsv", NATIONAL.encode()),
        Sample("project file", ".toml", PROJECT.encode()),
        Sample("plan file", ".toml", written["plan file"]),
        Sample("calibration", ".json", json.dumps(calibration).encode()),
        Sample("forms", ".tsv", FORMS.encode()),
        Sample("labels", ".tsv", written["labels"]),
        Sample("manifest", ".json", written["manifest"]),
        Sample("vectors", ".vec", b"2 3\na 0.1 0.2 0.3\nb 1 2 3\n"),
        Sample("vectors", ".glove", b"a 0.1 0.2 0.3\nb 1 2 3\n"),
        Sample("vectors", ".bin", b"2 3\na " + floats + b"\nb " + floats + b"\n"),
        Sample("vectors", ".npy", array.getvalue()),
        Sample("vectors", ".safetensors", struct.pack("<Q", len(header)) + header + floats * 2),
        Sample("list of words", ".txt", b"# comment\nnurse, doctor\ncook\n"),
        Sample("genders of nouns", ".tsv", b"word\tgender\ncasa\tfeminine\n"),
        Sample("winomt", ".txt", WINOMT.encode()),
        Sample("winomt-distance", ".txt", WINOMT.encode()),
        Sample("winobias", ".txt", WINOBIAS.encode()),
        Sample("winogender", ".tsv", WINOGENDER.encode()),
        Sample("mtgeneval", ".en", b"The nurse sings.\n"),
        Sample("mtgeneval-pairs", ".en", b"The nurse sings.\n"),
        Sample("gest", ".csv", GEST.encode()),
        Sample("eurogest", ".tsv", EUROGEST.encode()),
        Sample("eurogest-pairs", ".tsv", EUROGEST.encode()),
        Sample("gate", ".tsv", GATE.encode()),
        Sample("gender-alternatives", ".tsv", ALTERNATIVES.encode()),
        Sample("mittens", ".csv", MITTENS.encode()),
        Sample("tsv", ".tsv", tables(PROBES)[".tsv"]),
    ]


def _plan() -> Frozen:
    return Frozen(
        frozen="2026-01-01T00:00:00+00:00",
        evenhand=evenhand.__version__,
        texts=2,
        known=0,
        suite={"name": "a", "version": "1", "hash": "0"},
        system={"name": "b", "fingerprint": "1"},
        target="en",
        settings={"level": 0.95, "references": ["us-2020"]},
        measures=["P_S"],
        confirmatory=["P_S:formality"],
        margins={"P_S": 0.02},
    )
