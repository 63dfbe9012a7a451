"""MiTTenS as published (Robinson et al. 2024): passages about one person whose gender is stated, 26 languages, into
English (2en) and out of it (2xx): the target language of an audit chooses the rows."""

import csv
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.readers.opening import UserFile
from evenhand.suites.suite import Suite, designed

GENDERS = {"feminine": "female", "masculine": "male"}
COLUMNS = ("example", "targets", "lang", "encoded_gender", "eval_set_key", "format")


def mittens(path: Path) -> Suite:
    """A suite of MiTTenS' passages; the canary of the file stays in the file."""
    files = sorted(path.glob("mittens_dataset*.csv")) if path.is_dir() else [path]
    if len(files) != 1:
        raise BadInput(f"{path}: name MiTTenS' own file (mittens_dataset_v5.csv), or a folder with one of them")
    version = "5" if "v5" in files[0].stem else "1.0"
    return designed("mittens", lambda: _probes(files[0]), version=version, by_target="into")


def _probes(file: Path) -> pl.DataFrame:
    """One probe a passage. Passages with the same English text are one cluster: they differ in the language only."""
    table = _table(file).with_row_index("row")
    strange = table.filter(~pl.col("encoded_gender").is_in(list(GENDERS)) | ~pl.col("format").is_in(["2en", "2xx"]))
    if strange.height:
        raise BadInput(f"{file}: row {strange['row'][0] + 1} is not feminine or masculine, or neither 2en nor 2xx")
    inward = pl.col("format") == "2en"
    english = pl.when(inward).then("targets").otherwise("example")
    gold = pl.col("encoded_gender").replace_strict(GENDERS)
    return table.select(
        id=pl.format("mittens-{}", pl.col("row").cast(pl.String).str.zfill(4)),
        source="example",
        source_lang=pl.when(inward).then("lang").otherwise(pl.lit("en")),
        gold=gold,
        reference="targets",
        language="lang",
        language_gender=pl.format("{} {}", "lang", gold),
        into=pl.when(inward).then(pl.lit("en")).otherwise("lang"),
        set="eval_set_key",
        passage=english.str.to_lowercase(),
    )


def _table(file: Path) -> pl.DataFrame:
    """The columns we use, as text. The name of the last column is the canary, over three lines: no reader of ours takes
    such a name, so the file is read here."""
    reader = csv.DictReader((text + "\n" for _, text in UserFile(file).lines()), strict=True)
    try:
        rows = [{name: row.get(name) or "" for name in COLUMNS} for row in reader]
    except csv.Error as error:
        raise BadInput(f"{file}: no CSV file as MiTTenS publishes it ({error})") from error
    missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
    if missing or not rows:
        raise BadInput(f"{file}: {f'no column {missing[0]!r}' if missing else 'no row'}; is it MiTTenS' own file?")
    return pl.DataFrame(rows, schema=dict.fromkeys(COLUMNS, pl.String))
