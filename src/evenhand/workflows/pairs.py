"""Pairs made of a system's own renderings: mend writes the other gender, or declines."""

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from evenhand.detect import open_detector
from evenhand.detect.validity import is_rendering
from evenhand.errors import BadInput
from evenhand.languages import code
from evenhand.readers.layout import LINE, Column, Layout
from evenhand.readers.registry import read
from evenhand.results.runs import Run, load_run
from evenhand.storage.folders import MANIFEST
from evenhand.storage.tables import FIRST_ANSWER
from evenhand.suites.contrastive import HALVES, flagged
from evenhand.suites.registry import load_suite
from evenhand.suites.suite import Grouping, Suite
from evenhand.systems.dispatch import Dispatcher, answers_of
from evenhand.systems.memory import Memory
from evenhand.systems.own_scorers import ScoreTable
from evenhand.systems.scoring import Scale
from evenhand.workflows.audit import memory_path, requests_of
from evenhand.workflows.halves import CONTRASTIVE
from evenhand.workflows.mend import Mending
from evenhand.workflows.probes import Translator, prepare
from evenhand.workflows.score import judge
from evenhand.workflows.settings import AskSettings

DROPPED = ("base", "pair", "context", "string", "wanted", "wish")


@dataclass(frozen=True)
class MadePairs:
    """The pairs as probes (`feminine`, `masculine`, `output`: the gender of the system's own rendering), how many
    renderings there were, and why others gave no pair."""

    table: pl.DataFrame
    renderings: int
    declined: Counter[str]


def pairs(
    suite: str | Path | Suite | Run,
    *,
    system: Translator | None = None,
    target: str = "",
    memory: Path | str | None = None,
    progress: bool = False,
) -> MadePairs:
    """Pairs of a suite's sources through a system, or of a run; those that mend declines are counted, not guessed."""
    if isinstance(suite, str | Path) and (Path(suite) / MANIFEST).is_file():
        suite = load_run(suite)
    if isinstance(suite, Run):
        run = suite
        language = run.manifest.target_lang
        mending = _mending(run.manifest.suite.kind, language)
        table = run.table.filter(FIRST_ANSWER & (pl.col("sample") == 0)).select(*run.probes.columns, "rendering")
    else:
        if system is None or not target:
            raise BadInput("pairs need a system's renderings: name --system and --target, or a run folder")
        language = code(target)
        ready = prepare(suite, system, target=language, asking=AskSettings())
        mending, asked = _mending(ready.suite.kind, language), list(requests_of(ready.suite, language, 1))
        keeps = is_rendering(ready.suite.source_lang, language)
        with Memory(Path(memory or memory_path())) as store:
            answers = answers_of(Dispatcher(ready.system, store, progress=progress, keeps=keeps), asked)
        table = ready.suite.probes.with_columns(rendering=pl.Series([answer.text for answer in answers]))
    return _mended(table, mending)


def _mending(kind: str, language: str) -> Mending:
    """Refused before anything is translated: what mend cannot do."""
    if kind != "nouns":
        raise BadInput(f"pairs are made for sources with a marked noun; this suite is judged by {kind}")
    return Mending(target=language, to="both")


def _mended(table: pl.DataFrame, mending: Mending) -> MadePairs:
    mended = mending.table(table)
    halves = [mended.filter(to=gender).select("id", "gender", "mended", "reason") for gender in ("female", "male")]
    both = halves[0].join(halves[1], on="id", maintain_order="left", suffix="_male")
    texts = dict(zip(HALVES, ("mended", "mended_male"), strict=True))
    made = both.select("id", **texts, output="gender", _why=pl.coalesce("reason", "reason_male"))
    joined = table.join(made, on="id", maintain_order="left")
    whole = (pl.col(HALVES[0]) != "") & (pl.col(HALVES[1]) != "") & (pl.col(HALVES[0]) != pl.col(HALVES[1]))
    declined = Counter(str(why or "the rendering is the same for both") for why in joined.filter(~whole)["_why"])
    kept = joined.filter(whole).drop("rendering", "_why", *DROPPED, strict=False)
    return MadePairs(flagged(kept), table.height, declined)


