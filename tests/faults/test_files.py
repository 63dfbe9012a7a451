"""Files that were made to break a reader: every one is read, or refused in a short sentence."""

from __future__ import annotations

import datetime as dt
import decimal
import gzip
import json
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import evenhand
from evenhand.corpus.reading import Origin, Sides, read_pairs
from evenhand.embeddings.files import load_vectors
from evenhand.errors import BadInput, EvenhandError
from evenhand.measures.calibration import Calibration
from evenhand.readers import opening
from evenhand.readers.opening import UserFile
from evenhand.references.adding import read_national
from evenhand.references.reference import load_reference

PROBE = {"id": "a", "source": "the nurse"}
DEEP = "[" * 100_000 + "]" * 100_000
LINES = {  # what once ended in a traceback
    "nested": json.dumps({**PROBE, "x": [[{"y": [1]}]]}),
    "nested where text belongs": json.dumps({**PROBE, "source": {"y": 1}}),
    "deep": f'{{"id": "a", "source": "x", "y": {DEEP}}}',
    "400 digits": f'{{"id": "a", "source": "x", "y": {"9" * 400}}}',
    "5,000 digits": f'{{"id": "a", "source": "x", "y": {"9" * 5_000}}}',
    "an offset of 400 digits": f'{{"id": "a", "source": "x", "focus_start": {"9" * 400}, "focus_end": 1}}',
    "a surrogate": '{"id": "a", "source": "\\ud800"}',
    "a surrogate inside": '{"id": "a", "source": "x", "y": ["\\udfff"]}',
    "no language": json.dumps({**PROBE, "source_lang": None}),
    "infinity": '{"id": "a", "source": "x", "y": Infinity}',
}
TYPES: dict[str, object] = {
    "list": [[1], [2]], "struct": [{"a": 1}, {"a": 2}], "date": [dt.date(2020, 1, 1)] * 2, "time": [dt.time(1)] * 2,
    "duration": [dt.timedelta(1)] * 2, "datetime": [dt.datetime(2020, 1, 1)] * 2, "bytes": [b"\xff", b"a"],
    "decimal": [decimal.Decimal("1.2")] * 2, "truth": [True, False], "nothing": [None, None],
    "number": [1.5, float("nan")], "category": pl.Series(["a", "b"], dtype=pl.Categorical),
    "large": pl.Series([2**64 - 1, 1], dtype=pl.UInt64), "array": pl.Series([[1], [2]], dtype=pl.Array(pl.Int64, 1)),
}  # fmt: skip


def read_or_refused(read: Callable[[], object]) -> str:
    """What a reader says against a file; "" where it reads it. Anything else it may do is a fault."""
    told = ""
    try:
        read()
    except EvenhandError as error:
        told = str(error)
    assert len(told) < 5_000
    return told


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_json_is_read_or_refused_in_a_sentence(tmp_path: Path, name: str, form: str) -> None:
    path = tmp_path / f"probes.{form}"
    path.write_text(f"[{LINES[name]}]" if form == "json" else LINES[name] + "\n", encoding="utf-8")
    read_or_refused(lambda: evenhand.load_suite(path).hash)


@pytest.mark.parametrize("column", ["x", "id", "source", "source_lang", "focus", "focus_start", "gold", "base"])
@pytest.mark.parametrize("kind", TYPES)
def test_every_type_of_parquet_is_read_or_refused_in_a_sentence(tmp_path: Path, kind: str, column: str) -> None:
    path = tmp_path / "probes.parquet"
    columns = {"id": ["a", "b"], "source": ["the nurse", "the cook"], column: TYPES[kind]}
    pl.DataFrame(columns, strict=False).write_parquet(path)
    told = read_or_refused(lambda: evenhand.load_suite(path).hash)
    assert kind != "bytes" or "bytes, not text" in told


@pytest.mark.parametrize("index", ["²", "9" * 5_000, "١", "-1", ""])
def test_a_winomt_index_that_is_no_number_is_one_sentence(tmp_path: Path, index: str) -> None:
    path = tmp_path / "en.txt"
    path.write_text(f"male\t{index}\tThe nurse slept.\tnurse\n", encoding="utf-8")
    with pytest.raises(BadInput, match="line 1: not a WinoMT row"):
        evenhand.load_suite(f"winomt:{path}").hash  # noqa: B018


def npy(path: Path, shape: str) -> None:
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + bytes(64))


@pytest.mark.parametrize("shape", ["(99999999999999999999, 300)", "(-1, 300)", "(1000000000000, 300)", "(2**63, 2)"])
def test_an_array_of_an_impossible_shape_is_one_sentence(tmp_path: Path, shape: str) -> None:
    (tmp_path / "v.txt").write_text("a\nb\n", encoding="utf-8")
    npy(tmp_path / "v.npy", shape)
    with pytest.raises(BadInput, match=r"v\.npy"):
        load_vectors(tmp_path / "v.npy")


def test_a_zip_that_is_called_npy_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("a\nb\n", encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "v.npy", "w") as archive:
        archive.writestr("a.npy", b"x")
    with pytest.raises(BadInput, match=r"v\.npy"):
        load_vectors(tmp_path / "v.npy")


HEADERS = {"deep": f'{{"a": {DEEP}}}', "flat": '{"vectors": 1}', "long": f'{{"a": {{"shape": [{"9" * 5_000}]}}}}'}


