"""Parallel text through the public interfaces: formats, outcomes, duplicates, continuation."""

from __future__ import annotations

import gzip
import json
import lzma
import subprocess
import sys
from collections import Counter
from pathlib import Path

import polars as pl
import pytest
from tests import command_line
from tests.corpus.own_pairs import LINES, text

import evenhand
from evenhand.errors import BadInput
from evenhand.pipeline.engines import LocalEngine
from evenhand.report.pages.kinds import shown
from evenhand.workflows.corpus import Audited, corpus

ONE = LocalEngine(1)


def audited(files: Path | list[Path], output: Path, **options: object) -> Audited:
    return corpus(files, target="de", output=output, engine=ONE, **options)  # type: ignore[arg-type]


def as_tsv(path: Path, pairs: list[tuple[str, str]]) -> Path:
    path.write_text("".join(f"{s}\t{t}\n" for s, t in pairs), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Audited:
    folder = tmp_path_factory.mktemp("plain")
    return audited(as_tsv(folder / "text.tsv", text(4)), folder / "out", shard_size=15, block=5)


def test_persons_are_counted_by_what_the_source_says_and_the_target_gives(plain: Audited) -> None:
    expected = Counter((says, gender) for _, _, says, gender in LINES if says)
    counts = plain.findings.tables["counts"]
    for says in ("open", "female", "male", "unclear"):
        row = counts.filter(says=says)
        for gender in ("female", "male", "neutral", "both", "unknown"):
            seen = int(row[gender].sum()) if row.height else 0
            assert seen == 4 * expected[says, gender], (says, gender)


def test_words_have_counts_share_sector_and_reference(plain: Audited) -> None:
    teacher = plain.words.row(by_predicate=pl.col("concept") == "teacher", named=True)
    assert (teacher["female"], teacher["male"], teacher["share"]) == (4, 4, 0.5)
    assert 0 <= teacher["low"] < 0.5 < teacher["high"] <= 1
    assert teacher["sector"] == "education"
    assert teacher["reference_share"] == pytest.approx(0.778)  # BLS CPS 2020 table 11
    doctor = plain.words.row(by_predicate=pl.col("concept") == "doctor", named=True)
    assert (doctor["male"], doctor["stated_female"], doctor["stated_male"]) == (4, 4, 4)
    assert "police officer" in plain.words["concept"]
    folder = plain.findings.path
    assert folder is not None
    header = (folder / "words.tsv").read_text("utf-8").split("\n")[0].split("\t")
    assert header[:6] == ["concept", "female", "male", "neutral", "both", "unknown"]


def test_persons_per_million_words_is_a_division(plain: Audited) -> None:
    words = sum(len(source.split()) for source, _ in text(4))
    row = plain.findings.estimates.row(by_predicate=pl.col("measure") == "persons_per_million", named=True)
    assert row["value"] == pytest.approx(1e6 * row["n"] / words)


def test_the_sample_is_a_run_that_can_be_reviewed(plain: Audited) -> None:
    assert plain.findings.path is not None
    run = evenhand.load_run(plain.findings.path / "sample")
    assert run.manifest.suite.kind == "nouns"
    assert set(run.table["concept"]) >= {"nurse", "doctor", "teacher"}


def tmx(pairs: list[tuple[str, str]]) -> str:
    units = "".join(
        f'<tu><tuv xml:lang="en-GB"><seg>{s}</seg></tuv>\n<tuv xml:lang="de"><seg>{t}</seg></tuv></tu>'
        for s, t in pairs
    )
    return f'<?xml version="1.0"?><tmx version="1.4"><header srclang="en"/><body>{units}</body></tmx>'


def write(kind: str, folder: Path, pairs: list[tuple[str, str]]) -> list[Path]:
    path = folder / f"text.{kind}"
    table = pl.DataFrame(pairs, schema=["en", "de"], orient="row")
    content = ""
    match kind:
        case "tsv" | "tsv.gz" | "tsv.xz" | "tsv.zst":
            content = "".join(f"{s}\t{t}\n" for s, t in pairs)
        case "headed.tsv":
            content = "id\tde\ten\n" + "".join(f"{n}\t{t}\t{s}\n" for n, (s, t) in enumerate(pairs))
        case "bars":
            content = "".join(f"{s} ||| {t}\n" for s, t in pairs)
        case "csv":
            content = table.write_csv()
        case "jsonl":
            content = "".join(json.dumps({"source": s, "target": t}) + "\n" for s, t in pairs)
        case "nested.jsonl":
            content = "".join(json.dumps({"translation": {"en": s, "de": t}}) + "\n" for s, t in pairs)
        case "tmx":
            content = tmx(pairs)
        case "parquet":
            table.write_parquet(path)
            return [path]
        case "moses" | "folder" | "two.txt":
            ends = ("one.txt", "two.txt") if kind == "two.txt" else ("en", "de")
            for side, end in enumerate(ends):
                lines = "".join(f"{pair[side]}\n" for pair in pairs)
                (folder / f"text.{end}").write_text(lines, encoding="utf-8")
            return [folder] if kind == "folder" else [folder / f"text.{end}" for end in ends]
    if kind.endswith(".gz"):
        path.write_bytes(gzip.compress(content.encode()))
    elif kind.endswith(".xz"):
        path.write_bytes(lzma.compress(content.encode()))
    elif kind.endswith(".zst"):
        path.write_bytes(pytest.importorskip("zstandard").ZstdCompressor().compress(content.encode()))
    else:
        path.write_text(content, encoding="utf-8")
    return [path]


@pytest.mark.parametrize(
    "kind",
    [
        *["tsv.gz", "tsv.xz", "tsv.zst", "headed.tsv", "bars", "csv", "jsonl", "nested.jsonl", "tmx", "parquet"],
        *["moses", "folder", "two.txt"],
    ],
)
def test_every_format_gives_the_same_pairs(kind: str, tmp_path: Path) -> None:
    from evenhand.corpus.reading import Sides, origins, read_pairs

    (tmp_path / "in").mkdir()
    pairs = text(2)
    found = origins(write(kind, tmp_path / "in", pairs), source="en", target="de")
    assert len(found) == 1
    tables = list(read_pairs(found[0], Sides("en", "de")))
    texts = pl.concat(tables).select(pl.col("source", "rendering").str.strip_chars()).rows()
    assert texts == pairs


def test_a_pair_counts_once_and_bad_lines_are_counted(tmp_path: Path) -> None:
    good = text(2)
    path = tmp_path / "text.tsv"
    lines = [f"{s}\t{t}" for s, t in [*good, *good[:7]]] + [
        "The nurse left.\t",
        "no second side",
        "x" * 3_000 + "\tlang",
    ]
    path.write_bytes("\n".join(lines).encode() + b"\nThe nurse \xff sleeps.\tDie Pflegerin schl\xe4ft.\n")
    english = "The judge has read the whole book.\tThe judge has read the whole book.\n"
    path.write_bytes(path.read_bytes() + english.encode())
    funnel = dict(audited(path, tmp_path / "out").findings.tables["funnel"].select("what", "count").iter_rows())
    assert funnel["lines read"] == len(lines) + 2
    assert funnel["already present (duplicates)"] == 7
    assert funnel["a side is empty"] == 2
    assert funnel["not UTF-8"] == 1
    assert funnel["longer than 2,000 characters"] == 1
    assert funnel["repeats the source"] == 1
    assert funnel["distinct pairs"] == len(good) + 1
    assert funnel["pairs that are translations"] == len(good)


def shards(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "work" / "shards").glob("*.parquet"))}


