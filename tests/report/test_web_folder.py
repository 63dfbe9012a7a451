"""A folder of runs in the explorer: the list, what comes, changes and goes later, and who may see it."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the serve extra is not installed")
from starlette.testclient import TestClient
from tests.faults.hostile_suites import IMAGE, META, SCRIPT, hostile_names
from tests.report.conftest import serve
from tests.report.pages import ORIGIN, Tags

from evenhand.results.findings import Findings
from evenhand.results.runs import Run
from evenhand.systems import systems_at_hand


@pytest.fixture
def folder(mixed_run: Path, other_run: Path, tmp_path: Path) -> Path:
    """Two runs, one of them deeper; a folder of something else; a link that leads away."""
    root = tmp_path / "results"
    named = Run.load(mixed_run)
    replace(named, manifest=replace(named.manifest, name="the mixed one", created="2026-11-01T10:00:00+00:00")).save(
        root / "first"
    )
    Run.load(other_run).save(root / "october" / "second")
    (root / "notes").mkdir()
    (root / "elsewhere").symlink_to(mixed_run)
    return root


@pytest.fixture
def client(folder: Path) -> Iterator[TestClient]:
    yield from serve([folder])


def rows(client: TestClient) -> dict[str, str]:
    """Each row of the list without its tags, by the run's folder."""
    found = re.findall(r'<tr role="row"><th scope="row".*?</tr>', client.get("/").text, re.DOTALL)
    place = re.compile(r"<bdi>(.*?)</bdi>")
    texts = {place.findall(row)[-1]: re.sub(r"<[^>]+>", " ", row) for row in found}
    return {html.unescape(name): " ".join(html.unescape(text).split()) for name, text in texts.items()}


def test_every_run_below_the_folder_is_listed_with_suite_system_language_date_and_shares(
    client: TestClient, folder: Path
) -> None:
    listed = rows(client)
    assert list(listed) == ["october/second", "first"]  # the newest first
    run = Run.load(folder / "first")
    row = run.estimates.filter(measure="P_S", group="all", variant="raw").row(0, named=True)
    first = listed["first"]
    assert first.startswith("the mixed one English 2026-11-01 ")
    assert f"{100 * row['value']:.0f} %" in first or f"{row['value']:.2f}" in first
    assert f"{row['n_valid']} of {row['n']} {row['n_decided']} of {row['n']}" in first
    assert run.manifest.suite.name in client.get("/").text


def test_a_run_that_was_asked_for_a_gender_is_headed_by_how_far_it_obeyed(asked_runs: Path) -> None:
    for client in serve([asked_runs]):
        listed = rows(client)
    assert "Obeyed 100.0 %" in listed["asked"]
    assert "Accuracy 50.0 %" in listed["plain"]


def test_runs_of_one_system_are_told_apart_by_their_languages_and_then_by_their_folders(
    mixed_run: Path, tmp_path: Path
) -> None:
    made = Run.load(mixed_run)
    for folder, target in (("one", "en"), ("two", "de"), ("three", "fr"), ("four", "fr")):
        replace(made, manifest=replace(made.manifest, target_lang=target)).save(tmp_path / "runs" / folder)
    for client in serve([tmp_path / "runs"]):
        pages = [client.get(f"/run/{number}").text for number in range(1, 5)]
    name = made.manifest.system_label
    titles = [html.unescape(page.partition("<h1>")[2].partition("</h1>")[0]) for page in pages]
    for wanted in (f"{name} → en", f"{name} → de", f"{name} (three)", f"{name} (four)"):
        assert sum(wanted in title for title in titles) == 1, titles


def test_each_row_leads_into_its_runs_explorer(client: TestClient) -> None:
    links = [a["href"] for tag, a in Tags(client.get("/").text).tags if tag == "a" and a.get("href")]
    for start in ("/run/", "/explore?run=", "/review/", "/report?run="):
        mine = [link for link in links if link and link.startswith(start)]
        assert len(mine) == 2
        for link in mine:
            assert client.get(link).status_code == 200, link
    assert client.get("/explore?run=1&run=2&sort=differ").status_code == 200


def test_runs_that_come_later_are_found_and_those_that_go_are_gone(
    client: TestClient, folder: Path, study_folder: Path, mixed_run: Path
) -> None:
    assert client.get("/run/3").status_code == 404
    Run.load(mixed_run).save(folder / "november" / "third")
    Findings.load(study_folder).save(folder / "study")
    assert set(rows(client)) == {"first", "october/second", "november/third"}
    assert client.get("/run/3").status_code == 200
    assert client.get("/result/4").status_code == 200
    (folder / "first").rename(folder / ".first")
    assert set(rows(client)) == {"october/second", "november/third"}
    assert client.get("/run/1").status_code == 404
    assert client.get("/run/2").status_code == 200
    (folder / ".first").rename(folder / "first")  # as a run that is written anew
    assert set(rows(client)) == {"first", "october/second", "november/third"}
    assert "the mixed one" in client.get("/run/1").text


