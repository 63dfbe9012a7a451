"""A user's own probes: TSV, JSONL or Parquet with id, source and a marked focus.

The focus is given by focus_start and focus_end, by `focus` (text that occurs once), or between ** ** in the source.
Further columns become attributes. A column `cluster` (or `occupation`) says which probes belong together; a column
`gold` turns on accuracy; `stereotype` (pro, anti) its difference; `base` points to the plain sentence of a variant.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.gender import Gender
from evenhand.suites.readers.lines import read_lines
from evenhand.suites.suite import Grouping, Kind, Suite

_STARS = re.compile(r"\*\*(.+?)\*\*")
_KNOWN = {"id", "source", "source_lang", "focus", "focus_start", "focus_end", "base", "pair", "context", "kind"}
_MAX_LEVELS = 40  # a column with more values than this is an identifier, not a grouping


def table(path: Path) -> Suite:
    """A suite of a user's table; without any focus the renderings are judged by their pronouns."""
    probes = _read(path)
    kind: Kind = "nouns" if probes["focus"].null_count() < probes.height else "pronouns"
    if "kind" in probes.columns:
        stated = probes["kind"].unique().to_list()
        if stated not in (["nouns"], ["pronouns"]):
            raise BadInput(f"{path} column kind: all rows must say nouns, or all pronouns; found {stated}")
        kind = stated[0]
        probes = probes.drop("kind")  # in our own suites the column tells occupations from adjectives
    measures = ["share_female", "share_male", "share_neutral", "share_both", "P_S", "TFG"]
    if "gold" in probes.columns:
        measures += ["accuracy", "F1_female", "F1_male", "dG"]
        if "stereotype" in probes.columns:
            measures.append("dS")
    clusters = next(((c,) for c in ("cluster", "occupation", "concept", "pair") if c in probes.columns), ())
    groupings = tuple(
        Grouping(c, column=c)
        for c in probes.columns
        if c not in _KNOWN
        and c not in clusters
        and probes[c].dtype == pl.String
        and 1 < probes[c].drop_nulls().n_unique() <= _MAX_LEVELS
    )
    languages = probes["source_lang"].unique().to_list()
    return Suite(
        name=path.stem,
        version="1.0",
        source_lang=languages[0] if len(languages) == 1 else "mixed",
        kind=kind,
        summary=f"your own probes in {path.name}",
        make=lambda: probes,
        clusters=clusters,
        groupings=groupings,
        measures=tuple(measures),
    )


def _read(path: Path) -> pl.DataFrame:
    if path.suffix == ".parquet":
        try:
            raw = pl.read_parquet(path)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise BadInput(f"{path}: cannot be read as Parquet ({error})") from error
    elif path.suffix == ".jsonl":
        raw = _jsonl(path)
    else:
        raw = read_tsv(path)
    for column in ("id", "source"):
        if column not in raw.columns:
            tabs = "" if raw.width > 1 else "; columns are separated by tabs"
            raise BadInput.at(path, 1, f"no column {column!r}; found {', '.join(raw.columns) or 'none'}{tabs}")
    if "source_lang" not in raw.columns:
        raw = raw.with_columns(pl.lit("en").alias("source_lang"))
    first = 1 if path.suffix == ".jsonl" else 2  # the line of the first probe
    _check_rows(raw, path, first)
    return _with_focus(raw, path, first)


def _check_rows(raw: pl.DataFrame, path: Path, first: int) -> None:
    """Every probe has an id of its own, a sentence, and a gold gender we know where it has one."""
    if raw.is_empty():
        raise BadInput(f"{path}: there are no probes in it, only a header")
    numbered = raw.with_row_index("_line", first)
    for column in ("id", "source"):
        text = pl.col(column).cast(pl.String).str.strip_chars()
        missing = numbered.filter(text.is_null() | (text == ""))
        if missing.height:
            raise BadInput.at(path, missing["_line"][0], f"the probe has no {column}")
    duplicated = numbered.filter(pl.col("id").is_duplicated())
    if duplicated.height:
        raise BadInput.at(path, duplicated["_line"][-1], f"id {duplicated['id'][-1]!r} occurs more than once")
    if "base" in raw.columns:
        lost = numbered.filter(~pl.col("base").cast(pl.String).is_in(raw["id"].cast(pl.String).implode()))
        if lost.height:
            message = f"there is no probe with the id {lost['base'][0]!r}; base names the plain sentence of a variant"
            raise BadInput.at(path, lost["_line"][0], message, column="base")
    if "gold" in raw.columns:
        known = [gender.value for gender in Gender]
        wrong = numbered.filter(~pl.col("gold").cast(pl.String).is_in(known))
        if wrong.height:
            message = f"{wrong['gold'][0]!r} is not a gender; use one of {', '.join(known)}, or leave it empty"
            raise BadInput.at(path, wrong["_line"][0], message, column="gold")


