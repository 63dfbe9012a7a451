"""A person's labels on verdicts, kept beside the run, stronger than the detector. A label belongs to the text that was
read: another rendering under its id is not labelled. Of several people the majority counts; a tie changes nothing."""

import datetime as dt
import hashlib
import os
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.gender import LABEL, SPELLINGS
from evenhand.results.runs import Run, read_manifest
from evenhand.storage.folders import own_file, read_table
from evenhand.storage.locking import one_writer
from evenhand.storage.tables import KEY, PERSON, VERDICTS, conform, schema
from evenhand.workflows.score import estimated, references_of

REPLACED = "replaced"  # the table of the detector's verdicts on renderings that a person has labelled
KEYS = list(KEY)
_NAME = re.compile(r"[\w .@+-]{1,40}")


@dataclass(frozen=True)
class LabelKey:
    """Which rendering of a run."""

    id: str
    target_lang: str
    sample: int = 0
    candidate: int = 0


@dataclass(frozen=True)
class LabelAgreement:
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


@dataclass(frozen=True)
class Labels:
    """The labels on this run's renderings as they are now, one row per line of the file, and what else is in it."""

    table: pl.DataFrame = field(repr=False)
    unreadable: int = 0
    elsewhere: int = 0

    @property
    def warning(self) -> str:
        """What a person must know about the file; "" where all is well."""
        counts = {
            f"lines of {FILE} that cannot be read (cut off, or damaged) and do not count": self.unreadable,
            f"labels in {FILE} on other renderings than this run has": self.elsewhere,
        }
        return ". ".join(f"{what}: {number:,}" for what, number in counts.items() if number)


def read_labels(folder: Path) -> Labels:
    """The labels in the order they were given. Those of versions that kept no text count if they were given after the
    run was made. Where the folder holds no run, all count."""
    table, torn = read_lines(folder)
    held = table.height and own_file(folder / "renderings.parquet") and read_manifest(folder)
    if not held:
        return Labels(table, torn)
    marks, text = _marks(folder, table["id"].unique().to_list()), pl.col("text")
    known = table.join(marks, on=KEYS, how="inner", maintain_order="left", nulls_equal=True)
    belongs = pl.when(text == "").then(pl.col("at") >= held.created).otherwise(text == pl.col("mark"))
    ours = known.filter(belongs).drop("mark")
    return Labels(ours, torn, table.height - ours.height)


def load_labels(folder: Path) -> pl.DataFrame:
    """Every label on this run's renderings, and every undoing, in their order."""
    return read_labels(folder).table


def _marks(folder: Path, ids: Sequence[str]) -> pl.DataFrame:
    """The renderings with these ids, by key, as labels name their texts."""
    wanted = pl.col("id").is_in(list(ids))
    table = pl.scan_parquet(folder / "renderings.parquet", glob=False).filter(wanted).select(*KEYS, "rendering")
    try:
        renderings = table.collect()
    except pl.exceptions.PolarsError as error:
        cause = str(error).splitlines()[0]
        raise BadInput(f"{folder / 'renderings.parquet'}: cannot be read as Parquet ({cause})") from error
    marks = pl.Series("mark", [text_mark(text) for text in renderings["rendering"]], dtype=pl.String)
    return renderings.select(KEYS).with_columns(marks)


Texts = Mapping[LabelKey, str | None]


def add_labels(
    folder: Path, labels: Sequence[tuple[LabelKey, str]], *, labeller: str, at: str = "", texts: Texts | None = None
) -> None:
    """Append labels (rendering, gender) of one person; all reach the disk or an error is raised. `texts` are the
    renderings that the person read, by default those in the folder."""
    name, when = check_labeller(labeller), at or _now()
    given = [(key, gender_of(gender)) for key, gender in labels]
    if texts is not None:
        marks = {key: text_mark(text) for key, text in texts.items()}
    else:
        present = own_file(folder / "renderings.parquet")
        rows = _marks(folder, [key.id for key, _ in given]).iter_rows() if present else ()
        marks = {LabelKey(*row[:-1]): row[-1] for row in rows}
    append(folder, [LabelLine(**vars(k), gender=g, labeller=name, at=when, text=marks.get(k, "")) for k, g in given])


def undo_label(folder: Path, *, labeller: str) -> list[LabelKey]:
    """Take back what this person labelled last, all that was labelled in one go; says which renderings (maybe none)."""
    name, now = check_labeller(labeller), _now()
    standing = current(load_labels(folder)).filter(pl.col("labeller") == name).sort("line")
    if not standing.height:
        return []
    last = standing.filter(pl.col("at") == standing["at"][-1])
    undone = last.select(*KEYS, "gender", "labeller", at=pl.lit(now), undone=pl.lit(value=True), text="text")
    append(folder, [LabelLine(*row) for row in undone.iter_rows()])
    return [LabelKey(*row) for row in last.select(KEYS).iter_rows()]