def test_a_run_that_lost_shards_is_continued_to_the_same_bytes(plain: Audited, tmp_path: Path) -> None:
    assert plain.findings.path is not None
    path = as_tsv(tmp_path / "text.tsv", text(4))
    first = audited(path, tmp_path / "out", shard_size=15, block=5)
    before, tables = shards(tmp_path / "out"), (tmp_path / "out" / "estimates.parquet").read_bytes()
    assert before == shards(plain.findings.path)
    (tmp_path / "out" / "work" / "shards" / "000001.json").unlink()
    (tmp_path / "out" / "work" / "shards" / "000000.parquet").write_bytes(b"torn")
    again = audited(path, tmp_path / "out", shard_size=15, block=5)
    assert (again.summary.made, again.summary.kept) == (2, first.summary.made - 2)
    assert shards(tmp_path / "out") == before
    assert (tmp_path / "out" / "estimates.parquet").read_bytes() == tables


def test_into_english_the_pronoun_of_the_english_side_counts(tmp_path: Path) -> None:
    lines = [
        ("Ő orvos.", "She is a doctor."),
        ("Ő tanár.", "He is a teacher."),
        ("Fáradt volt.", "She was tired."),
        ("Az anyám elvesztette a kulcsait.", "My mother lost her keys."),
        ("Tamás elvesztette a kulcsait.", "Thomas lost his keys."),
        ("Esik az eső.", "It is raining outside now."),
    ]
    path = as_tsv(tmp_path / "text.tsv", lines)
    result = corpus(path, source="hu", target="en", output=tmp_path / "out", engine=ONE)
    counts = {row["says"]: row for row in result.findings.tables["counts"].iter_rows(named=True)}
    assert (counts["open"]["female"], counts["open"]["male"]) == (2, 1)
    assert counts["female"]["female"] == 1
    assert counts["unclear"]["male"] == 1
    assert result.words.row(by_predicate=pl.col("concept") == "doctor", named=True)["female"] == 1


