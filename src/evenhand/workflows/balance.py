"""A list of lines with weights that meets the shares of women a user wants for the words of a text that was audited."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from evenhand.corpus.balancing import PAIR, Balance
from evenhand.corpus.reading import pair_keys
from evenhand.corpus.steps import OPEN
from evenhand.errors import BadInput
from evenhand.pipeline.shards import Keys
from evenhand.readers.layout import LINE, Column, Layout
from evenhand.readers.registry import read
from evenhand.storage.atomic import replacing_bytes
from evenhand.workflows.corpus import files_of, repeats_of, shards_of

LAYOUT = Layout(
    "word",
    (
        Column("concept", required=True, filled=True),
        Column("share", type=pl.Float64(), required=True, given=True, within=(0.0, 1.0), means="between 0 and 1"),
    ),
    unique=("concept",),
    notes="anywhere",
)


@dataclass(frozen=True)
class Evened:
    """How many lines got a weight below 1, how many of them a draw keeps, how many only repeat another line and weigh
    nothing, and each word before and after."""

    lines: int
    kept: int
    repeats: int
    words: pl.DataFrame

    @property
    def met(self) -> int:
        """Words whose weighted share is the wanted one, to a thousandth."""
        return self.words.filter((pl.col("weighted") - pl.col("wanted")).abs() < 0.001).height

    @property
    def one_sided(self) -> int:
        return self.words.filter(pl.col("note") != "").height


def wanted_shares(given: str) -> dict[str, float] | float:
    """A number for every word, or a TSV with concept and share; 0 and 1 would throw a gender away and are refused."""
    try:
        share = float(given)
    except ValueError:
        table = read(Path(given), LAYOUT)
        edge = table.filter((pl.col("share") <= 0) | (pl.col("share") >= 1))
        if edge.height:
            raise BadInput.at(given, edge[LINE][0], "a wanted share must be above 0 and below 1") from None
        return dict(table.select("concept", "share").iter_rows())
    if not 0 < share < 1:
        raise BadInput(f"--want {given}: a wanted share must be above 0 and below 1")
    return share


def balance(folder: Path | str, wanted: dict[str, float] | float, output: Path | str, *, seed: int = 0) -> Evened:
    """Write file, line, weight, keep for every line of an audited text whose weight is below 1 (all others weigh 1). A
    pair is counted once, so that further copies of one with a word that is balanced weigh 0: they would undo it."""
    shards = shards_of(folder)
    evened = Balance(map(_gendered, shards), wanted, seed=seed)
    if isinstance(wanted, dict) and not evened.known:
        raise BadInput(f"not one of the {len(wanted):,} words with a wanted share is a gendered person of this text")
    names = dict(enumerate(files_of(folder)))
    lines = kept = repeats = 0
    keys = list[Keys]()
    with replacing_bytes(Path(output)) as stream:
        stream.write("\t".join(("file", "line", "weight", "keep")).encode() + b"\n")
        for path in shards:
            some = evened.lines(_gendered(path))
            lines, kept = lines + some.height, kept + int(some["keep"].sum())
            stream.write(_written(some, names))
            balanced = _gendered(path, "source", "rendering").filter(pl.col("concept").is_in(evened.balanced))
            keys.append(pair_keys(balanced.unique(["file", "line"])))
        weighed = np.unique(np.concatenate(keys))
        for path in repeats_of(folder):
            again = pl.read_parquet(path)
            again = again.filter(pl.Series(np.isin(again["key"].to_numpy(), weighed)))
            repeats += again.height
            stream.write(_written(again.select("file", "line", weight=pl.lit(0.0), keep=pl.lit(0, pl.Int8)), names))
    return Evened(lines, kept, repeats, evened.words())


def _written(lines: pl.DataFrame, names: dict[int, str]) -> bytes:
    shown = lines.with_columns(pl.col("file").replace_strict(names, return_dtype=pl.String), pl.col("weight").round(6))
    return shown.write_csv(include_header=False, separator="\t", quote_style="never").encode()


def _gendered(shard: Path, *further: str) -> pl.DataFrame:
    """The persons of a shard whom the source leaves open and the target gives a gender."""
    persons = pl.read_parquet(shard, columns=["file", "line", "concept", "says", "gender", *further])
    persons = persons.with_columns(pl.col("gender").cast(pl.String))
    return persons.filter((pl.col("says") == OPEN) & pl.col("gender").is_in(list(PAIR))).drop("says")
