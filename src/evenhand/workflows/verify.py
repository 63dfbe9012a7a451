"""Whether a result is what its manifest says: digests and signature recomputed, in full also verdicts and estimates."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from evenhand._version import __version__
from evenhand.detect import open_detector
from evenhand.detect.own_forms import forms_of
from evenhand.errors import BadInput
from evenhand.results.findings import Findings, load_result
from evenhand.results.runs import Run
from evenhand.storage.atomic import file_hash
from evenhand.storage.folders import FILES, MANIFEST, TABLE_NAME, own_file, read_manifest_json
from evenhand.storage.tables import KEY, PERSON, content_hash
from evenhand.workflows.reference_estimates import load_references
from evenhand.workflows.score import calibration_of, estimated, judge, references_of

_ROW = ["measure", "group", "level", "variant", "reference"]
_NUMBERS = ["value", "low", "high", "n", "n_decided"]


@dataclass(frozen=True)
class Compared:
    """One thing that was recomputed. `equal` is None where it cannot be."""

    what: str
    equal: bool | None
    told: str


def verify(folder: Path | str, *, full: bool = False) -> list[Compared]:
    """Recompute what a run or other findings claim: one row per thing, whether it is equal, and what differs. The
    digests of the tables, the signature and the hash of the sentences are recomputed always; `full` judges the
    renderings again and estimates every measure again. Verdicts that people replaced, and estimates that need a
    calibration or a reference of the user's own, are not compared."""
    place = Path(folder)
    raw = read_manifest_json(place)
    if raw is None:
        raise BadInput(f"{place}: no result of Evenhand (no {MANIFEST})")
    rows = list(_digests(place, raw.get(FILES)))
    if any(row.equal is False and row.told == "missing" for row in rows):
        return rows
    result = load_result(place)
    stored, now = raw.get("signature"), result.signature
    rows.append(Compared("signature", None if stored is None else stored == now, _told(stored, now)))
    if isinstance(result, Findings):
        return rows
    held, here = result.manifest.suite.hash, content_hash(result.probes)
    rows.append(Compared("sentences", held == here, _told(held, here)))
    if full:
        rows += [_verdicts(result), *_estimates(result)]
    return rows


def _told(stored: object, now: str) -> str:
    return now if stored == now else "not in the manifest" if stored is None else f"{now}, the manifest has {stored}"


def _digests(folder: Path, stored: object) -> Iterator[Compared]:
    """Every table that the manifest lists, and every table that it does not."""
    if not isinstance(stored, dict):
        yield Compared("digests", None, "manifests of earlier versions have none")
        return
    listed = {name: digest for name, digest in stored.items() if TABLE_NAME.fullmatch(name)}
    for name, digest in sorted(listed.items()):
        if not own_file(folder / name):
            yield Compared(name, False, "missing")
            continue
        now = file_hash(folder / name)
        yield Compared(name, now == digest, f"sha256 {now[:16]}" + ("" if now == digest else ", changed since"))
    for path in sorted(folder.glob("*.parquet")):
        if path.name not in listed:
            yield Compared(path.name, False, "not in the manifest")


def _verdicts(run: Run) -> Compared:
    info, suite, forms = run.manifest, run.manifest.suite, forms_of(run.path)
    detector = open_detector(
        suite.kind, source=suite.source_lang, target=info.target_lang, rule=info.rule, user_forms=forms
    )
    again = judge(run.probes, run.renderings, detector)
    both = run.verdicts.join(again, on=list(KEY), how="left", suffix="_again").filter(pl.col("how") != PERSON)
    differing = both.filter(pl.col("gender").ne_missing(pl.col("gender_again"))).height
    other = detector.fingerprint != info.detector.split("+labels:")[0]
    judged = f"; judged by {info.detector}, here {detector.fingerprint}" if other else ""
    return Compared("verdicts", not differing, f"{both.height - differing:,} of {both.height:,} equal{judged}")


def _estimates(run: Run) -> Iterator[Compared]:
    """Every estimate that can be made again; the others are counted."""
    (references, missing), rates = references_of(run), calibration_of(run)
    again = estimated(run, calibration=rates, references=load_references(references, run.probes)).estimates
    known = pl.col("reference").fill_null("").is_in(["", *(one.name for one in references)])
    mine = known if rates else known & (pl.col("variant") == "raw")
    stored = run.estimates.filter(mine)
    if missing:
        yield Compared("references", None, "a user's reference: estimates that depend on it are not compared")
    together = stored.join(again.filter(mine), on=_ROW, how="full", nulls_equal=True, suffix="_again", coalesce=True)
    pairs = [[pl.col(name + end).cast(pl.Float64).fill_nan(None) for end in ("", "_again")] for name in _NUMBERS]
    unlike = [((one - two).abs() > 1e-9) | (one.is_null() != two.is_null()) for one, two in pairs]
    differing = together.filter(pl.any_horizontal(unlike).fill_null(value=False))
    told = f"{together.height - differing.height:,} of {together.height:,} equal"
    if differing.height:
        one = differing.row(0, named=True)
        told += f"; {one['measure']} ({one['group']} {one['level']}): {one['value']}, here {one['value_again']}"
    version = run.manifest.evenhand
    told += f"; made by version {version}" if version != __version__ else ""
    yield Compared("estimates", not differing.height, told)
    left = run.estimates.height - stored.height
    if left:
        yield Compared("other estimates", None, f"{left:,} need a calibration or reference that is not here")
