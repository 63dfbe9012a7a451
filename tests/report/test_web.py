from __future__ import annotations

import asyncio
import csv
import html
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, MutableMapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import polars as pl
import pytest

pytest.importorskip("starlette", reason="the serve extra is not installed")
from starlette.testclient import TestClient

import evenhand
from evenhand import reviews
from evenhand.auditing import Settings
from evenhand.errors import BadInput
from evenhand.report.web.app import create_app
from evenhand.report.web.query import View, find, matching, read_view
from evenhand.report.web.security import COOKIE
from evenhand.report.web.shelf import Shelf
from evenhand.runs import Run

HOME = "http://127.0.0.1:8765"
ORIGIN = {"origin": HOME}


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def client(mixed_run: Path, other_run: Path, hostile_run: Path) -> Iterator[TestClient]:
    app = create_app([mixed_run, other_run, hostile_run], systems=["command:sed 's/^/He is /'"])
    with TestClient(app, base_url=HOME) as opened:
        yield opened


@pytest.fixture
def desk(mixed_run: Path, copy_of: Callable[[Path], Path]) -> Iterator[tuple[TestClient, Path]]:
    folder = copy_of(mixed_run)
    with TestClient(create_app([folder]), base_url=HOME) as opened:
        yield opened, folder


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
        books = list(shelf)
        found.append([str(row[0]["id"]) for row in matching(view, books).rows(books, 0, 1_000)])
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
    book = next(iter(shelf))
    for number in range(1, 20):
        found = find(View(runs=("1",), page=number), [book])
        if number > found.pages:
            break
        ids += [str(row[0]["id"]) for row in found.rows]
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


def raw_get(client: TestClient, path: bytes) -> tuple[int, bytes]:
    """Ask the app for a path as it is: a client would tidy it first."""
    said: list[MutableMapping[str, Any]] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        said.append(message)

    raw, _, query = path.partition(b"?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": unquote(raw.decode()),
        "raw_path": raw,
        "query_string": query,
        "root_path": "",
        "headers": [(b"host", b"127.0.0.1:8765")],
        "server": ("127.0.0.1", 8765),
        "client": ("127.0.0.1", 5),
    }
    asyncio.run(client.app(scope, receive, send))  # type: ignore[arg-type]  # an ASGI app's own coroutine
    return said[0]["status"], b"".join(m.get("body", b"") for m in said[1:])


@pytest.mark.parametrize(
    "path",
    [
        b"/static/../app.py",
        b"/static/..%2f..%2f..%2fapp.py",
        b"/static/%2e%2e/page.py",
        b"/static//etc/passwd",
        b"/run/..",
        b"/run/%2e%2e%2f%2e%2e%2fetc",
        b"/run/0",
        b"/run/99",
        b"/review/../../etc?labeller=a",
        b"/download.exe",
        b"/download.csv/../../etc/passwd",
        b"/manifest.json",
        b"//etc/passwd",
    ],
)
def test_nothing_outside_the_given_runs_can_be_reached(client: TestClient, path: bytes) -> None:
    status, body = raw_get(client, path)
    assert status == 404
    assert b"root:" not in body


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
    view = read_view([("run", "7"), ("at.nothing", "x"), ("at.kind", "positive")], {b.slug: b for b in shelf})
    shelf.close()
    assert view == View(runs=("1",), where=(("kind", "positive"),))


def test_requests_for_another_host_name_are_refused(mixed_run: Path) -> None:
    with TestClient(create_app([mixed_run]), base_url="http://evil.example") as foreign:
        assert foreign.get("/").status_code == 421
    with TestClient(create_app([mixed_run]), base_url="http://localhost:8765") as local:
        assert local.get("/").status_code == 200


LABEL = {"id": "x", "target_lang": "en", "sample": "0", "candidate": "0", "gender": "f", "labeller": "ann"}


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "http://127.0.0.1:8765.evil.example"},
        {"origin": HOME, "sec-fetch-site": "cross-site"},
    ],
)
@pytest.mark.parametrize("path", ["/review/1/label", "/review/1/undo", "/review/1/apply", "/try"])
def test_a_write_from_anywhere_else_is_refused(
    desk: tuple[TestClient, Path], path: str, headers: dict[str, str]
) -> None:
    client, folder = desk
    assert client.post(path, data=LABEL, headers=headers).status_code == 403
    assert not (folder / reviews.FILE).exists()


