"""A person's labels on verdicts: kept beside the run, never overwritten, stronger than the detector.

`labels.tsv` in the run folder only grows: a line is a label or the undoing of one. A person's latest label on a
rendering counts; where several people labelled it, the majority does, and a tie changes nothing.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.gender import LABEL, SPELLINGS
from evenhand.locking import one_writer
from evenhand.readers.layout import Column, Layout
from evenhand.readers.registry import read
from evenhand.references.reference import Reference, load_reference, shipped
from evenhand.runs import Run
from evenhand.tables import GENDER, KEY, VERDICTS
from evenhand.workflows.score import estimated

FILE = "labels.tsv"
REPLACED = "replaced.parquet"  # the detector's verdicts on renderings that a person has labelled
COLUMNS = [*KEY, "gender", "labeller", "at", "undone"]
KEYS = list(KEY)
PERSON = "person"
LAYOUT = Layout(
    "label",
    (
        *(Column(name, type=kind, required=True, filled=True, means="a whole number") for name, kind in KEY.items()),
        Column("gender", type=GENDER, required=True, filled=True, spelt=SPELLINGS, means=LABEL),
        *(Column(name, required=True) for name in ("labeller", "at", "undone")),
    ),
    some=False,
    gaps=True,
)
_NAME = re.compile(r"[\w .@+-]{1,40}")


@dataclass(frozen=True)
class Key:
    """Which rendering of a run."""

    id: str
    target_lang: str
    sample: int = 0
    candidate: int = 0


@dataclass(frozen=True)
class Agreement:
    """Two labellers on the renderings both have labelled; kappa is None where chance alone gives full agreement."""

    first: str
    second: str
    n: int
    agreed: float
    kappa: float | None


def gender_of(text: str) -> str:
    """One of the five words, or its first letter; anything else is an error."""
    word = text.strip().lower()
    if word not in SPELLINGS:
        raise BadInput(f"{text!r} is not {LABEL}.")
    return SPELLINGS[word]


def load_labels(folder: Path) -> pl.DataFrame:
    """Every line of the labels file in its order; none where there is no file yet."""
    path = folder / FILE
    schema = {**KEY, "gender": pl.String(), "labeller": pl.String(), "at": pl.String(), "undone": pl.Boolean()}
    if not path.exists() or not path.stat().st_size:
        return pl.DataFrame(schema=schema)
    labels = read(path, LAYOUT).with_columns(pl.col("gender").cast(pl.String), pl.col("undone") == "1")
    return labels.select(COLUMNS)


def add_labels(folder: Path, labels: Sequence[tuple[Key, str]], *, labeller: str, at: str | None = None) -> None:
    """Append labels (rendering, gender) of one person; all of them reach the disk or an error is raised."""
    name = check_labeller(labeller)
    when = at or _now()
    _append(folder, [(key, gender_of(gender), name, when, False) for key, gender in labels])


def add_label(folder: Path, key: Key, gender: str, *, labeller: str) -> None:
    """Append one label."""
    add_labels(folder, [(key, gender)], labeller=labeller)


def undo_label(folder: Path, *, labeller: str) -> list[Key]:
    """Take back what this person labelled last, all that was labelled in one go; says which renderings (maybe none)."""
    name = check_labeller(labeller)
    standing = current(load_labels(folder)).filter(pl.col("labeller") == name).sort("line")
    if not standing.height:
        return []
    last = standing.filter(pl.col("at") == standing["at"][-1])
    keys = [Key(*row) for row in last.select(KEYS).iter_rows()]
    _append(folder, [(key, gender, name, _now(), True) for key, gender in zip(keys, last["gender"], strict=True)])
    return keys


def _now() -> str:
    return dt.datetime.now(dt.UTC).isoformat(timespec="microseconds")


def check_labeller(name: str) -> str:
    """A name that fits into a cell: letters, digits, blanks and . @ + - _, at most 40."""
    cleaned = name.strip()
    if not _NAME.fullmatch(cleaned):
        raise BadInput(f"{name!r} is not a labeller's name: use 1 to 40 letters, digits, blanks or . @ + - _")
    return cleaned


def current(labels: pl.DataFrame) -> pl.DataFrame:
    """The labels that stand: each person's latest on each rendering, if it was not taken back.

    Undoing a second label on the same rendering leaves none: what was said before had been replaced on purpose.
    """
    numbered = labels.with_row_index("line")
    latest = numbered.unique([*KEYS, "labeller"], keep="last", maintain_order=True)
    return latest.filter(~pl.col("undone"))


def settled(labels: pl.DataFrame) -> pl.DataFrame:
    """One gender a rendering (key + gender + labellers): the majority's; ties are left out."""
    votes = current(labels).group_by([*KEYS, "gender"], maintain_order=True).agg(pl.len().alias("votes"))
    best = votes.with_columns(
        top=pl.col("votes").max().over(KEYS),
        labellers=pl.col("votes").sum().over(KEYS),
    ).filter(pl.col("votes") == pl.col("top"))
    return best.filter(pl.len().over(KEYS) == 1).select(*KEYS, "gender", "labellers")


