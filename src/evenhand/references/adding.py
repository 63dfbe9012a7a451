"""From a national table of people by occupation code to a reference of ours, with a report of what it covers.

    isco08   ISCO-08, 1 to 4 digits, as it is
    kldb     KldB 2010; more than three digits are summed to three, the groups our concepts are assigned to
    soc      the US classification, feor the Hungarian one (FEOR-08): by a correspondence to ISCO-08 that you bring

We ship no correspondence of SOC or FEOR-08: none came to us from a source with a licence. `write_template` writes the
table to fill in, from the codes of your own file; a code may have several rows, its people are then divided evenly.

The table has a column `code` (or isco08, kldb2010, soc, feor), and women with men or employed (numbers of people), or
share_women or pct_women with, where it is known, employed. Optional: title, year, country, source, licence, sample.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import polars as pl

from evenhand.errors import BadInput
from evenhand.measures.definitions.optimal import EMPLOYED, SHARE
from evenhand.readers.layout import LINE, Column, Layout
from evenhand.readers.registry import read
from evenhand.references.reference import DIGITS, KLDB, SAMPLE, linked, parse_number
from evenhand.storage.atomic import write_text

CodeSystem = Literal["isco08", "kldb", "soc", "feor"]
CODES: tuple[CodeSystem, ...] = get_args(CodeSystem)
KEYS: Mapping[CodeSystem, str] = {"isco08": "isco08", "kldb": KLDB, "soc": "isco08", "feor": "isco08"}
NAMES: Mapping[CodeSystem, tuple[str, ...]] = {
    "isco08": ("isco08", "isco"),
    "kldb": (KLDB, "kldb"),
    "soc": ("soc",),
    "feor": ("feor", "feor08"),
}
NATIONAL = ("soc", "feor")  # by a correspondence that the user brings
ABOUT = ("year", "country", "source", "licence")


SCHEMA = {"code": pl.String, "title": pl.String, **dict.fromkeys((SHARE, EMPLOYED, SAMPLE), pl.Float64)}


@dataclass(frozen=True)
class National:
    """A national table, one row a code: code, title, share_women, employed; and what it says about itself."""

    path: Path
    table: pl.DataFrame
    about: Mapping[str, str]


@dataclass(frozen=True)
class Added:
    """A reference by our key (isco08 or kldb2010); `unmapped` are codes of the table without one."""

    key: str
    table: pl.DataFrame
    about: Mapping[str, str]
    rows: int
    without_share: int
    unmapped: Sequence[str]


def read_national(path: Path, codes: CodeSystem, **about: str) -> National:
    """The user's table; `about` (year, country, source, licence) stands in for what it does not say."""
    named = Column("code", NAMES[codes], required=True, filled=True)
    given = read(path, Layout("row", (named,), complaint=_lacks, notes="anywhere", gaps=True, trimmed=True))
    texts = given.with_columns(pl.exclude(LINE).cast(pl.String).fill_null(""))
    rows = [_parsed(row, path) for row in texts.iter_rows(named=True)]
    table = pl.DataFrame(rows, schema=SCHEMA)
    told = {name: texts[name][0] if name in texts.columns else "" for name in ABOUT}
    return National(path, table, {name: about.get(name) or told[name] for name in ABOUT})


def _lacks(names: Sequence[str]) -> str:
    counted = "women" in names and {"men", EMPLOYED} & set(names)
    if counted or {SHARE, "pct_women"} & set(names):
        return ""
    return f"no women and men (or {EMPLOYED}), and no {SHARE} (0 to 1) or pct_women (0 to 100)"


def _parsed(row: Mapping[str, str], path: Path) -> dict[str, str | float | None]:
    line = int(row[LINE])

    def number(name: str) -> float | None:
        return parse_number(row.get(name, ""), path, line, name)

    women, men, people = number("women"), number("men"), number(EMPLOYED)
    if women is not None and men is not None:
        people = women + men
    share: float | None = None
    if "women" in row:
        share = women / people if women is not None and people else None
    elif SHARE in row:
        share = number(SHARE)
    else:
        percent = number("pct_women")
        share = None if percent is None else percent / 100
    if share is not None and not 0 <= share <= 1:
        raise BadInput.at(path, line, f"a share of women of {share:g} cannot be; it goes from 0 to 1")
    if people is not None and people < 0:
        raise BadInput.at(path, line, f"{people:g} people cannot be")
    title = row.get("title") or row.get("occupation", "")
    return {"code": row["code"], "title": title, SHARE: share, EMPLOYED: people, SAMPLE: number(SAMPLE)}


def add(national: National, codes: CodeSystem, *, mapping: Path | None = None) -> Added:
    """The national table by our key. National codes need a `mapping` (columns code, isco08)."""
    key, table = KEYS[codes], national.table
    if codes in NATIONAL and mapping is None:
        raise BadInput(
            f"{codes} codes need a correspondence to ISCO-08 (--map FILE, columns code and isco08). We ship none, for "
            "none came to us with a licence; --template FILE writes the table to fill in"
        )
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
    return Added(
        key=key,
        table=linked(shares, links).sort(key),
        about=national.about,
        rows=table.height,
        without_share=table.height - shares.height,
        unmapped=unmapped,
    )


def _own_links(table: pl.DataFrame, key: str, path: Path) -> pl.DataFrame:
    """Codes that are ours already; longer ones are cut to ours, unless the table has the shorter one itself."""
    digits = DIGITS[key]
    codes = table["code"].unique(maintain_order=True)
    here = set(codes.to_list())
    strange = [code for code in here if not code.isdecimal()]
    if strange:
        raise BadInput(f"{path}: {min(strange)!r} is no {key} code: digits only")
    kept = [code for code in codes if len(code) <= digits or code[:digits] not in here]
    return pl.DataFrame(
        {"code": kept, key: [code[:digits] for code in kept]}, schema={"code": pl.String, key: pl.String}
    )


def write_added(added: Added, path: Path) -> None:
    """The reference as a file that `--reference` takes."""
    told = [added.about[name] for name in ABOUT]
    rows = [
        (code, f"{share:.6f}", *("" if number is None else f"{number:.10g}" for number in people), *told)
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
