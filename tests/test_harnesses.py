"""The examples for Inspect and lm-evaluation-harness, run with the real packages and their own mock models."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import polars as pl
import pytest

import evenhand
from evenhand.results.runs import Run

pytestmark = pytest.mark.harness
EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
PROBES = 24


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def pocket_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The oracle: the same probes through the pocket translator, audited by Evenhand itself."""
    pytest.importorskip("evenhand_pocket", reason="pocket is not installed")
    folder = tmp_path_factory.mktemp("harness")
    whole = evenhand.load_suite("occupations-coreference")
    suite = replace(whole, make=lambda: whole.probes.head(PROBES))
    return evenhand.audit(suite, "pocket", target="es", memory=folder / "memory.sqlite")


def expected(run: Run) -> dict[str, float]:
    genders = run.verdicts["gender"].cast(pl.String)
    shares = {str(gender): float((genders == gender).sum()) / PROBES for gender in evenhand.Gender}
    whole = run.estimates.filter(pl.col("measure") == "accuracy", pl.col("group") == "all")
    return shares | {"accuracy": whole["value"][0]}


def test_inspect_gives_the_shares_and_the_accuracy_of_an_audit_of_the_same_renderings(
    pocket_run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inspect_ai = pytest.importorskip("inspect_ai", reason="inspect-ai is not installed (make test-harness)")
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    monkeypatch.chdir(tmp_path)
    example = load(EXAMPLES / "inspect_evenhand.py")
    said = dict(zip(pocket_run.probes["source"], pocket_run.renderings["rendering"], strict=True))

    def answer(messages: list[Any], *_: Any) -> Any:
        output = ModelOutput.from_content("mockllm/model", said[messages[-1].text])
        output.usage = ModelUsage()  # else the mock fetches a tokenizer to count by
        return output

    (log,) = inspect_ai.eval(
        example.evenhand_suite(limit=PROBES),
        model=get_model("mockllm/model", custom_outputs=answer),
        display="none",
        log_dir=str(tmp_path),
    )
    assert log.status == "success", log.error
    measured = {score.name: score.metrics["mean"].value for score in log.results.scores}
    assert measured == pytest.approx(expected(pocket_run))


def test_lm_evaluation_harness_runs_the_example_with_its_dummy_model(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluated = harness(monkeypatch, "dummy")
    # the dummy answers "lol" to everything: no gender anywhere, nothing right
    assert evaluated == {"female": 0, "male": 0, "neutral": 0, "both": 0, "unknown": 1, "accuracy": 0}


def test_lm_evaluation_harness_gives_the_shares_and_the_accuracy_of_an_audit_of_the_same_renderings(
    pocket_run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("lm_eval", reason="lm-eval is not installed (make test-harness)")
    from lm_eval.models.dummy import DummyLM

    said = dict(zip(pocket_run.probes["source"], pocket_run.renderings["rendering"], strict=True))

    class Known(DummyLM):  # type: ignore[misc]
        """Their mock model, with the pocket translator's answers."""

        def generate_until(self, requests: list[Any], disable_tqdm: bool = False) -> list[str]:
            return [said[request.arguments[0].split("\n\n")[1]] for request in requests]

    assert harness(monkeypatch, Known()) == pytest.approx(expected(pocket_run))


def harness(monkeypatch: pytest.MonkeyPatch, model: Any) -> dict[str, float]:
    """What the harness prints for the first probes, by metric."""
    lm_eval = pytest.importorskip("lm_eval", reason="lm-eval is not installed (make test-harness)")
    from lm_eval.tasks import TaskManager

    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    manager = TaskManager(include_path=str(EXAMPLES / "lm_eval_evenhand"), include_defaults=False)
    evaluate: Callable[..., Any] = lm_eval.simple_evaluate
    done = evaluate(
        model=model, tasks=["evenhand_coreference_es"], task_manager=manager, limit=PROBES, bootstrap_iters=0
    )
    values = done["results"]["evenhand_coreference_es"]
    return {
        name.partition(",")[0]: value
        for name, value in values.items()
        if name.endswith(",none") and "stderr" not in name
    }
