"""A user's own probes: a table with id, source and a focus (offsets, text that occurs once, or between ** **), or a
file of strings. Further columns are attributes; `cluster`, `gold`, `stereotype` and `base` mean what they do in our
suites; `feminine` and `masculine` are two renderings of each source, for `evenhand preference`."""

from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.gender import SHARES, Gender
from evenhand.languages import code, primary
from evenhand.readers.focus import resolve_focus, unstarred
from evenhand.readers.layout import LINE, Column, Layout
from evenhand.readers.opening import UserFile
from evenhand.readers.registry import chosen, read
from evenhand.storage.tables import GENDER
from evenhand.suites.contrastive import HALVES, OPEN, STATED, flagged
from evenhand.suites.suite import Grouping, Suite, SuiteKind

_MARKS = {"focus", "focus_start", "focus_end"}
_KNOWN = _MARKS | {"id", "source", "source_lang", "base", "pair", "context", "kind", "reference", *HALVES, "elsewhere"}
_MAX_LEVELS = 40  # a column with more values than this is an identifier, not a grouping
_MIN_PROBES = 2  # and so is one whose values have fewer probes than this on average: a text, a translation, a note
LAYOUT = Layout(
    "probe",
    (
        Column("id", required=True, filled=True),
        Column("source", ("text",), required=True, filled=True),
        Column("source_lang"),
        Column("focus_start", type=pl.Int64(), means="a whole number"),
        Column("focus_end", type=pl.Int64(), means="a whole number"),
        Column("gold", type=GENDER, means=f"a gender; use one of {', '.join(Gender)}, or leave it empty"),
        Column("focus"),
        Column("base"),
    ),
    unique=("id",),
)


def _can_group(column: pl.Series) -> bool:
    """Words, a few of them, each with probes enough."""
    levels = column.drop_nulls().n_unique()
    wordy = column.dtype in (pl.String, GENDER)
    return wordy and 1 < levels <= _MAX_LEVELS and levels * _MIN_PROBES <= column.count()


def own_probes(path: Path) -> Suite:
    """A suite of a user's table. Where no row has a focus, English is judged by the nouns for persons it names, other
    languages by the renderings' pronouns; a column `kind` decides otherwise."""
    probes = _read(path)
    english = all(primary(code or "en") == "en" for code in probes["source_lang"].unique())
    kind: SuiteKind = "nouns" if english or probes["focus"].null_count() < probes.height else "pronouns"
    if "kind" in probes.columns:
        given = probes["kind"].unique().to_list()
        if given not in (["nouns"], ["pronouns"], ["speaker"], ["listener"]):
            kinds = "nouns, pronouns, speaker or listener"
            raise BadInput(f"{path} column kind: all rows must have the same value of {kinds}; found {given}")
        kind = given[0]
        probes = probes.drop("kind")  # in our own suites the column tells occupations from adjectives
    stated, contrastive = "gold" in probes.columns, set(HALVES) <= set(probes.columns)
    measures = [*SHARES, "P_S", "TFG", *(("accuracy", "F1_female", "F1_male", "dG") if stated else ())]
    measures += ["dS"] if stated and "stereotype" in probes.columns else []
    if contrastive:
        kind, measures = "contrastive", [*OPEN, *(STATED if stated else ())]
    clusters = next(((c,) for c in ("cluster", "occupation", "concept", "pair") if c in probes.columns), ())
    groupings = tuple(
        Grouping(c, column=c) for c in probes.columns if c not in (*_KNOWN, *clusters) and _can_group(probes[c])
    )
    if contrastive:
        groupings += Grouping.by(*(c for c in clusters if c in ("occupation", "concept")))
        probes = flagged(probes)
    languages = probes["source_lang"].unique().to_list()
    return Suite(
        name=UserFile(path).stem,
        version="1.0",
        source_lang=languages[0] if len(languages) == 1 else "mixed",
        kind=kind,
        summary=f"your own probes in {path.name}",
        make=lambda: probes,
        clusters=clusters,
        groupings=groupings,
        measures=tuple(measures),
        axes="found",
    )


def _read(path: Path) -> pl.DataFrame:
    table = read(path, LAYOUT)
    if chosen(UserFile(path), otherwise="tsv").carries == "units":  # what it says in other languages is not asked
        table = table.select(pl.exclude("rendering", "target_lang"))
    table = table.with_columns(pl.col(pl.String).replace("", None))
    if "source_lang" not in table.columns:
        table = table.with_columns(source_lang=pl.lit("en"))
    languages = table["source_lang"].drop_nulls().unique()
    table = table.with_columns(pl.col("source_lang").replace({given: code(given) for given in languages}))
    if "base" in table.columns:
        lost = table.filter(~pl.col("base").is_in(table["id"].implode()))
        if lost.height:
            message = f"no probe has the id {lost['base'][0]!r}; base names the plain sentence of a variant"
            raise BadInput.at(path, lost[LINE][0], message, column="base")
    table = resolve_focus(unstarred(table, name=str(path)), name=str(path), whole_words=True)
    length = pl.col("focus_end") - pl.col("focus_start")
    return table.with_columns(focus=pl.col("source").str.slice(pl.col("focus_start"), length)).drop(LINE)
