"""MLflow: a run of the tracking store with every estimate as a metric, the signature's parts as parameters."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from evenhand.errors import BadInput, require
from evenhand.report.exchange.metrics import metrics_of
from evenhand.report.exchange.tables import to_csv
from evenhand.results.runs import Run
from evenhand.visible import shortened

FOLDERS = "MLFLOW_ALLOW_FILE_STORE"
LONGEST = 500  # characters of a parameter that every store takes
_NAME = re.compile(r"[^\w. /-]+")


def write(run: Run, store: str, experiment: str = "evenhand") -> str:
    """Log the run to a tracking store (a folder, or a URI that MLflow knows), with estimates.csv as an artifact; the id
    MLflow gave it. Metrics are KEY, KEY.low and KEY.high."""
    require("mlflow", purpose="exporting to MLflow", extra="mlflow")
    from mlflow.entities import Metric, Param, RunTag
    from mlflow.exceptions import MlflowException
    from mlflow.tracking import MlflowClient

    info = run.manifest
    uri = store if "://" in store else Path(store).resolve().as_uri()
    when = int(datetime.fromisoformat(info.created).timestamp() * 1000) if info.created else 0
    numbers: dict[str, float] = {}
    for metric in metrics_of(run):
        ends = {"": metric.value, ".low": metric.low, ".high": metric.high}
        numbers |= {_NAME.sub("-", f"{metric.key}{end}"): value for end, value in ends.items() if value is not None}
    parts = [part.partition(":") for part in run.signature.split("|")]
    params = [Param(name, value[:LONGEST]) for name, _, value in parts]
    tags = [RunTag("evenhand.signature", run.signature), RunTag("evenhand.suite", info.suite.name)]
    with _folders(allowed="://" not in store):
        try:
            client = MlflowClient(tracking_uri=uri)
            known = client.get_experiment_by_name(experiment)
            home = known.experiment_id if known else client.create_experiment(experiment)
            name = f"{info.system_name}, {info.suite.name} into {info.target_lang}"
            made = client.create_run(home, start_time=when, run_name=name)
            metrics = [Metric(key, value, when, 0) for key, value in numbers.items()]
            for start in range(0, max(len(metrics), 1), 1000):  # MLflow takes no more at once
                client.log_batch(made.info.run_id, metrics=metrics[start : start + 1000])
            client.log_batch(made.info.run_id, params=params, tags=tags)
            with TemporaryDirectory() as scratch:
                table = Path(scratch) / "estimates.csv"
                table.write_text(to_csv([run]), encoding="utf-8")
                client.log_artifact(made.info.run_id, str(table))
            client.set_terminated(made.info.run_id)
        except MlflowException as error:
            raise BadInput(
                f"{store}: MLflow could not take the run ({shortened(str(error).splitlines()[0], 200)})"
            ) from error
    return str(made.info.run_id)


@contextmanager
def _folders(*, allowed: bool) -> Iterator[None]:
    """Let MLflow write to a plain folder, which later versions do only if this variable allows it."""
    before = os.environ.get(FOLDERS)
    if allowed and before is None:
        os.environ[FOLDERS] = "true"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(FOLDERS, None)