def test_a_run_that_is_written_anew_is_shown_as_it_is_now(client: TestClient, folder: Path, other_run: Path) -> None:
    before = client.get("/run/1").text
    assert "the mixed one" in before
    Run.load(other_run).save(folder / "first")
    assert "the mixed one" not in rows(client)["first"]
    assert client.get("/run/1").text != before


def test_findings_that_are_written_anew_are_shown_as_they_are_now(
    client: TestClient, folder: Path, study_folder: Path
) -> None:
    findings = Findings.load(study_folder)
    findings.save(folder / "study")
    shown = re.search(r'href="(/result/\d+)"', client.get("/").text)
    assert shown is not None
    before = client.get(shown[1]).text
    second = replace(findings.manifest, title="a second writing")
    replace(findings, manifest=second).save(folder / "study")
    client.get("/")
    after = client.get(shown[1]).text
    assert "a second writing" not in before
    assert "a second writing" in after


def test_what_cannot_be_read_is_told_and_hides_nothing(client: TestClient, folder: Path) -> None:
    (folder / "notes" / "manifest.json").write_text(json.dumps({"name": "a browser's own", "version": 3}))
    cut = folder / "october" / "second" / "estimates.parquet"
    whole = cut.read_bytes()
    page = client.get("/")
    assert page.status_code == 200
    assert set(rows(client)) == {"first", "october/second"}
    assert "<h2>Not read</h2>" in page.text
    cut.write_bytes(whole[:100])
    manifest = cut.with_name("manifest.json")
    manifest.write_text(manifest.read_text() + "\n")
    assert set(rows(client)) == {"first"}
    cut.write_bytes(whole)
    manifest.write_text(manifest.read_text() + "\n")
    assert set(rows(client)) == {"first", "october/second"}


def test_an_empty_folder_can_be_served_and_fills(tmp_path: Path, mixed_run: Path) -> None:
    for client in serve([tmp_path]):
        assert "There is no result yet" in client.get("/").text
        assert client.get("/explore").status_code == 404
        Run.load(mixed_run).save(tmp_path / "run")
        assert set(rows(client)) == {"run"}


def test_hostile_names_in_the_list_are_text(tmp_path: Path) -> None:
    named = hostile_names(tmp_path)
    bad = f"{SCRIPT.replace('/', '')}{META.replace('/', '')}{IMAGE.replace('/', '')}"[:200]
    labelled = replace(named.manifest, name=f"{SCRIPT}{META}{IMAGE}", created=f"{IMAGE}")
    replace(named, manifest=labelled).save(tmp_path / "runs" / bad)
    for client in serve([tmp_path / "runs"]):
        page = client.get("/")
        assert page.status_code == 200
        tags = Tags(page.text).tags
        assert not {"img", "iframe", "object"} & {tag for tag, _ in tags}
        assert "refresh" not in {attributes.get("http-equiv") for _, attributes in tags}
        scripts = [attributes.get("src") for tag, attributes in tags if tag == "script"]
        assert scripts == ["/static/page.js", "/static/app.js"]
        assert not [name for _, attributes in tags for name in attributes if name.startswith("on")]
        assert "default-src 'none'" in page.headers["content-security-policy"]


def test_the_list_is_for_this_machine_only_and_nobody_elses_pages(client: TestClient) -> None:
    assert client.get("/", headers={"host": "evil.example"}).status_code in (400, 403, 421)
    other = {"origin": "http://evil.example"}
    for path in ("/review/1/label", "/review/1/apply", "/try"):
        assert client.post(path, headers=other).status_code == 403
    assert client.get("/run/..%2f..%2fetc").status_code == 404


def test_too_many_runs_side_by_side_are_refused_in_a_sentence(client: TestClient) -> None:
    query = "&".join(f"run={n}" for n in range(1, 30))
    for path in ("/explore", "/report", "/download.csv"):
        answer = client.get(f"{path}?{query}")
        assert answer.status_code == 400
        assert "at most 20" in answer.text


def test_systems_that_are_installed_here_can_be_tried_where_they_know_the_languages(mixed_run: Path) -> None:
    offered = systems_at_hand()
    assert set(offered) <= {"apertium", "pocket"}
    if "pocket" not in offered:
        pytest.skip("evenhand-pocket is not installed")
    for client in serve([mixed_run], systems=offered):
        number = offered.index("pocket")
        box = next(
            a for tag, a in Tags(client.get("/try").text).tags if tag == "input" and a.get("name") == f"system{number}"
        )
        assert {"en-de", "en-es", "fi-en"} <= set((box["data-pairs"] or "").split())
        form = {"text": "The [doctor] slept.", "source": "en", "target": "de", f"system{number}": "1"}
        tried = client.post("/try", data=form, headers=ORIGIN)
        assert tried.status_code == 200
        assert '<ul class="pairs">' in tried.text
        unknown = client.post("/try", data={**form, "target": "ja"}, headers=ORIGIN)
        assert "it does not translate from English into Japanese" in unknown.text
