"""What a run was scored with, kept in its folder: the user's own references and the calibration. `score` uses them
again, and `verify` makes the estimates that depend on them again."""

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
    own = {one.name: one for one in map(load_reference, _kept_files(run))}
    names = [given.partition("#")[0] for given in run.manifest.references]
    found = [own.get(name) or load_reference(name) for name in names if name in own or name in shipped()]
    return found, [name for name in names if name not in own and name not in shipped()]


def _kept_files(run: Run) -> list[Path]:
    """The references in a run's folder, without their mappings."""
    folder = run.path / FOLDER if run.path is not None else None
    if folder is None or not folder.is_dir() or folder.is_symlink():
        return []
    return [file for file in sorted(folder.iterdir()) if own_file(file) and ".isco08." not in file.name]


def scored_with(
    run: Run, calibration: Calibration | Path | str | None, references: Sequence[Reference | str], drop: Sequence[str]
) -> tuple[Calibration | None, list[Reference]]:
    """What a run is scored with again: what it has, what is given, without what is to be dropped."""
    unknown = next((part for part in drop if part not in PARTS), None)
    if unknown is not None:
        raise Unknown("part of a run to drop", unknown, PARTS)
    given = [one if isinstance(one, Reference) else load_reference(one) for one in references]
    kept, missing = ([], []) if "references" in drop else references_of(run)
    missing = [name for name in missing if name not in {one.name for one in given}]
    if missing:
        raise BadInput(
            f"the run compares with {', '.join(missing)}, and its folder has no copy: give --reference FILE again, or "
            "--drop references. Nothing was written."
        )
    return _rates(run, calibration, drop), list({one.name: one for one in (*kept, *given)}.values())


def _rates(run: Run, calibration: Calibration | Path | str | None, drop: Sequence[str]) -> Calibration | None:
    """The calibration that is given, or the run's own unless it is to be dropped."""
    rates = Calibration.load(Path(calibration)) if isinstance(calibration, Path | str) else calibration
    if rates is not None or not run.manifest.calibration or "calibration" in drop:
        return rates
    rates = calibration_of(run)
    if rates is None:
        raise BadInput(
            "the run's folder has no copy of its calibration: give --calibration FILE again, or --drop calibration. "
            "Nothing was written."
        )
    return rates