def _now() -> str:
    return dt.datetime.now(dt.UTC).isoformat(timespec="microseconds")


def check_labeller(name: str) -> str:
    """A name that fits into a cell: letters, digits, blanks and . @ + - _, at most 40."""
    cleaned = name.strip()
    if not _NAME.fullmatch(cleaned):
        raise BadInput(f"{name!r} is not a labeller's name: use 1 to 40 letters, digits, blanks or . @ + - _")
    return cleaned


def current(labels: pl.DataFrame) -> pl.DataFrame:
    """The labels that count: each person's latest on each rendering, if it was not taken back (undoing a second label
    leaves none)."""
    numbered = labels.with_row_index("line")
    latest = numbered.unique([*KEYS, "labeller"], keep="last", maintain_order=True)
    return latest.filter(~pl.col("undone"))


def settled(labels: pl.DataFrame) -> pl.DataFrame:
    """One gender per rendering (key + gender + labellers): the majority's; ties are left out."""
    votes = current(labels).group_by([*KEYS, "gender"], maintain_order=True).agg(pl.len().alias("votes"))
    counted = votes.with_columns(labellers=pl.col("votes").sum().over(KEYS))
    best = counted.filter(pl.col("votes") == pl.col("votes").max().over(KEYS))
    return best.filter(pl.len().over(KEYS) == 1).select(*KEYS, "gender", "labellers")


def agreement(labels: pl.DataFrame) -> list[LabelAgreement]:
    """Cohen's kappa for every two people who share a rendering (Cohen 1960): 1 is full agreement, 0 is chance."""
    standing = current(labels)
    people = standing["labeller"].unique(maintain_order=True).sort().to_list()
    pairs = []
    for first, second in combinations(people, 2):
        one, two = (standing.filter(labeller=name).select(*KEYS, "gender") for name in (first, second))
        both = one.join(two, on=KEYS, how="inner")
        if both.height:
            given = (both[column].to_list() for column in ("gender", "gender_right"))
            pairs.append(LabelAgreement(first, second, both.height, *kappa(*given)))
    return pairs


def kappa(first: Sequence[str], second: Sequence[str]) -> tuple[float, float | None]:
    """Observed agreement and Cohen's kappa of two equally long lists of labels."""
    n = len(first)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    chance = sum(first.count(label) * second.count(label) for label in set(first)) / n**2
    return observed, (observed - chance) / (1 - chance) if chance < 1 else None


def apply_labels(folder: Path) -> Run:
    """The run in this folder with people's labels over the detector's verdicts (how = person), scored again and saved.

    The detector's own verdicts on those renderings are kept in `replaced.parquet`: undoing a label brings them back.
    The signature names the labels by their hash. A calibration made for the detector's verdicts no longer holds and is
    dropped: calibrate and score again. The run's references that its folder holds or that ship with Evenhand stay.
    """
    Run.load(folder)  # an error here must not leave a lock behind
    with one_writer(folder):
        run, labels = Run.load(folder), settled(load_labels(folder))
        base = _detected(run, folder)
        chosen = labels.select(*KEYS, pl.col("gender").alias("label"))
        overridden = base.join(chosen, on=KEYS, how="semi")
        by_person = pl.col("label").is_not_null()
        label = pl.col("label").cast(VERDICTS["gender"])
        person = {"gender": label, "how": pl.lit(PERSON), "confidence": pl.lit(1.0), "reason": pl.lit(None)}
        merged = base.join(chosen, on=KEYS, how="left", maintain_order="left").with_columns(
            pl.when(by_person).then(value).otherwise(pl.col(name)).alias(name) for name, value in person.items()
        )
        detector = run.manifest.detector.split("+labels:")[0]
        if labels.height:
            text = labels.sort(KEYS).select(*KEYS, "gender").write_csv()
            detector += f"+labels:{hashlib.sha256(text.encode()).hexdigest()[:12]}"
        changed = replace(run, manifest=replace(run.manifest, detector=detector), verdicts=merged.drop("label"))
        scored = estimated(changed, references=references_of(run)[0])
        return scored.save(folder, held=True, beside={REPLACED: overridden})


