"""One run into one format: the verb `export`."""

import json
import re
from pathlib import Path

from evenhand.errors import BadInput, Unknown
from evenhand.report.exchange import every_eval_ever, mlflow, tables
from evenhand.report.exchange.every_eval_ever import Origin
from evenhand.report.exchange.metrics import metrics_of
from evenhand.report.words.vocabulary import NBSP, span
from evenhand.results.findings import Findings, load_result
from evenhand.results.runs import Run, load_run
from evenhand.storage.atomic import write_text

TABLES = {
    "csv": (tables.to_csv, ".csv"),
    "json": (tables.to_json, ".json"),
    "latex": (tables.to_latex, ".tex"),
    "markdown": (tables.to_markdown, ".md"),
    "model-card": (tables.to_model_card, ".md"),
}
RUNS_ONLY = ("eee", "hf", "mlflow")
FORMATS = (*RUNS_ONLY, *TABLES)


def export(
    run: Run | Findings | Path | str,
    output: Path | str,
    *,
    to: str,
    origin: Origin | None = None,
    dataset: str = "",
    experiment: str = "evenhand",
) -> list[str]:
    """Write a run in another format; what was written (files, or the id of an MLflow run).

    `to`: eee (Every Eval Ever 0.3.0), hf (Hugging Face's .eval_results, needs `dataset`) and mlflow write into the
    folder `output`, of a run only; csv, json, latex, markdown and model-card write one file (or into the folder), of
    findings too. `origin` says who evaluates whom, which Every Eval Ever asks for.
    """
    if to not in FORMATS:
        raise Unknown("format", to, FORMATS)
    if to in TABLES:
        result = load_result(run) if isinstance(run, Path | str) else run
        writer, suffix = TABLES[to]
        path = Path(output)
        if path.is_dir() or not path.suffix:
            path /= f"{to if to == 'model-card' else 'estimates'}{suffix}"
        write_text(path, writer([result]))
        return [str(path)]
    loaded = load_run(run) if isinstance(run, Path | str) else run
    if not isinstance(loaded, Run):
        raise Unknown("format of findings", to, TABLES)
    if to == "eee":
        return [str(path) for path in every_eval_ever.write(loaded, Path(output), origin or Origin())]
    if to == "hf":
        return [str(_write_hugging_face(loaded, Path(output), dataset))]
    return [mlflow.write(loaded, str(output), experiment)]


def _write_hugging_face(run: Run, folder: Path, dataset: str) -> Path:
    """.eval_results/SUITE-SOURCE-TARGET.yaml of a model's repository, as huggingface_hub's EvalResultEntry has it: one
    entry per overall measure; `dataset` is the benchmark's own id on the Hub."""
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", dataset):
        raise BadInput(f"{dataset!r} is not a dataset of the Hub: results name the benchmark as OWNER/NAME (--dataset)")
    info = run.manifest
    task = f"{info.suite.name}-{info.suite.source_lang}-{info.target_lang}"
    lines: list[str] = []
    for metric in metrics_of(run, overall=True):
        interval = span(metric.low, metric.high, metric.words.unit).replace(NBSP, " ")
        level = f", {100 * info.level:.4g} % interval {interval}" if interval else ""
        lines += [
            "- dataset:",
            f"    id: {_scalar(dataset)}",
            f"    task_id: {_scalar(f'{task}-{metric.key}')}",
            f"    revision: {_scalar(info.suite.hash)}",
            f"  value: {metric.value!r}",
            *([f"  date: {_scalar(info.created)}"] if info.created else []),
            f"  notes: {_scalar(f'{metric.words.title}{level}; {run.signature}')}",
        ]
    if not lines:
        raise BadInput(f"{run.path or info.suite.name}: the run has no overall estimate to export")
    path = folder / ".eval_results" / f"{re.sub(r'[^A-Za-z0-9._-]+', '-', task)}.yaml"
    write_text(path, "\n".join(lines) + "\n")
    return path


def _scalar(text: str) -> str:
    """A string as YAML reads it back: every JSON string is one of YAML's."""
    return json.dumps(text, ensure_ascii=True)
