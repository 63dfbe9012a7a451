"""Every Eval Ever 0.3.0: one JSON of the results, and one JSON line per rendering where the source states a gender. The
schema asks of every metric whether lower is better: one that is best near a point says false, and its direction in
additional_details."""

import hashlib
import json
import re
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isinf
from pathlib import Path

import polars as pl

from evenhand._version import __version__
from evenhand.errors import BadInput
from evenhand.report.composition import first_answers
from evenhand.report.exchange.metrics import Metric, metrics_of
from evenhand.results.runs import Run
from evenhand.storage.atomic import write_text

SCHEMA = "0.3.0"
RELATIONSHIPS = ("first_party", "third_party", "collaborative", "other")
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True)
class Origin:
    """Who evaluates whom: what a run folder cannot know. `model_id` is OWNER/NAME where the model has one."""

    organization: str = "unknown"
    relationship: str = "other"
    model_id: str = ""
    developer: str = ""

    def __post_init__(self) -> None:
        if self.relationship not in RELATIONSHIPS:
            raise BadInput(f"the relationship must be one of {', '.join(RELATIONSHIPS)}, not {self.relationship!r}")


def write(run: Run, folder: Path, origin: Origin) -> list[Path]:
    """data/SUITE/DEVELOPER/MODEL/UUID.json under the folder, and UUID_samples.jsonl beside it."""
    now, name = str(int(time.time())), str(uuid.uuid4())
    model = _model_id(run, origin)
    developer, _, own = model.rpartition("/")
    developer = origin.developer or developer or "unknown"
    place = "/".join(["data", *(_component(part) for part in (run.manifest.suite.name, developer, own))])
    samples = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in _samples(run, model, now))
    content = _aggregate(run, origin, model, developer, now)
    written = [folder / place / f"{name}.json"]
    if samples:
        content["detailed_evaluation_results"] = {
            "format": "jsonl",
            "file_path": f"{place}/{name}_samples.jsonl",
            "hash_algorithm": "sha256",
            "checksum": hashlib.sha256(samples.encode()).hexdigest(),
            "total_rows": samples.count("\n"),
        }
        written.append(folder / place / f"{name}_samples.jsonl")
        write_text(written[1], samples)
    write_text(written[0], json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n")
    return written


def _component(text: str) -> str:
    """A part of a path that every file system has."""
    return _UNSAFE.sub("-", text).strip("-. ") or "unknown"


def _model_id(run: Run, origin: Origin) -> str:
    kind, _, argument = run.manifest.system.partition(":")
    hub = argument if kind == "huggingface" and re.fullmatch(r"[\w.-]+/[\w.-]+", argument) else ""
    return origin.model_id or hub or _component(run.manifest.system_name)


def _evaluation_id(run: Run, model: str, now: str) -> str:
    return f"{run.manifest.suite.name}/{model.replace('/', '_')}/{now}"


def _aggregate(run: Run, origin: Origin, model: str, developer: str, now: str) -> dict[str, object]:
    info = run.manifest
    remote = info.answered.get("remote") if info.answered else None
    deployed = "unknown"
    if isinstance(remote, bool):
        deployed = "externally_managed" if remote else "self_deployed"
    return {
        "schema_version": SCHEMA,
        "evaluation_id": _evaluation_id(run, model, now),
        "evaluation_timestamp": info.created or "unknown",
        "retrieved_timestamp": now,
        "source_metadata": {
            "source_name": "Evenhand",
            "source_type": "evaluation_run",
            "source_organization_name": origin.organization,
            "evaluator_relationship": origin.relationship,
            "additional_details": {"signature": run.signature},
        },
        "eval_library": {
            "name": "evenhand",
            "version": info.evenhand or __version__,
            "additional_details": {"detector": info.detector, "rule": info.rule, "seed": str(info.seed)},
        },
        "model_info": {
            "name": info.system_name,
            "id": model,
            "developer": developer,
            "additional_details": {
                "deployment_type": deployed,
                "model_availability": "unknown",
                "fingerprint": info.system_fingerprint,
            },
        },
        "evaluation_results": [_scored(run, metric) for metric in metrics_of(run)],
    }


def _named(run: Run) -> str:
    info = run.manifest
    return f"{info.suite.name} {info.suite.source_lang}-{info.target_lang}"


def _scored(run: Run, metric: Metric) -> dict[str, object]:
    info, row = run.manifest, metric.row
    direction = f"nearer to {metric.neutral:g}" if metric.neutral is not None else metric.better
    interval = {
        "lower": metric.low,
        "upper": metric.high,
        "confidence_level": info.level,
        "method": row["interval"] or "unknown",
    }
    suite = {"version": info.suite.version, "hash": info.suite.hash, "source_lang": info.suite.source_lang}
    details = ("group", "level", "variant", "reference", "n", "n_decided", "n_valid", "n_clusters")
    return {
        "evaluation_result_id": metric.key,
        "evaluation_name": _named(run),
        "source_data": {
            "dataset_name": info.suite.name,
            "source_type": "other",
            "additional_details": suite | {"target_lang": info.target_lang, "citation": info.suite.citation},
        },
        "metric_config": {
            "evaluation_description": metric.words.explanation or metric.words.title,
            "metric_id": row["measure"],
            "metric_name": metric.words.title,
            "metric_unit": "proportion" if metric.words.unit in ("percent", "points") else metric.words.unit,
            "lower_is_better": metric.better == "lower",
            "score_type": "continuous",
            "min_score": _bound(metric.bounds[0]),
            "max_score": _bound(metric.bounds[1]),
            "additional_details": {"better": direction},
        },
        "score_details": {
            "score": metric.value,
            "details": {name: str(row[name]) for name in details if row.get(name) not in (None, "")},
            "uncertainty": {"num_samples": row["n"] or 0}
            | ({} if metric.low is None else {"confidence_interval": interval}),
        },
    }


def _bound(value: float) -> float | str:
    return ("Infinity" if value > 0 else "-Infinity") if isinf(value) else value


def _samples(run: Run, model: str, now: str) -> Iterator[Mapping[str, object]]:
    """One line per rendering of a sentence that states a gender: right if it has that one; undecided is not right."""
    if "gold" not in run.probes.columns or "accuracy" not in set(run.estimates["measure"]):
        return
    table = first_answers(run.table).filter(pl.col("gold").is_not_null())
    for row in table.iter_rows(named=True):
        gold, source = str(row["gold"]), row["source"] or ""
        right = row["gender"] == gold
        several = f"#{row['sample']}" if row["sample"] else ""
        yield {
            "schema_version": SCHEMA,
            "evaluation_id": _evaluation_id(run, model, now),
            "model_id": model,
            "evaluation_name": _named(run),
            "evaluation_result_id": "accuracy",
            "sample_id": f"{row['id']}{several}",
            "sample_hash": hashlib.sha256(f"{source}{gold}".encode()).hexdigest(),
            "interaction_type": "single_turn",
            "input": {"raw": source, "reference": [gold]},
            "output": {"raw": [row["rendering"] or ""]},
            "answer_attribution": [
                {
                    "turn_idx": 0,
                    "source": "output.raw",
                    "extracted_value": row["gender"],
                    "extraction_method": f"evenhand {run.manifest.detector}",
                    "is_terminal": True,
                }
            ],
            "evaluation": {"score": float(right), "is_correct": right},
            "error": row["reason"] if row.get("valid") is False else None,
            "metadata": {"focus": str(row.get("focus") or ""), "evidence": str(row.get("evidence") or "")},
        }
