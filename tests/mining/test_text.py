"""Text in: every format gives the same sentences; splitting and normalising keep what they must."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import sys
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.errors import BadInput
from evenhand.mining.text import inputs, normalise, read_text, sentence_keys, sentence_rows, sentences
from evenhand.pipeline.intake import Taken, take_in

LINES = ["The nurse slept well. Mr. Smith did not!", "", "A café opened — finally.", 'He said: "Go home." They went.']


def texts(path: Path, field: str | None = None) -> list[str]:
    return [text for _, text in read_text(path, field=field)]


def test_every_format_and_compression_gives_the_same_text(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    plain = "\n".join(LINES) + "\n"
    wanted = [line for line in LINES if line]
    (tmp_path / "a.txt").write_text(plain, encoding="utf-8")
    with gzip.open(tmp_path / "b.txt.gz", "wt", encoding="utf-8") as stream:
        stream.write(plain)
    with lzma.open(tmp_path / "c.txt.xz", "wt", encoding="utf-8") as stream:
        stream.write(plain)
    with zstandard.open(tmp_path / "d.txt.zst", "wt", encoding="utf-8") as stream:
        stream.write(plain)
    (tmp_path / "e.jsonl").write_text("".join(json.dumps({"text": t, "n": 1}) + "\n" for t in LINES), encoding="utf-8")
    pl.DataFrame({"text": LINES}).write_parquet(tmp_path / "f.parquet")
    (tmp_path / "g.tsv").write_text("".join(f"{t}\tandere\n" for t in LINES), encoding="utf-8")
    (tmp_path / "h.tsv").write_text("n\ttext\n" + "".join(f"1\t{t}\n" for t in LINES), encoding="utf-8")
    found = inputs([tmp_path])
    assert len(found) == 8
    for path in found:
        assert path is not None
        assert texts(path) == wanted, path.name


def test_a_named_field_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"body": "One two three.", "text": "no"}\n')
    assert texts(path, "body") == ["One two three."]
    with pytest.raises(BadInput, match=r"line 1: no column title; it has body, text"):
        texts(path, "title")


def test_stdin_is_read_as_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("Grüße an alle.\nZwei.\n".encode())))
    assert [text for _, text in read_text(None)] == ["Grüße an alle.", "Zwei."]


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (b"\xff\xfe", "a.txt", "not UTF-8"),
        (b"{", "a.jsonl", "line 1 column 2: not JSON"),
        (b"[1]", "a.jsonl", "line 1: a JSON object was expected"),
        (b"PAR1", "a.parquet", "cannot be read as Parquet"),
        (b"not xz", "a.txt.xz", "cannot be read to its end"),
    ],
)
def test_a_broken_file_is_named_with_what_is_wrong(tmp_path: Path, content: bytes, name: str, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadInput, match=message) as caught:
        texts(path)
    assert name in str(caught.value)


def test_sentences_are_cut_at_their_ends_and_not_after_abbreviations() -> None:
    assert sentences("The nurse slept. Mr. J. Smith did not! Why? It rained at 5 p.m. in May.") == [
        "The nurse slept.",
        "Mr. J. Smith did not!",
        "Why?",
        "It rained at 5 p.m. in May.",
    ]
    assert sentences('"Go home," she said. "Now."') == ['"Go home," she said.', '"Now."']


@given(st.text())
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    assert "\t" not in once
    assert "\n" not in once


@given(st.text(alphabet="Abc .!?\"' 1", max_size=80))
def test_cutting_loses_no_sign_but_blanks(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


def taken_in(paths: list[Path], folder: Path) -> Taken:
    return take_in(sentence_rows(inputs(paths)), folder, size=2, keys=sentence_keys)


def test_duplicates_meet_whatever_file_and_capitals_they_come_in(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The nurse slept well.\nThe cook sang loudly.\n")
    (tmp_path / "b.txt").write_text("THE NURSE SLEPT WELL.\nThe cook  sang loudly.\nA third one is here.\nNo.\n")
    taken = taken_in([tmp_path], tmp_path / "work")
    assert (taken.lines, taken.bad, taken.repeated, taken.distinct) == (6, {"too short or too long": 1}, 2, 3)
    assert taken.by_file == [2, 1]
    kept = pl.concat([pl.read_parquet(path) for path in sorted((tmp_path / "work").glob("*.parquet"))])
    assert set(kept["text"]) == {"The nurse slept well.", "The cook sang loudly.", "A third one is here."}


def test_the_order_of_the_files_does_not_change_the_shards(tmp_path: Path) -> None:
    for name, words in (("a", "One two three."), ("b", "Four five six."), ("c", "Seven eight nine.")):
        (tmp_path / f"{name}.txt").write_text(words + "\n")
    made = []
    for order in ("abc", "cab"):
        taken_in([tmp_path / f"{name}.txt" for name in order], tmp_path / order)
        made.append(pl.concat([pl.read_parquet(path) for path in sorted((tmp_path / order).glob("*.parquet"))]))
    assert made[0].equals(made[1])
