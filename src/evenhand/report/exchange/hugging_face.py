"""Hugging Face: `.eval_results/NAME.yaml` of a model's repository, as huggingface_hub's EvalResultEntry has it."""

import json
import re
from pathlib import Path

from evenhand.errors import BadInput
from evenhand.report.exchange.metrics import metrics_of
from evenhand.report.words.vocabulary import span, wording
from evenhand.results.runs import Run
from evenhand.storage.atomic import write_text

_DATASET = re.compile(r"[\w.-]+/[\w.-]+")


def write(run: Run, folder: Path, dataset: str) -> list[Path]:
    """.eval_results/SUITE-SOURCE-TARGET.yaml under the folder, one entry per overall measure; `dataset` is the
    benchmark's own id on the Hub."""
    if not _DATASET.fullmatch(dataset):
        raise BadInput(f"{dataset!r} is not a dataset of the Hub: results name the benchmark as OWNER/NAME (--dataset)")
    info = run.manifest
    task = f"{info.suite.name}-{info.suite.source_lang}-{info.target_lang}"
    lines: list[str] = []
    for metric in metrics_of(run, overall=True):
        unit = wording(metric.measure).unit
        interval = span(metric.low, metric.high, unit).replace("\u00a0", " ")
        told = f"{metric.title}, {100 * info.level:.4g} % interval {interval}; " if interval else f"{metric.title}; "
        lines += [
            "- dataset:",
            f"    id: {_scalar(dataset)}",
            f"    task_id: {_scalar(f'{task}-{metric.key}')}",
            f"    revision: {_scalar(info.suite.hash)}",
            f"  value: {metric.value!r}",
            *([f"  date: {_scalar(info.created)}"] if info.created else []),
            f"  notes: {_scalar(told + run.signature)}",
        ]
    if not lines:
        raise BadInput(f"{run.path or info.suite.name}: the run has no overall estimate to export")
    path = folder / ".eval_results" / f"{re.sub(r'[^A-Za-z0-9._-]+', '-', task)}.yaml"
    write_text(path, "\n".join(lines) + "\n")
    return [path]


def _scalar(text: str) -> str:
    """A string as YAML reads it back: every JSON string is one of YAML's."""
    return json.dumps(text, ensure_ascii=True)
