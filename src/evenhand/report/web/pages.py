"""Runs and other results, sentences, downloads and reports."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from urllib.parse import urlencode

import polars as pl
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from evenhand.detect import Detector, open_detector
from evenhand.detect.explain import explain
from evenhand.detect.own_forms import forms_of
from evenhand.errors import BadInput, require
from evenhand.gender import GENDERS
from evenhand.report.exchange.spreadsheet import csv_table, tsv_table
from evenhand.report.pages.kinds import Result
from evenhand.report.pages.page import asset, estimate_rows, policy
from evenhand.report.pages.sentences import example
from evenhand.report.web.book import TEXT, Book
from evenhand.report.web.other_forms import other_form
from evenhand.report.web.query import View, find, read_view
from evenhand.report.web.shelf import Leaflet, RunEntry
from evenhand.report.words.glossary import used
from evenhand.report.words.narrative import tell
from evenhand.report.words.vocabulary import grouping_title, level_shown
from evenhand.storage.tables import KEY
from evenhand.suites.suite import SuiteKind
from evenhand.workflows.score import JUDGED_BY

CHUNK = 5_000
MOST_TOGETHER = 20  # runs side by side: each is opened, and has a column
NUMBERS = ("sample", "candidate")  # what tells renderings of one probe apart
MOST_REPORTED = 2_000_000  # renderings of the runs in one report: about 1.5 GB of memory for each million
KINDS = {"csv": "text/csv", "tsv": "text/tab-separated-values", "jsonl": "application/jsonl"}
FILTERS = {
    "text": "contains",
    "evidence": "evidence",
    "gold": "source states",
    "how": "rests on",
    "flag": "only",
}
HOWS = ("forms", "article", "agreement", "pronoun", "person", "none")


def book_of(request: Request) -> Book:
    book = request.app.state.site.shelf.get(request.path_params["run"])
    if not isinstance(book, Book):
        raise HTTPException(404)
    return book


def home(request: Request) -> Response:
    """What there is: a few given runs with their answers, or the list of all below a folder, looked at again."""
    site = request.app.state.site
    shelf = site.shelf
    shelf.look()
    kinds: dict[str, list[Leaflet]] = {}
    for leaflet in shelf.leaflets.values():
        kinds.setdefault(leaflet.findings.manifest.kind, []).append(leaflet)
    entries = list(shelf)
    if shelf.roots:
        newest = sorted(entries, key=lambda entry: entry.manifest.created, reverse=True)
        suites: dict[tuple[str, str], list[RunEntry]] = {}
        for entry in newest:
            suites.setdefault((entry.manifest.suite.name, entry.manifest.suite.hash), []).append(entry)
        return site.page("index.html", title="Results", suites=list(suites.values()), kinds=kinds)  # type: ignore[no-any-return]
    books = [book for entry in entries if (book := shelf.get(entry.slug))]
    cards = [(book, tell(book.facts)) for book in books]
    alike = [book.slug for book in books if book.manifest.suite.hash == books[0].manifest.suite.hash]
    return site.page("home.html", title="Results", cards=cards, alike=alike, kinds=kinds)  # type: ignore[no-any-return]


def result(request: Request) -> Response:
    """Findings: the answer, the numbers and the signature; the charts are in their report."""
    site = request.app.state.site
    leaflet = site.shelf.leaflets.get(request.path_params["result"])
    if leaflet is None:
        raise HTTPException(404)
    title = leaflet.findings.manifest.title
    return site.page("result.html", title=title, leaflet=leaflet, info=leaflet.findings.manifest)  # type: ignore[no-any-return]


def run(request: Request) -> Response:
    """A run's answer, numbers and bars; every part of a bar leads to its sentences."""
    site, book = request.app.state.site, book_of(request)
    view = View(runs=(book.slug,))
    overall = book.estimates.filter(book.estimates["group"] == "all")
    groups = [
        (grouping_title(name), [(level_shown(name, bar.level), bar, view) for bar in bars])
        for name, bars in book.bars.items()
        if bars
    ]
    return site.page(  # type: ignore[no-any-return]
        "run.html",
        title=book.name,
        book=book,
        answer=tell(book.facts),
        headline=estimate_rows(overall),
        glossary=used(overall["measure"].to_list()),
        groups=groups,
        view=view,
        genders=GENDERS,
    )


