"""What a notebook shows, and what one of its cells defines: charts by name, HTML, measures, suites, systems."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest
from tests.command_line import evenhand as command

import evenhand
from evenhand import Answer, Batch, Counted, Floats, Request, Statistics
from evenhand.measures.definitions import registry
from evenhand.results.findings import Findings, FindingsManifest


class SingularThey(Counted):
    """Share of neutral renderings among the decided ones."""

    name = "singular_they"
    better = "higher"
    neutral = 1.0
    bounds = (0.0, 1.0)

    def cells(self) -> dict[str, pl.Expr]:
        gender = pl.col("gender").cast(pl.String)
        return {"neutral": gender == "neutral", "other": gender.is_in(["female", "male", "both"])}

    def formula(self, totals: Floats) -> Floats:
        share: Floats = totals[..., 0] / np.maximum(totals.sum(axis=-1), 1e-9)
        return share


@pytest.fixture(autouse=True)
def _as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one test defines is unknown to the next."""
    monkeypatch.setattr(registry, "_OWN", {})


def expected(run: evenhand.Run) -> float:
    counts = dict(run.answers.group_by(pl.col("gender").cast(pl.String)).len().iter_rows())
    decided: int = sum(counts[gender] for gender in ("neutral", "female", "male", "both"))
    return int(counts["neutral"]) / decided


def test_a_measure_is_known_by_name_once_it_is_defined(mixed_run: Path, tmp_path: Path) -> None:
    with pytest.raises(evenhand.Unknown):
        evenhand.score(mixed_run, measures=["singular_they"], resamples=100)
    assert evenhand.measure(SingularThey) is SingularThey
    run = evenhand.score(mixed_run, measures=["singular_they"], resamples=100, output=tmp_path / "run")
    row = run.estimates.filter(measure="singular_they", level="").row(0, named=True)
    assert row["value"] == pytest.approx(expected(run))
    assert row["low"] < row["value"] < row["high"]
    assert run.manifest.measures[0].startswith("singular_they#defined-")
    again = command("score", tmp_path / "run", "--seed", "3", folder=tmp_path)
    assert again.returncode == 0, again.stderr
    assert "singular_they" in again.stdout
    other = evenhand.score(mixed_run, measures=["singular_they"], resamples=100, seed=1, output=tmp_path / "other")
    assert "singular_they" in evenhand.compare([run, other]).differences["measure"].to_list()


@pytest.mark.parametrize("given", [SingularThey, SingularThey()], ids=["class", "object"])
def test_a_measure_can_be_given_instead_of_its_name(mixed_run: Path, given: evenhand.Measure) -> None:
    run = evenhand.score(mixed_run, measures=[given], resamples=100)
    assert run.estimates.filter(measure="singular_they", level="")["value"][0] == pytest.approx(expected(run))


def test_another_definition_has_another_fingerprint() -> None:
    evenhand.measure(SingularThey)
    first = registry.by_name("singular_they").fingerprint

    class Other(SingularThey):
        def formula(self, totals: Floats) -> Floats:
            return 1 - super().formula(totals)

    evenhand.measure(Other)
    assert registry.by_name("singular_they").fingerprint != first
    evenhand.measure(SingularThey)
    assert registry.by_name("singular_they").fingerprint == first


def test_what_is_no_measure_is_refused_in_one_sentence() -> None:
    class Nameless(SingularThey):
        name = ""

    class Ours(SingularThey):
        name = "P_S"

    class Undirected(SingularThey):
        name = "undirected"
        better = "more"  # type: ignore[assignment]

    for wrong, words in ((Nameless, "give it a name"), (Ours, "another name"), (Undirected, "which way is better")):
        with pytest.raises(evenhand.BadInput, match=words):
            evenhand.measure(wrong)
    with pytest.raises(evenhand.BadInput, match="is not a measure"):
        evenhand.measure(Statistics)  # type: ignore[type-var]


