"""One rendering by itself: the sentence, its verdict, and the steps that lead to it in plain words."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import polars as pl
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from evenhand.detect import Detector, open_detector
from evenhand.detect.explain import explain
from evenhand.detect.own_forms import forms_of
from evenhand.report.pages.sentences import example
from evenhand.report.web.book import Book
from evenhand.report.web.other_forms import other_form
from evenhand.report.web.pages import NUMBERS, book_of
from evenhand.storage.tables import KEY
from evenhand.suites.suite import SuiteKind
from evenhand.workflows.score import JUDGED_BY


def show(request: Request) -> Response:
    """The steps are made anew by the detector of today; where the run was judged by another one, the page says so."""
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


def _row(book: Book, asked: Mapping[str, str]) -> dict[str, object]:
    numbers = {name: asked.get(name, "0") for name in NUMBERS}
    if not all(value.isascii() and value.isdigit() and len(value) < 6 for value in numbers.values()):
        raise HTTPException(404)
    wanted = pl.col("id") == asked.get("id", "")
    for name, value in numbers.items():
        wanted &= pl.col(name).cast(KEY[name]) == int(value)
    found = book.scan().filter(wanted).head(1).collect()
    if not found.height:
        raise HTTPException(404)
    return found.row(0, named=True)


def _stamped(folder: Path) -> tuple[Path, int] | None:
    """The forms that people labelled in the run, with the time of their last change: the desk adds to them."""
    forms = forms_of(folder)
    return None if forms is None else (forms, forms.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _detector(kind: SuiteKind, source: str, target: str, rule: str, labelled: tuple[Path, int] | None) -> Detector:
    forms = None if labelled is None else labelled[0]
    return open_detector(kind, source=source, target=target, rule=rule, user_forms=forms)
