"""The explorer under attack: hostile names, spreadsheets that run what they open, other sites, too many reports."""

from __future__ import annotations

import csv
import io
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from tests.faults.hostile_suites import META, SETTINGS, answer, hostile_names, suite_of
from tests.report.pages import HOME, Tags

import evenhand

pytest.importorskip("altair", reason="the report extra is not installed")
pytest.importorskip("starlette", reason="the serve extra is not installed")
from starlette.testclient import TestClient

from evenhand.report.exchange import tables
from evenhand.report.web import app as web
from evenhand.report.web import pages

RISKY = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1+1", "\r=1+1", " =1+1", "a\rb", "a\nb", 'a"b', "a,b", "plain"]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("hostile")
    hostile_names(folder, folder / "run")
    with TestClient(web.create_app([folder / "run"]), base_url=HOME) as client:
        yield client


@pytest.mark.parametrize("path", ["/", "/run/1", "/explore", "/explore?sort=unsure", "/review/1?labeller=a", "/report"])
def test_hostile_names_are_text_on_every_page(hostile: TestClient, path: str) -> None:
    page = hostile.get(path)
    assert page.status_code == 200
    tags = Tags(page.text).tags
    assert not [a for tag, a in tags if tag == "meta" and a.get("http-equiv") == "refresh"]
    assert not [a for tag, a in tags if tag == "img" or any(name.startswith("on") for name in a)]
    assert {a.get("src") for tag, a in tags if tag == "script"} <= {"/static/page.js", "/static/app.js", None}
    assert META in hostile.get("/download.jsonl").text.replace('\\"', '"')


@pytest.fixture(scope="module")
def risky(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, Path]]:
    """A run whose groups and renderings a spreadsheet would run."""
    folder = tmp_path_factory.mktemp("risky")
    groups = (RISKY * 4)[:40]
    table = pl.read_csv(suite_of(folder / "p.tsv"), separator="\t").with_columns(pl.Series("group", groups))
    table.write_parquet(folder / "probes.parquet")
    run = folder / "run"
    settings = replace(SETTINGS, clusters=("concept",))
    evenhand.audit(folder / "probes.parquet", answer, target="en", memory=folder / "m", output=run, settings=settings)
    with TestClient(web.create_app([run]), base_url=HOME) as client:
        yield client, run


@pytest.mark.parametrize("kind", ["csv", "tsv", "estimates"])
def test_no_cell_of_a_download_starts_a_formula_and_every_row_stays_whole(
    risky: tuple[TestClient, Path], kind: str
) -> None:
    client, folder = risky
    run = evenhand.Run.load(folder)
    text = tables.to_csv([run]) if kind == "estimates" else client.get(f"/download.{kind}").text
    lines = io.StringIO(text, newline="")
    plain = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    rows = list(plain if kind == "tsv" else csv.reader(lines, strict=True))
    assert {len(row) for row in rows} == {len(rows[0])}
    assert len(rows) == 1 + (run.estimates.height if kind == "estimates" else run.renderings.height)
    column = rows[0].index("level" if kind == "estimates" else "group")
    cells = {row[column] for row in rows[1:]}
    assert {"'=1+1", "'+1", "'-1", "'@SUM(A1)", "plain"} <= cells
    assert not [cell for cell in cells if cell.lstrip()[:1] in ("=", "+", "-", "@")]


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("path", ["/report?run=1", "/download.csv", "/explore", "/"])
def test_another_site_embeds_nothing_and_sets_off_nothing_that_costs(
    risky: tuple[TestClient, Path], path: str, site: str
) -> None:
    client, costs = risky[0], "report" in path or "download" in path
    embedded = {"sec-fetch-site": site, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}
    assert client.get(path, headers=embedded).status_code == 403
    visit = {"sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    assert client.get(path, headers=visit).status_code == (403 if costs else 200)
    if "report" not in path:  # it takes seconds, and is asked for below
        assert client.get(path, headers={**visit, "sec-fetch-site": "none"}).status_code == 200


def test_reports_are_made_one_at_a_time_and_who_waits_too_long_is_told(
    risky: tuple[TestClient, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, _ = risky
    monkeypatch.setattr(web, "PATIENCE", 0.2)
    site = client.app.state.site  # type: ignore[attr-defined]
    with site.one_report():
        refused = client.get("/report?run=1")
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "60")
    monkeypatch.setattr(web, "PATIENCE", 60.0)
    codes: list[int] = []
    asking = [threading.Thread(target=lambda: codes.append(client.get("/report?run=1").status_code)) for _ in range(3)]
    for thread in asking:
        thread.start()
        time.sleep(0.05)
    for thread in asking:
        thread.join()
    assert codes == [200, 200, 200]


def test_a_report_about_too_many_renderings_is_refused_in_a_sentence(
    risky: tuple[TestClient, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "MOST_REPORTED", 39)
    refused = risky[0].get("/report?run=1")
    assert refused.status_code == 400
    assert "40 renderings is too large" in refused.text