def test_what_cannot_be_counted_is_said_before_any_work(tmp_path: Path) -> None:
    path = as_tsv(tmp_path / "text.tsv", text(1))
    with pytest.raises(BadInput, match="cannot be counted"):
        corpus(path, source="de", target="fr", output=tmp_path / "out")
    (tmp_path / "a.en").write_text("One line.\nTwo lines.\n", encoding="utf-8")
    with pytest.raises(BadInput, match="file of the other language is missing"):
        corpus(tmp_path / "a.en", target="de", output=tmp_path / "out")
    (tmp_path / "a.de").write_text("Eine Zeile.\n", encoding="utf-8")
    with pytest.raises(BadInput, match="their lines do not correspond"):
        corpus([tmp_path / "a.en", tmp_path / "a.de"], target="de", output=tmp_path / "out")
    assert not (tmp_path / "out" / "manifest.json").exists()


def test_a_text_without_persons_is_a_result_and_no_error(tmp_path: Path) -> None:
    lines = [("It is raining again today.", "Heute regnet es schon wieder.")]
    result = audited(as_tsv(tmp_path / "text.tsv", lines), tmp_path / "out")
    assert result.words.is_empty()
    row = result.findings.estimates.row(by_predicate=pl.col("measure") == "persons_per_million", named=True)
    assert row["value"] == 0


def test_into_english_names_and_nouns_of_the_source_leave_it_unclear_and_a_friend_is_no_concept(tmp_path: Path) -> None:
    pairs = [
        ("Hän asuu kaukana.", "She lives far away."),
        ("Zarkan luki kirjansa.", "Zarkan read his book."),  # a name that no list has
        ("En puhunut tytölle.", "I did not talk to her."),  # tyttö: girl
        ("Hän unohti ystävänsä.", "He forgot all of his friends."),
        ("Hän on opettaja.", "She is a teacher."),
    ]
    path = as_tsv(tmp_path / "text.tsv", pairs)
    corpus(path, source="fi", target="en", output=tmp_path / "out", engine=ONE)
    shard = pl.read_parquet(tmp_path / "out" / "work" / "shards" / "000000.parquet").sort("line")
    assert shard["says"].to_list() == ["open", "unclear", "unclear", "open", "open"]
    assert shard["concept"].to_list() == ["(pronoun)"] * 4 + ["teacher"]


def test_the_command_tells_how_many_words_balance_and_how_many_cannot(tmp_path: Path) -> None:
    path, weights = as_tsv(tmp_path / "text.tsv", text(4)), tmp_path / "weights.tsv"
    options = ["--target", "de", "-o", str(tmp_path / "out"), "--no-report", "--workers", "1"]
    asked = ("corpus", path, *options, "--write-balanced", weights, "--want", "0.4")
    done = command_line.evenhand(*asked, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    before = weights.read_bytes()
    longer = as_tsv(tmp_path / "longer.tsv", [*text(4), *text(9)[44:]])
    assert command_line.evenhand("corpus", longer, *options, "--shard-size", "40", folder=tmp_path).returncode == 0
    assert command_line.evenhand(*asked, folder=tmp_path).returncode == 0
    assert weights.read_bytes() == before  # the other text's shards are still there, and no part of this one
    assert "(20 of 24 get a gender)" in done.stdout
    assert f"words      {tmp_path / 'out' / 'words.tsv'}" in done.stdout
    assert "1 words have the wanted share" in done.stdout  # teacher; nurse, doctor, officer are one-sided
    assert "3 stay unchanged because only one gender occurs" in done.stdout


def test_sides_the_wrong_way_round_are_told(tmp_path: Path) -> None:
    turned = as_tsv(tmp_path / "turned.tsv", [(target, source) for source, target in text(3)])
    (remark,) = audited(turned, tmp_path / "out").findings.manifest.remarks
    assert "--columns 2,1" in remark
    again = audited(turned, tmp_path / "again", columns=("2", "1")).findings.manifest
    assert not again.remarks
    lines = tmp_path / "one.txt"
    lines.write_text("The nurse sleeps.\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"needs the other one too \(text\.en text\.de\)"):
        audited(lines, tmp_path / "neither")


def test_one_pair_is_one_pair(tmp_path: Path) -> None:
    seen = audited(as_tsv(tmp_path / "text.tsv", [("The baker sang.", "Der Bäcker sang.")]), tmp_path / "out")
    assert seen.findings.manifest.measured.startswith("1 distinct pair from English into German")
    page = shown(seen.findings)
    assert "found 1 person (" in page.answer.setting
    by_word = next(section for section in page.sections if section.title == "The most frequent words")
    assert "Values without brackets come from too few documents" in by_word.lead


def test_a_script_of_three_lines_audits_a_small_text(tmp_path: Path) -> None:
    as_tsv(tmp_path / "text.tsv", text(2))
    script = tmp_path / "script.py"
    script.write_text(
        'import evenhand\naudit = evenhand.corpus("text.tsv", target="de", output="out")\nprint(audit.words)\n',
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "teacher" in done.stdout
