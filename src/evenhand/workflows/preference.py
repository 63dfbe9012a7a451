"""What a model or a metric would rather say: a contrastive suite through a scorer, as an ordinary run.

The scores of both halves of every pair are asked for like translations (dispatcher, memory); the preferred half is the
run's rendering and its gender the verdict, so that everything that takes runs takes these.
"""

import re
from dataclasses import replace
from pathlib import Path

import polars as pl

from evenhand.detect.contrastive import words
from evenhand.detect.preference import LENGTHS
from evenhand.errors import BadInput, Unknown
from evenhand.gender import Gender
from evenhand.languages import code
from evenhand.results.runs import Run, load_run
from evenhand.storage.folders import MANIFEST
from evenhand.storage.tables import FIRST_ANSWER
from evenhand.suites.contrastive import HALVES, SOURCES
from evenhand.suites.registry import load_suite
from evenhand.suites.suite import Grouping, Suite
from evenhand.systems import translate
from evenhand.systems.scoring import Scorer, ScoringSystem, open_scorer
from evenhand.workflows.audit import audit, memory_path
from evenhand.workflows.halves import CONTRASTIVE
from evenhand.workflows.settings import Settings

METRIC = ("ratio_mean", "diff_mean", "prefers_feminine", "ties")  # where no gender is stated
METRIC_STATED = ("error_rate_fem", "error_rate_male", "error_rate_ratio", "error_rate_total", "penalty")
BESIDE = ("agreement", "AUC")
OUTPUT = "output"
RULE = "contrastive"
OF_TRANSLATIONS = ("samples", "ask", "context", "calibration", "forms", "plan")  # settings that scores have no use for
_DETERMINER = re.compile(r"\b(an?)\s+$", re.IGNORECASE)


def preference(
    suite: str | Path | Suite | Run,
    scorer: str | Scorer,
    *,
    target: str,
    length: str = LENGTHS[0],
    beside: Run | Path | str | None = None,
    rule: str = "",
    output: Path | str | None = None,
    memory: Path | str | None = None,
    settings: Settings | None = None,
    progress: bool = False,
) -> Run:
    """Score both halves of every pair of a contrastive suite and estimate what the scorer prefers.

    `length`: "sum" (the probability of the whole rendering), "token" or "character" (per token or character); metrics
    have no such choice. `beside` is a run of the same sources through a system, or the system's spec, whose outputs
    are then compared with the preference. `rule` "contrastive" takes a run instead of a suite and asks under which
    source, "the female ..." or "the male ...", each of its renderings scores higher: a second opinion on its verdicts.
    """
    opened, settings = open_scorer(scorer), settings or Settings()
    told = [name for name in OF_TRANSLATIONS if getattr(settings, name) != getattr(Settings(), name)]
    if told:
        raise BadInput(f"{told[0]} is a setting of translations; a preference is of scores: leave it out")
    if length not in LENGTHS:
        raise Unknown("length normalisation", length, LENGTHS)
    language = code(target)
    if rule not in ("", RULE):
        raise Unknown("rule", rule, (RULE,))
    if rule:
        if isinstance(suite, Suite):
            raise BadInput("the rule contrastive judges the renderings of a run: name a run folder")
        beside = load_run(suite)
        asked = conditioned(beside)
    elif isinstance(suite, Run):
        raise BadInput("a run's renderings are judged by the rule contrastive; its pairs are made by `evenhand pairs`")
    else:
        asked = suite if isinstance(suite, Suite) else load_suite(suite)
    if asked.kind != CONTRASTIVE:
        table = f"or give a table with the columns {' and '.join(HALVES)}"
        raise BadInput(f"suite {asked.name} has no pairs of renderings: `evenhand pairs` makes them, {table}")
    stated = "gold" in asked.probes.columns
    if opened.scale.values == "score":
        ratios = ("ratio_mean",) if "pair" in asked.probes.columns else ()
        asked = replace(asked, measures=(*ratios, "prefers_feminine", "ties", *METRIC_STATED) if stated else METRIC)
    if beside is not None:
        asked = with_outputs(asked, beside, language, memory or memory_path())
    elif OUTPUT in asked.probes.columns:
        asked = compared(asked)
    settings, system = replace(settings, rule=length), ScoringSystem(opened)
    return audit(asked, system, target=language, output=output, memory=memory, settings=settings, progress=progress)


