"""The review desk: undecided and uncertain verdicts one after another, one key a label."""

import threading
from collections import defaultdict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qs, urlencode

import polars as pl
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from evenhand.detect.own_forms import FILE as FORMS
from evenhand.errors import BadInput, EvenhandError
from evenhand.gender import LOOKS, Gender
from evenhand.report.pages.sentences import LOW_CONFIDENCE, example
from evenhand.report.web.book import Book
from evenhand.report.web.other_forms import other_form
from evenhand.report.web.pages import book_of
from evenhand.report.web.query import doubt, stable_order, whole_number
from evenhand.report.web.shelf import Shelf
from evenhand.review.labels import (
    KEYS,
    LabelKey,
    add_labels,
    agreement,
    apply_labels,
    check_labeller,
    current,
    gender_of,
    load_labels,
    read_labels,
    undo_label,
)
from evenhand.review.sheets import keep_forms
from evenhand.storage.tables import FIRST_ANSWER

QUIET = 1.5  # seconds without a new label before the estimates are made again
MOST = 100_000  # bytes of a form


class Updates:
    """Applies labels in the background, one run at a time, after a pause in labelling."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="evenhand-labels")
        self._timers: dict[str, threading.Timer] = {}
        self._lock = threading.Lock()
        self.problem = ""

    def later(self, slug: str) -> None:
        with self._lock:
            waiting = self._timers.pop(slug, None)
            if waiting:
                waiting.cancel()
            timer = threading.Timer(QUIET, lambda: self._worker.submit(self._apply, slug))
            timer.daemon = True
            self._timers[slug] = timer
            timer.start()

    def now(self, slug: str) -> None:
        """Apply and wait until it is done."""
        self._worker.submit(self._apply, slug).result()
        if self.problem:
            raise BadInput(self.problem)

    def close(self) -> None:
        with self._lock:
            for timer in self._timers.values():
                timer.cancel()
            self._timers.clear()
        self._worker.shutdown(wait=True)

    def _apply(self, slug: str) -> None:
        book = self._shelf.get(slug)
        if book is None:
            return
        try:
            apply_labels(book.path)
            self._shelf.refresh(slug)
            self.problem = ""
        except Exception as error:  # in a thread of its own nobody else would hear of it
            reason = str(error) if isinstance(error, EvenhandError) else f"{type(error).__name__}: {error}"
            self.problem = f"The labels are kept, but the estimates could not be updated. {reason}"


def queue(book: Book, labeller: str, skipped: int) -> tuple[int, dict[str, object] | None]:
    """How many renderings wait for this person, and the next one after `skipped` others: undecided first."""
    labels = current(load_labels(book.path))
    mine = labels.filter(pl.col("labeller") == labeller).select(KEYS)
    numbered = book.scan().with_row_index("_row")
    labelled = numbered.filter(pl.col("id").is_in(labels["id"].unique().implode())).select("_row", *KEYS).collect()
    labelled = labelled.join(labels.select(KEYS), on=KEYS, how="semi")
    done = labelled.join(mine, on=KEYS, how="semi")["_row"]
    # A label that was taken back is undecided again, although the run's table has it until the next update.
    undecided = (pl.col("gender") == Gender.UNKNOWN.value) | (pl.col("how") == "person")
    uncertain = undecided | (pl.col("confidence") < LOW_CONFIDENCE)
    shared = pl.col("_row").is_in(labelled["_row"].implode())
    key = pl.when(undecided | shared).then(0).otherwise(10_001 - doubt().cast(pl.Int32)).cast(pl.UInt16).alias("_key")
    # What somebody else has labelled comes too, among the first, so that two people can be compared.
    waiting = (
        numbered.filter(FIRST_ANSWER & (uncertain | shared))
        .filter(~pl.col("_row").is_in(done.implode()))
        .select("_row", key)
        .collect()
    )
    if not waiting.height:
        return 0, None
    at = stable_order(waiting["_key"])[min(skipped, waiting.height - 1)]
    return waiting.height, book.rows([int(waiting["_row"][int(at)])]).row(0, named=True)


def show(request: Request) -> Response:
    site, book = request.app.state.site, book_of(request)
    name = request.query_params.get("labeller", "")
    problem = site.updates.problem
    try:
        name = check_labeller(name) if name else ""
    except BadInput as error:
        name, problem = "", str(error)
    skip = whole_number(request.query_params.get("skip", "0"))
    waiting, row = queue(book, name, skip) if name else (0, None)
    held = read_labels(book.path)
    labels, problem = held.table, problem or held.warning
    standing = current(labels)
    return site.page(  # type: ignore[no-any-return]
        "review.html",
        title=f"Review: {book.name}",
        book=book,
        labeller=name,
        problem=problem,
        waiting=waiting,
        skip=min(skip, max(waiting - 1, 0)),
        row=row,
        example=example({**row, "gender": "unknown"}) if row else None,
        verdict=example(row) if row else None,
        mended=other_form(row) if row else None,
        buttons=[(look.keys[0], gender.value) for gender, look in LOOKS.items()],
        agreements=agreement(labels),
        people=standing["labeller"].value_counts().sort("labeller").rows() if standing.height else [],
        applied=book.manifest.detector.partition("+labels:")[2],
        same=_same(book, row) if row else 0,
        done=standing.filter(pl.col("labeller") == name).height if name else 0,
        headline=book.estimates.filter(pl.col("group") == "all").head(6).to_dicts(),
    )


async def label(request: Request) -> Response:
    """Keep one label and go on to the next."""
    book = book_of(request)
    form = await read_form(request)
    key = LabelKey(form["id"], form["target_lang"], _number(form["sample"]), _number(form["candidate"]))

    await run_in_threadpool(lambda: keep(book, key, form["gender"], form["labeller"], everywhere=bool(form["same"])))
    request.app.state.site.updates.later(book.slug)
    return _back(book, form["labeller"], form.get("skip", "0"))


def keep(book: Book, key: LabelKey, gender: str, labeller: str, *, everywhere: bool) -> None:
    """Keep a label on one rendering or, with `everywhere`, on all undecided ones with the same words, and the form."""
    chosen = pl.all_horizontal([pl.col(c) == v for c, v in key.__dict__.items()])
    chosen_rows = book.scan().filter(chosen).collect()
    if not chosen_rows.height:
        raise BadInput("this rendering is not in the run")
    focus, words = words_of(chosen_rows.row(0, named=True))
    if not everywhere or not words:
        add_labels(book.path, [(key, gender)], labeller=labeller, texts={key: chosen_rows["rendering"][0]})
        return
    alike = book.scan().filter(_alike(focus, words)).select(*KEYS, "rendering").collect()
    texts = {key: chosen_rows["rendering"][0]} | {LabelKey(*row[:-1]): row[-1] for row in alike.iter_rows()}
    add_labels(book.path, [(k, gender) for k in texts], labeller=labeller, texts=texts)
    if gender_of(gender) != Gender.UNKNOWN.value:
        keep_forms(book.path / FORMS, [(focus, words, gender_of(gender))])


def words_of(row: Mapping[str, object]) -> tuple[str, str]:
    """Focus and the words that render it, folded; no words where the detector did not find them."""
    start, end, text = row["evidence_start"], row["evidence_end"], row["rendering"]
    if not isinstance(start, int) or not isinstance(end, int) or not row.get("focus"):
        return "", ""
    return str(row["focus"]).lower(), str(text)[start:end].lower()


def _same(book: Book, row: Mapping[str, object]) -> int:
    """How many undecided renderings of nouns have the same focus and words, this one included; 0 for a decided one."""
    nouns = book.manifest.suite.kind == "nouns" and row["gender"] == Gender.UNKNOWN.value
    if not nouns or not words_of(row)[1]:
        return 0
    return int(book.scan().filter(_alike(*words_of(row))).select(pl.len()).collect().item())


def _alike(focus: str, words: str) -> pl.Expr:
    start = pl.col("evidence_start")
    rendered = pl.col("rendering").str.slice(start, pl.col("evidence_end") - start).str.to_lowercase()
    undecided = (pl.col("gender") == Gender.UNKNOWN.value) & FIRST_ANSWER
    return undecided & (pl.col("focus").str.to_lowercase() == focus) & (rendered == words)


async def undo(request: Request) -> Response:
    book = book_of(request)
    form = await read_form(request)
    await run_in_threadpool(lambda: undo_label(book.path, labeller=form["labeller"]))
    request.app.state.site.updates.later(book.slug)
    return _back(book, form["labeller"], "0")


async def apply(request: Request) -> Response:
    """Make the estimates again at once instead of after a pause."""
    book = book_of(request)
    form = await read_form(request)
    await run_in_threadpool(lambda: request.app.state.site.updates.now(book.slug))
    return _back(book, form.get("labeller", ""), "0")


async def read_form(request: Request) -> dict[str, str]:
    """A small URL-encoded form; the last value of a name counts. A missing name reads as empty."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST:
            raise BadInput("this form is too large")
    if request.headers.get("content-type", "").split(";")[0] != "application/x-www-form-urlencoded":
        raise BadInput("a form was expected")
    try:
        fields = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=200)
    except ValueError as error:
        raise BadInput("this form cannot be read") from error
    return defaultdict(str, {name: values[-1] for name, values in fields.items()})


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise BadInput(f"{text!r} is not a number")
    return int(text)


def _back(book: Book, labeller: str, skip: str) -> Response:
    try:
        query = {"labeller": check_labeller(labeller)}
    except BadInput as error:
        return PlainTextResponse(str(error), 400)
    if skip.isascii() and skip.isdigit() and skip != "0":
        query["skip"] = skip[:7]
    return RedirectResponse(f"/review/{book.slug}?{urlencode(query)}", 303)
