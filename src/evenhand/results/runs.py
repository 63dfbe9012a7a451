"""The run folder: one suite through one system into one language, as open files that anyone can read."""

import hashlib
import html
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Self
from warnings import warn

import polars as pl

from evenhand.detect import RULE
from evenhand.errors import BadInput, Caution
from evenhand.level import LEVEL, Resampling, check_level, interval_words
from evenhand.notebook import html_notes, html_table, html_title
from evenhand.notes import Note, NoteKind, read_notes
from evenhand.storage import folders
from evenhand.storage.manifests import check_language, check_types
from evenhand.storage.tables import (
    ALL,
    ESTIMATES,
    PROBES,
    RENDERINGS,
    VERDICTS,
    check_probes,
    conform,
    first_answers,
    joined,
)
from evenhand.suites.suite import Grouping, SuiteInfo
from evenhand.system_names import without_paths
from evenhand.verbs import Later

FORMAT = 1
DIGITS = 6  # of the hash in a short signature
OCCUPATIONS = "occupations"
COMPARED = "{name}: {told}; it has a share of women for {covered} of {occupations} occupations"
NOT_TOLD = dict.fromkeys(("name", "told", "covered", "occupations"), "?")
TABLES = {"probes": PROBES, "renderings": RENDERINGS, "verdicts": VERDICTS, "estimates": ESTIMATES}


@dataclass(frozen=True)
class Manifest:
    """Everything that identifies a run; the date is here and nowhere else."""

    suite: SuiteInfo
    system: str
    system_fingerprint: str
    target_lang: str
    detector: str
    seed: int
    resamples: int
    evenhand: str
    level: float = LEVEL
    rule: str = RULE
    calibration: str | None = None
    references: tuple[str, ...] = ()
    compared_with: tuple[dict[str, object], ...] = ()
    """Each reference: name, country, years, source, licence, and the number of occupations with a share."""
    measures: tuple[str, ...] = ()
    """Added to the suite's own: the name and, after a #, what else its numbers depend on."""
    samples: int = 1
    name: str = ""
    """What the user calls the system; the spec it was opened by is in `system`."""
    created: str = ""
    notes: tuple[Note, ...] = ()
    plan: dict[str, object] | None = None
    """The frozen plan the audit followed, with its hash."""
    answered: dict[str, object] | None = None
    """When its answers were given, and how many came from the translation memory; None where they lie in a file."""
    format: int = FORMAT

    def __post_init__(self) -> None:
        object.__setattr__(self, "notes", read_notes(self.notes))

    @property
    def system_label(self) -> str:
        """The system's name, short enough for a heading; a function of the script itself has no module worth naming."""
        name = self.system_name.replace("python:__main__:", "python:", 1)
        return name if len(name) <= 60 else f"{name[:40]}…{name[-15:]}"

    @property
    def system_name(self) -> str:
        """What the system is called wherever it is named: no path of the machine it ran on."""
        return self.name or without_paths(self.system)

    @property
    def route(self) -> str:
        """Suite, system and language, in a few words."""
        return f"{self.suite.name} {self.suite.version} through {self.system_label} into {self.target_lang}"

    @property
    def resampling(self) -> Resampling:
        """How estimates of the run are made, as keywords of what makes them."""
        return {"seed": self.seed, "resamples": self.resamples, "level": self.level}

    @property
    def signature(self) -> str:
        parts = {
            "suite": f"{self.suite.name}@{self.suite.version}#{self.suite.hash}",
            "system": f"{self.system_name}#{self.system_fingerprint}",
            "target": self.target_lang,
            "detector": self.detector,
            "rule": self.rule,
            "calibration": self.calibration or "none",
            "references": ",".join(self.references) or "none",
            "measures": ",".join(self.measures) or "suite",
            "samples": str(self.samples),
            "seed": str(self.seed),
            "resamples": str(self.resamples),
            "level": f"{self.level:g}",
            "evenhand": self.evenhand,
        }
        if self.suite.axes:
            parts["clusters"] = ",".join(self.suite.clusters) or "none"
        if self.plan is not None:
            parts["plan"] = str(self.plan.get("hash"))
        return signature_of(parts)

    @property
    def answered_words(self) -> str:
        """How many answers were asked now, how many came from the memory and how old these are; "" if not known."""
        answered = self.answered
        if answered is None:
            return ""
        oldest = f", oldest {str(answered['oldest'])[:10]}" if answered["remembered"] else ""
        versions = answered.get("versions")
        by = f", by version {', '.join(map(str, versions))}" if isinstance(versions, list) and versions else ""
        answers = "1 answer" if answered["answers"] == 1 else f"{answered['answers']:,} answers"
        return f"{answers}: {answered['asked']:,} asked now, {answered['remembered']:,} from memory{oldest}{by}"

    @property
    def reference_lines(self) -> list[str]:
        """Each reference on one line: name, country, year, source, licence, coverage."""
        return [COMPARED.format_map({**NOT_TOLD, **one}) for one in self.compared_with]

    @property
    def margins(self) -> dict[str, float]:
        """By how much the plan lets each measure get worse; nothing without a plan."""
        named = (self.plan or {}).get("margins")
        sizes = named.items() if isinstance(named, dict) else ()
        return {str(measure): float(size) for measure, size in sizes if isinstance(size, int | float)}

    @property
    def confirmatory(self) -> tuple[tuple[str, str], ...]:
        """What the plan set out to confirm: measure and group (ALL for the whole run); nothing without a plan."""
        named = (self.plan or {}).get("confirmatory")
        entries = [str(entry).partition(":") for entry in named] if isinstance(named, list) else []
        return tuple((measure, group or ALL) for measure, _, group in entries)


