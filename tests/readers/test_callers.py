"""A format that one caller reads, every caller reads: probes, pairs, translations, references, labels, text."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import evenhand
from evenhand.cli.calibrate import calibrate
from evenhand.cli.detect import detect
from evenhand.detect.pairs import read_pairs
from evenhand.errors import EvenhandError
from evenhand.mining.text import read_text
from evenhand.mining.verified import read_labels
from evenhand.references.reference import load_reference
from evenhand.systems.file import FileSystem

FORMATS = ("tsv", "csv", "jsonl", "json", "parquet", "csv.gz", "jsonl.xz")
Row = dict[str, str | int | float]


def save(path: Path, rows: list[Row]) -> Path:
    """The rows in the format the name tells."""
    table = pl.DataFrame(rows)
    text = io.StringIO(newline="")
    if ".tsv" in path.name:
        text.write("\t".join(table.columns) + "\n" + "".join("\t".join(map(str, row)) + "\n" for row in table.rows()))
    elif ".csv" in path.name:
        csv.writer(text).writerows([table.columns, *table.rows()])
    elif ".jsonl" in path.name:
        text.write("".join(json.dumps(row) + "\n" for row in rows))
    else:
        json.dump(rows, text)
    content = text.getvalue().encode()
    if path.suffix == ".parquet":
        table.write_parquet(path)
    elif path.suffix == ".xz":
        import lzma

        path.write_bytes(lzma.compress(content))
    else:
        path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


@pytest.mark.parametrize("format", FORMATS)
def test_probes(format: str, tmp_path: Path) -> None:
    rows: list[Row] = [
        {"id": "p1", "source": "The **nurse**, a friend, sings.", "gold": "female", "occupation": "nurse"},
        {"id": "p2", "source": "The **judge** sings.", "gold": "male", "occupation": "judge"},
    ]
    suite = evenhand.load_suite(save(tmp_path / f"mine.{format}", rows))
    assert suite.name == "mine"
    assert suite.probes.select("source", "focus", "focus_start", "gold").rows() == [
        ("The nurse, a friend, sings.", "nurse", 4, "female"),
        ("The judge sings.", "judge", 4, "male"),
    ]


def test_the_same_probes_have_the_same_hash_whatever_the_format(tmp_path: Path) -> None:
    rows: list[Row] = [{"id": f"p{n}", "source": f"The **nurse** {n}.", "kind": "nouns", "set": "a"} for n in range(3)]
    assert len({evenhand.load_suite(save(tmp_path / f"mine.{format}", rows)).hash for format in FORMATS}) == 1


@pytest.mark.parametrize("format", FORMATS)
def test_pairs(format: str, tmp_path: Path) -> None:
    rows: list[Row] = [{"id": "1", "source": "The nurse sings.", "rendering": "La enfermera, sí.", "focus": "nurse"}]
    path = save(tmp_path / f"pairs.{format}", rows)
    done = CliRunner().invoke(detect, [str(path), "--target", "es"])
    assert done.exit_code == 0
    assert done.stdout.splitlines()[1].split("\t")[:2] == ["1", "female"]


def test_pairs_of_source_and_target_have_their_lines_as_ids(tmp_path: Path) -> None:
    path = tmp_path / "pairs.txt"
    path.write_text("Ő orvos. ||| He is a doctor.\n\nŐ ápoló. ||| She is a nurse.\n", encoding="utf-8")
    done = CliRunner().invoke(detect, [str(path), "--source", "HU", "--target", "en-GB"])
    assert [line.split("\t")[:2] for line in done.stdout.splitlines()[1:]] == [["1", "male"], ["3", "female"]]
    path.write_text("The nurse sings. ||| La enfermera canta.\n\nIt rains. ||| Llueve.\n", encoding="utf-8")
    done = CliRunner().invoke(detect, [str(path), "--target", "es"])
    assert [line.split("\t")[:2] for line in done.stdout.splitlines()[1:]] == [["1-1", "female"]]


@pytest.mark.parametrize("format", FORMATS)
def test_translations(format: str, tmp_path: Path) -> None:
    probes = [{"id": "p1", "source": "The **nurse** sings."}, {"id": "p2", "source": "The **judge** sings."}]
    suite = evenhand.load_suite(save(tmp_path / "mine.tsv", [dict(p) for p in probes]))
    rows: list[Row] = [
        {"id": "p2", "translation": "El juez canta."},
        {"id": "p1", "translation": "La enfermera, canta."},
    ]
    path = save(tmp_path / f"out.{format}", rows)
    run = evenhand.audit(suite, f"file:{path}", target="es", memory=tmp_path / "m.sqlite")
    assert run.verdicts["gender"].to_list() == ["female", "male"]


@pytest.mark.parametrize("format", FORMATS)
def test_references(format: str, tmp_path: Path) -> None:
    rows: list[Row] = [{"isco08": "2221", "pct_women": 90, "source": "made up"}, {"isco08": "22", "pct_women": 50}]
    rows[1]["source"] = "made up"
    reference = load_reference(save(tmp_path / f"mine.{format}", rows))
    assert reference.name == "mine"
    assert reference.table.select("isco08", "share_women").rows() == [("2221", 0.9), ("22", 0.5)]


@pytest.mark.parametrize("format", FORMATS)
def test_labels(format: str, tmp_path: Path) -> None:
    rows: list[Row] = [
        {"id": str(n), "target_lang": "es", "kind": "nouns", "gender": "female", "label": label, "weight": 2.5}
        for n, label in enumerate(["f", "F", "male", "x", ""])
    ]
    path = save(tmp_path / f"labels.{format}", rows)
    done = CliRunner().invoke(calibrate, [str(path), "--json"])
    assert done.exit_code == 0
    assert json.loads(done.stdout)["left_out"] == 2
    save(path, [{**rows[0], "label": "queen"}])
    refused = CliRunner().invoke(calibrate, [str(path)])
    assert "column label: 'queen' is not a label" in str(refused.exception)


@pytest.mark.parametrize("format", FORMATS)
def test_verified_pairs(format: str, tmp_path: Path) -> None:
    rows: list[Row] = [{"pair": "a", "verified": "yes"}, {"pair": "b", "verified": "no"}, {"pair": "c", "verified": ""}]
    assert read_labels(save(tmp_path / f"pairs.{format}", rows)) == {"a": True, "b": False}


@pytest.mark.parametrize("format", FORMATS)
def test_natural_text(format: str, tmp_path: Path) -> None:
    rows: list[Row] = [{"n": 1, "text": "The nurse, a friend."}, {"n": 2, "text": " "}, {"n": 3, "text": "A judge."}]
    path = save(tmp_path / f"a.{format}", rows)
    assert [text for _, text in read_text(path)] == ["The nurse, a friend.", "A judge."]
    assert [text for _, text in read_text(path, field="n")] == ["1", "2", "3"]


READERS: dict[str, Callable[[Path], object]] = {
    "probes": lambda path: evenhand.load_suite(path).probes,
    "pairs": lambda path: list(read_pairs(path)),
    "translations": lambda path: FileSystem(str(path)),
    "references": load_reference,
    "simulated": lambda path: evenhand.open_system(f"simulated:{path}"),
    "verified": read_labels,
    "text": lambda path: list(read_text(path)),
}
CELL = st.sampled_from(
    ["", "1", "x", "nan", "-1", "**a** **b**", "The **nurse**", "female", "é", "|||", "# ", '"', "99999999999"]
)
NAMES = ["id", "source", "focus", "focus_start", "rendering", "sample", "gold", "base", "kind", "p_female", "isco08",
         "pct_women", "employed", "pair", "verified", "text", "label", "pattern"]  # fmt: skip


@pytest.mark.parametrize("reader", READERS)
@settings(max_examples=60, deadline=None)
@given(
    names=st.lists(st.sampled_from(NAMES), max_size=6),
    rows=st.lists(st.lists(CELL, max_size=6), max_size=4),
    suffix=st.sampled_from([".tsv", ".csv", ".txt"]),
)
def test_whatever_stands_in_a_table_is_read_or_refused_in_one_sentence(
    reader: str, names: list[str], rows: list[list[str]], suffix: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("table") / f"a{suffix}"
    mark = "," if suffix == ".csv" else "\t"
    path.write_text("\n".join(mark.join(cells) for cells in [names, *rows]), encoding="utf-8")
    told = ""
    try:
        READERS[reader](path)
    except EvenhandError as error:
        told = str(error)
    assert "\n" not in told
