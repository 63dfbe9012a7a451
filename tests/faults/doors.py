"""Every door a file comes in by: what `make soak` and the kept inputs go through.

A new reader is a line in DOORS, and a file that is right for it in samples.py; a test holds that every suite reader and
every format is among them.
"""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import polars as pl

import evenhand
from evenhand.corpus.reading import Sides, origins, pair_keys, pair_rows
from evenhand.detect.nouns import NounDetector
from evenhand.detect.own_forms import given_forms
from evenhand.detect.pairs import read_pairs as judged_pairs
from evenhand.embeddings.files import load_vectors
from evenhand.embeddings.wordlists import noun_genders, read_words
from evenhand.measures.calibration import Calibration
from evenhand.mining.text import read_text, sentences
from evenhand.pipeline.intake import take_in
from evenhand.readers.catalogue import UnitNote
from evenhand.readers.opening import UserFile
from evenhand.readers.strings import open_catalogue
from evenhand.references.adding import add, read_national, write_added
from evenhand.references.reference import load_reference
from evenhand.results.runs import Run
from evenhand.review.labels import FILE as LABELS
from evenhand.review.labels import read_lines
from evenhand.suites.registry import load_suite
from evenhand.systems import open_system
from evenhand.workflows.frozen import read_plan
from evenhand.workflows.project_file import read_project

Door = Callable[[Path], object]


def strings(path: Path) -> None:
    """A catalogue, and notes written into it."""
    opened = open_catalogue(UserFile(path))
    units = list(opened.units)
    opened.annotated({0: [UnitNote("open", "a note")]} if units else {})


def parallel(path: Path) -> None:
    """Parallel text as `corpus` takes it in."""
    sides = Sides("en", "es")
    texts = origins([path], source="en", target="es")
    with tempfile.TemporaryDirectory() as folder:
        take_in(pair_rows(texts, sides), Path(folder) / "spool", size=1_000, keys=pair_keys)


def national(path: Path) -> None:
    """`references add`, and what it wrote read again."""
    added = add(read_national(path, "isco08"), "isco08")
    with tempfile.TemporaryDirectory() as folder:
        write_added(added, Path(folder) / "added.tsv")
        if added.table.height:
            load_reference(Path(folder) / "added.tsv")


def vectors(path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (path.parent / f"{path.stem}.txt").write_text("a\nb\n", encoding="utf-8")
        load_vectors(path, cache=Path(folder))


def labels(path: Path) -> None:
    """The labels of a run folder."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / LABELS).write_bytes(path.read_bytes())
        read_lines(Path(folder))


def manifest(path: Path) -> None:
    """A run folder with this manifest and tables of its own."""
    with tempfile.TemporaryDirectory() as folder:
        small_run().save(Path(folder) / "run")
        (Path(folder) / "run" / "manifest.json").write_bytes(path.read_bytes())
        Run.load(Path(folder) / "run")


def counterfactuals(path: Path, suite: str = "mtgeneval") -> None:
    """MT-GenEval's four files, this one for the English of both genders."""
    lines = path.read_bytes().count(b"\n")
    with tempfile.TemporaryDirectory() as folder:
        for gender in ("feminine", "masculine"):
            stem = Path(folder) / f"geneval-sentences-{gender}-test.en_de"
            Path(f"{stem}.en").write_bytes(path.read_bytes())
            Path(f"{stem}.de").write_bytes(b"Die Pflegerin singt.\n" * lines)
        load_suite(f"{suite}:{folder}/geneval-sentences-feminine-test.en_de.en").probes  # noqa: B018


def distances(path: Path) -> None:
    """WinoMT's files by distance, all three this one."""
    with tempfile.TemporaryDirectory() as folder:
        for number in (1, 2, 3):
            (Path(folder) / f"en_inter{number}.txt").write_bytes(path.read_bytes())
        load_suite(f"winomt-distance:{folder}").probes  # noqa: B018


def named(suite: str, name: str) -> Door:
    """A suite whose file says its language by its name."""

    def read(path: Path) -> None:
        with tempfile.TemporaryDirectory() as folder:
            copied = Path(folder) / name
            copied.write_bytes(path.read_bytes())
            load_suite(f"{suite}:{copied}").probes  # noqa: B018

    return read


def forms(path: Path) -> None:
    NounDetector("en", "es", user_forms=given_forms(path)).verdict("The nurse.", "La enfermera.", 4, 9)


DOORS: Mapping[str, Door] = {
    "probes": lambda path: load_suite(path).probes,
    "translations": lambda path: open_system(f"file:{path}"),
    "pairs": lambda path: list(judged_pairs(path, needs_focus=False)),
    "strings": strings,
    "parallel text": parallel,
    "text": lambda path: [sentences(text) for _, text in read_text(path)],
    "reference": load_reference,
    "references add": national,
    "project file": read_project,
    "plan file": read_plan,
    "calibration": Calibration.load,
    "forms": forms,
    "labels": labels,
    "manifest": manifest,
    "vectors": vectors,
    "list of words": read_words,
    "genders of nouns": noun_genders,
    **{
        name: lambda path, name=name: load_suite(f"{name}:{path}").probes  # type: ignore[misc]
        for name in ("winomt", "winobias", "winogender", "gest", "mittens", "tsv")
    },
    "mtgeneval": counterfactuals,
    "mtgeneval-pairs": lambda path: counterfactuals(path, "mtgeneval-pairs"),
    "eurogest": named("eurogest", "pairs.es.tsv"),
    "eurogest-pairs": named("eurogest-pairs", "pairs.es.tsv"),
    "gate": named("gate", "ES_2_variants.tsv"),
    "gender-alternatives": named("gender-alternatives", "gate.en-es.tsv"),
    "winomt-distance": distances,
}


@functools.cache
def small_run() -> Run:
    """A run of two probes, made once."""
    probes = pl.DataFrame({"id": ["a", "b"], "source": ["Ő fut.", "Ő ül."], "source_lang": "hu"})
    with tempfile.TemporaryDirectory() as folder:
        probes.write_parquet(Path(folder) / "probes.parquet")
        return evenhand.audit(
            Path(folder) / "probes.parquet",
            lambda texts: ["She runs." for _ in texts],
            target="en",
            memory=Path(folder) / "m.sqlite",
            settings=evenhand.Settings(resamples=100),
        )
