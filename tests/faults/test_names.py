"""Names that look like ours, like code or like nothing at all: columns, groups, occupations, files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from tests.faults.hostile_suites import SETTINGS, answer, hostile_names, suite_of

import evenhand
from evenhand.errors import BadInput
from evenhand.results.runs import Run
from evenhand.storage.tables import RENDERINGS, VERDICTS

pytest.importorskip("altair", reason="the report extra is not installed")
from evenhand.report import report

OURS = sorted({*RENDERINGS, *VERDICTS} - {"id"})
# XML has no place for these: the chart renderer ended the whole process
UNDRAWABLE = ["\x00", "\x01", "\x08", "\x0b", "\x0c", "\x1b", "\x1f", "\x7f", "\ufffe", "\uffff"]


@pytest.mark.parametrize("name", [*OURS, "all", "_text", "_cluster_0"])
def test_a_column_named_like_one_of_ours_is_refused_before_anything_is_asked(tmp_path: Path, name: str) -> None:
    suite = suite_of(tmp_path / "probes.tsv", **{name: ["female", "male"] * 20})
    asked: list[str] = []

    def remember(texts: list[str]) -> list[str]:
        asked.extend(texts)
        return answer(texts)

    with pytest.raises(BadInput, match=f"column '{name}'.*[Rr]ename it"):
        evenhand.audit(suite, remember, target="en", memory=tmp_path / "m.sqlite", settings=SETTINGS)
    assert not asked


@pytest.mark.parametrize("name", ["gender", "how", "rendering", "valid"])
def test_a_run_folder_whose_probes_shadow_a_verdict_is_refused_by_every_reader(tmp_path: Path, name: str) -> None:
    suite = suite_of(tmp_path / "probes.tsv")
    folder = tmp_path / "run"
    evenhand.audit(suite, answer, target="en", output=folder, memory=tmp_path / "m.sqlite", settings=SETTINGS)
    probes = next(folder.rglob("probes.parquet"))
    pl.read_parquet(probes).with_columns(pl.lit("male").alias(name)).write_parquet(probes)
    with pytest.raises(BadInput, match=f"column '{name}'"):
        Run.load(folder)
    shelf = pytest.importorskip("evenhand.report.web.shelf", reason="the serve extra is not installed")
    with pytest.raises(BadInput, match=f"column '{name}'"):
        shelf.Shelf([folder])


def test_columns_called_before_and_after_are_groups_like_any_other(tmp_path: Path) -> None:
    pairs = {"base": [""] * 20 + [f"p{n:02d}" for n in range(20)], "adjective": [""] * 20 + ["kind"] * 20}
    plain = suite_of(tmp_path / "plain.tsv", **pairs)
    named = suite_of(tmp_path / "named.tsv", **pairs, before=["he", "she"] * 20, after=["x", "y"] * 20)
    changes = []
    for suite in (plain, named):
        run = evenhand.audit(suite, answer, target="en", memory=tmp_path / "m.sqlite", settings=SETTINGS)
        changes.append(run.estimates.filter(pl.col("measure") == "change_female").select("level", "value", "n"))
    assert changes[0].height
    assert changes[0].equals(changes[1])


@pytest.mark.parametrize("name", ["_line", "^s.*$", "*", "a\x01b", "a\u202eb", "x" * 5_000])
@pytest.mark.parametrize("form", ["tsv", "csv", "jsonl", "json", "parquet"])
def test_a_column_that_cannot_be_a_name_is_one_short_sentence(tmp_path: Path, name: str, form: str) -> None:
    table = pl.read_csv(suite_of(tmp_path / "p.tsv", **{name: ["a", "b"] * 20}), separator="\t", quote_char=None)
    path = tmp_path / f"probes.{form}"
    match form:
        case "tsv" | "csv":
            table.write_csv(path, separator="\t" if form == "tsv" else ",")
        case "jsonl":
            table.write_ndjson(path)
        case "json":
            table.write_json(path)
        case _:
            table.write_parquet(path)
    with pytest.raises(BadInput) as refused:
        evenhand.load_suite(path)
    assert len(str(refused.value)) < 400
    assert str(refused.value).isprintable()


def test_a_group_name_with_a_character_no_chart_can_draw_is_shown_by_its_number(tmp_path: Path) -> None:
    colours = [f"re{mark}d" for mark in UNDRAWABLE]
    suite = suite_of(tmp_path / "probes.tsv", colour=colours * 4, concept=[f"do{c}c" for c in UNDRAWABLE] * 4)
    memory = tmp_path / "m.sqlite"
    evenhand.audit(suite, answer, target="en", output=tmp_path / "run", memory=memory, settings=SETTINGS)
    page, figures = tmp_path / "page.html", tmp_path / "figures"
    command = [sys.executable, "-m", "evenhand", "report", str(tmp_path / "run"), "-o", str(page)]
    made = subprocess.run(  # on its own: the converter ended the process
        [*command, "--figures", str(figures)], capture_output=True, text=True, check=False, timeout=120
    )
    assert made.returncode == 0, made.stderr[-300:]
    text = page.read_text(encoding="utf-8")
    for mark in UNDRAWABLE:
        assert f"re⟨U+{ord(mark):04X}⟩d" in text
        assert mark not in text
    assert "shares.pdf" in {path.name for path in figures.iterdir()}


def test_a_chart_that_cannot_be_drawn_costs_the_chart_and_nothing_else(tmp_path: Path) -> None:
    import altair as alt

    from evenhand.report.charts.drawing import write_figures
    from evenhand.report.charts.figure import Figure
    from evenhand.report.pages.page import drawn

    table = pl.DataFrame({"level": ["a"], "n": [3]})
    chart = alt.Chart(alt.InlineData(values=[{"n": 3}])).mark_bar().encode(x="n:Q")
    broken = Figure("broken", "Broken", "", chart.transform_filter("datum.("), table)
    whole = Figure("whole", "Whole", "", chart, table)
    shown = drawn([broken, whole])
    assert "could not be drawn" in str(shown[0]["svg"])
    assert str(shown[1]["svg"]).startswith("<svg")
    written = write_figures([broken, whole], tmp_path / "figures")
    assert {path.name for path in written} == {"whole.svg", "whole.png", "whole.pdf"}


def test_a_column_name_is_text_on_the_page_and_no_path_for_a_figure(tmp_path: Path) -> None:
    from tests.report.pages import Tags

    run = hostile_names(tmp_path)
    page, figures = tmp_path / "out" / "page.html", tmp_path / "out" / "figures"
    report(run, page, figures=figures)
    tags = Tags(page.read_text(encoding="utf-8")).tags
    assert [a["content"] for tag, a in tags if tag == "meta" and a.get("http-equiv") == "refresh"] == []
    ids = [a["id"] for _, a in tags if a.get("id")]
    assert len(ids) == len(set(ids))
    assert "shares.svg" in {path.name for path in figures.iterdir()}
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"page.html", "figures"}