def read_tsv(path: Path) -> pl.DataFrame:
    """A user's TSV as text columns, empty cells null; a row of another width is an error with its line."""
    lines = _without_blank_end(read_lines(path))
    if not lines:
        raise BadInput(f"{path}: the file is empty; expected a header and rows, separated by tabs")
    header = lines[0].split("\t")
    repeated = [name for name in header if header.count(name) > 1]
    if repeated:
        raise BadInput.at(path, 1, f"the column {repeated[0]!r} occurs twice")
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        cells = line.split("\t")
        if len(cells) != len(header):
            raise BadInput.at(path, number, f"{len(cells)} columns, the header has {len(header)}")
        rows.append([cell or None for cell in cells])
    return pl.DataFrame(rows, schema=dict.fromkeys(header, pl.String), orient="row")


def _without_blank_end(lines: list[str]) -> list[str]:
    """Blank lines at the end of a file are an editor's, not the user's."""
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def _jsonl(path: Path) -> pl.DataFrame:
    rows = []
    for number, line in enumerate(_without_blank_end(read_lines(path)), start=1):
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise BadInput.at(path, number, f"not JSON ({error.msg})", column=error.colno) from error
        if not isinstance(row, dict):
            raise BadInput.at(path, number, "not a JSON object")
        rows.append(row)
    return pl.DataFrame(rows, infer_schema_length=None)


def _with_focus(raw: pl.DataFrame, path: Path, first: int) -> pl.DataFrame:
    sources, focuses, starts, ends = [], [], [], []
    for number, row in enumerate(raw.iter_rows(named=True), start=first):
        source, focus, start, end = _focus(row, path, number)
        sources.append(source)
        focuses.append(focus)
        starts.append(start)
        ends.append(end)
    return raw.with_columns(
        pl.Series("source", sources, dtype=pl.String),
        pl.Series("focus", focuses, dtype=pl.String),
        pl.Series("focus_start", starts, dtype=pl.Int64),
        pl.Series("focus_end", ends, dtype=pl.Int64),
    )


def _focus(row: dict[str, object], path: Path, number: int) -> tuple[str, str | None, int | None, int | None]:
    source = str(row["source"] or "")
    stars = list(_STARS.finditer(source))
    if len(stars) == 1:
        focus = stars[0].group(1)
        return _STARS.sub(r"\1", source), focus, stars[0].start(), stars[0].start() + len(focus)
    if len(stars) > 1:
        raise BadInput.at(path, number, f"{len(stars)} words are marked with ** **; mark one")
    if row.get("focus_start") is not None and row.get("focus_end") is not None:
        try:
            start, end = int(str(row["focus_start"])), int(str(row["focus_end"]))
        except ValueError as error:
            raise BadInput.at(path, number, "focus_start and focus_end must be whole numbers") from error
        if not 0 <= start < end <= len(source):
            raise BadInput.at(path, number, f"focus {start}-{end} is outside the source ({len(source)} characters)")
        return source, source[start:end], start, end
    if row.get("focus"):
        focus = str(row["focus"])
        found = [m.start() for m in re.finditer(rf"(?<!\w){re.escape(focus)}(?!\w)", source)]
        if len(found) != 1:
            raise BadInput.at(
                path, number, f"focus {focus!r} occurs {len(found)} times; give focus_start and focus_end"
            )
        return source, focus, found[0], found[0] + len(focus)
    return source, None, None, None
