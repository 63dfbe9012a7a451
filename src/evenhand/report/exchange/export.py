"""One run into one format: the verb `export`."""

from pathlib import Path

from evenhand.errors import Unknown
from evenhand.report.exchange import every_eval_ever, hugging_face, mlflow, tables
from evenhand.report.exchange.every_eval_ever import Origin
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
        return [str(path) for path in hugging_face.write(loaded, Path(output), dataset)]
    return [mlflow.write(loaded, str(output), experiment)]