@dataclass(frozen=True)
class Run:
    """The four tables of a run and its manifest."""

    manifest: Manifest
    probes: pl.DataFrame = field(repr=False)
    renderings: pl.DataFrame = field(repr=False)
    verdicts: pl.DataFrame = field(repr=False)
    estimates: pl.DataFrame = field(repr=False)
    path: Path | None = None
    occupations: pl.DataFrame | None = field(default=None, repr=False)
    """One row an occupation and reference (E_o, E_t, B), for runs that were compared with references."""

    def __post_init__(self) -> None:
        check_probes(self.probes.columns, name=f"{self.path or 'a run'} of {self.manifest.suite.name}")

    @property
    def signature(self) -> str:
        return self.manifest.signature

    @property
    def short_signature(self) -> str:
        """The signature, short enough to quote with a number."""
        info, n = self.manifest, str(self.probes.height)
        parts = {"#": n, "s": f"{info.suite.name}-{info.suite.version}", "y": info.system_label, "t": info.target_lang}
        return short_signature(self.signature, parts, version=info.evenhand)

    @cached_property
    def table(self) -> pl.DataFrame:
        """Probes, renderings and verdicts joined, once: one row per rendering."""
        tables = self.probes.lazy(), self.renderings.lazy(), self.verdicts.lazy()
        return joined(*tables, name=self.manifest.suite.name).collect()

    @cached_property
    def answers(self) -> pl.DataFrame:
        """The joined table without a system's alternatives: the rows that measures count."""
        return first_answers(self.table)

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """Read a run folder; one made by an earlier version loads too. Of one whose tables were changed since they were
        written a note and a caution report it: its signature does not stand for them any more."""
        folder = Path(path)
        run, edited = folders.as_one(folder, lambda: (cls._read(folder), folders.edit_warning(folder)))
        if not edited:
            return run
        again = f"`evenhand score {folder} --detect --in-place` judges the present tables"
        warn(f"{folder}: {edited}; {again}", Caution, stacklevel=2)
        notes = tuple(dict.fromkeys((*run.manifest.notes, Note(edited, NoteKind.EDITED))))
        return replace(run, manifest=replace(run.manifest, notes=notes))

    @classmethod
    def _read(cls, folder: Path) -> Self:
        manifest = read_manifest(folder)
        if manifest is None:
            raise BadInput(f"{folder}: not a run folder (no manifest.json); `evenhand audit ... -o {folder}` makes one")
        tables = {
            name: conform(folders.read_table(folder, name), schema, name=f"{name} of {folder}")
            for name, schema in TABLES.items()
        }
        compared = folders.own_file(folder / f"{OCCUPATIONS}.parquet")
        occupations = folders.read_table(folder, OCCUPATIONS) if compared else None
        return cls(manifest=manifest, path=folder, occupations=occupations, **tables)

    def save(self, path: Path | str, *, held: bool = False, beside: Mapping[str, pl.DataFrame] | None = None) -> Self:
        """Write the folder whole or not at all, with tables `beside` our own; `held` where the caller is the folder's
        one writer already."""
        folder = Path(path)
        tables: dict[str, pl.DataFrame] = {name: getattr(self, name) for name in TABLES} | dict(beside or {})
        if self.occupations is not None:
            tables[OCCUPATIONS] = self.occupations
        notes = [note.content() for note in self.manifest.notes]
        content = {**asdict(self.manifest), "notes": notes, "signature": self.signature}
        folders.write_folder(folder, tables, content, dropped=(OCCUPATIONS,), held=held)
        return replace(self, path=folder)

    plot = Later("evenhand.report.plots:plot")

    def __repr__(self) -> str:
        counts = f"{self.renderings.height:,} renderings, {self.estimates.height:,} estimates"
        return f"<Run of {self.manifest.route}: {counts}>"

    def _repr_html_(self) -> str:
        """For a notebook: the overall estimates with their intervals, the notes and the signature, all escaped."""
        info = self.manifest
        return notebook_html(info.route, self.estimates, info.level, info.notes, self.signature)