@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS.keys())
def test_a_safetensors_header_that_is_none_is_one_sentence(tmp_path: Path, header: str) -> None:
    (tmp_path / "v.txt").write_text("a\nb\n", encoding="utf-8")
    (tmp_path / "v.safetensors").write_bytes(struct.pack("<Q", len(header)) + header.encode())
    with pytest.raises(BadInput, match=r"v\.safetensors"):
        load_vectors(tmp_path / "v.safetensors")


@pytest.mark.parametrize("line", [b"a" * 1_000 + b"\n", b"a" * 1_000])
def test_what_unpacks_to_far_more_than_it_is_is_refused_before_it_is_in_memory(
    tmp_path: Path, line: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "UNPACKED_FREELY", 4 << 20)  # the same in small: 16 MB out of 16 KB
    monkeypatch.setattr(opening, "LONGEST_LINE", 8 << 20)
    path = tmp_path / "probes.tsv.gz"
    with gzip.open(path, "wb") as stream:
        stream.write(b"id\tsource\n" + line * 16_000)
    with pytest.raises(BadInput, match="unpacks to more than 100 times its size"):
        evenhand.load_suite(path)


def test_a_line_of_a_size_no_text_has_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LONGEST_LINE", 2 << 20)
    path = tmp_path / "probes.tsv"
    path.write_bytes(b"id\tsource\na\t" + b"x" * (4 << 20))
    with pytest.raises(BadInput, match="line 2: a line longer than 2 MB"):
        evenhand.load_suite(path)


@pytest.mark.parametrize("first", ["id\tsource\t", ""])
def test_a_header_of_a_million_columns_is_a_short_message(tmp_path: Path, first: str) -> None:
    path = tmp_path / "probes.tsv"
    path.write_text(first + "\t".join(f"c{n}" for n in range(1_000_000)) + "\n", encoding="utf-8")
    with pytest.raises(BadInput) as refused:
        evenhand.load_suite(path)
    assert len(str(refused.value)) < 1_000


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(form=st.sampled_from(["tsv", "csv", "jsonl", "json", "parquet", "tsv.gz", "tsv.xz"]), data=st.data())
def test_any_bytes_are_read_or_refused_by_every_reader(tmp_path: Path, form: str, data: st.DataObject) -> None:
    path = tmp_path / f"probes.{form}"
    signs = [bytes([sign]) for sign in b',"{}[]:']
    pieces = st.sampled_from([b"id", b"source", b"\t", b"\n", b"PAR1", b"\xff", b"**", *signs])
    path.write_bytes(b"".join(data.draw(st.lists(st.one_of(pieces, st.binary(max_size=8)), max_size=40))))
    read_or_refused(lambda: evenhand.load_suite(path).hash)
    read_or_refused(lambda: evenhand.detect(path, target="de"))
    read_or_refused(lambda: evenhand.load_suite(f"winomt:{path}").hash)
    read_or_refused(lambda: evenhand.load_suite(f"winobias:{path}").hash)


CALIBRATION = '{{"language": "es", "kind": "nouns", "labels": {labels}, "weights": {weights}}}'
VERDICTS = ("female", "male", "neutral", "both")


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-1", "9" * 400, DEEP, "null"])
def test_a_calibration_with_what_is_no_count_is_one_sentence(tmp_path: Path, number: str) -> None:
    row = "{" + ", ".join(f'"{gender}": {number}' for gender in VERDICTS) + "}"
    rows = "{" + ", ".join(f'"{gender}": {row}' for gender in VERDICTS) + "}"
    path = tmp_path / "calibration.json"
    path.write_text(CALIBRATION.format(labels=rows, weights=row), encoding="utf-8")
    with pytest.raises(BadInput, match=r"calibration\.json: not a calibration file"):
        Calibration.load(path)


@pytest.mark.parametrize("people", ["inf", "-inf", "nan", "1e999", "²"])
def test_people_of_a_reference_that_are_no_number_are_refused(tmp_path: Path, people: str) -> None:
    shares, national = tmp_path / "shares.tsv", tmp_path / "national.tsv"
    shares.write_text(f"isco08\tshare_women\temployed\n2211\t0.4\t{people}\n", encoding="utf-8")
    national.write_text(f"code\tshare_women\temployed\n2211\t0.4\t{people}\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"shares\.tsv line 2.*is not a number"):
        load_reference(shares)
    with pytest.raises(BadInput, match=r"national\.tsv line 2.*is not a number"):
        read_national(national, "isco08")


@pytest.mark.parametrize("code", ["²", "2211²", "Ⅳ"])
def test_a_code_of_signs_that_only_look_like_digits_is_refused(tmp_path: Path, code: str) -> None:
    path = tmp_path / "shares.tsv"
    path.write_text(f"isco08\tshare_women\n{code}\t0.4\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"no ISCO-08 code"):
        load_reference(path)


def test_half_a_character_in_parallel_text_costs_its_line_only(tmp_path: Path) -> None:
    lines = ['{"en": "A \\ud800.", "es": "Un."}', '{"en": "The nurse.", "es": "La enfermera.", "doc": "\\udfff"}']
    path = tmp_path / "text.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    pairs = pl.concat(read_pairs(Origin(UserFile(path)), Sides("en", "es")))
    assert pairs["source"].to_list() == ["", "The nurse."]
    assert pairs["rendering"].to_list() == ["Un.", "La enfermera."]