def address(book: Book, row: Mapping[str, object]) -> str:
    """The page of one rendering of a run."""
    query = {"id": row["id"], **{name: row[name] for name in NUMBERS if row.get(name)}}
    return f"/sentence/{book.slug}?{urlencode(query)}"


def explore(request: Request) -> Response:
    site = request.app.state.site
    view, books = _view(request)
    matches = find(view, books)
    lines = [
        [(book, example(row), address(book, row)) for book, row in zip(books, rows, strict=True)]
        for rows in matches.page(books, view.page)
    ]
    return site.page(  # type: ignore[no-any-return]
        "explore.html",
        title="Sentences",
        view=view,
        books=books,
        choices=_choices(site.shelf, books),
        matches=matches,
        lines=lines,
        page=min(view.page, matches.pages),
        genders=GENDERS,
        hows=HOWS,
        columns=books[0].attributes,
        chosen=dict(view.where),
        has_gold="gold" in books[0].columns,
        chips=_chips(view),
        kinds=KINDS,
        mixed=len({book.manifest.suite.hash for book in books}) > 1,
    )


def _chips(view: View) -> list[tuple[str, str]]:
    """What is filtered on, each with the address of the view without it."""
    chips = []
    for column, value in view.where:
        others = tuple(pair for pair in view.where if pair[0] != column)
        chips.append((f"{column.replace('_', ' ')}: {value}", view.url(where=others, page=1)))
    if view.gender:
        chips.append((" or ".join(view.gender), view.url(gender=(), page=1)))
    named = [(words, name, getattr(view, name)) for name, words in FILTERS.items()]
    return chips + [(f"{words}: {value}", view.without(name).url()) for words, name, value in named if value]


def download(request: Request) -> Response:
    """All sentences of a view, in pieces: CSV, TSV or JSON lines."""
    kind = request.path_params["format"]
    if kind not in KINDS:
        raise HTTPException(404)
    view, books = _view(request)
    headers = {"Content-Disposition": f'attachment; filename="evenhand-sentences.{kind}"'}
    return StreamingResponse(_lines(view, books, kind), media_type=KINDS[kind], headers=headers)


def _lines(view: View, books: Sequence[Book], kind: str) -> Iterator[str]:
    picked = find(view, books)
    plain = [c for c in books[0].columns if c != TEXT]
    if len(books) > 1:
        plain = [c for c in plain if c not in ("rendering", "gender", "evidence", "confidence", "how", "reason")]
    for start in range(0, max(picked.total, 1), CHUNK):
        tables = picked.tables(books, start, CHUNK)
        piece = tables[0].select(plain)
        if len(books) > 1:
            piece = piece.with_columns(
                table[c].alias(f"{c} ({book.name})")
                for book, table in zip(books, tables, strict=True)
                for c in ("rendering", "gender", "evidence")
            )
        if kind == "jsonl":
            yield "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in piece.iter_rows(named=True))
        else:
            yield (tsv_table if kind == "tsv" else csv_table)(piece, header=start == 0)


