"""The explorer and its pages: what they show, find and hand out."""

from __future__ import annotations

import csv
import html
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

pytest.importorskip("starlette", reason="the serve extra is not installed")
from starlette.testclient import TestClient
from tests.report.pages import HOME, Tags

import evenhand
from evenhand.errors import BadInput
from evenhand.report.web.app import create_app
from evenhand.report.web.book import Book
from evenhand.report.web.query import View, find, read_view
from evenhand.report.web.shelf import Shelf
from evenhand.results.runs import Run

PAGES = (
    "/",
    "/run/1",
    "/run/3",
    "/explore",
    "/explore?run=3",
    "/explore?run=1&run=2&sort=differ",
    "/review/1?labeller=ann",
    "/try",
    "/report?run=3",
)


def opened(shelf: Shelf) -> list[Book]:
    return [book for entry in shelf if (book := shelf.get(entry.slug))]


@pytest.mark.parametrize("path", PAGES)
def test_every_page_shows_hostile_text_as_text_and_forbids_other_hosts(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    tags = Tags(answer.text).tags
    assert "img" not in {tag for tag, _ in tags}
    assert not [name for _, attributes in tags for name in attributes if name.startswith("on")]
    assert not set(answer.text) & set("\u202e\u202c\x00\x1b\x07")
    for _, attributes in tags:
        for name in ("src", "href", "action", "formaction"):
            target = attributes.get(name)
            assert target is None or target.startswith(("/", "#", "data:,")), target
            assert target is None or not target.startswith("//")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'unsafe-inline'" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("name", ["style.css", "page.js", "app.css", "app.js"])
def test_every_file_that_pages_ask_for_is_served(client: TestClient, name: str) -> None:
    assert client.get(f"/static/{name}").status_code == 200


def test_hostile_renderings_can_be_read_in_the_explorer(client: TestClient) -> None:
    text = client.get("/explore?run=3").text
    assert "&lt;script&gt;alert(" in text
    assert "⟨U+202E⟩" in text


@pytest.mark.parametrize(
    "query",
    [
        "gender=female",
        "gender=female&gender=male",
        "text=SHE",
        "evidence=he",
        "how=pronoun",
        "how=none",
        "at.kind=positive",
        "at.kind=occupation&gender=neutral&sort=unsure",
        "flag=conflict",
    ],
)
def test_filters_find_what_a_plain_query_on_the_run_finds(client: TestClient, mixed_run: Path, query: str) -> None:
    table = Run.load(mixed_run).table.with_columns(pl.col("gender").cast(pl.String))
    given: dict[str, list[str]] = {}
    for pair in query.split("&"):
        given.setdefault(pair.split("=")[0], []).append(pair.split("=")[1])
    if "gender" in given:
        table = table.filter(pl.col("gender").is_in(given["gender"]))
    if "text" in given:
        needle = given["text"][0].lower()
        both = pl.concat_str("source", "rendering", separator="\n").str.to_lowercase()
        table = table.filter(both.str.contains(needle, literal=True))
    if "evidence" in given:
        table = table.filter(pl.col("evidence").str.to_lowercase() == given["evidence"][0])
    if "how" in given:
        table = table.filter(pl.col("how").is_null() if given["how"] == ["none"] else pl.col("how") == given["how"][0])
    if "at.kind" in given:
        table = table.filter(pl.col("kind") == given["at.kind"][0])
    if "flag" in given:
        table = table.filter(pl.col("conflict"))
    rows = [json.loads(line) for line in client.get(f"/download.jsonl?run=1&{query}").text.splitlines()]
    assert sorted(r["id"] for r in rows) == sorted(table["id"].to_list())
    shown = re.search(r'<h1>Sentences <span class="soft">([\d,]+)</span>', client.get(f"/explore?run=1&{query}").text)
    assert shown is not None
    assert int(shown.group(1).replace(",", "")) == table.height


def test_runs_side_by_side_differ_where_their_verdicts_differ(
    client: TestClient, mixed_run: Path, other_run: Path
) -> None:
    one, two = (Run.load(p).verdicts.select("id", "gender") for p in (mixed_run, other_run))
    expected = one.join(two, on="id").filter(pl.col("gender") != pl.col("gender_right"))["id"].sort().to_list()
    text = client.get("/download.csv?run=1&run=2&flag=differ&sort=differ").text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert sorted(r["id"] for r in rows) == expected
    columns = [c for c in rows[0] if c.startswith("gender (")]
    assert all(r[columns[0]] != r[columns[1]] for r in rows)
    opposed = [{r[c] for c in columns} == {"female", "male"} for r in rows]
    assert opposed == sorted(opposed, reverse=True)


def test_side_by_side_does_not_depend_on_the_order_of_rows_in_the_files(
    mixed_run: Path, other_run: Path, tmp_path: Path
) -> None:
    run = Run.load(other_run)
    shuffled = type(run)(
        run.manifest, run.probes, run.renderings.reverse(), run.verdicts.reverse(), run.estimates
    ).save(tmp_path / "reversed")
    view = View(runs=("1", "2"), flag="differ")
    found = []
    for second in (other_run, shuffled.path):
        assert second is not None
        shelf = Shelf([mixed_run, second])
        books = opened(shelf)
        found.append([str(row[0]["id"]) for row in find(view, books).page(books, 1)])
        shelf.close()
    assert found[0] == found[1]


def test_a_spreadsheet_download_holds_no_formula(client: TestClient) -> None:
    rows = list(csv.DictReader(io.StringIO(client.get("/download.csv?run=3").text)))
    assert len(rows) == 120
    assert not [r for r in rows if r["rendering"][:1] in "=+-@" and r["rendering"]]
    lines = client.get("/download.tsv?run=3").text.split("\n")
    assert len({line.count("\t") for line in lines if line}) == 1
    assert len(lines) == 122


def test_the_permalink_of_a_view_leads_to_the_same_view(client: TestClient) -> None:
    query = "/explore?run=1&gender=female&text=is&sort=unsure&at.kind=occupation"
    page = client.get(query)
    link = next(a["href"] for tag, a in Tags(page.text).tags if a.get("id") == "permalink")
    assert link is not None
    assert client.get(link).text == page.text


def test_pages_follow_each_other_without_gaps(client: TestClient, mixed_run: Path) -> None:
    ids: list[str] = []
    shelf = Shelf([mixed_run])
    book = opened(shelf)[0]
    for number in range(1, 20):
        found = find(View(runs=("1",), page=number), [book])
        if number > found.pages:
            break
        ids += [str(row[0]["id"]) for row in found.page([book], number)]
    shelf.close()
    assert ids == Run.load(mixed_run).renderings["id"].to_list()


def test_a_bar_leads_to_as_many_sentences_as_it_says(client: TestClient) -> None:
    parts = re.findall(
        r'<a href="([^"]+)"><span class="badge \w+">.</span>([\d,]+)<span class="sr">', client.get("/run/1").text
    )
    assert len(parts) > 20
    for address, shown in parts[::7]:
        count = int(shown.replace(",", ""))
        page = client.get(html.unescape(address)).text
        assert f'<h1>Sentences <span class="soft">{count:,}</span></h1>' in page


@pytest.mark.parametrize(
    "query",
    [
        "run=/etc/passwd",
        "run=../..",
        "at.__class__=x",
        "page=-1",
        "page=9999999999999",
        "page=x",
        "sort=__import__",
        "gender=<script>",
        "how='; drop",
        "at.kind[]=1",
        "flag=%00",
    ],
)
def test_odd_parameters_are_ignored(client: TestClient, query: str) -> None:
    answer = client.get(f"/explore?{query}")
    assert answer.status_code == 200
    assert "script>alert" not in answer.text.replace("&lt;script", "")


def test_a_view_keeps_only_what_the_runs_know(mixed_run: Path) -> None:
    shelf = Shelf([mixed_run])
    view = read_view([("run", "7"), ("at.nothing", "x"), ("at.kind", "positive")], {b.slug: b for b in opened(shelf)})
    shelf.close()
    assert view == View(runs=("1",), where=(("kind", "positive"),))


def test_the_explorer_works_without_the_chart_library_and_says_what_the_report_needs(mixed_run: Path) -> None:
    code = (
        "import sys; sys.modules['altair'] = sys.modules['vl_convert'] = None\n"
        "from pathlib import Path\nfrom starlette.testclient import TestClient\n"
        "from evenhand.report.web.app import create_app\n"
        f"client = TestClient(create_app([Path({str(mixed_run)!r})]), base_url={HOME!r})\n"
        "print([client.get(p).status_code for p in ('/', '/run/1', '/explore', '/review/1?labeller=a', '/try')])\n"
        "print(client.get('/report?run=1').text)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.startswith("[200, 200, 200, 200, 200]")
    assert "evenhand[report]" in result.stdout


def test_what_is_no_folder_is_an_error_before_anything_is_served(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    for name in ("nowhere", "file"):
        with pytest.raises(BadInput, match="not a run folder"):
            create_app([tmp_path / name])
    with pytest.raises(BadInput, match="at least one run"):
        create_app([])


def test_a_sentences_page_tells_how_its_verdict_came_about(client: TestClient) -> None:
    listed = client.get("/explore?run=1").text
    link = html.unescape(re.findall(r'href="(/sentence/1[^"]+)"', listed)[0])
    page = client.get(link)
    assert page.status_code == 200
    for step in ("rendering", "focus", "evidence", "verdict"):
        assert f"<dt>{step}</dt>" in page.text
    for wrong in ("/sentence/1?id=nobody", "/sentence/99?id=1", "/sentence/1?id=x&sample=-1", "/sentence/1"):
        assert client.get(wrong).status_code == 404


def test_what_is_no_rendering_can_be_listed(client: TestClient) -> None:
    shown = client.get("/explore?run=1&flag=invalid")
    assert shown.status_code == 200
    assert "unusable answers" in shown.text
    found = client.get("/download.tsv?run=1&flag=invalid").text.splitlines()
    at = found[0].split("\t").index("valid")
    assert {line.split("\t")[at] for line in found[1:]} <= {"False"}


def test_a_systems_alternatives_are_neither_counted_nor_listed_unless_asked_for(tmp_path: Path) -> None:
    probes = "id\tsource\tsource_lang\na\tŐ orvos.\thu\nb\tŐ ápoló.\thu\n"
    (tmp_path / "own.tsv").write_text(probes, "utf-8")
    answers = "id\tcandidate\trendering\na\t0\tHe is a doctor.\na\t1\tShe is a doctor.\nb\t0\tShe is a nurse.\n"
    (tmp_path / "en.tsv").write_text(answers, "utf-8")
    run = evenhand.audit(
        tmp_path / "own.tsv", f"file:{tmp_path / 'en.tsv'}", target="en", output=tmp_path / "run", memory=tmp_path / "m"
    )
    listed = {flag: evenhand.sentences(run, alternatives=flag)["rendering"].to_list() for flag in (False, True)}
    assert listed[False] == ["He is a doctor.", "She is a nurse."]
    assert set(listed[True]) - set(listed[False]) == {"She is a doctor."}
    shelf = Shelf([tmp_path / "run"])
    books = opened(shelf)
    found = find(View(runs=("1",)), books)
    assert (found.total, found.genders["female"], found.genders["male"]) == (2, 1, 1)
    others = find(View(runs=("1",), flag="alternatives"), books)
    assert [row["rendering"] for rows in others.page(books, 1) for row in rows] == ["She is a doctor."]
    shelf.close()