def load_run(run: Run | Path | str) -> Run:
    """The run of a folder; one that is loaded is given back as it is."""
    return run if isinstance(run, Run) else Run.load(run)


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of a run folder; None where there is none, an error where it cannot be read."""
    raw = folders.read_manifest_json(folder)
    if raw is None:
        return None
    if "kind" in raw:
        raise BadInput(f"{folder} holds a result of the kind {raw['kind']}, not the run of a suite through a system.")
    try:
        return manifest_from_json(raw)
    except (ValueError, KeyError, TypeError, AttributeError, BadInput) as error:
        raise BadInput(f"{folder / folders.MANIFEST}: not a manifest of Evenhand ({error})") from error


def check_output(folder: Path, suite: SuiteInfo, system: str, target: str) -> None:
    """Refuse a folder that could not be written, or that holds a run of something else, before any work is done."""
    folders.check_place(folder)
    held = read_manifest(folder)
    if held is None:
        return
    if (held.suite.name, held.suite.hash, held.system, held.target_lang) != (suite.name, suite.hash, system, target):
        was, new = (f"{one.name} {one.version} (#{one.hash})" for one in (held.suite, suite))
        there = f"holds a run of {was} through {held.system_label} into {held.target_lang}"
        here = f"this one would be of {new} through {system} into {target}"
        hint = "Name another folder (or `audit --replace`). Nothing was written."
        raise BadInput(f"{folder} {there}; {here}. {hint}")


def manifest_from_json(data: dict[str, object]) -> Manifest:
    """Unknown fields of later versions are ignored, missing ones take their defaults; a value of the wrong kind, or a
    language that is no language code, is an error: a folder may come from anybody."""
    known = {k: v for k, v in data.items() if k in Manifest.__dataclass_fields__}
    suite_data = known.pop("suite")
    if not isinstance(suite_data, dict):
        raise TypeError("suite is not an object")
    suite = {k: v for k, v in suite_data.items() if k in SuiteInfo.__dataclass_fields__}
    suite["groupings"] = tuple(Grouping(**g) for g in suite.get("groupings", ()))
    for name in ("clusters", "measures"):
        suite[name] = tuple(suite.get(name, ()))
    for name in ("references", "compared_with", "measures"):
        value = known.get(name, ())
        if not isinstance(value, list | tuple):
            raise TypeError(f"{name} is not a list")
        known[name] = tuple(value)
    named = str(known["detector"]).split("-")
    if "rule" not in known and named[0] == "pronouns" and len(named) > 2:
        known["rule"] = named[2]  # 0.1.0 kept it in the detector's name only: pronouns-LANGUAGE-RULE-VERSION-HASH
    manifest = Manifest(suite=SuiteInfo(**suite), **known)  # type: ignore[arg-type]  # JSON values, checked below
    check_types(manifest)
    check_level(manifest.level)
    check_language(manifest.suite.source_lang)
    check_language(manifest.target_lang)
    return manifest


def signature_of(parts: Mapping[str, str]) -> str:
    """What a result depends on, on one line. Equal signatures mean equal tables, byte for byte."""
    return "|".join(f"{name}:{value}" for name, value in parts.items())


def short_signature(whole: str, parts: Mapping[str, str], *, version: str) -> str:
    """The telling parts, the first digits of a hash over the `whole` signature (d), and Evenhand's version (v). As in
    `#:1145|s:pronouns-hungarian-1.1|y:pocket|t:en|d:99e1ab|v:0.1.0`: # sentences, s suite, y system, t target."""
    digest = hashlib.sha256(whole.encode()).hexdigest()[:DIGITS]
    return signature_of({**parts, "d": digest, "v": version})


