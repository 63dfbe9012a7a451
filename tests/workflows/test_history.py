"""A nightly gate by all earlier runs: `evenhand check RUN --history DIR`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.command_line import evenhand as command

import evenhand
from evenhand.errors import BadInput
from evenhand.workflows.check import gate_history
from evenhand.workflows.settings import GateSettings, Settings


@pytest.fixture
def nightly(tmp_path: Path) -> Path:
    """Eight runs of one system, of which the last two say "He" instead of "They" in half of the sentences."""
    probes = tmp_path / "mine.tsv"
    rows = [f"p{n:03d}\tŐ {n}.\thu\tc{n // 4}" for n in range(240)]
    probes.write_text("id\tsource\tsource_lang\tconcept\n" + "\n".join(rows) + "\n", encoding="utf-8")
    for night in range(8):
        rng = np.random.default_rng(night)

        def model(texts: list[str], rng: np.random.Generator = rng, late: bool = night >= 6) -> list[str]:
            male = rng.random(len(texts)) < (0.8 if late else 0.3)
            return ["He is here." if he else "They are here." for he in male]

        memory, settings = tmp_path / f"{night}.sqlite", Settings(resamples=100, name="ours")
        made = evenhand.audit(str(probes), model, target="en", memory=memory, settings=settings)
        made.save(tmp_path / "runs" / f"night{night}")
    return tmp_path / "runs"


def test_a_change_for_the_worse_fails_and_nights_without_one_pass(nightly: Path) -> None:
    early = [nightly / f"night{n}" for n in range(5)]
    gate, sequence = gate_history(nightly / "night5", early, GateSettings(measures=("P_S",)))
    assert gate.passed
    assert sequence["run"].n_unique() == 6
    gate, sequence = gate_history(nightly / "night7", [nightly], GateSettings(measures=("P_S",)))
    (failure,) = gate.failures
    assert failure.startswith("P_S: since")
    assert "over its whole life" in failure
    assert sequence.filter("changed").height >= 1


def test_the_verb_prints_the_gate_and_draws_the_sequence(nightly: Path, tmp_path: Path) -> None:
    plot = tmp_path / "sequence.svg"
    done = command("check", nightly / "night7", "--history", nightly, "--plot", plot, "--json", folder=tmp_path)
    assert done.returncode == 1, done.stderr
    told = json.loads(done.stdout)
    assert {row["measure"] for row in told["sequence"]} >= {"P_S"}
    assert "<svg" in plot.read_text(encoding="utf-8")


def test_a_history_without_an_earlier_run_is_refused(nightly: Path) -> None:
    with pytest.raises(BadInput, match="no earlier run of mine through ours into en"):
        gate_history(nightly / "night0", [nightly / "night0"], GateSettings())