def _detected(run: Run, folder: Path) -> pl.DataFrame:
    """The verdicts as the detector gave them, where a person's label had replaced one."""
    person = pl.col("how") == PERSON
    if not own_file(folder / f"{REPLACED}.parquet") or not run.verdicts.filter(person).height:
        return run.verdicts
    try:
        before = conform(read_table(folder, REPLACED), VERDICTS, name=REPLACED).select(run.verdicts.columns)
    except (BadInput, pl.exceptions.PolarsError) as error:
        remedy = (
            f"`evenhand score {folder} --detect --in-place` judges the renderings again, and the labels count again"
        )
        raise BadInput(f"{error}. The detector's verdicts before the labels are lost; {remedy}.") from error
    ours = run.verdicts.with_row_index("order")
    back = ours.filter(person).select("order", *KEYS).join(before, on=KEYS, how="inner")
    rest = ours.filter(~pl.col("order").is_in(back["order"].implode()))
    return pl.concat([rest, back.select(rest.columns)]).sort("order").drop("order")


# `labels.tsv` of a run folder: it only grows, line by line; what a full disk cut off costs that line alone.
# A line is a label or the undoing of one, with the first letters of the rendering's hash (`text`) and a checksum of
# the line. Lines of versions before 0.2 have neither.

FILE = "labels.tsv"
SCHEMA = {**KEY, **schema(pl.String, "gender", "labeller", "at"), "undone": pl.Boolean(), "text": pl.String()}
COLUMNS = [*SCHEMA, "check"]
LARGEST = 2**16  # samples and candidates are numbered below it


@dataclass(frozen=True)
class LabelLine:
    """One line: which rendering (key and text), and the label a person gives it or takes back."""

    id: str
    target_lang: str
    sample: int
    candidate: int
    gender: str
    labeller: str
    at: str
    undone: bool = False
    text: str = ""


def text_mark(rendering: str | None) -> str:
    """What identifies a rendering's text in a label."""
    return hashlib.sha256((rendering or "").encode()).hexdigest()[:16]


def read_lines(folder: Path) -> tuple[pl.DataFrame, int]:
    """Every line that is whole, in their order, and how many were cut or damaged; a whole one with an impossible value
    is an error with its number."""
    path = folder / FILE
    if not own_file(path):
        return pl.DataFrame(schema=SCHEMA), 0
    try:
        raw = path.read_bytes().split(b"\n")
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from error
    rows, torn = [], 0
    for number, line in enumerate(raw, start=1):
        if not line.strip() or (number == 1 and line.startswith(b"id\t")):
            continue
        cells = line.decode("utf-8", errors="replace").rstrip("\r").split("\t")
        if len(cells) == len(COLUMNS) and cells[-1] == _checksum(cells[:-1]):
            rows.append(_row(path, number, cells[:-1]))
        elif len(cells) == len(SCHEMA) - 1 and number < len(raw):
            rows.append(_row(path, number, [*cells, ""]))
        else:
            torn += 1
    return pl.DataFrame(rows, schema=SCHEMA, orient="row"), torn


def _row(path: Path, number: int, cells: list[str]) -> tuple[str | int | bool, ...]:
    id, target, sample, candidate, gender, labeller, at, undone, text = cells
    for column, cell in (("sample", sample), ("candidate", candidate)):
        if not (cell.isascii() and cell.isdigit() and len(cell) < 6 and int(cell) < LARGEST):
            raise BadInput.at(path, number, f"{cell!r} is not a whole number below {LARGEST:,}", column=column)
    word = SPELLINGS.get(gender.strip().lower())
    if word is None:
        raise BadInput.at(path, number, f"{gender!r} is not {LABEL}", column="gender")
    return id, target, int(sample), int(candidate), word, labeller, at, undone == "1", text


def _no_link(path: str, flags: int) -> int:
    """Open a file that is no link, also where somebody put one there a moment ago."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o666)


def append(folder: Path, lines: Sequence[LabelLine]) -> None:
    """Add lines; all of them reach the disk or an error is raised. One that was cut before stays by itself."""
    written = []
    for line in lines:
        values = [str(int(v)) if isinstance(v, bool) else str(v) for v in vars(line).values()]
        if any(c in value for value in values for c in "\t\n\r"):
            raise BadInput(f"id {line.id!r} holds a tab or a line break and cannot be labelled")
        written.append("\t".join([*values, _checksum(values)]) + "\n")
    path = folder / FILE
    with one_writer(folder):
        own_file(path)
        try:
            with open(path, "ab+", opener=_no_link) as stream:
                start = "\t".join(COLUMNS) + "\n"
                if size := stream.seek(0, os.SEEK_END):
                    stream.seek(size - 1)
                    start = "" if stream.read(1) == b"\n" else "\n"
                stream.write((start + "".join(written)).encode())
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise BadInput(f"{path}: cannot be written ({error.strerror})") from error


def _checksum(values: Sequence[str]) -> str:
    return f"{zlib.crc32(chr(9).join(values).encode()):08x}"
