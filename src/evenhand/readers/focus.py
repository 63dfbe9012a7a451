"""Where the focus stands in the source: by offsets, by its words, or between ** **."""

import re

import polars as pl

from evenhand.errors import BadInput
from evenhand.readers.layout import LINE

_STARS = re.compile(r"\*\*(?![\s*])(.+?)(?<!\s)\*\*")  # around a word, not 2 ** 3 ** 4


def unstarred(table: pl.DataFrame, *, name: str = "") -> pl.DataFrame:
    """The sources without the ** ** around a focus, which then has its offsets. In the file `name` two marked words and
    a mark that is not closed are errors; else only the one pair of ** in a source without another focus is one; other
    stars are text."""
    sources = table["source"].to_list()
    starts, ends = _offsets(table, "focus_start"), _offsets(table, "focus_end")
    texts = table["focus"].to_list() if "focus" in table.columns else [None] * table.height
    for k, source in enumerate(sources):
        stars = list(_STARS.finditer(source or ""))
        if name and len(stars) > 1:
            raise BadInput.at(name, table[LINE][k], f"{len(stars)} words are marked with ** **; mark one")
        marked = len(stars) == 1 and (name or (not texts[k] and starts[k] is None and source.count("**") == 2))
        for star in stars if marked else ():
            sources[k], texts[k] = _STARS.sub(r"\1", source), star[1]
            starts[k], ends[k] = star.start(), star.start() + len(star[1])
        if name and "**" in _STARS.sub(r"\1", source or ""):
            raise BadInput.at(name, table[LINE][k], "a ** has no partner; write the focus between two: **nurse**")
    if sources == table["source"].to_list():
        return table
    marked_texts = pl.Series("source", sources, dtype=pl.String), pl.Series("focus", texts, dtype=pl.String)
    return table.with_columns(*marked_texts, *_spans(starts, ends))


def resolve_focus(
    pairs: pl.DataFrame, *, name: str = "pairs", whole_words: bool = False, noted: bool = False
) -> pl.DataFrame:
    """`pairs` with offsets (code points, end exclusive) on every row that has a focus: those given, or those of the
    text in `focus`, which must occur once as a whole word, or else (not with `whole_words`) once at all. `noted`: what
    is wrong with a row's focus is in the column `focus_problem`, and no error."""
    problems: list[str | None] = [None] * pairs.height
    starts, ends = _offsets(pairs, "focus_start"), _offsets(pairs, "focus_end")
    texts = pairs["focus"].to_list() if "focus" in pairs.columns else [None] * pairs.height
    for k, (text, source) in enumerate(zip(texts, pairs["source"].fill_null(""), strict=True)):
        start, end, problem = starts[k], ends[k], ""
        if start is not None and end is not None:
            if not 0 <= start < end <= len(source):
                problem = f"the focus {start}-{end} is not inside the source of {len(source)} characters"
        elif text:
            places = _places(source, text, whole_words)
            starts[k], ends[k] = (places[0], places[0] + len(text)) if places else (None, None)
            if len(places) != 1:
                todo = "give focus_start and focus_end" if places else "copy it from the source"
                problem = f"the focus {text!r} occurs {len(places)} times in the source; {todo}"
        else:
            starts[k] = ends[k] = None
        if problem and noted:
            starts[k], ends[k], problems[k] = None, None, problem
        elif problem:
            line = pairs[LINE][k] if LINE in pairs.columns else None
            raise BadInput.at(name, line, problem if line is not None else f"id {pairs['id'][k]!r}: {problem}")
    found = pairs.with_columns(*_spans(starts, ends))
    return found.with_columns(focus_problem=pl.Series(problems, dtype=pl.String)) if noted else found


def _offsets(table: pl.DataFrame, column: str) -> list[int | None]:
    return table[column].to_list() if column in table.columns else [None] * table.height


def _spans(starts: list[int | None], ends: list[int | None]) -> tuple[pl.Series, pl.Series]:
    return pl.Series("focus_start", starts, dtype=pl.Int64), pl.Series("focus_end", ends, dtype=pl.Int64)


def _places(source: str, text: str, whole_words: bool) -> list[int]:
    everywhere, at = [], source.find(text)
    while at >= 0:
        everywhere.append(at)
        at = source.find(text, at + 1)
    whole = [
        i
        for i in everywhere
        if not (i and source[i - 1].isalnum()) and not source[i + len(text) : i + len(text) + 1].isalnum()
    ]
    return whole if whole_words else whole or everywhere