def report(request: Request) -> Response:
    """The same page that `evenhand report` writes, for the chosen results: one at a time, and not of any size."""
    for module in ("altair", "vl_convert"):
        require(module, purpose="a report", extra="report")
    from evenhand.report.pages import build

    shelf, slugs = request.app.state.site.shelf, dict.fromkeys(request.query_params.getlist("run"))
    findings: list[Result] = [shelf.leaflets[slug].findings for slug in slugs if slug in shelf.leaflets]
    if len(slugs) > MOST_TOGETHER:
        raise BadInput(f"a report of the explorer takes at most {MOST_TOGETHER} results; `evenhand report` takes more")
    books = [book for slug in slugs if (book := shelf.get(slug))]
    books = books or ([] if findings else _view(request)[1])
    height = sum(book.height for book in books)
    if height > MOST_REPORTED:
        raise BadInput(
            f"a report about {height:,} renderings is too large for the explorer (at most {MOST_REPORTED:,}); "
            "`evenhand report` writes it"
        )
    with request.app.state.site.one_report():
        page, _ = build.page_of([*findings, *(book.load() for book in books)])
    return HTMLResponse(page, headers={"Content-Security-Policy": policy(asset("page.js"))})


def _view(request: Request) -> tuple[View, list[Book]]:
    """The view that is asked for and its runs, opened; the first run where none is named."""
    shelf = request.app.state.site.shelf
    slugs = list(dict.fromkeys(request.query_params.getlist("run")))
    if len(slugs) > MOST_TOGETHER:
        raise BadInput(f"at most {MOST_TOGETHER} runs are shown side by side; choose fewer")
    known = {slug: book for slug in slugs if (book := shelf.get(slug))}
    if not known:
        known = {entry.slug: book for entry in islice(shelf, 1) if (book := shelf.get(entry.slug))}
    if not known:
        raise HTTPException(404)
    view = read_view(request.query_params.multi_items(), known)
    return view, [known[slug] for slug in view.runs]


def _choices(shelf: Iterable[RunEntry], books: Sequence[Book]) -> list[RunEntry]:
    """The runs a view can be changed to: all, or, where they are many, those of the same suite."""
    entries = list(shelf)
    if len(entries) <= MOST_TOGETHER:
        return entries
    shown = {book.slug for book in books}
    return [e for e in entries if e.manifest.suite.hash == books[0].manifest.suite.hash or e.slug in shown]


def sentence(request: Request) -> Response:
    """One rendering with the steps that lead to its verdict, made again by the present detector; where the run was
    judged by another one, the page notes it."""
    site, book = request.app.state.site, book_of(request)
    row = _row(book, request.query_params)
    info = book.manifest
    detector = _detector(info.suite.kind, info.suite.source_lang, info.target_lang, info.rule, _stamped(book.path))
    pair = {name: row[name] for name in ("id", "rendering", *JUDGED_BY) if name in row}
    return site.page(  # type: ignore[no-any-return]
        "sentence.html",
        title="One rendering",
        book=book,
        shown=example(row),
        mended=other_form(row),
        steps=explain(detector, pair),
        other=info.detector != detector.fingerprint,
        person=row.get("how") == "person",
        verdict=row["gender"],
    )


def _row(book: Book, query: Mapping[str, str]) -> dict[str, object]:
    numbers = {name: query.get(name, "0") for name in NUMBERS}
    if not all(value.isascii() and value.isdigit() and len(value) < 6 for value in numbers.values()):
        raise HTTPException(404)
    wanted = pl.col("id") == query.get("id", "")
    for name, value in numbers.items():
        wanted &= pl.col(name).cast(KEY[name]) == int(value)
    rows = book.scan().filter(wanted).head(1).collect()
    if not rows.height:
        raise HTTPException(404)
    return rows.row(0, named=True)


def _stamped(folder: Path) -> tuple[Path, int] | None:
    """The forms that people labelled in the run, with the time of their last change: the desk adds to them."""
    forms = forms_of(folder)
    return None if forms is None else (forms, forms.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _detector(kind: SuiteKind, source: str, target: str, rule: str, labelled: tuple[Path, int] | None) -> Detector:
    forms = None if labelled is None else labelled[0]
    return open_detector(kind, source=source, target=target, rule=rule, user_forms=forms)
