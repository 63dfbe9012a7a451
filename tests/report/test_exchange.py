"""Exports against the schemas and parsers of those whose formats they are."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.command_line import evenhand as command

import evenhand
from evenhand.results.runs import Run

jsonschema = pytest.importorskip("jsonschema")


@pytest.fixture(scope="module")
def gold_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Sentences that state a gender, through the pocket translator; one answer is empty."""
    pytest.importorskip("evenhand_pocket", reason="pocket is not installed")
    folder = tmp_path_factory.mktemp("gold")
    whole = evenhand.load_suite("occupations-coreference")
    suite = replace(whole, make=lambda: whole.probes.head(80))
    run = evenhand.audit(
        suite,
        "pocket",
        target="es",
        memory=folder / "memory.sqlite",
        output=folder / "run",
        settings=evenhand.Settings(resamples=200),
    )
    missing = pl.when(pl.int_range(pl.len()) == 3).then(pl.lit("")).otherwise("rendering").alias("rendering")
    replace(run, renderings=run.renderings.with_columns(missing)).save(folder / "run")
    return evenhand.score(folder / "run", detect=True, output=folder / "run")


@pytest.fixture(scope="module")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The published schemas, out of the package every-eval-ever 0.3.0; it is not installed (it wants Python 3.12)."""
    folder = tmp_path_factory.mktemp("every-eval-ever")
    fetch = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "--python-version=3.12"]
    got = subprocess.run([*fetch, "every_eval_ever==0.3.0"], cwd=folder, capture_output=True, text=True, check=False)
    if got.returncode:
        pytest.skip(f"pip could not fetch every_eval_ever: {got.stderr[-200:]}")
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        names = ("eval", "instance_level_eval")
        return {name: json.loads(wheel.read(f"every_eval_ever/schemas/{name}.schema.json")) for name in names}


def exported(run: Run, folder: Path, **options: Any) -> tuple[dict[str, Any], list[dict[str, Any]], Path]:
    written = evenhand.export(run, folder, to="eee", **options)
    aggregate = Path(written[0])
    lines = Path(written[1]).read_text("utf-8").split("\n")[:-1] if len(written) > 1 else []
    return json.loads(aggregate.read_text("utf-8")), [json.loads(line) for line in lines], aggregate


def test_every_eval_ever_takes_the_results_and_the_samples(
    gold_run: Run, schemas: dict[str, Any], tmp_path: Path
) -> None:
    content, samples, _ = exported(gold_run, tmp_path)
    jsonschema.validate(content, schemas["eval"])
    assert content["schema_version"] == schemas["eval"]["version"]
    assert len(samples) == 80
    for sample in samples:
        jsonschema.validate(sample, schemas["instance_level_eval"])


def test_the_numbers_of_every_eval_ever_are_those_of_the_run(gold_run: Run, tmp_path: Path) -> None:
    content, samples, path = exported(gold_run, tmp_path)
    results = {one["evaluation_result_id"]: one for one in content["evaluation_results"]}
    row = gold_run.estimates.filter(pl.col("measure") == "accuracy", pl.col("group") == "all").row(0, named=True)
    score = results["accuracy"]["score_details"]
    interval = score["uncertainty"]["confidence_interval"]
    assert (score["score"], interval["lower"], interval["upper"]) == (row["value"], row["low"], row["high"])
    assert interval["confidence_level"] == 0.95
    assert sum(one["evaluation"]["score"] for one in samples) / len(samples) == pytest.approx(row["value"])
    assert [one["error"] for one in samples if not one["output"]["raw"][0]] == ["empty"]
    detail = content["detailed_evaluation_results"]
    companion = tmp_path / detail["file_path"]
    assert companion == path.with_name(f"{path.stem}_samples.jsonl")
    assert detail["checksum"] == hashlib.sha256(companion.read_bytes()).hexdigest()
    assert detail["total_rows"] == 80
    assert {one["evaluation_id"] for one in samples} == {content["evaluation_id"]}
    assert not results["accuracy"]["metric_config"]["lower_is_better"]
    assert results["dG"]["metric_config"]["additional_details"] == {"better": "nearer to 0"}


def test_the_path_is_the_one_the_datastore_asks_for(gold_run: Run, tmp_path: Path) -> None:
    origin = evenhand.Origin("A lab", "third_party", "some-owner/some model", "")
    content, _, path = exported(gold_run, tmp_path, origin=origin)
    parts = path.relative_to(tmp_path).parts
    assert parts[:4] == ("data", "occupations-coreference", "some-owner", "some-model")
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\.json", parts[4])
    assert content["source_metadata"]["evaluator_relationship"] == "third_party"
    assert content["model_info"]["additional_details"]["deployment_type"] == "self_deployed"


def test_a_suite_without_stated_gender_has_no_samples_because_nothing_is_right_or_wrong(
    mixed_run: Path, schemas: dict[str, Any], tmp_path: Path
) -> None:
    content, samples, _ = exported(Run.load(mixed_run), tmp_path)
    jsonschema.validate(content, schemas["eval"])
    assert samples == []
    assert "detailed_evaluation_results" not in content


def test_hugging_face_reads_its_results_back_as_they_were_meant(gold_run: Run, tmp_path: Path) -> None:
    hub = pytest.importorskip("huggingface_hub", minversion="1.0")
    yaml = pytest.importorskip("yaml")
    (written,) = evenhand.export(gold_run, tmp_path, to="hf", dataset="some-owner/some-benchmark")
    assert Path(written).parent.name == ".eval_results"
    content = yaml.safe_load(Path(written).read_text("utf-8"))
    entries = hub.parse_eval_result_entries(content)
    assert hub.eval_result_entries_to_yaml(entries) == content
    overall = gold_run.estimates.filter(pl.col("group") == "all", pl.col("family").is_null())
    assert [entry.value for entry in entries] == overall["value"].to_list()
    assert entries[0].dataset_id == "some-owner/some-benchmark"
    assert entries[0].task_id == "occupations-coreference-en-es-accuracy"
    assert gold_run.signature in (entries[0].notes or "")


def test_a_model_card_with_our_section_is_still_a_model_card(gold_run: Run, tmp_path: Path) -> None:
    hub = pytest.importorskip("huggingface_hub")
    (written,) = evenhand.export(gold_run, tmp_path / "card.md", to="model-card")
    section = Path(written).read_text("utf-8")
    card = hub.ModelCard(f"---\nlanguage: en\nlicense: apache-2.0\n---\n\n# A model\n\n{section}")
    assert card.data.to_dict() == {"language": "en", "license": "apache-2.0"}
    assert card.text.endswith(section.rstrip("\n")) or section.strip() in card.text
    assert gold_run.signature in card.text


@pytest.mark.harness
def test_mlflow_has_every_estimate_with_its_interval_in_a_local_folder(
    gold_run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("mlflow", reason="mlflow is not installed (make test-harness)")
    from mlflow.tracking import MlflowClient

    (made,) = evenhand.export(gold_run, tmp_path / "store", to="mlflow", experiment="ours")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    client = MlflowClient(tracking_uri=(tmp_path / "store").as_uri())
    logged = client.get_run(made)
    row = gold_run.estimates.filter(pl.col("measure") == "accuracy", pl.col("group") == "all").row(0, named=True)
    assert logged.data.metrics["accuracy"] == pytest.approx(row["value"])
    assert logged.data.metrics["accuracy.low"] == pytest.approx(row["low"])
    assert logged.data.metrics["accuracy.gold.female"] < 1
    assert logged.data.tags["evenhand.signature"] == gold_run.signature
    assert logged.data.params["target"] == "es"
    assert [one.path for one in client.list_artifacts(made)] == ["estimates.csv"]
    (experiment,) = [one for one in client.search_experiments() if one.name == "ours"]
    assert logged.info.experiment_id == experiment.experiment_id


@pytest.mark.parametrize(
    ("to", "name"), [("csv", "estimates.csv"), ("latex", "estimates.tex"), ("json", "estimates.json")]
)
def test_tables_are_written_into_a_folder_or_a_file(mixed_run: Path, tmp_path: Path, to: str, name: str) -> None:
    assert evenhand.export(mixed_run, tmp_path, to=to) == [str(tmp_path / name)]
    same = tmp_path / f"own{Path(name).suffix}"
    evenhand.export(mixed_run, same, to=to)
    assert same.read_bytes() == (tmp_path / name).read_bytes()


def test_the_command_line_exports_and_refuses_in_a_sentence(mixed_run: Path, tmp_path: Path) -> None:
    def run(*options: str) -> Any:
        return command("export", str(mixed_run), *options, folder=tmp_path)

    done = run("--to", "eee", "-o", "out", "--json")
    assert done.returncode == 0, done.stderr
    assert Path(tmp_path / json.loads(done.stdout)["written"][0]).is_file()
    wrong: list[tuple[Callable[[], Any], str]] = [
        (lambda: run("--to", "excel"), "excel"),
        (lambda: run("--to", "hf"), "--dataset"),
        (lambda: run("--to", "eee", "--relationship", "friend"), "third_party"),
    ]
    for call, word in wrong:
        refused = call()
        assert refused.returncode == 2
        assert word in refused.stderr
        assert "Traceback" not in refused.stderr
