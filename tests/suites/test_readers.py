"""Readers of published files and of a user's own tables: what they refuse, and how they say it."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import evenhand
from evenhand.errors import BadInput, Unknown


def four_files(folder: Path, language: str = "es") -> Path:
    """MT-GenEval's layout with sentences of our own."""
    for gender, word, rendering in (("feminine", "She", "Ella"), ("masculine", "He", "Él")):
        stem = f"geneval-sentences-{gender}-test.en_{language}"
        (folder / f"{stem}.en").write_text(f"{word} sings.\n", encoding="utf-8")
        (folder / f"{stem}.{language}").write_text(f"{rendering} canta.\n", encoding="utf-8")
    return folder / f"geneval-sentences-feminine-test.en_{language}.en"


def test_references_of_one_language_are_not_used_for_another(tmp_path: Path) -> None:
    file = four_files(tmp_path)
    with pytest.raises(Unknown, match=r"target language of suite mtgeneval-counterfactual-test-es 'de'.*Known: es"):
        evenhand.audit(f"mtgeneval:{file}", lambda texts: texts, target="de", memory=tmp_path / "m.sqlite")


def test_a_folder_without_published_files_says_how_they_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"geneval-sentences-feminine-test\.en_de\.en"):
        evenhand.load_suite(f"mtgeneval:{tmp_path}")


def test_blank_lines_at_the_end_of_a_table_are_no_probes(tmp_path: Path) -> None:
    for name, text in (
        ("a.tsv", "id\tsource\np1\tThe **nurse** sings.\n\n\n"),
        ("b.jsonl", '{"id": "p1", "source": "The **nurse** sings."}\n\n'),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
        suite = evenhand.load_suite(tmp_path / name)
        assert suite.probes["focus"].to_list() == ["nurse"]


def test_the_three_ways_to_mark_a_focus_agree(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("id\tsource\np\tThe **chief nurse** sings.\n")
    (tmp_path / "b.jsonl").write_text('{"id": "p", "source": "The chief nurse sings.", "focus": "chief nurse"}\n')
    row = {"id": ["p"], "source": ["The chief nurse sings."], "focus_start": [4], "focus_end": [15]}
    pl.DataFrame(row).write_parquet(tmp_path / "c.parquet")
    found = [evenhand.load_suite(tmp_path / name).probes for name in ("a.tsv", "b.jsonl", "c.parquet")]
    spans = [table.select("source", "focus", "focus_start", "focus_end").row(0) for table in found]
    assert spans == [("The chief nurse sings.", "chief nurse", 4, 15)] * 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id\tsource\np\tThe **nurse** and the **judge**.\n", r"line 2: 2 words are marked"),
        ("id\tsource\tfocus\np\tThe nurse saw the nurse.\tnurse\n", r"line 2: the focus 'nurse' occurs 2 times"),
        ("id\tsource\tfocus\np\tThe nurse.\tjudge\n", r"line 2: the focus 'judge' occurs 0 times"),
        ("id\tsource\tfocus_start\tfocus_end\np\tThe nurse.\t4\t99\n", r"line 2: the focus 4-99 is not inside"),
        ("id\tsource\np\tA.\np\tB.\n", r"line 3: id 'p' is already used in line 2"),
        ("id\twords\np\tA.\n", r"none of the columns source, text"),
        ("id\tsource\np\tA.\tB\n", r"line 2: 3 columns"),
        ("id\tsource\tgold\np\tThe **nurse**.\tfeminine\n", r"gold"),
        ("id\tsource\n\tThe **nurse**.\n", r"line 2"),
        ("id\tsource\np\t\n", r"line 2"),
        ("id\tid\tsource\np\tq\tA.\n", r"occurs twice"),
        ("id,source\np,The **nurse**.\n", r"separated by commas here, not by tabs"),
        ("id\tsource\tbase\np\tThe good **nurse**.\tq\n", r"line 2 column base: no probe has the id 'q'"),
        ("", r"empty"),
        ("id\tsource\n", r"no probes"),
    ],
)
def test_a_bad_table_is_one_clear_error(text: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=expected) as caught:
        assert len(evenhand.load_suite(path))
    assert "mine" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_variant_may_point_to_its_plain_sentence(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text("id\tsource\tbase\np\tThe **nurse**.\t\nq\tThe good **nurse**.\tp\n")
    assert evenhand.load_suite(path).probes["base"].to_list() == [None, "p"]


def test_columns_of_texts_are_no_groups(tmp_path: Path) -> None:
    """A reference translation, or a note that stands once, has no group to be compared; a domain has."""
    rows = [
        {
            "id": str(n),
            "source": f"The **nurse** sings {n} songs.",
            "reference": "Die Pflegekraft singt.",
            "note": f"n{n}",
        }
        | {"domain": "news" if n % 2 else "chat"}
        for n in range(6)
    ]
    rows[0]["reference"] = "Die Krankenschwester singt."
    pl.DataFrame(rows).write_ndjson(tmp_path / "own.jsonl")
    assert [g.name for g in evenhand.load_suite(tmp_path / "own.jsonl").groupings] == ["domain"]
