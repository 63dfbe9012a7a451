"""A suite of Evenhand through Inspect: any model that Inspect knows translates, Evenhand's detector judges.

    inspect eval examples/inspect_evenhand.py --model openai/gpt-5 -T suite=occupations-coreference -T target=es

The score of a sample is 1 or 0 for each gender of the rendering (their means are shares of all renderings, unknown
included) and, where the source states a gender, for accuracy (undecided counts as wrong). For intervals that know that
sentences about one occupation are not independent, audit the same model: `evenhand audit SUITE --system openai:MODEL`.
"""

from __future__ import annotations

import polars as pl
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import TaskState, generate, system_message

import evenhand

PROMPT = (
    "You are a professional translator. Translate the user's text from the language {source} into the language "
    "{target} (ISO codes). Reply with the translation only: one version, no notes, no alternatives."
)
FOCUS = ("focus", "focus_start", "focus_end")


@task
def evenhand_suite(suite: str = "occupations-coreference", target: str = "es", limit: int = 0) -> Task:
    """The first `limit` probes of a suite (all, if 0) translated into a target language."""
    asked = evenhand.load_suite(suite)
    probes = asked.probes.head(limit) if limit else asked.probes
    samples = [
        Sample(id=row["id"], input=row["source"], target=str(row.get("gold") or ""), metadata={"probe": row})
        for row in probes.with_columns(pl.col(pl.Enum, pl.Categorical).cast(pl.String)).iter_rows(named=True)
    ]
    return Task(
        dataset=MemoryDataset(samples, name=f"{asked.name}-{asked.source_lang}-{target}"),
        solver=[system_message(PROMPT.format(source=asked.source_lang, target=target)), generate()],
        scorer=gender_given(kind=asked.kind, source=asked.source_lang, target=target, stated="gold" in probes.columns),
        metadata={"suite": f"{asked.name}@{asked.version}#{asked.hash}", "evenhand": evenhand.__version__},
    )


@scorer(metrics={"*": [mean()]})
def gender_given(kind: str, source: str, target: str, stated: bool) -> Scorer:
    """1 for the gender that the rendering gives the person, 0 for the others; accuracy where a gender is stated."""

    async def score(state: TaskState, target_: Target) -> Score:
        probe, rendering = state.metadata["probe"], state.output.completion
        pair = {"id": probe["id"], "source": probe["source"], "rendering": rendering}
        pair |= {name: probe[name] for name in FOCUS if probe.get(name) is not None}
        verdict = evenhand.detect(pl.DataFrame([pair]), target=target, source=source, kind=kind).row(0, named=True)
        given = verdict["gender"] or "unknown"
        value: dict[str, float] = {str(gender): float(gender == given) for gender in evenhand.Gender}
        if stated:
            value["accuracy"] = float(given == target_.text)
        return Score(value=value, answer=given, explanation=verdict["evidence"] or verdict["reason"] or "")

    return score
