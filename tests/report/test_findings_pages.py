"""Findings through the report room: page, exports, comparison, explorer, all from the one estimates table."""

from __future__ import annotations

import csv
import io
import re
import shutil
from pathlib import Path

import polars as pl
import pytest
from tests.report.conftest import serve
from tests.report.pages import Tags

from evenhand.errors import BadInput, Unknown
from evenhand.report import write_figures, write_report
from evenhand.report.exchange import tables
from evenhand.report.pages.kinds import shown
from evenhand.report.words.tables import crosstab, differences
from evenhand.results.findings import Findings, FindingsManifest
from evenhand.workflows.compare import side_by_side


@pytest.fixture(scope="module")
def findings(study_folder: Path) -> Findings:
    return Findings.load(study_folder)


@pytest.fixture(scope="module")
def page_text(study_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_report([study_folder], tmp_path_factory.mktemp("page") / "page.html").read_text(encoding="utf-8")


def test_the_page_shows_every_section_estimate_and_figure_and_asks_no_host(findings: Findings, page_text: str) -> None:
    for section in shown(findings).sections:
        assert section.title in page_text
    assert f"All {findings.estimates.height} estimates" in page_text
    keys = re.findall(r'<figure id="figure-([a-z-]+)"', page_text)
    assert keys == ["projection", "before-after", "mweat"]
    links = [value for _, a in Tags(page_text).tags for name, value in a.items() if name in ("src", "href") and value]
    assert [link for link in links if not link.startswith(("#", "data:,"))] == []
    ids = [a["id"] for _, a in Tags(page_text).tags if "id" in a]
    assert len(ids) == len(set(ids))


def test_a_hostile_file_name_is_text(page_text: str) -> None:
    assert "<b>made up" not in page_text
    assert "&lt;b&gt;made up" in page_text


def test_the_first_sentences_agree_with_the_estimates(findings: Findings) -> None:
    row = findings.estimates.filter(measure="MWEAT", level="original").row(0, named=True)
    told = shown(findings).answer.finding
    assert f"{row['value']:.3f} (95 % interval {row['low']:.3f} to {row['high']:.3f}, adjusted p " in told.replace(
        "−", "-"
    )
    assert f"adjusted p {row['p_adjusted']:.3f}" in told
    assert "in shift-ori it is" in told


def test_a_crosstab_has_the_estimates_by_version_and_measure(findings: Findings) -> None:
    table = crosstab(findings.estimates, ("asymmetry", "MWEAT", "ASD"), title="t", head="vectors")
    assert table is not None
    assert table.columns == ["vectors", "Asymmetry left", "MWEAT (77)", "p, adjusted"]
    assert [row[0] for row in table.rows] == ["original", "shift-ori"]
    assert table.rows[0][1] == ""
    assert crosstab(findings.estimates, ("ASD",), title="t", head="vectors") is None


def test_exports_hold_every_estimate(findings: Findings) -> None:
    rows = list(csv.DictReader(io.StringIO(tables.to_csv([findings]))))
    assert [float(row["value"]) for row in rows] == findings.estimates["value"].to_list()
    assert {row["kind"] for row in rows} == {"embeddings"}
    assert tables.to_latex([findings]).count("\\\\\n") == findings.estimates.height + 1
    card = tables.to_model_card([findings])
    assert "Gender in Spanish word vectors" in card
    assert "says nothing about a person" in card


def test_figures_of_findings_are_written(findings: Findings, tmp_path: Path) -> None:
    written = write_figures([findings], tmp_path)
    assert {path.suffix for path in written} == {".svg", ".png", ".pdf"}
    assert all(path.stat().st_size > 500 for path in written)


def test_two_studies_stand_side_by_side_without_a_test(study_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(study_folder, tmp_path / "other")
    several = [Findings.load(study_folder), Findings.load(tmp_path / "other")]
    beside = side_by_side(several)
    assert beside.names == ["study", "other"]
    assert (beside.table.height, beside.alone) == (several[0].estimates.height, 0)
    assert beside.table["other - study"].abs().max() == 0.0
    assert all(row[-1] in ("0.000", "0.0\u00a0points", "0e+00") for row in differences(beside).rows)
    page = write_report(several, tmp_path / "page.html").read_text(encoding="utf-8")
    assert "no test of a difference would be sound" in page
    assert page.count('<p class="signature">') == 2


def test_only_common_estimates_are_compared(findings: Findings) -> None:
    few = Findings(findings.manifest, findings.estimates.filter(level="original").head(3))
    beside = side_by_side([findings, few])
    assert (beside.table.height, beside.alone) == (3, findings.estimates.height - 3)


def test_findings_and_runs_do_not_share_a_page(study_folder: Path, mixed_run: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="different kinds"):
        write_report([study_folder, mixed_run], tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []


def test_a_kind_of_a_later_version_is_named(tmp_path: Path) -> None:
    Findings(FindingsManifest("weather", "t", "m", {}), pl.DataFrame()).save(tmp_path / "a")
    with pytest.raises(Unknown, match="weather"):
        write_report([tmp_path / "a"], tmp_path / "page.html")


def test_the_explorer_shows_runs_and_findings(study_folder: Path, mixed_run: Path, tmp_path: Path) -> None:
    shutil.copytree(study_folder, tmp_path / "other")
    for client in serve([mixed_run, study_folder, tmp_path / "other"]):
        home = client.get("/").text
        assert "mixed" in home
        assert "&lt;b&gt;made up" in home
        assert "In the original vectors" in home
        numbers = client.get("/result/2").text
        assert "Bias before and after" in numbers
        assert "kind:embeddings|language:es" in numbers
        assert client.get("/report?run=2").text.count("<figure id=") == 3
        assert "side by side" in client.get("/report?run=2&run=3").text
        mixed = client.get("/report?run=1&run=2")
        assert mixed.status_code == 400
        assert "different kinds" in mixed.text
        assert client.get("/run/2").status_code == client.get("/result/1").status_code == 404
        assert client.get("/explore").status_code == 200


def test_the_explorer_shows_findings_alone_and_the_runs_inside_them(
    study_folder: Path, mixed_run: Path, tmp_path: Path
) -> None:
    for client in serve([study_folder]):
        home = client.get("/")
        assert home.status_code == 200
        assert "/explore" not in home.text
        assert client.get("/explore").status_code == client.get("/download.csv").status_code == 404
    shutil.copytree(study_folder, tmp_path / "mined")
    shutil.copytree(mixed_run, tmp_path / "mined" / "es")
    for client in serve([tmp_path / "mined"]):
        assert client.get("/run/2").status_code == 200