def test_with_a_token_nothing_is_shown_without_it_and_no_page_holds_it(mixed_run: Path) -> None:
    token = "s3cret-token-of-the-test"
    with TestClient(create_app([mixed_run], host="0.0.0.0", token=token), base_url="http://192.168.1.5:8765") as client:
        for path in ("/", "/explore", "/static/app.js", "/?token=wrong", "/?token="):
            assert client.get(path).status_code == 403
        assert client.post("/try", headers={"origin": "http://192.168.1.5:8765"}).status_code == 403
        welcome = client.get(f"/explore?gender=male&token={token}", follow_redirects=False)
        assert (welcome.status_code, welcome.headers["location"]) == (303, "/explore?gender=male")
        cookie = welcome.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "samesite=strict" in cookie.lower()
        assert client.cookies[COOKIE] == token
        for path in ("/", "/run/1", "/explore", "/review/1?labeller=a", "/try"):
            page = client.get(path)
            assert page.status_code == 200
            assert token not in page.text
        away = client.get(f"//evil.example/?token={token}", follow_redirects=False)
        assert not away.headers.get("location", "/").startswith("//")


def test_a_host_that_others_can_reach_gets_a_token(mixed_run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import uvicorn

    from evenhand.report.web.serving import serve

    monkeypatch.setattr(uvicorn.Server, "run", lambda self, sockets: [s.close() for s in sockets])
    said: list[str] = []
    serve([mixed_run], host="0.0.0.0", port=0, announce=said.append)
    serve([mixed_run], port=0, announce=said.append)
    assert re.fullmatch(r"http://0\.0\.0\.0:\d+/\?token=[\w-]{20,}", said[0])
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", said[1])


def test_a_port_in_use_is_an_error_that_says_what_to_do(mixed_run: Path) -> None:
    import socket

    from evenhand.report.web.serving import serve

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(BadInput, match="choose another with --port"):
            serve([mixed_run], port=taken.getsockname()[1])


def next_item(client: TestClient, labeller: str, skip: int = 0) -> dict[str, str] | None:
    page = client.get(f"/review/1?labeller={labeller}&skip={skip}").text
    form = {
        a["name"] or "": a.get("value") or ""
        for tag, a in Tags(page).tags
        if tag == "input" and a.get("type") == "hidden"
    }
    return form if "id" in form else None


def test_the_desk_goes_through_everything_undecided_and_the_estimates_follow(desk: tuple[TestClient, Path]) -> None:
    client, folder = desk
    before = Run.load(folder)
    undecided = set(before.verdicts.filter(pl.col("gender") == "unknown")["id"])
    labelled: set[str] = set()
    while form := next_item(client, "ann"):
        answer = client.post(
            "/review/1/label", data={**form, "gender": "female"}, headers=ORIGIN, follow_redirects=False
        )
        assert answer.status_code == 303
        labelled.add(form["id"])
    assert undecided <= labelled
    client.post("/review/1/apply", data={"labeller": "ann"}, headers=ORIGIN)
    after = Run.load(folder)
    assert after.verdicts.filter(pl.col("gender") == "unknown").height == 0
    assert f"{after.renderings.height} of {after.renderings.height}" in client.get("/review/1?labeller=ann").text
    assert client.get("/explore?run=1&how=person").text.count('class="badge female"') >= min(len(labelled), 25)


def test_two_labellers_see_their_kappa_and_can_undo(desk: tuple[TestClient, Path]) -> None:
    client, folder = desk
    for name, gender in (("ann", "female"), ("bob", "male")):
        form = next_item(client, name)
        assert form is not None
        client.post("/review/1/label", data={**form, "gender": gender}, headers=ORIGIN)
        client.post("/review/1/apply", data={"labeller": name}, headers=ORIGIN)
        if name == "ann":
            unseen = client.get("/review/1?labeller=bob&skip=9999").text + client.get("/review/1?labeller=bob").text
            assert "the detector says female" not in unseen  # a second labeller does not see what the first one said
    page = client.get("/review/1?labeller=ann").text
    assert "ann and bob" in page
    assert "0.00" in page
    client.post("/review/1/undo", data={"labeller": "ann"}, headers=ORIGIN)
    assert reviews.current(reviews.load_labels(folder))["labeller"].to_list() == ["bob"]
    assert "ann and bob" not in client.get("/review/1?labeller=ann").text


def test_one_label_on_a_noun_holds_for_its_words_here_and_in_later_runs(tmp_path: Path) -> None:
    table = tmp_path / "movers.tsv"
    rows = [f"m{i}\tThe mover met client {i}.\ten\tmover\t4\t9" for i in range(12)]
    header = "id\tsource\tsource_lang\tfocus\tfocus_start\tfocus_end"
    table.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")

    def engine(texts: list[str]) -> list[str]:
        return [f"Die Umzugsfirma traf {t[10:]}" if i < 9 else f"Der Umzug traf {t[10:]}" for i, t in enumerate(texts)]

    def audit(name: str) -> Run:
        settings = Settings(resamples=100)
        memory = tmp_path / "memory.sqlite"
        return evenhand.audit(table, engine, target="de", output=tmp_path / name, memory=memory, settings=settings)

    before = audit("first")
    assert set(before.verdicts["gender"]) == {"unknown"}
    with TestClient(create_app([tmp_path / "first"]), base_url=HOME) as client:
        form = next_item(client, "ann")
        assert form is not None
        client.post("/review/1/label", data={**form, "same": "1", "gender": "neutral"}, headers=ORIGIN)
        labelled = reviews.current(reviews.load_labels(tmp_path / "first"))
        assert labelled.height == 9
        client.post("/review/1/apply", data={"labeller": "ann"}, headers=ORIGIN)
    later = audit("second")
    assert later.verdicts["gender"].value_counts().sort("gender").rows() == [("neutral", 9), ("unknown", 3)]
    assert later.signature != before.signature


@pytest.mark.parametrize(
    "change", [{"id": "not there"}, {"gender": "queen"}, {"labeller": "<b>"}, {"sample": "-1"}, {"candidate": "x"}]
)
def test_a_label_that_makes_no_sense_is_refused(desk: tuple[TestClient, Path], change: dict[str, str]) -> None:
    client, folder = desk
    form = next_item(client, "ann")
    assert form is not None
    answer = client.post(
        "/review/1/label", data={**form, "gender": "f", **change}, headers=ORIGIN, follow_redirects=False
    )
    assert answer.status_code == 400
    assert reviews.load_labels(folder).height == 0


def test_a_form_that_is_too_large_or_of_another_kind_is_refused(desk: tuple[TestClient, Path]) -> None:
    client, _ = desk
    assert client.post("/review/1/label", data={"id": "x" * 200_000}, headers=ORIGIN).status_code == 400
    assert client.post("/review/1/label", json=LABEL, headers=ORIGIN).status_code == 400


def test_sentences_can_be_tried_on_the_allowed_systems_only(client: TestClient) -> None:
    form = {"text": "medikua\n<b>erizaina</b>", "source": "eu", "target": "en", "system0": "1"}
    page = client.post("/try", data=form, headers=ORIGIN)
    assert page.status_code == 200
    assert page.text.count('<mark class="evidence male">He</mark>') == 2
    assert "<b>" not in page.text
    for change in ({"system0": ""}, {"system7": "1", "system0": ""}, {"system": "command:touch /tmp/x", "system0": ""}):
        answer = client.post("/try", data={**form, **change}, headers=ORIGIN)
        assert answer.status_code == 400
        assert "choose at least one system" in answer.text


def test_trying_with_a_marked_person_uses_the_noun_phrase(client: TestClient) -> None:
    form = {"text": "The [nurse] slept.\nThe nurse slept.", "source": "en", "target": "es", "system0": "1"}
    mixed = client.post("/try", data=form, headers=ORIGIN)
    assert "in every sentence or in none" in mixed.text
    one = client.post("/try", data={**form, "text": "The [nurse] slept."}, headers=ORIGIN)
    assert '<mark class="focus">nurse</mark>' in one.text


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


def test_a_folder_that_is_no_run_is_an_error_before_anything_is_served(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not a run folder"):
        create_app([tmp_path])
    with pytest.raises(BadInput, match="at least one run"):
        create_app([])