def with_outputs(suite: Suite, beside: Run | Path | str, target: str, memory: Path | str) -> Suite:
    """The suite with the column `output`: the gender of a system's own output for each source, by the run's verdict or
    the words that only one half has; unknown where neither decides."""
    named = isinstance(beside, str) and not (Path(beside) / MANIFEST).exists()
    probes = suite.probes
    if named:
        sources = probes["source"].unique(maintain_order=True).to_list()
        outputs = translate(str(beside), sources, source=suite.source_lang, target=target, memory=memory)
        known = pl.DataFrame({"source": sources, "_text": outputs, "_verdict": [Gender.UNKNOWN.value] * len(sources)})
    else:
        run = load_run(beside)
        if run.manifest.target_lang != target:
            raise BadInput(f"{run.path or 'the run beside it'} goes into {run.manifest.target_lang}, not {target}")
        first = run.table.filter(FIRST_ANSWER & (pl.col("sample") == 0))
        known = first.select("id", "source", _text="rendering", _verdict=pl.col("gender").cast(pl.String))
    by = ["id"] if "id" in known.columns and set(probes["id"]) <= set(known["id"]) else ["source"]
    known = known.unique(by, keep="first", maintain_order=True).select(*by, "_text", "_verdict")
    joined = probes.join(known, on=by, how="left", maintain_order="left")
    if not joined["_text"].count():
        raise BadInput(f"the run compared with suite {suite.name} has none of its sources")
    halves = [pl.col(c) if c in probes.columns else pl.lit("").alias(c) for c in HALVES]
    genders = [_output(*row) for row in joined.select("_text", "_verdict", *halves).iter_rows()]
    table = joined.drop("_text", "_verdict").with_columns(pl.Series(OUTPUT, genders, dtype=pl.String))
    return compared(replace(suite, version=f"{suite.version}[{OUTPUT}]", make=lambda: table))


def compared(suite: Suite) -> Suite:
    """A suite with the column `output`, with the measures and the grouping that use it."""
    by_occupation = suite.clusters[:1] in (("occupation",), ("concept",)) and "P_feminine" in suite.measures
    measures = (*suite.measures, *BESIDE, *(["output_correlation"] if by_occupation else []))
    others = tuple(grouping for grouping in suite.groupings if grouping.name != OUTPUT)
    return replace(suite, measures=measures, groupings=(*others, *Grouping.by(OUTPUT)))


def _output(text: str | None, verdict: str | None, feminine: str, masculine: str) -> str | None:
    if text is None:
        return None
    if verdict in (Gender.FEMALE, Gender.MALE):
        return verdict
    used, hers, his = words(text), words(feminine), words(masculine)
    says = (bool(used & (hers - his)), bool(used & (his - hers)))
    found = {(True, False): Gender.FEMALE.value, (False, True): Gender.MALE.value}.get(says)
    return found or verdict or Gender.UNKNOWN.value


def conditioned(run: Run) -> Suite:
    """A run's renderings, each under two sources: with "female" and with "male" before the focus."""
    info = run.manifest
    if info.suite.kind != "nouns" or info.suite.source_lang != "en":
        raise BadInput(f"the rule contrastive needs English sources with a marked noun; {info.suite.name} has none")
    table = run.table.filter(FIRST_ANSWER & (pl.col("sample") == 0) & (pl.col("rendering") != ""))
    table = table.filter(pl.col("focus_start").is_not_null())
    rows = [
        [_with(adjective, *row) for adjective in ("female", "male")]
        for row in table.select("source", "focus_start").iter_rows()
    ]
    columns = [c for c in run.probes.columns if c in table.columns]
    probes = table.select(*columns, text="rendering").with_columns(
        pl.Series(name, [row[n] for row in rows], dtype=pl.String) for n, name in enumerate(SOURCES)
    )
    name, summary = (
        f"{info.suite.name}-conditioned",
        f'renderings of {info.system_label} under "the female ..." and "the male ..."',
    )
    measures = ("prefers_feminine", "P_feminine", "log_odds", *["contrastive_accuracy"] * ("gold" in columns))
    clusters, groupings, version = info.suite.clusters, info.suite.groupings, info.suite.version
    return Suite(name, version, "en", CONTRASTIVE, summary, lambda: probes, clusters, groupings, measures)


def _with(adjective: str, source: str, start: int) -> str:
    """The source with an adjective before its focus; "an engineer" is "a female engineer"."""
    before = _DETERMINER.sub(lambda m: f"{m[1][0]} ", source[:start])
    return f"{before}{adjective} {source[start:]}"


def review_list(run: Run) -> pl.DataFrame:
    """Where the second opinion and the run's verdicts, both decided, disagree: the surest disagreement first."""
    if OUTPUT not in run.probes.columns:
        raise BadInput("only a preference compared with a run can disagree with it")
    genders = ["female", "male"]
    table = run.answers.with_columns(gender=pl.col("gender").cast(pl.String))
    decided = pl.all_horizontal(pl.col("gender", OUTPUT).is_in(genders))
    differ = table.filter(decided, pl.col("gender") != pl.col(OUTPUT))
    columns = ["id", "source", *["focus"] * ("focus" in differ.columns)]
    named = {"rendering": "text" if "text" in differ.columns else "rendering", "verdict": OUTPUT, "preferred": "gender"}
    ordered = differ.sort("confidence", descending=True, maintain_order=True)
    return ordered.select(*columns, **named, confidence="confidence", label=pl.lit(""))


def explained(run: Run) -> pl.DataFrame:
    """How the preference divides outputs that show no gender, or are not decided: pairs, preferred feminine, mean
    P(feminine), by output."""
    table = run.answers.filter(pl.col(OUTPUT).is_not_null())
    odds, feminine = pl.col("score_feminine") - pl.col("score_masculine"), pl.col("gender").cast(pl.String) == "female"
    chance = (1 / (1 + (-odds).exp())).mean()
    return table.group_by(OUTPUT).agg(pairs=pl.len(), prefers_feminine=feminine.sum(), P_feminine=chance).sort(OUTPUT)
