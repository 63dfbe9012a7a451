"""From a national table of people by occupation code to a reference of ours. ISCO-08 and KldB 2010 are taken as they
are; SOC and FEOR-08 need a correspondence to ISCO-08 that the user brings: none came to us with a licence."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from evenhand.errors import BadInput, Unknown
from evenhand.measures.definitions.optimal import EMPLOYED, SHARE
from evenhand.readers.layout import LINE, Column, Layout
from evenhand.readers.registry import read
from evenhand.references.reference import DIGITS, KLDB, SAMPLE, linked, parse_count, parse_share
from evenhand.storage.atomic import write_text

NAMES = {  # of the column with the codes
    "isco08": ("isco08", "isco"),
    "kldb": (KLDB, "kldb"),
    "soc": ("soc",),
    "feor": ("feor", "feor08"),
}
CODES = tuple(NAMES)
NATIONAL = ("soc", "feor")  # by a correspondence that the user brings
ABOUT = ("year", "country", "source", "licence")


SCHEMA = {"code": pl.String, "title": pl.String, **dict.fromkeys((SHARE, EMPLOYED, SAMPLE), pl.Float64)}


class National(NamedTuple):
    """A national table, one row per code: code, title, share_women, employed; and what it says about itself."""

    path: Path
    table: pl.DataFrame
    about: Mapping[str, str]


class Added(NamedTuple):
    """A reference by our key (isco08 or kldb2010); `unmapped` are codes of the table without one."""

    key: str
    table: pl.DataFrame
    about: Mapping[str, str]
    rows: int
    without_share: int
    unmapped: Sequence[str]


def read_national(path: Path, codes: str, **about: str) -> National:
    """The user's table; `about` (year, country, source, licence) stands in for what it does not say."""
    if codes not in CODES:
        raise Unknown("classification", codes, CODES)
    named = Column("code", NAMES[codes], required=True, filled=True)
    given = read(path, Layout("row", (named,), complaint=_lacks, notes="anywhere", gaps=True, trimmed=True))
    texts = given.with_columns(pl.exclude(LINE).cast(pl.String).fill_null(""))
    rows = [_parsed(row, path) for row in texts.iter_rows(named=True)]
    table = pl.DataFrame(rows, schema=SCHEMA)
    stated = {name: texts[name][0] if name in texts.columns else "" for name in ABOUT}
    return National(path, table, {name: about.get(name) or stated[name] for name in ABOUT})


def _lacks(names: Sequence[str]) -> str:
    counted = "women" in names and {"men", EMPLOYED} & set(names)
    if counted or {SHARE, "pct_women"} & set(names):
        return ""
    return f"no women and men (or {EMPLOYED}), and no {SHARE} (0 to 1) or pct_women (0 to 100)"


def _parsed(row: Mapping[str, str], path: Path) -> dict[str, str | float | None]:
    line, counts = int(row[LINE]), ("women", "men", EMPLOYED, SAMPLE)
    women, men, people, sample = (parse_count(row.get(name, ""), path, line, name) for name in counts)
    if women is not None and men is not None:
        people = women + men
    if women is not None and people and women > people:
        raise BadInput.at(path, line, f"{women:g} women of {people:g} people cannot be")
    counted = women / people if women is not None and people else None
    share = counted if "women" in row else parse_share(row, path, line)
    title = row.get("title") or row.get("occupation", "")
    return {"code": row["code"], "title": title, SHARE: share, EMPLOYED: people, SAMPLE: sample}


def add(national: National, codes: str, *, mapping: Path | None = None) -> Added:
    """The national table by our key. National codes need a `mapping` (columns code, isco08)."""
    key, table = KLDB if codes == "kldb" else "isco08", national.table
    if codes in NATIONAL and mapping is None:
        why = "none ships with Evenhand, because none has a licence; --template FILE writes the table to fill in"
        raise BadInput(f"{codes} codes need a correspondence to ISCO-08 (--map FILE, columns code and isco08): {why}")
    if mapping is not None:
        columns = (Column("code", NAMES[codes], required=True, filled=True), Column("isco08", required=True))
        links = read(mapping, Layout("code", columns, notes="anywhere", gaps=True, trimmed=True))
        links = links.select("code", "isco08").filter(pl.col("isco08") != "").unique(maintain_order=True)
    else:
        links = _own_links(table, key, national.path)
    unmapped = table.join(links, on="code", how="anti")["code"].unique(maintain_order=True).to_list()
    shares = table.filter(pl.col(SHARE).is_not_null())
    wrong = links.filter(~pl.col(links.columns[1]).str.contains(rf"^\d{{1,{DIGITS[key]}}}$"))
    if wrong.height:
        raise BadInput(f"{mapping or national.path}: {wrong[links.columns[1]][0]!r} is no {key} code")
    made, rows = linked(shares, links).sort(key), table.height
    return Added(key, made, national.about, rows, rows - shares.height, unmapped)


def _own_links(table: pl.DataFrame, key: str, path: Path) -> pl.DataFrame:
    """Codes that are ours already; longer ones are cut to ours, unless the table has the shorter one itself."""
    digits, codes = DIGITS[key], table["code"].unique(maintain_order=True).to_list()
    strange = [code for code in codes if not code.isdecimal()]
    if strange:
        raise BadInput(f"{path}: {min(strange)!r} is no {key} code: digits only")
    kept = [(code, code[:digits]) for code in codes if len(code) <= digits or code[:digits] not in set(codes)]
    return pl.DataFrame(kept, schema={"code": pl.String, key: pl.String}, orient="row")


def write_added(added: Added, path: Path) -> None:
    """The reference as a file that `--reference` takes."""
    about = [added.about[name] for name in ABOUT]
    rows = [
        (code, f"{share:.6f}", *("" if number is None else f"{number:.10g}" for number in people), *about)
        for code, share, *people in added.table.select(added.key, SHARE, EMPLOYED, SAMPLE).iter_rows()
    ]
    write_text(path, _lines([(added.key, SHARE, EMPLOYED, SAMPLE, *ABOUT), *rows]))


def write_template(national: National, path: Path) -> None:
    """The correspondence to fill in: every code of the table with its title, the column isco08 empty."""
    rows = national.table.select("code", "title").unique(maintain_order=True).iter_rows()
    write_text(path, _lines([("code", "title", "isco08"), *((code, title, "") for code, title in rows)]))


def _lines(rows: Iterable[Sequence[str]]) -> str:
    """TSV: tabs and line breaks inside a cell are blanks."""
    return "".join("\t".join(" ".join(cell.split()) for cell in row) + "\n" for row in rows)
