"""Try it: sentences of your own through the systems that were allowed at the start, with verdicts and evidence."""

from __future__ import annotations

import re
from dataclasses import dataclass

import polars as pl
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from evenhand.detect import open_detector
from evenhand.errors import BadInput, EvenhandError
from evenhand.languages import known, primary
from evenhand.report.sentences import Example, example
from evenhand.report.web.desk import read_form
from evenhand.systems import translate
from evenhand.systems.protocol import without_password

SENTENCES, LENGTH = 50, 1_000
_MARKED = re.compile(r"\[([^\[\]]+)\]")


def shown_name(spec: str) -> str:
    """A system's spec without what may be secret in it: user and password of a URL, and everything after a ?."""
    return without_password(spec.partition("?")[0])


@dataclass(frozen=True)
class Tried:
    """What one system made of the sentences, or why it could not."""

    system: str
    examples: list[Example]
    problem: str = ""


def show(request: Request) -> Response:
    return _page(request, {}, [], "")


async def answer(request: Request) -> Response:
    form = await read_form(request)
    try:
        tried = await run_in_threadpool(lambda: run_trial(request, form))
    except EvenhandError as error:
        return _page(request, form, [], str(error))
    return _page(request, form, tried, "")


def run_trial(request: Request, form: dict[str, str]) -> list[Tried]:
    """Every chosen system on every sentence. A system is chosen by its number: no address or command can be sent."""
    systems = request.app.state.site.systems
    chosen = [i for i in range(len(systems)) if form.get(f"system{i}")]
    lines = [line.strip() for line in form.get("text", "").splitlines() if line.strip()]
    source, target = primary(form.get("source", "")), primary(form.get("target", ""))
    if not lines or not chosen:
        raise BadInput("write at least one sentence and choose at least one system")
    if len(lines) > SENTENCES or max(map(len, lines)) > LENGTH:
        raise BadInput(f"at most {SENTENCES} sentences of at most {LENGTH} characters each")
    if source not in known() or target not in known():
        raise BadInput("choose a source and a target language")
    probes = [_probe(line, n) for n, line in enumerate(lines)]
    marked = [p["focus_start"] is not None for p in probes]
    if any(marked) and not all(marked):
        raise BadInput("mark the person with [brackets] in every sentence or in none")
    return [_through(systems[i], probes, source, target, nouns=all(marked)) for i in chosen]


def _probe(line: str, number: int) -> dict[str, object]:
    """A sentence; [brackets] mark the word for the person and are taken out."""
    mark = _MARKED.search(line)
    if mark is None:
        return {"id": str(number), "source": line, "focus": None, "focus_start": None, "focus_end": None}
    text = line[: mark.start()] + mark.group(1) + line[mark.end() :]
    start = mark.start()
    return {"id": str(number), "source": text, "focus": mark.group(1), "focus_start": start,
            "focus_end": start + len(mark.group(1))}  # fmt: skip


def _through(spec: str, probes: list[dict[str, object]], source: str, target: str, *, nouns: bool) -> Tried:
    try:
        detector = open_detector("nouns" if nouns else "pronouns", source=source, target=target)
        texts = translate(spec, [str(p["source"]) for p in probes], source=source, target=target)
        pairs = pl.DataFrame(
            [{**p, "rendering": text} for p, text in zip(probes, texts, strict=True)],
            schema={"id": pl.String, "source": pl.String, "focus": pl.String, "focus_start": pl.Int64,
                    "focus_end": pl.Int64, "rendering": pl.String},
        )  # fmt: skip
        verdicts = detector.detect(pairs)
    except EvenhandError as error:
        return Tried(shown_name(spec), [], str(error))
    rows = pl.concat([pairs, verdicts.drop("id")], how="horizontal").with_columns(
        source_lang=pl.lit(source), target_lang=pl.lit(target)
    )
    return Tried(shown_name(spec), [example(row) for row in rows.iter_rows(named=True)])


def _page(request: Request, form: dict[str, str], tried: list[Tried], problem: str) -> Response:
    site = request.app.state.site
    return site.page(  # type: ignore[no-any-return]
        "try.html",
        400 if problem else 200,
        title="Try it",
        systems=[shown_name(s) for s in site.systems],
        languages=sorted((entry.name, code) for code, entry in known().items()),
        form=form,
        tried=tried,
        problem=problem,
    )
