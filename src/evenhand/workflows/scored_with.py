"""What a run was scored with, kept in its folder: the user's own references and the calibration. `score` uses them
again, and `verify` makes the estimates that depend on them again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evenhand.errors import BadInput, Unknown
from evenhand.measures.calibration import Calibration
from evenhand.references.reference import Reference, load_reference, shipped
from evenhand.results.runs import Run
from evenhand.storage.atomic import replacing_bytes
from evenhand.storage.folders import own_file

RATES, FOLDER = "calibration.json", "references"
PARTS = ("references", "calibration", "measures")


def keep_scored_with(folder: Path, calibration: Calibration | None, references: Sequence[Reference]) -> None:
    """Copy into a run's folder what cannot be named again without the user: the calibration, files of references."""
    if calibration is not None:
        calibration.save(folder / RATES)
    for file in (file for reference in references for file in reference.files):
        place = folder / FOLDER / file.name
        if place.absolute() != file.absolute():
            place.parent.mkdir(exist_ok=True)
            with replacing_bytes(place) as stream:
                stream.write(file.read_bytes())


def calibration_of(run: Run) -> Calibration | None:
    """The calibration that the run's corrected estimates rest on, if its folder holds it."""
    path = run.path / RATES if run.path is not None and run.manifest.calibration else None
    rates = Calibration.load(path) if path is not None and own_file(path) else None
    return rates if rates is not None and rates.fingerprint == run.manifest.calibration else None


def references_of(run: Run) -> tuple[list[Reference], list[str]]:
    """The references of a run that its folder holds or that ship with Evenhand, and the names of the others."""
    folder = run.path / FOLDER if run.path is not None else None
    files = sorted(folder.iterdir()) if folder is not None and folder.is_dir() and not folder.is_symlink() else []
    own = {one.name: one for one in (load_reference(f) for f in files if own_file(f) and ".isco08." not in f.name)}
    names = [given.partition("#")[0] for given in run.manifest.references]
    found = [own.get(name) or load_reference(name) for name in names if name in own or name in shipped()]
    return found, [name for name in names if name not in own and name not in shipped()]


def scored_with(
    run: Run, calibration: Calibration | Path | str | None, references: Sequence[Reference | str], drop: Sequence[str]
) -> tuple[Calibration | None, list[Reference]]:
    """What a run is scored with again: what it has, what is given, without what is to be dropped."""
    for part in drop:
        if part not in PARTS:
            raise Unknown("part of a run to drop", part, PARTS)
    given = [one if isinstance(one, Reference) else load_reference(one) for one in references]
    kept, missing = ([], []) if "references" in drop else references_of(run)
    missing = [name for name in missing if name not in {one.name for one in given}]
    if missing:
        raise BadInput(
            f"the run compares with {', '.join(missing)}, and its folder has no copy: give --reference FILE again, or "
            "--drop references. Nothing was written."
        )
    rates = Calibration.load(Path(calibration)) if isinstance(calibration, Path | str) else calibration
    if rates is None and run.manifest.calibration and "calibration" not in drop:
        rates = calibration_of(run)
        if rates is None:
            raise BadInput(
                "the run's folder has no copy of its calibration: give --calibration FILE again, or --drop "
                "calibration. Nothing was written."
            )
    return rates, list({one.name: one for one in (*kept, *given)}.values())