class Shouting:
    """A system defined in a cell."""

    name, fingerprint = "shouting", "1"
    batch = Batch(texts=10, context=False)

    async def translate(self, requests: list[Request]) -> list[Answer]:
        return [Answer("She is here, and she is loud.") for _ in requests]


def test_a_suite_and_a_system_of_a_cell_are_audited_planned_and_shown(tmp_path: Path) -> None:
    rows = [{"id": f"p{n}", "source": f"Ő {n}.", "source_lang": "hu", "concept": f"c{n}"} for n in range(12)]
    suite = evenhand.Suite(
        name="cell", version="1", source_lang="hu", kind="pronouns", summary="twelve <b>people</b>",
        make=lambda: pl.DataFrame(rows), clusters=("concept",),
    )  # fmt: skip
    memory = tmp_path / "memory.sqlite"
    assert evenhand.plan(suite, Shouting(), target="en", memory=memory).texts == 12
    run = evenhand.audit(suite, Shouting(), target="en", memory=memory, output=tmp_path / "run")
    assert run.estimates.filter(measure="share_female", level="")["value"][0] == 1.0
    assert evenhand.load_run(tmp_path / "run").signature == run.signature
    assert repr(suite) == "<Suite cell 1: pronouns, from hu>"
    page = suite._repr_html_()
    assert "12 probes" in page
    assert "Ő 0." in page
    assert "twelve &lt;b&gt;people" in page


def drawn(page: str) -> list[ElementTree.Element]:
    """The drawings of a piece of HTML; each must be well-formed XML."""
    parts = page.split("<svg")[1:]
    return [ElementTree.fromstring("<svg" + part.partition("</svg>")[0] + "</svg>") for part in parts]


def test_a_run_has_the_charts_of_its_report_by_name(mixed_run: Path, tmp_path: Path) -> None:
    run = evenhand.load_run(mixed_run)
    charts = evenhand.plot(run)
    assert list(run.plot()) == list(charts)  # type: ignore[call-overload]
    evenhand.report([run], tmp_path / "report.html", figures=tmp_path / "figures")
    assert {path.stem for path in (tmp_path / "figures").glob("*.svg")} == set(charts)
    name = next(iter(charts))
    one = evenhand.plot(run, name)
    assert len(drawn(one._repr_html_())) == 1
    assert one.save(tmp_path / "one.pdf") == tmp_path / "one.pdf"
    assert (tmp_path / "one.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(evenhand.Unknown, match=name):
        run.plot(name + "x")


def test_several_runs_are_plotted_side_by_side(mixed_run: Path, other_run: Path) -> None:
    runs = [evenhand.load_run(mixed_run), evenhand.load_run(other_run)]
    charts = evenhand.plot(runs)
    assert len(drawn(charts._repr_html_())) == len(charts) > 0


def test_findings_whose_estimates_are_all_by_group_show_them() -> None:
    """Word vectors: every estimate is of a version of the vectors. The table was empty."""
    estimates = pl.DataFrame(
        {"measure": ["MWEAT"] * 2, "group": ["method"] * 2, "level": ["original", "shift-ori"], "value": [0.25, 0.125]}
    )
    page = Findings(FindingsManifest(kind="embeddings", title="T", measured="m", parts={}), estimates)._repr_html_()
    assert "<td>MWEAT</td><td>original</td><td>0.250</td>" in page
    assert "<td>shift-ori</td><td>0.125</td>" in page
    assert "more estimates" not in page


def test_a_comparison_and_findings_show_tables(mixed_run: Path, other_run: Path) -> None:
    compared = evenhand.compare([mixed_run, other_run])
    page = compared._repr_html_()
    ElementTree.fromstring(f"<div>{page}</div>")
    assert page.count("<table>") == 2
    assert f"{compared.common:,} common renderings" in page
    for system in compared.ranking["system"]:
        assert f"<td>{system}</td>" in page
