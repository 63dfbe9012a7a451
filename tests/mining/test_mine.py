"""Whole mining runs through the real engine, a real (tiny) language model and a real program that translates."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from tests.command_line import evenhand
from tests.mining.word_translator import FEMALE, MALE

from evenhand import Mined, mine
from evenhand.errors import BadInput, EvenhandError, Unknown
from evenhand.mining.pairs import Risk, pairs_of
from evenhand.mining.perturb import Kind
from evenhand.mining.steps import Judge, MiningSettings
from evenhand.mining.verified import export_verified, pair_blocks, read_blocks
from evenhand.pipeline.engines import LocalEngine
from evenhand.replicate import gonen2020
from evenhand.results.findings import Findings, load_result
from evenhand.results.runs import Run
from evenhand.suites.own import own_probes as read_suite
from evenhand.workflows.audit import audit
from evenhand.workflows.settings import Settings

TRANSLATOR = Path(__file__).with_name("word_translator.py")
NOUNS = [
    "nurse",
    "teacher",
    "doctor",
    "engineer",
    "secretary",
    "lawyer",
    "baker",
    "farmer",
    "driver",
    "writer",
    "plumber",
]


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    lines = [f"The {noun} works in house number {k}." for k, noun in enumerate(NOUNS * 8)]
    lines += ["My mother works in a house.", "The house is old.", "She was a nurse in a house.", lines[0].upper()]
    path = tmp_path_factory.mktemp("text") / "text.txt"
    path.write_text("\n".join([*lines, lines[0]]) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def settings(tiny_lm: Path) -> MiningSettings:
    return MiningSettings(system=f"command:{sys.executable} {TRANSLATOR}", targets=("es",), lm=str(tiny_lm))


@pytest.fixture(scope="module")
def mined(text: Path, settings: MiningSettings, tmp_path_factory: pytest.TempPathFactory) -> Mined:
    folder = tmp_path_factory.mktemp("mined")
    return mine([text], settings, output=folder / "out", engine=LocalEngine(2), shard_size=40)


def judged(folder: Path) -> pl.DataFrame:
    return pl.concat([pl.read_parquet(path) for path in sorted((folder / "work" / "shards").glob("*.parquet"))])


def folder_of(mined: Mined) -> Path:
    assert mined.findings.path is not None
    return mined.findings.path


def test_a_pair_is_at_risk_exactly_when_the_translator_changes_the_gender(mined: Mined) -> None:
    pairs = pairs_of(judged(folder_of(mined)))
    gender = {**dict.fromkeys(FEMALE, "f"), **dict.fromkeys(MALE, "m")}
    known = [
        (gender[a.lower()] != gender[b.lower()], risk == Risk.AT_RISK.value)
        for a, b, risk in zip(pairs["focus_original"], pairs["focus_substitute"], pairs["risk"], strict=True)
        if a.lower() in gender and b.lower() in gender
    ]
    assert len(known) > 300
    assert {True, False} == {expected for expected, _ in known}
    assert all(expected == found for expected, found in known)


def test_the_funnel_adds_up(mined: Mined) -> None:
    funnel = {(step, what): count for step, what, count in mined.funnel.iter_rows()}
    assert funnel["text", "sentences"] == 93
    assert funnel["text", "distinct sentences"] == 91  # one sentence occurs three times, once in capitals
    assert sum(count for (step, _), count in funnel.items() if step == "person") == 91
    assert funnel["person", "kept"] == 88
    assert funnel["person", "no person noun"] == 1
    pairs = funnel["perturb", "pairs"]
    assert pairs == 880
    assert sum(funnel["es", risk.value] for risk in Risk) == pairs
    assert funnel["es", "pairs drawn that are not at risk"] == funnel["es", "at risk"]


def test_the_result_is_a_run_that_can_be_read_and_scored_like_any_other(mined: Mined) -> None:
    run = Run.load(folder_of(mined) / "es")
    assert run.probes["pair"].n_unique() * 2 == run.probes.height == run.verdicts.height
    at_risk = run.table.filter(pl.col("at_risk") == "yes")
    assert at_risk.group_by("pair").agg(pl.col("gender").n_unique())["gender"].unique().to_list() == [2]
    assert "TFG" in run.estimates["measure"].to_list()


def test_words_are_estimates_with_the_ratio_of_their_renderings(mined: Mined) -> None:
    stored = load_result(folder_of(mined))
    assert isinstance(stored, Findings)
    assert stored.manifest.kind == "mining"
    rows = stored.estimates.filter(group="es, at risk")
    shares = {row["level"]: row for row in rows.filter(measure="share_masculine").iter_rows(named=True)}
    ratios = {row["level"]: row for row in rows.filter(measure="log_ratio").iter_rows(named=True)}
    seen = pairs_of(judged(folder_of(mined))).filter(risk=Risk.AT_RISK.value)
    for word in ("nurse", "teacher"):  # one sentence counts once, however many pairs it is in
        originals = seen.filter(pl.col("focus_original").str.to_lowercase() == word)["sentence"].n_unique()
        others = seen.filter(pl.col("focus_substitute").str.to_lowercase() == word).height
        assert shares[word]["n"] == ratios[word]["n"] == originals + others > 0
    assert (shares["nurse"]["value"], shares["teacher"]["value"]) == (0.0, 1.0)
    assert ratios["nurse"]["value"] < 0 < ratios["teacher"]["value"]
    assert shares["nurse"]["high"] < 0.5 < shares["teacher"]["low"]
    assert stored.tables["funnel"].equals(mined.funnel)


def test_the_number_of_processes_does_not_change_the_result(
    mined: Mined, text: Path, settings: MiningSettings, tmp_path: Path
) -> None:
    # one process, and a new one for every shard: each has grown too large for a limit of 1 MB
    again = mine([text], settings, output=tmp_path / "one", engine=LocalEngine(1, memory_mb=1), shard_size=40)
    assert judged(folder_of(mined)).equals(judged(folder_of(again)))
    assert mined.collected.languages["es"].pairs.equals(again.collected.languages["es"].pairs)
    assert mined.findings.signature == again.findings.signature
    assert mined.findings.estimates.equals(again.findings.estimates)
    assert all(table.equals(again.findings.tables[name]) for name, table in mined.findings.tables.items())


def test_the_seed_draws_other_pairs_that_are_not_at_risk_and_the_same_at_risk(
    mined: Mined, text: Path, settings: MiningSettings
) -> None:
    before = mined.collected.languages["es"]
    other = mine([text], settings, output=folder_of(mined), engine=LocalEngine(1), shard_size=40, seed=1)
    after = other.collected.languages["es"]
    assert (other.summary.made, other.summary.kept) == (0, 3)  # nothing was translated again
    assert before.at_risk.equals(after.at_risk)
    assert not before.pairs.equals(after.pairs)


def test_a_killed_run_continues_at_the_first_unfinished_shard(
    mined: Mined, text: Path, settings: MiningSettings, tmp_path: Path
) -> None:
    shards, go_on = tmp_path / "out" / "work" / "shards", tmp_path / "go-on"
    translator = tmp_path / "translator.sh"  # once a shard is finished, it hangs until it is killed
    hangs = f"if [ ! -e {go_on} ] && ls {shards}/*.json >/dev/null 2>&1; then exec sleep 600; fi"
    translator.write_text(f"#!/bin/sh\n{hangs}\nexec {sys.executable} {TRANSLATOR}\n")
    translator.chmod(0o755)
    command = ["mine", str(text), "-s", f"command:{translator}", "-t", "es"]
    command += ["--lm", settings.lm, "-o", str(tmp_path / "out"), "--shard-size", "40", "--workers", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "evenhand", *command],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    while not list(shards.glob("*.json")):
        assert process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    finished = {path.name: path.stat().st_mtime_ns for path in shards.glob("*.json")}
    assert len(finished) == 1
    go_on.touch()
    same = MiningSettings(system=f"command:{translator}", targets=("es",), lm=settings.lm)
    rest = mine([text], same, output=tmp_path / "out", engine=LocalEngine(1), shard_size=40)
    assert (rest.summary.kept, rest.summary.made) == (1, 2)
    assert {name: (shards / name).stat().st_mtime_ns for name in finished} == finished
    assert judged(folder_of(rest)).equals(judged(folder_of(mined)))


def test_a_damaged_shard_is_made_again(mined: Mined, text: Path, settings: MiningSettings, tmp_path: Path) -> None:
    shutil.copytree(folder_of(mined), tmp_path / "out")
    broken = tmp_path / "out" / "work" / "shards" / "000001.parquet"
    whole = broken.read_bytes()
    broken.write_bytes(whole[:-100])
    again = mine([text], settings, output=tmp_path / "out", engine=LocalEngine(1), shard_size=40)
    assert (again.summary.made, again.summary.kept) == (1, 2)
    assert broken.read_bytes() == whole


def test_several_languages_share_pairs(text: Path, tiny_lm: Path, tmp_path: Path) -> None:
    settings = MiningSettings(system=f"command:{sys.executable} {TRANSLATOR}", targets=("es", "es-MX"), lm=str(tiny_lm))
    both = mine([text], settings, output=tmp_path / "out", engine=LocalEngine(1), limit=30)
    assert set(both.collected.languages) == {"es", "es-MX"}
    at_risk = [set(both.collected.languages[code].at_risk["pair"]) for code in ("es", "es-MX")]
    assert set(both.findings.tables["shared"]["pair"]) == at_risk[0] & at_risk[1] != set()


def test_verified_pairs_become_a_suite_and_blocks_of_the_published_format(mined: Mined, tmp_path: Path) -> None:
    folder = folder_of(mined) / "es"
    rows = [line.split("\t") for line in (folder / "pairs.tsv").read_text("utf-8").splitlines()]
    for k, row in enumerate(rows[1:]):
        row[2] = "yes" if k < 5 and row[1] == "at risk" else "no" if k < 8 else ""
    labels = tmp_path / "labels.tsv"
    labels.write_text("\n".join("\t".join(row) for row in rows) + "\n", encoding="utf-8")
    done = export_verified(folder, labels)
    assert (done.right, done.wrong) == (5, 3)
    suite = read_suite(folder / "verified" / "suite.tsv")
    assert len(suite) == 10
    assert suite.kind == "nouns"
    blocks = pair_blocks(read_blocks(folder / "verified" / "high_precision_career_es"))
    assert len(blocks.pairs) == 5
    assert not blocks.alone
    judged_again = {r.column: r.computed for r in gonen2020.replicate(folder / "verified") if r.row == "es"}
    assert judged_again["pairs_at_risk"] == 1.0
    assert len((folder / "verified" / "pairs.jsonl").read_text("utf-8").splitlines()) == 5
    assert json.loads((folder / "verified" / "suite.jsonl").read_text("utf-8").splitlines()[0])["role"] == "original"


def test_a_label_that_is_neither_yes_nor_no_is_named_with_its_line(mined: Mined, tmp_path: Path) -> None:
    labels = tmp_path / "labels.tsv"
    labels.write_text("pair\tverified\nx-1\tperhaps\n")
    with pytest.raises(BadInput, match="line 2 column verified: 'perhaps'"):
        export_verified(folder_of(mined) / "es", labels)
    labels.write_text("pair\tverified\n")
    with pytest.raises(BadInput, match="no pair is marked yes in the column verified"):
        export_verified(folder_of(mined) / "es", labels)


@pytest.mark.parametrize("kind", ["adjective", "verb"])
def test_adjectives_and_verbs_can_be_perturbed_too(kind: Kind, tiny_lm: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("".join(f"The old {noun} sang in house number {k}.\n" for k, noun in enumerate(NOUNS)))
    settings = MiningSettings(
        system=f"command:{sys.executable} {TRANSLATOR}", targets=("es",), lm=str(tiny_lm), perturb=kind
    )  # fmt: skip
    rows = judged(folder_of(mine([text], settings, output=tmp_path / "out", engine=LocalEngine(1))))
    replaced = rows.filter(pl.col("rank") > 0)
    assert replaced.height > 0
    assert set(replaced["focus"].to_list()) <= set(NOUNS)
    if kind == "adjective":
        assert set(replaced["word"].to_list()) <= {"good", "young", "tall", "happy", "sad", "big", "new", "said"}
    else:
        assert set(replaced["word"].to_list()) <= {"ran", "walked", "talked", "went", "said", "works", "sang"}


def test_what_cannot_work_is_said_before_any_text_is_read(text: Path, settings: MiningSettings, tmp_path: Path) -> None:
    for wrong, error in (
        ({"lm": "no-such-model"}, Unknown),
        ({"system": "no-such-system"}, Unknown),
        ({"targets": ("xx",)}, Unknown),
        ({"finder": "oracle"}, Unknown),
        ({"targets": ()}, BadInput),
    ):
        changed = replace(settings, **wrong)
        with pytest.raises(error):
            mine([text], changed, output=tmp_path / "out", engine=LocalEngine(1))
    assert not (tmp_path / "out" / "work" / "sentences").exists()


def test_a_translator_that_fails_in_a_worker_is_reported_with_its_own_exit_code(
    text: Path, settings: MiningSettings, tmp_path: Path
) -> None:
    broken = MiningSettings(system="command:false", targets=("es",), lm=settings.lm)
    with pytest.raises(EvenhandError, match="command:false") as caught:
        mine([text], broken, output=tmp_path / "out", engine=LocalEngine(1))
    assert caught.value.exit_code == 3


def test_forms_that_people_labelled_judge_mined_pairs_as_they_judge_an_audit(
    mined: Mined, text: Path, settings: MiningSettings, tmp_path: Path
) -> None:
    forms = tmp_path / "labelled.tsv"
    forms.write_text("concept\tfemale\tmale\tneutral\tother\nteacher\t\t\tmaestro\t\n", encoding="utf-8")
    again = mine(
        [text], replace(settings, forms=str(forms)), output=tmp_path / "out", engine=LocalEngine(1), shard_size=40
    )
    genders = [
        set(judged(folder_of(m)).filter(pl.col("focus").str.to_lowercase() == "teacher")["gender"])
        for m in (mined, again)
    ]
    assert genders == [{"male"}, {"neutral"}]
    probes = tmp_path / "probes.tsv"
    probes.write_text("id\tsource\np1\tThe **teacher** works.\n", encoding="utf-8")
    given = Settings(forms=forms)
    run = audit(str(probes), settings.system, target="es", memory=tmp_path / "memory.sqlite", settings=given)
    assert Run.load(tmp_path / "out" / "es").manifest.detector == run.manifest.detector
    assert run.manifest.detector in again.findings.signature
    assert run.manifest.detector not in mined.findings.signature


def test_a_result_of_another_kind_is_not_replaced(
    mined: Mined, text: Path, settings: MiningSettings, tmp_path: Path
) -> None:
    mined_pairs = Run.load(folder_of(mined) / "es")
    mined_pairs.save(tmp_path / "run")
    with pytest.raises(BadInput, match="not of mining"):
        mine([text], settings, output=tmp_path / "run", engine=LocalEngine(1))
    suite = replace(mined_pairs.manifest.suite, name="occupations")
    replace(mined_pairs, manifest=replace(mined_pairs.manifest, suite=suite)).save(tmp_path / "out" / "es")
    with pytest.raises(BadInput, match="es holds a run of occupations"):
        mine([text], settings, output=tmp_path / "out", engine=LocalEngine(1))
    assert not (tmp_path / "out" / "work").exists()


def test_a_worker_with_another_detector_than_the_run_says_so(settings: MiningSettings) -> None:
    with pytest.raises(BadInput, match="--forms"):
        Judge(settings, expected={"es": "made of other forms"})


def test_report_and_compare_read_the_folder_like_any_other(mined: Mined, tmp_path: Path) -> None:
    folder = folder_of(mined)
    shutil.copytree(folder, tmp_path / "second", ignore=shutil.ignore_patterns("work"))
    assert evenhand("report", folder, "-o", "page.html", folder=tmp_path).returncode == 0
    page = (tmp_path / "page.html").read_text("utf-8")
    assert any(f'<mark class="evidence female">{word}</mark>' in page for word in ("enfermera", "secretaria"))
    beside = json.loads(evenhand("compare", folder, "second", "--json", folder=tmp_path).stdout)
    assert beside["common"] == mined.findings.estimates.height
    assert beside["alone"] == 0