FIRST = 40  # estimates of a notebook where none is of the whole


def notebook_html(title: str, estimates: pl.DataFrame, level: float, notes: Sequence[str], signature: str) -> str:
    """Title, overall estimates with their intervals (the first by group where there are none), notes and signature; a
    note that many rows have stands once."""
    head = ("measure", "level", "reference", "value", interval_words(level), "method", "valid", "decided", "note")
    overall = estimates.filter(pl.col("level") == "")
    if overall.is_empty():
        overall = estimates.head(FIRST)
    often = [note for note, times in Counter(overall["note"].drop_nulls().to_list()).items() if times > 1]
    once = overall.with_columns(pl.when(~pl.col("note").is_in(often)).then("note").alias("note"))
    rows = [_shown(row) for row in once.iter_rows(named=True)]
    keep = [n for n, name in enumerate(head) if name in ("measure", "value") or any(row[n] for row in rows)]
    table = html_table([head[n] for n in keep], ([row[n] for n in keep] for row in rows))
    more = estimates.height - len(rows)
    remarks = [*often, *notes, *([f"{more:,} more estimates by group are in .estimates"] if more else [])]
    return f"{html_title(title)}{table}{html_notes(remarks)}<p><small>{html.escape(signature)}</small></p>"


def _shown(row: dict[str, object]) -> list[str]:
    """An estimate as the cells of a table; an undefined number is a dash."""

    def number(name: str) -> str:
        value = row[name]
        return f"{value:.3f}" if isinstance(value, float) and not math.isnan(value) else "–"

    variant = "" if row["variant"] in (None, "raw") else f" ({row['variant']})"
    low, high = number("low"), number("high")
    return [
        f"{row['measure']}{variant}",
        str(row["level"] or ""),
        str(row["reference"] or ""),
        number("value"),
        "" if low == high == "–" else f"[{low}, {high}]",
        str(row["interval"] or ""),
        f"{row['n_valid']:,} of {row['n']:,}" if row["n"] and row.get("n_valid") is not None else "",
        f"{row['n_decided']:,} of {row['n']:,}" if row["n"] else "",
        str(row["note"] or ""),
    ]
