"""The folder of a result that is no run (word vectors, mined text): `manifest.json` with a `kind`, `estimates.parquet`,
and what estimates cannot hold as further Parquet files."""

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Self

import polars as pl

from evenhand._version import __version__
from evenhand.errors import BadInput
from evenhand.level import LEVEL, check_level
from evenhand.notes import Note, NoteKind, read_notes, without
from evenhand.results.runs import Run, notebook_html, short_signature, signature_of
from evenhand.storage.folders import MANIFEST, as_one, check_place, read_manifest_json, read_table, write_folder
from evenhand.storage.manifests import check_types
from evenhand.storage.tables import ESTIMATES, conform
from evenhand.verbs import Later

FORMAT = 1
TABLE = "estimates"


@dataclass(frozen=True)
class FindingsManifest:
    """Everything that identifies findings; the date is here and nowhere else."""

    kind: str
    """Which page shows them: embeddings, mining."""
    title: str
    measured: str
    """What was measured on what, in a sentence."""
    parts: Mapping[str, str]
    """What the numbers depend on, in the order of the signature: fingerprints of the input, settings."""
    level: float = LEVEL
    seed: int = 0
    notes: tuple[Note, ...] = ()
    created: str = field(default_factory=lambda: dt.datetime.now(dt.UTC).isoformat(timespec="seconds"))
    evenhand: str = __version__
    format: int = FORMAT

    def __post_init__(self) -> None:
        object.__setattr__(self, "notes", read_notes(self.notes))

    @property
    def remarks(self) -> tuple[Note, ...]:
        """Notes on what was measured."""
        return without(self.notes, NoteKind.EFFORT)

    @property
    def effort(self) -> tuple[Note, ...]:
        """Notes on what it cost: time and memory, which no reader of the numbers needs first."""
        return tuple(note for note in self.notes if note.kind is NoteKind.EFFORT)

    @property
    def signature(self) -> str:
        own = {"level": str(self.level), "seed": str(self.seed), "evenhand": self.evenhand}
        return signature_of({"kind": self.kind, **self.parts, **own})


@dataclass(frozen=True, repr=False)
class Findings:
    """Estimates with their manifest, and the tables behind them by name."""

    manifest: FindingsManifest
    estimates: pl.DataFrame
    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    path: Path | None = None

    def __repr__(self) -> str:
        return f"<Findings {self.manifest.kind}: {self.manifest.title}, {self.estimates.height} estimates>"

    def __post_init__(self) -> None:
        object.__setattr__(self, TABLE, conform(self.estimates, ESTIMATES, name=TABLE))

    @property
    def signature(self) -> str:
        return self.manifest.signature

    @property
    def short_signature(self) -> str:
        """The signature, short enough to quote with a number."""
        return short_signature(self.signature, {"k": self.manifest.kind}, version=self.manifest.evenhand)

    plot = Later("evenhand.report.plots:plot")

    def _repr_html_(self) -> str:
        """For a notebook, as of a run."""
        info = self.manifest
        return notebook_html(info.title, self.estimates, info.level, info.notes, self.signature)

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """Read a folder that `save` wrote."""
        folder = Path(path)
        return as_one(folder, lambda: cls._read(folder))

    @classmethod
    def _read(cls, folder: Path) -> Self:
        raw = read_manifest_json(folder)
        if raw is None or "kind" not in raw:
            raise BadInput(f"{folder}: holds no findings (no {MANIFEST} that names their kind).")
        names = raw.get("tables", ())
        if not isinstance(names, list | tuple):
            raise BadInput(f"{folder / MANIFEST}: not a manifest of Evenhand (tables is not a list)")
        tables = {str(name): read_table(folder, str(name)) for name in names}
        return cls(_manifest_from_json(raw, folder), read_table(folder, TABLE), tables, folder)

    def save(self, path: Path | str, *, ours: Collection[str] = ()) -> Self:
        """Write the folder whole or not at all; tables of former findings go, what people put beside them stays. `ours`
        names what a workflow has put there already (a mining run its shards and language folders)."""
        folder = Path(path)
        former = (read_manifest_json(folder) or {}).get("tables")
        dropped = list(map(str, former)) if isinstance(former, list) else []
        notes = [note.content() for note in self.manifest.notes]
        more = {"notes": notes, "tables": list(self.tables), "signature": self.signature}
        tables = {TABLE: self.estimates, **self.tables}
        write_folder(folder, tables, {**asdict(self.manifest), **more}, dropped=dropped, ours=ours)
        return replace(self, path=folder)


def load_result(path: Path | str) -> Run | Findings:
    """What lies in a folder: findings where the manifest names their kind, else a run."""
    raw = read_manifest_json(Path(path))
    return Findings.load(path) if raw is not None and "kind" in raw else Run.load(path)


def check_findings_place(folder: Path, kind: str, *, ours: Collection[str] = ()) -> None:
    """Refuse, before any work is done, a folder that could not be written or that holds a result of another kind."""
    check_place(folder, ours=ours)
    raw = read_manifest_json(folder)
    if raw is not None and raw.get("kind") != kind:
        held = raw.get("kind", "a suite through a system")
        raise BadInput(f"{folder} holds a result of {held}, not of {kind}. Name another folder. Nothing was written.")


def _manifest_from_json(raw: Mapping[str, object], folder: Path) -> FindingsManifest:
    """Unknown fields of later versions are ignored, missing ones take their defaults."""
    known = {name: value for name, value in raw.items() if name in FindingsManifest.__dataclass_fields__}
    parts = known.get("parts")
    if not isinstance(parts, dict):
        raise BadInput(f"{folder / MANIFEST}: not a manifest of Evenhand (parts are missing)")
    try:
        known |= {"parts": {str(k): str(v) for k, v in parts.items()}}
        manifest = FindingsManifest(**known)  # type: ignore[arg-type]  # JSON values, checked here
        check_types(manifest)
        check_level(manifest.level)
        return manifest
    except (TypeError, BadInput) as error:
        raise BadInput(f"{folder / MANIFEST}: not a manifest of Evenhand ({error})") from error
