"""Translations that already exist, in four formats, and everything that can be wrong with them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.errors import BadInput
from evenhand.systems import Dispatcher, Request, open_system, translate
from evenhand.systems.file import FileSystem

PROBES = pl.DataFrame(
    {
        "id": ["a-1", "a-2", "b-1", "b-2"],
        "source": ["The nurse.", "The doctor.", "The judge.", "The nurse."],
        "source_lang": ["en"] * 4,
    }
)


def renderings(path: Path, *, sample: int = 0, **settings: str) -> list[str]:
    system = FileSystem(str(path), **settings)
    system.bind(PROBES)
    requests = [
        Request(source, "en", "es", sample=sample, probe=probe)
        for probe, source in zip(PROBES["id"], PROBES["source"], strict=True)
    ]
    return [answer.text for answer in asyncio.run(Dispatcher(system).run(requests))]


def test_plain_lines_stand_parallel_to_the_suite(tmp_path: Path) -> None:
    file = tmp_path / "out.txt"
    file.write_text("La enfermera.\nEl médico.\n\nEl enfermero.\n", "utf-8")
    assert renderings(file) == ["La enfermera.", "El médico.", "", "El enfermero."]


def test_windows_line_ends_and_a_byte_order_mark_are_no_part_of_a_translation(tmp_path: Path) -> None:
    file = tmp_path / "out.txt"
    file.write_bytes(b"\xef\xbb\xbfa\r\nb\r\nc\r\nd\r\n")
    assert renderings(file) == ["a", "b", "c", "d"]


def test_a_tsv_is_matched_by_id_in_any_order(tmp_path: Path) -> None:
    file = tmp_path / "out.tsv"
    file.write_text('id\tsystem\trendering\nb-2\tx\t4\na-1\tx\t"1\nb-1\tx\t\na-2\tx\t2\n')
    assert renderings(file) == ['"1', "2", "", "4"]


def test_jsonl_keeps_line_breaks_samples_and_candidates(tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    rows = [
        {"id": probe, "sample": sample, "candidate": candidate, "translation": f"{probe}\n{sample}{candidate}"}
        for probe in PROBES["id"]
        for sample in (0, 1)
        for candidate in (1, 0)
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert renderings(file, sample=1) == ["a-1\n10", "a-2\n10", "b-1\n10", "b-2\n10"]
    system = FileSystem(str(file))
    system.bind(PROBES)
    [answer] = asyncio.run(system.translate([Request("The judge.", "en", "es", probe="b-1")]))
    assert answer.alternatives == ("b-1\n01",)


def test_source_and_target_pairs_are_matched_by_sentence(tmp_path: Path) -> None:
    file = tmp_path / "out.txt"
    file.write_text("The judge. ||| La jueza.\nThe nurse. ||| 1\nThe doctor. ||| \nThe nurse. ||| 2\n")
    assert renderings(file) == ["1", "", "La jueza.", "2"]


def test_one_pair_serves_all_probes_with_that_sentence(tmp_path: Path) -> None:
    file = tmp_path / "out.txt"
    file.write_text("The judge. ||| J\nThe nurse. ||| N\nThe doctor. ||| D\n")
    assert renderings(file) == ["N", "D", "J", "N"]


def test_pairs_can_be_used_without_a_suite(tmp_path: Path) -> None:
    file = tmp_path / "out.txt"
    file.write_text("The judge. ||| J\nThe nurse. ||| N\n")
    assert translate(f"file:{file}", ["The nurse.", "The judge."], source="en", target="es") == ["N", "J"]
    with pytest.raises(BadInput, match=r"no translation of 'The cat\.'"):
        translate(f"file:{file}", ["The cat."], source="en", target="es")


BAD = {
    "an extra id": ("x.tsv", "id\trendering\na-1\t1\na-9\t9\n", r"x\.tsv line 3: id \'a-9\' is not .* Did you mean"),
    "a duplicate id": ("x.tsv", "id\trendering\na-1\t1\na-1\t9\n", r"line 3: id 'a-1' is already used in line 2"),
    "a missing id": ("x.tsv", "id\trendering\na-1\t1\na-2\t2\n", r"id 'b-1' has no translation \(2 of 4"),
    "a missing column": (
        "x.tsv",
        "id\twords\na-1\t1\n",
        r"line 1: none of the columns rendering, translation",
    ),
    "no id column": ("x.tsv", "key\trendering\na-1\t1\n", r"line 1: no column 'id'; it has key"),
    "a broken row": ("x.tsv", "id\trendering\na-1\t1\t2\n", r"line 2: 3 columns, but the header has 2"),
    "too few lines": ("x.txt", "1\n2\n", r"x\.txt: 2 lines, but the suite has 4 probes"),
    "too many lines": ("x.txt", "1\n2\n3\n4\n\n", r"x\.txt: 5 lines, but the suite has 4 probes"),
    "an unknown sentence": ("x.txt", "The cat. ||| K\n", r"line 1: the suite has no sentence 'The cat\.'"),
    "two translations": (
        "x.txt",
        "The doctor. ||| 1\nThe judge. ||| 1\nThe nurse. ||| 1\nThe doctor. ||| 2\n",
        r"line 4: 'The doctor\.' was already translated otherwise in line 1",
    ),
    "half a pair": ("x.txt", "The doctor. ||| 1\nThe judge.\n", "lines"),
    "broken JSON": ("x.jsonl", '{"id": "a-1", "rendering": "1"\n', r"line 1 column \d+: not JSON"),
    "no string": (
        "x.jsonl",
        '{"id": "a-1", "rendering": null}\n',
        r"line 1 column rendering: the translation has no",
    ),
    "an empty file": ("x.txt", "", "there are no translations in it"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_one_clear_error(case: str, tmp_path: Path) -> None:
    name, content, message = BAD[case]
    (tmp_path / name).write_text(content)
    with pytest.raises(BadInput, match=message) as caught:
        renderings(tmp_path / name)
    assert "\n" not in str(caught.value)


def test_wrong_encoding_names_line_and_column(tmp_path: Path) -> None:
    file = tmp_path / "latin1.txt"
    file.write_bytes("uno\nEl médico\n".encode("latin-1"))
    with pytest.raises(BadInput, match=r"line 2 column 5: byte 0xe9 is not UTF-8"):
        FileSystem(str(file))
    file.write_bytes("uno\n".encode("utf-16"))
    with pytest.raises(BadInput, match="UTF-16"):
        FileSystem(str(file))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"gone\.txt: cannot be read \(No such file"):
        open_system(f"file:{tmp_path / 'gone.txt'}")


def test_the_fingerprint_is_the_content_not_the_place(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt", "c.txt"):
        (tmp_path / name).write_text("other\n" if name == "c.txt" else "same\n")
    a, b, c = (FileSystem(str(tmp_path / name)).fingerprint for name in ("a.txt", "b.txt", "c.txt"))
    assert a == b != c


line = st.text(alphabet=st.characters(exclude_characters="\n\r\t", exclude_categories=["Cs"]))


@settings(max_examples=30, deadline=None)
@given(st.lists(line, min_size=4, max_size=4))
def test_any_text_survives_each_format(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    folder = tmp_path_factory.mktemp("any")
    ids = PROBES["id"].to_list()
    (folder / "a.txt").write_bytes("".join(t + "\n" for t in texts).encode())
    (folder / "a.tsv").write_bytes(
        "".join(["id\trendering\n", *(f"{i}\t{t}\n" for i, t in zip(ids, texts, strict=True))]).encode()
    )
    (folder / "a.jsonl").write_bytes(
        "".join(json.dumps({"id": i, "rendering": t}) + "\n" for i, t in zip(ids, texts, strict=True)).encode()
    )
    assert renderings(folder / "a.txt", format="lines") == [
        t.removeprefix("\ufeff") if n == 0 else t for n, t in enumerate(texts)
    ]
    assert renderings(folder / "a.tsv") == texts
    assert renderings(folder / "a.jsonl") == texts


def test_blank_lines_at_the_end_are_no_rows_but_are_translations_in_plain_lines(tmp_path: Path) -> None:
    table = tmp_path / "t.tsv"
    table.write_text("id\trendering\na-1\t1\na-2\t2\nb-1\t3\nb-2\t4\n\n \n")
    assert renderings(table) == ["1", "2", "3", "4"]
    plain = tmp_path / "t.txt"
    plain.write_text("1\n2\n3\n\n")
    assert renderings(plain) == ["1", "2", "3", ""]