def agreement(labels: pl.DataFrame) -> list[Agreement]:
    """Cohen's kappa for every two people who share a rendering (Cohen 1960): 1 is full agreement, 0 is chance."""
    standing = current(labels)
    people = standing["labeller"].unique(maintain_order=True).sort().to_list()
    pairs = []
    for first, second in combinations(people, 2):
        one = standing.filter(pl.col("labeller") == first).select(*KEYS, "gender")
        two = standing.filter(pl.col("labeller") == second).select(*KEYS, pl.col("gender").alias("other"))
        both = one.join(two, on=KEYS, how="inner")
        if both.height:
            pairs.append(
                Agreement(first, second, both.height, *kappa(both["gender"].to_list(), both["other"].to_list()))
            )
    return pairs


def kappa(first: Sequence[str], second: Sequence[str]) -> tuple[float, float | None]:
    """Observed agreement and Cohen's kappa of two equally long lists of labels."""
    n = len(first)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    chance = sum(first.count(label) * second.count(label) for label in set(first)) / n**2
    return observed, (observed - chance) / (1 - chance) if chance < 1 else None


def apply_labels(folder: Path, *, references: Sequence[Reference] | None = None) -> Run:
    """The run in this folder with people's labels over the detector's verdicts (how = person), scored anew and saved.

    The detector's own verdicts on those renderings are kept in `replaced.parquet`: undoing a label brings them back.
    The signature names the labels by their hash. A calibration made for the detector's verdicts no longer holds and is
    dropped: calibrate and score again. `references` are compared with; where none are given, those of the run that ship
    with Evenhand are, and others are dropped.
    """
    Run.load(folder)  # an error here must not leave a lock behind
    with one_writer(folder):
        return _applied(Run.load(folder), folder, references)


def _applied(run: Run, folder: Path, references: Sequence[Reference] | None) -> Run:
    labels = settled(load_labels(folder))
    base = _detected(run, folder)
    chosen = labels.select(*KEYS, pl.col("gender").alias("said"))
    overridden = base.join(chosen, on=KEYS, how="semi")
    by_person = pl.col("said").is_not_null()
    merged = base.join(chosen, on=KEYS, how="left", maintain_order="left").with_columns(
        gender=pl.coalesce(pl.col("said").cast(VERDICTS["gender"]), pl.col("gender")),
        how=pl.when(by_person).then(pl.lit(PERSON)).otherwise(pl.col("how")),
        confidence=pl.when(by_person).then(pl.lit(1.0)).otherwise(pl.col("confidence")),
        reason=pl.when(by_person).then(None).otherwise(pl.col("reason")),
    )
    detector = run.manifest.detector.split("+labels:")[0]
    if labels.height:
        detector += f"+labels:{_hash(labels)}"
    if references is None:
        references = [load_reference(name) for name in shipped() if _kept(name, run)]
    manifest = replace(run.manifest, detector=detector)
    overridden.write_parquet(folder / REPLACED)
    changed = replace(run, manifest=manifest, verdicts=merged.drop("said"))
    return estimated(changed, references=references).save(folder)


def _kept(name: str, run: Run) -> bool:
    return any(given.split("#")[0] == name for given in run.manifest.references)


def _detected(run: Run, folder: Path) -> pl.DataFrame:
    """The verdicts as the detector gave them, where a person's label had replaced one."""
    kept = folder / REPLACED
    person = pl.col("how") == PERSON
    if not kept.exists() or not run.verdicts.filter(person).height:
        return run.verdicts
    before = pl.read_parquet(kept).select(run.verdicts.columns)
    ours = run.verdicts.with_row_index("order")
    back = ours.filter(person).select("order", *KEYS).join(before, on=KEYS, how="inner")
    rest = ours.filter(~pl.col("order").is_in(back["order"].implode()))
    return pl.concat([rest, back.select(rest.columns)]).sort("order").drop("order")


def _hash(labels: pl.DataFrame) -> str:
    text = labels.sort(KEYS).select(*KEYS, "gender").write_csv()
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _append(folder: Path, rows: Sequence[tuple[Key, str, str, str, bool]]) -> None:
    lines = []
    for key, gender, labeller, when, undone in rows:
        values = [
            key.id,
            key.target_lang,
            str(key.sample),
            str(key.candidate),
            gender,
            labeller,
            when,
            str(int(undone)),
        ]
        if any(c in value for value in values for c in "\t\n\r"):
            raise BadInput(f"id {key.id!r} holds a tab or a line break and cannot be labelled")
        lines.append("\t".join(values) + "\n")
    path = folder / FILE
    with one_writer(folder):
        try:
            with path.open("a", encoding="utf-8", newline="\n") as stream:
                if stream.seek(0, os.SEEK_END) == 0:
                    stream.write("\t".join(COLUMNS) + "\n")
                stream.write("".join(lines))
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise BadInput(f"{path}: cannot be written ({error.strerror})") from error
