"""Answers that are no renderings, through whole audits: they are shown, and no number looks better for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import evenhand
from evenhand import Run, load_suite
from evenhand.measures.estimate import estimate
from evenhand.suites.suite import Suite

from .garbage import KINDS

Answer = Callable[[list[str]], list[str]]


def audited(suite: Suite, answer: Answer, target: str, folder: Path) -> Run:
    return evenhand.audit(suite, answer, target=target, output=folder, memory=folder.with_suffix(".sqlite"))


def some(name: str, rows: int) -> Suite:
    whole = load_suite(name)
    probes = whole.probes.head(rows)
    return replace(whole, make=lambda: probes)


def good_english(texts: list[str]) -> list[str]:
    return [f"{'She' if len(text) % 2 else 'He'} is a good doctor." for text in texts]


@pytest.fixture(scope="module")
def basque() -> Suite:
    return some("pronouns-basque", 60)


@pytest.fixture(scope="module")
def honest(basque: Suite, tmp_path_factory: pytest.TempPathFactory) -> Run:
    return audited(basque, good_english, "en", tmp_path_factory.mktemp("runs") / "honest")


@pytest.mark.parametrize("kind", KINDS)
def test_a_system_that_answers_garbage_has_no_estimate_to_show(basque: Suite, tmp_path: Path, kind: str) -> None:
    run = audited(basque, lambda texts: KINDS[kind](texts, "en"), "en", tmp_path / "run")
    assert run.estimates["n_valid"].max() == 0
    assert run.estimates["n_decided"].max() == 0
    assert run.estimates["value"].drop_nulls().is_empty()
    assert run.estimates["bounds_high"].drop_nulls().is_empty()
    assert "are unusable" in run.manifest.notes[-1]


@pytest.mark.parametrize("kind", ["echo", "x", "refusal in de", "error text", "wrong language", "empty"])
def test_garbage_is_wrong_where_accuracy_is_measured(shared_data: Path, tmp_path: Path, kind: str) -> None:
    folder = shared_data / "mtgeneval/sentences/test"
    for name in (f"mtgeneval:{folder}/geneval-sentences-feminine-test.en_de.en",
                 f"winomt:{shared_data}/winomt/aggregates/en.txt"):  # fmt: skip
        suite = some(name, 60)
        run = audited(suite, lambda texts: KINDS[kind](texts, "de"), "de", tmp_path / suite.name)
        accurate = run.estimates.filter(pl.col("measure").str.contains("accuracy"))
        assert accurate.height
        assert accurate["value"].drop_nulls().max() == 0
        assert (
            accurate.filter(pl.col("level") == "")["n_valid"].to_list()
            == [0] * accurate.filter(pl.col("level") == "").height
        )


def test_every_better_number_gets_no_better_when_half_of_the_answers_become_echoes(
    basque: Suite, honest: Run, tmp_path: Path
) -> None:
    def half(texts: list[str]) -> list[str]:
        return [text if n % 2 else good for n, (text, good) in enumerate(zip(texts, good_english(texts), strict=True))]

    run = audited(basque, half, "en", tmp_path / "half")
    overall = run.estimates.filter(pl.col("level") == "", pl.col("variant") == "raw")
    assert overall["n_valid"].to_list() == [30] * overall.height
    # P_S and the shares are over what was decided: the other half alone gives the same numbers
    kept = run.table.filter(pl.col("valid"))
    alone = estimate(kept, clusters=basque.clusters, groupings=basque.groupings, measures=["P_S", "share_female"])
    for measure in ("P_S", "share_female"):
        values = [
            t.filter(pl.col("measure") == measure, pl.col("level") == "")["value"][0] for t in (run.estimates, alone)
        ]
        assert values[0] == pytest.approx(values[1])


def test_a_run_judged_before_the_check_loads_and_says_nothing_about_validity(honest: Run, tmp_path: Path) -> None:
    old = replace(honest, verdicts=honest.verdicts.drop("valid"), estimates=honest.estimates.drop("n_valid"))
    loaded = Run.load(old.save(tmp_path / "old").path or "")
    assert loaded.verdicts["valid"].null_count() == loaded.verdicts.height
    assert evenhand.score(loaded).estimates["n_valid"].null_count() == loaded.estimates.height
    judged = evenhand.score(loaded, detect=True)
    assert judged.verdicts["valid"].all()
    assert judged.estimates["n_valid"].drop_nulls().max() == 60


def test_a_ranking_leaves_out_by_name_who_does_not_translate(basque: Suite, honest: Run, tmp_path: Path) -> None:
    def lazy(texts: list[str]) -> list[str]:
        return [
            text if n % 5 == 0 else good for n, (text, good) in enumerate(zip(texts, good_english(texts), strict=True))
        ]

    def other(texts: list[str]) -> list[str]:
        return ["She is a doctor." for _ in texts]

    runs = [honest, audited(basque, lazy, "en", tmp_path / "lazy"), audited(basque, other, "en", tmp_path / "other")]
    found = evenhand.compare(runs)
    (name,) = found.unranked
    assert "lazy" in name
    assert found.unranked[name] == pytest.approx(0.2)
    assert name not in set(found.ranking["system"])
    assert found.ranking["system"].n_unique() == 2
    assert any(name in level for level in found.differences["level"])  # the differences are still told
    evenhand.report(runs, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "is left out of the ranking: 20.0 % of its answers are unusable" in page
    assert "60 of 60" in page


def test_tables_pages_and_exports_say_how_much_is_valid(honest: Run, tmp_path: Path) -> None:
    for suffix in ("md", "tex", "csv", "json", "html"):
        evenhand.report(honest, tmp_path / f"table.{suffix}")
        assert "alid" in (tmp_path / f"table.{suffix}").read_text()
    assert "<th>valid</th>" in honest._repr_html_()
