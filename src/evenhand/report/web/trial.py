"""Try it: sentences of your own through the systems that were allowed at the start, with verdicts and evidence."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from evenhand.detect import open_detector
from evenhand.errors import BadInput, EvenhandError
from evenhand.languages import known, primary
from evenhand.report.pages.sentences import Example, example
from evenhand.report.web.desk import read_form
from evenhand.report.web.other_forms import OtherForm, other_form
from evenhand.systems import open_system, translate
from evenhand.systems.protocol import Paired, without_password

SENTENCES, LENGTH = 50, 1_000
_MARKED = re.compile(r"\[([^\[\]]+)\]")


@dataclass(frozen=True)
class Offer:
    """A system of the try-it page, and the pairs of languages it says it knows (None: it does not say)."""

    spec: str
    pairs: frozenset[tuple[str, str]] | None

    @property
    def name(self) -> str:
        """The spec without what may be secret in it: user and password of a URL, and everything after a ?."""
        return without_password(self.spec.partition("?")[0])

    @property
    def listed(self) -> str:
        """The pairs as a page's script reads them: "en-es es-en"; "" where any may be tried."""
        return " ".join(sorted(f"{source}-{target}" for source, target in self.pairs or ()))

    def knows(self, source: str, target: str) -> bool:
        return self.pairs is None or (source, target) in self.pairs


def offers_of(specs: Sequence[str]) -> list[Offer]:
    """What each system says of itself; one that cannot be opened now is offered, and tells why when it is tried."""
    return [Offer(spec, _pairs(spec)) for spec in specs]


def _pairs(spec: str) -> frozenset[tuple[str, str]] | None:
    try:
        system = open_system(spec)
        pairs = system.pairs() if isinstance(system, Paired) else None
    except EvenhandError:
        return None
    return None if pairs is None else frozenset(pair for pair in pairs if set(pair) <= set(known()))


@dataclass(frozen=True)
class Tried:
    """What one system made of the sentences, or why it could not."""

    system: str
    examples: list[Example]
    problem: str = ""
    others: Sequence[OtherForm | None] = ()


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
    chosen = [offer for i, offer in enumerate(request.app.state.site.offers) if form.get(f"system{i}")]
    lines = [line.strip() for line in form.get("text", "").splitlines() if line.strip()]
    if not lines or not chosen:
        raise BadInput("write at least one sentence and choose at least one system")
    if len(lines) > SENTENCES or max(map(len, lines)) > LENGTH:
        raise BadInput(f"at most {SENTENCES} sentences of at most {LENGTH} characters each")
    source, target = (primary(form.get(name, "")) for name in ("source", "target"))
    if not {source, target} <= set(known()):
        raise BadInput("choose a source and a target language")
    probes = [_probe(line, n) for n, line in enumerate(lines)]
    marked = [p["focus_start"] is not None for p in probes]
    if len(set(marked)) > 1:
        raise BadInput("mark the person with [brackets] in every sentence or in none")
    return [_through(offer, probes, source, target, nouns=all(marked)) for offer in chosen]


def _probe(line: str, number: int) -> dict[str, object]:
    """A sentence; [brackets] mark the word for the person and are taken out."""
    mark = _MARKED.search(line)
    if mark is None:
        return {"id": str(number), "source": line, "focus": None, "focus_start": None, "focus_end": None}
    text = line[: mark.start()] + mark.group(1) + line[mark.end() :]
    start = mark.start()
    return {"id": str(number), "source": text, "focus": mark.group(1), "focus_start": start,
            "focus_end": start + len(mark.group(1))}  # fmt: skip


def _through(offer: Offer, probes: list[dict[str, object]], source: str, target: str, *, nouns: bool) -> Tried:
    if not offer.knows(source, target):
        names = known()
        return Tried(offer.name, [], f"it does not translate from {names[source].name} into {names[target].name}")
    try:
        detector = open_detector("nouns" if nouns else "pronouns", source=source, target=target)
        texts = translate(offer.spec, [str(p["source"]) for p in probes], source=source, target=target)
        pairs = pl.DataFrame(
            [{**p, "rendering": text} for p, text in zip(probes, texts, strict=True)],
            schema={"id": pl.String, "source": pl.String, "focus": pl.String, "focus_start": pl.Int64,
                    "focus_end": pl.Int64, "rendering": pl.String},
        )  # fmt: skip
        verdicts = detector.detect(pairs)
    except EvenhandError as error:
        return Tried(offer.name, [], str(error))
    rows = pl.concat([pairs, verdicts.drop("id")], how="horizontal").with_columns(
        source_lang=pl.lit(source), target_lang=pl.lit(target)
    )
    judged = list(rows.iter_rows(named=True))
    return Tried(offer.name, list(map(example, judged)), others=list(map(other_form, judged)))


def _page(request: Request, form: dict[str, str], tried: list[Tried], problem: str) -> Response:
    site = request.app.state.site
    pair = form.get("source", "en"), form.get("target", "es")
    return site.page(  # type: ignore[no-any-return]
        "try.html",
        400 if problem else 200,
        title="Try it",
        systems=site.offers,
        pair=pair,
        languages=sorted((entry.name, code) for code, entry in known().items()),
        form=form,
        tried=tried,
        problem=problem,
    )