# Quality metrics: scores of several systems' renderings of one suite, paired within the sentence.

_SCORED = Layout(
    "rendering",
    (Column("system", required=True, filled=True), Column("id", required=True), Column("rendering", required=True)),
    unique=("system", "id"),
)


def metric_pairs(
    suite: str | Path | Suite, scores: Path | str, column: str, *, target: str, scale: Scale
) -> tuple[Suite, ScoreTable]:
    """Pairs within each sentence of a suite with a stated gender: the mean score of the renderings that make its person
    a woman, and of those that make them a man, over the systems in a file (system, id, rendering, scores). The mean
    score of each system is taken out first, so that a pair does not compare better with worse systems. An id that is no
    id of the suite is the number of its sentence, from 1."""
    asked = (suite if isinstance(suite, Suite) else load_suite(suite)).into(code(target))
    number = Column(column, type=pl.Float64(), required=True, given=True, means="a number")
    table = read(scores, replace(_SCORED, columns=(*_SCORED.columns, number))).drop(LINE)
    if not set(table["id"]) <= set(asked.probes["id"]):
        numbered = {str(n): name for n, name in enumerate(asked.probes["id"], start=1)}
        unknown = next((one for one in table["id"] if one not in numbered), None)
        if unknown is not None:
            raise BadInput(f"{scores}: id {unknown!r} is not in suite {asked.name} and is not the number of a sentence")
        table = table.with_columns(pl.col("id").replace_strict(numbered))
    detector = open_detector(asked.kind, source=asked.source_lang, target=code(target))
    keyed = table.with_columns(
        target_lang=pl.lit(code(target)), sample=pl.lit(0, dtype=pl.UInt16), candidate=pl.lit(0, dtype=pl.UInt16)
    )
    texts = keyed.unique(["id", "rendering"], maintain_order=True)
    verdicts = texts.select("id", "rendering").hstack(judge(asked.probes, texts, detector).select("gender"))
    judged = table.join(verdicts, on=["id", "rendering"], how="left", maintain_order="left")
    decided = judged.filter(pl.col("gender").cast(pl.String).is_in(["female", "male"]))
    value = scale.turned(0.0) + (1 if scale.better == "higher" else -1) * pl.col(column)
    decided = decided.with_columns(_v=value - value.mean().over("system") + value.mean())
    paired = asked.probes
    for gender, form in zip(("female", "male"), HALVES, strict=True):
        half = (pl.first("rendering").alias(form), pl.mean("_v").alias(f"_{form}"), pl.len().alias(f"n_{form}"))
        made = decided.filter(pl.col("gender") == gender).group_by("id").agg(half)
        paired = paired.join(made, on="id", maintain_order="left")
    if "gold" in paired.columns:  # what a wrong gender costs is asked where one is stated
        paired = paired.filter(pl.col("gold").cast(pl.String).is_in(["female", "male"]))
    if not paired.height:
        raise BadInput(f"{scores}: no sentence is rendered with both genders by its systems")
    forms = zip(paired["id"], *(paired[f"{mark}{form}"] for form in HALVES for mark in ("", "_")), strict=True)
    known = {(name, text): score for name, *rest in forms for text, score in (rest[:2], rest[2:])}
    probes = flagged(paired.drop(*(f"_{form}" for form in HALVES), *DROPPED, strict=False)).drop("elsewhere")
    pairs_of_systems = Suite(
        f"{asked.name}-systems", asked.version, asked.source_lang, CONTRASTIVE,
        f"renderings of {asked.name} by {table['system'].n_unique()} systems, paired sentence by sentence",
        lambda: probes, asked.clusters, Grouping.by("gold", "stereotype"),
    )  # fmt: skip
    return pairs_of_systems, ScoreTable(f"metric:{column}", known, paired)
