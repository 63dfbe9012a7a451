"""Every labelled set at once: what the detectors and the mender make of it, and what changed since another tree.

    python -m benchmarks.labelled -o FOLDER [--only nouns/alternatives ...]     judge; FOLDER gets a Parquet per set
    python -m benchmarks.labelled --compare BEFORE AFTER [--show 20]            two folders side by side, set by set

A rule is measured here before it is kept: `right` of all rows, `wrong` (a gender other than the label's), `given`.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
from tests.detect.labelled_sets import CONSTRUCTED
from tests.detect.labelled_sets import SETS as PEOPLES

from evenhand.detect import open_detector
from evenhand.gender import Gender
from evenhand.grammar.participants import TABLE
from evenhand.languages import with_table
from evenhand.mend.mender import Mender
from evenhand.tsv import frame

SETS = PEOPLES | CONSTRUCTED
ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
SPEAKERS = tuple(code for code in with_table(TABLE) if (DATA / "eurogest" / f"pairs.{code}.tsv").exists())
Reader = Callable[[Path], Iterator[pl.DataFrame]]


def nouns(name: str, code: str) -> Reader:
    """Pairs with a marked focus, labelled by people or by construction."""

    def read(data: Path) -> Iterator[pl.DataFrame]:
        cases = list(SETS[name][0](data, code))
        table = pl.DataFrame(
            [(c.id, c.source, c.rendering, c.start, c.end, c.label) for c in cases],
            schema=["id", "source", "rendering", "focus_start", "focus_end", "label"],
            orient="row",
        ).with_columns(id=pl.concat_str("id", pl.lit("#"), pl.int_range(pl.len()).over("id")))
        yield (
            open_detector("nouns", source="en", target=code)
            .detect(table)
            .with_columns(table["label"], table["source"], table["rendering"])
        )

    return read


def draws(number: int) -> Reader:
    """200 renderings of pocket, labelled by reading before any verdict was seen."""

    def read(data: Path) -> Iterator[pl.DataFrame]:
        table = frame(ROOT / "tests" / "detect" / "draws.tsv").filter(pl.col("draw") == str(number))
        table = table.with_columns(pl.col("focus_start", "focus_end").cast(pl.Int64))
        for (code,), part in table.group_by("language", maintain_order=True):
            judged = open_detector("nouns", source="en", target=str(code)).detect(part)
            yield judged.with_columns(
                part["label"], part["source"], part["rendering"], id=pl.concat_str(pl.lit(f"{code}."), pl.col("id"))
            )

    return read


def speaker(code: str) -> Reader:
    """First-person pairs (EuroGEST): made by a translator from a man's and a woman's words."""

    def read(data: Path) -> Iterator[pl.DataFrame]:
        pairs = frame(data / "eurogest" / f"pairs.{code}.tsv")
        table = pl.concat(
            pairs.select(
                id=pl.concat_str(pl.col("id"), pl.lit(f".{label}")),
                source=pl.col("source"),
                rendering=pl.col(column),
                label=pl.lit(label),
            )
            for label, column in (("male", "masculine"), ("female", "feminine"))
        )
        judged = open_detector("speaker", source="en", target=code).detect(table)
        yield judged.with_columns(table["label"], table["source"], table["rendering"])

    return read


def mended(name: str, code: str) -> Reader:
    """Both variants of a sentence, each made from the other: right is the same sentence to the letter."""

    def read(data: Path) -> Iterator[pl.DataFrame]:
        mender = Mender(code)
        lines = []
        for id_, source, start, end, rendering, wanted, truth in _variants(data, name, code):
            made = mender.mend(source, rendering, start, end, wanted)
            got = "none" if not made.text else str(wanted) if made.text.strip() == truth.strip() else "other text"
            lines.append((id_, source, rendering, truth, got, made.text, made.reason, str(wanted)))
        names = ["id", "source", "rendering", "truth", "gender", "evidence", "reason", "label"]
        yield pl.DataFrame(lines, schema=dict.fromkeys(names, pl.String), orient="row")

    return read


def _variants(data: Path, name: str, code: str) -> Iterator[tuple[str, str, int, int, str, Gender, str]]:
    other = {"female": ("male", Gender.MALE), "male": ("female", Gender.FEMALE)}
    if name in {"alternatives", "context"}:
        cases = SETS["gender-alternatives" if name == "alternatives" else name][0](data, code)
        both = {(c.id.rpartition(".")[0], c.label): c for c in cases}
        for (key, label), case in both.items():
            swapped, wanted = other[label]
            truth = both[key, swapped].rendering
            yield case.id, case.source, case.start, case.end, case.rendering, wanted, truth
        return
    path = data / "gate" / f"{code.upper()}_2_variants.tsv"
    for number, row in enumerate(csv.DictReader(path.open(), delimiter="\t", quoting=csv.QUOTE_NONE)):
        words = {word for word in (row["kw_s"] or "").split("=") if word}
        focus = next(iter(words), "")
        start = row["source"].find(focus)
        if len(words) != 1 or start < 0:
            continue
        yield f"{number}.f", row["source"], start, start + len(focus), row["m"], Gender.FEMALE, row["f"]
        yield f"{number}.m", row["source"], start, start + len(focus), row["f"], Gender.MALE, row["m"]


def readers() -> dict[str, Reader]:
    """Every set by its name."""
    found = {f"nouns/{name}.{code}": nouns(name, code) for name, (_, codes) in SETS.items() for code in codes}
    found |= {f"draws/{number:02}": draws(number) for number in range(1, 19)}
    found |= {f"speaker/eurogest.{code}": speaker(code) for code in SPEAKERS}
    found |= {f"mend/alternatives.{code}": mended("alternatives", code) for code in ("es", "it", "pt")}
    found |= {f"mend/context.{code}": mended("context", code) for code in ("de", "es", "pt")}
    return found | {f"mend/gate.{code}": mended("gate", code) for code in ("es", "it")}


def line(table: pl.DataFrame) -> dict[str, float]:
    """Counts of one set: rows, right, wrong (another gender than the label's), and how many got any answer."""
    given = ~pl.col("gender").cast(pl.String).is_in(["unknown", "none"])
    counts = table.select(
        n=pl.len(),
        right=(pl.col("gender").cast(pl.String) == pl.col("label")).sum(),
        wrong=(given & (pl.col("gender").cast(pl.String) != pl.col("label"))).sum(),
        given=given.sum(),
    )
    return counts.row(0, named=True)


def judge(folder: Path, data: Path, only: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, read in readers().items():
        if only and not any(part in name for part in only):
            continue
        began = time.perf_counter()
        table = pl.concat(read(data), how="diagonal_relaxed").with_columns(pl.col("gender").cast(pl.String))
        table.write_parquet(folder / f"{name.replace('/', '.')}.parquet")
        found = line(table)
        share = found["right"] / found["n"]
        print(
            f"{name:32} n {found['n']:6} right {share:.4f} wrong {found['wrong']:5} given {found['given']:6} "
            f"{time.perf_counter() - began:6.1f} s",
            flush=True,
        )


def compare(before: Path, after: Path, show: int) -> None:
    for path in sorted(before.glob("*.parquet")):
        if not (after / path.name).exists():
            continue
        old, new = pl.read_parquet(path), pl.read_parquet(after / path.name)
        was, now = line(old), line(new)
        moved = old.join(new, on="id", suffix="_now").filter(pl.col("gender") != pl.col("gender_now"))
        better = moved.filter(pl.col("gender_now") == pl.col("label")).height
        worse = moved.filter(pl.col("gender") == pl.col("label"))
        print(
            f"{path.stem:32} n {now['n']:6} right {was['right'] / was['n']:.4f} -> {now['right'] / now['n']:.4f}  "
            f"wrong {was['wrong']:4} -> {now['wrong']:4}  changed {moved.height:4}: +{better} -{worse.height}"
        )
        for row in worse.head(show).iter_rows(named=True):
            print(
                f"    {row['id']}: {row['label']}, was {row['gender']}, is {row['gender_now']} "
                f"({row['reason_now']}; {row['evidence_now']!r})\n        {row['source']}\n        {row['rendering']}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--compare", nargs=2, type=Path)
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    if options.compare:
        before, after = options.compare
        compare(before, after, options.show)
    elif options.output:
        judge(options.output, options.data, options.only)
    else:
        parser.error("name a folder with -o, or two with --compare")


if __name__ == "__main__":
    main()
